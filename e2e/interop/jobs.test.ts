// Jobs outlive the process that works on them (threat-model.md MG19): kill -9 in the middle of an import and of an export, and
// another instance finishes it: each user once.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MANAGEMENT_SCOPES } from '../../lib/data/apis/management-scopes'
import { TOOLBOX } from './support/managed-tenant'
import { type ServerProcess, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { postToken } from './support/tenant'

type Job = Record<string, unknown>

const USERS = 10_000

let database: SharedDatabase
let rows: Client
let server: ServerProcess
let token: string

const start = (): Promise<ServerProcess> =>
  startServer({
    ...database.settings,
    LATCHKEY_CONFIG: fileURLToPath(new URL('management.yaml', import.meta.url)),
    TOOL_SCOPES: JSON.stringify([...MANAGEMENT_SCOPES.keys()]),
  })

beforeAll(async () => {
  database = await shareDatabase()
  rows = new Client({ connectionString: database.url })
  await rows.connect()
  server = await start()
  const { body } = await postToken(server.url, {
    grant_type: 'client_credentials',
    client_id: TOOLBOX.clientId,
    client_secret: TOOLBOX.clientSecret,
    audience: `${ORIGIN}/api/v2/`,
  })
  token = body.access_token
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await rows?.end()
  await database?.remove()
})

async function api<Answer = Job>(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) }
  const answer = await fetch(`${server.url}/api/v2${path}`, { ...init, headers })
  expect(answer.ok, `${path} ${answer.status}`).toBe(true)
  return (await answer.json()) as Answer
}

async function until<Value>(look: () => Promise<Value>, isIt: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look()
    if (isIt(value)) return value
    await sleep(5)
  }
}

const doneOf = async (id: unknown): Promise<{ status: string; done: number }> =>
  (await rows.query('SELECT status, done FROM job WHERE id = $1', [id])).rows[0]

/** Kills the process once the job is under way, and starts another; the lease is ended for it, which would take a minute. */
async function replaceInTheMiddle(id: unknown): Promise<void> {
  const { status, done } = await until(
    () => doneOf(id),
    (job) => job.done > 0,
  )
  await server.end('SIGKILL')
  expect({ status, isUnderWay: done < USERS }).toEqual({ status: 'processing', isUnderWay: true })
  expect(await doneOf(id)).toMatchObject({ status: 'processing' })
  await rows.query('UPDATE job SET due_at = created_at WHERE id = $1', [id])
  server = await start()
}

const finished = (id: unknown): Promise<Job> =>
  until(
    () => api(`/jobs/${id}`),
    ({ status }) => status === 'completed' || status === 'failed',
  )

it('finishes an import and an export of which a process died in the middle', async () => {
  const [connection] = await api<Job[]>('/connections?strategy=auth0')
  const lines = Array.from({ length: USERS }, (_, n) => JSON.stringify({ email: `person-${n}@killed.test` }))
  const form = new FormData()
  form.set('users', new Blob([lines.join('\n')]), 'users.json')
  form.set('connection_id', String(connection?.id))
  const imported = await api('/jobs/users-imports', { method: 'POST', body: form })
  await replaceInTheMiddle(imported.id)
  expect(await finished(imported.id)).toMatchObject({
    status: 'completed',
    percentage_done: 100,
    summary: { total: USERS, inserted: USERS, updated: 0, failed: 0 },
  })
  const { rows: counted } = await rows.query(
    `SELECT count(*)::int AS users, count(DISTINCT email)::int AS emails FROM "user" WHERE email LIKE '%@killed.test'`,
  )
  expect(counted).toEqual([{ users: USERS, emails: USERS }])

  const wanted = { connection_id: connection?.id, fields: [{ name: 'email' }] }
  const headers = { 'content-type': 'application/json' }
  const exported = await api('/jobs/users-exports', { method: 'POST', headers, body: JSON.stringify(wanted) })
  await replaceInTheMiddle(exported.id)
  const { status, location } = await finished(exported.id)
  expect(status).toBe('completed')
  const file = await fetch(String(location).replace(ORIGIN, server.url))
  const emails = gunzipSync(Buffer.from(await file.arrayBuffer()))
    .toString()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { email: string }).email)
    .filter((email) => email.endsWith('@killed.test'))
  expect(emails).toHaveLength(USERS)
  expect(new Set(emails).size).toBe(USERS)
})
