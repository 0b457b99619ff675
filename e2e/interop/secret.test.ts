// LATCHKEY_SECRET is changed while two servers run, as docs/runbook.md describes: no user is affected.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRandom } from '../../lib/kernel/random'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PASSWORD, PEOPLE } from '../people'
import { HttpBrowser, signIn } from './support/http-browser'
import { launch, outcomeOf, runCommand, type ServerProcess, type Settings, startServer } from './support/server-process'
import { ORIGIN, type SharedDatabase, shareDatabase } from './support/shared-database'
import { authorizeRequest, redeem, refresh } from './support/tenant'

const CLIENT = 'e2e-spa'
const { kim } = PEOPLE

let database: SharedDatabase
let settings: Settings
const OLD = systemRandom.token()
const NEW = systemRandom.token()
const running: ServerProcess[] = []

const start = async (secret: string): Promise<ServerProcess> => {
  const server = await startServer({ ...settings, LATCHKEY_SECRET: secret })
  running.push(server)
  return server
}

beforeAll(async () => {
  database = await shareDatabase()
  settings = database.settings
})
afterAll(async () => {
  await Promise.all(running.map((server) => server.end('SIGTERM')))
  await database?.remove()
})

it('serves with the old and the new one side by side, then with the new one alone', async () => {
  const old = await start(OLD)
  const at = { server: old }
  const browser = new HttpBrowser((url) => url.replace(ORIGIN, at.server.url))
  const login = authorizeRequest(ORIGIN)
  const first = await redeem(old.url, CLIENT, await signIn(browser, login.url, kim.email), login.verifier)
  expect(first.status).toBe(200)

  await runCommand(['secret', 'add'], { ...settings, LATCHKEY_SECRET: OLD, LATCHKEY_NEW_SECRET: NEW })
  const fresh = await start(NEW)

  // Started at the old server, completed at the new one, exchanged at the old one, refreshed at the new one.
  const { url, verifier } = authorizeRequest(ORIGIN, { prompt: 'login' })
  const form = new URL((await browser.get(url)).location ?? '')
  at.server = fresh
  const state = form.searchParams.get('state') ?? ''
  const fields = { state, action: 'login', username: kim.email, password: PASSWORD }
  const callback = new URL((await browser.post(`${ORIGIN}/u/submit`, fields)).location ?? '')
  const second = await redeem(old.url, CLIENT, callback, verifier)
  expect(second.status).toBe(200)
  expect(await refresh(fresh.url, CLIENT, second.body.refresh_token)).toMatchObject({ status: 200 })

  await old.end('SIGTERM')
  const retired = await runCommand(['secret', 'retire'], { ...settings, LATCHKEY_SECRET: NEW })
  expect(retired).toContain('LATCHKEY_SECRET is now the only valid secret')
  expect(await refresh(fresh.url, CLIENT, first.body.refresh_token)).toMatchObject({ status: 200 })
  const { code, output } = await outcomeOf(launch({ ...settings, LATCHKEY_SECRET: OLD }, await freePort()))
  expect(code).toBe(1)
  expect(output).toContain('another LATCHKEY_SECRET')
})
