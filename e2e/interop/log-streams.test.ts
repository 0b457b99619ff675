// Log streams of two servers on one PostgreSQL: every entry arrives in order although one server is killed, and a sink that hangs
// does not affect logins (threat-model.md MG26, MG27).
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MANAGEMENT_SCOPES } from '../../lib/data/apis/management-scopes'
import { PASSWORD } from '../people'
import { loginOn } from './support/balanced'
import { TOOLBOX } from './support/managed-tenant'
import { type ServerProcess, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { postToken } from './support/tenant'

const EMAIL = 'ada@e2e.test'
/** Of each half; twenty logins of an account at one address are permitted at a time. */
const LOGINS = 9

let database: SharedDatabase
let a: ServerProcess
let b: ServerProcess
let token: string
const sinks: Server[] = []

beforeAll(async () => {
  database = await shareDatabase()
  const settings = {
    ...database.settings,
    LATCHKEY_CONFIG: fileURLToPath(new URL('management.yaml', import.meta.url)),
    TOOL_SCOPES: JSON.stringify([...MANAGEMENT_SCOPES.keys()]),
    LATCHKEY_ALLOW_PRIVATE_TARGETS: '1',
  }
  a = await startServer(settings)
  b = await startServer(settings)
  const { clientId, clientSecret } = TOOLBOX
  const form = { client_id: clientId, client_secret: clientSecret, audience: `${ORIGIN}/api/v2/` }
  token = (await postToken(b.url, { grant_type: 'client_credentials', ...form })).body.access_token
  const user = { email: EMAIL, password: PASSWORD, email_verified: true }
  await manage('POST', '/users', { connection: 'Username-Password-Authentication', ...user })
})
afterAll(async () => {
  await Promise.all([a?.end('SIGKILL'), b?.end('SIGTERM')])
  for (const sink of sinks) {
    sink.closeAllConnections()
    sink.close()
  }
  await database?.remove()
})

async function manage(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${b.url}/api/v2${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** A sink that records the ids of entries, or one that never answers. */
async function listen(hangs: boolean): Promise<{ url: string; ids: string[]; requests(): number }> {
  const ids: string[] = []
  let requests = 0
  const sink = createServer((request, response) => {
    requests += 1
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (hangs) return
      ids.push(...body.split('\n').map((line) => (JSON.parse(line) as { log_id: string }).log_id))
      response.end()
    })
  })
  sinks.push(sink)
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`, ids, requests: () => requests }
}

async function allRecords(): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const from = ids.length === 0 ? '' : `&from=${ids.at(-1)}`
    const page = (await manage('GET', `/logs?take=100${from}`)) as { log_id: string }[]
    if (page.length === 0) return ids
    ids.push(...page.map(({ log_id }) => log_id))
  }
}

/** The log is written in batches: a killed server may lose the records of its last 200 ms, and a reader sees them that much later. */
async function expectLogins(count: number): Promise<void> {
  const logins = () => manage('GET', '/logs?q=type:s&per_page=100')
  await expect.poll(async () => (await logins()).length, { timeout: 10_000 }).toBe(count)
}

const login = async (instance: ServerProcess): Promise<string | null> =>
  (await loginOn(instance, EMAIL, { client_id: 'e2e-storefront' })).callback.searchParams.get('code')

it('delivers every entry in order through the death of a server, beside a sink that hangs', async () => {
  const [healthy, hanging] = [await listen(false), await listen(true)]
  for (const { url } of [hanging, healthy]) {
    const stream = { name: url, type: 'http', sink: { httpEndpoint: url }, startFrom: '2020-01-01T00:00:00Z' }
    expect(await manage('POST', '/log-streams', stream)).toMatchObject({ status: 'active' })
  }
  await expect.poll(() => Math.min(healthy.requests(), hanging.requests())).toBeGreaterThan(0)

  for (let n = 0; n < LOGINS; n += 1) expect(await login(n % 2 === 0 ? a : b)).toBeTruthy()
  await expectLogins(LOGINS)
  await a.end('SIGKILL')
  for (let n = 0; n < LOGINS; n += 1) expect(await login(b)).toBeTruthy()
  await expectLogins(2 * LOGINS)

  const all = await allRecords()
  expect(all.length).toBeGreaterThan(2 * LOGINS)
  await expect.poll(() => new Set(healthy.ids).size, { timeout: 150_000 }).toBeGreaterThanOrEqual(all.length)
  expect([...new Set(healthy.ids)].slice(0, all.length)).toEqual(all)
})
