// Single sign-on from one client to another: only for users of connections that the other client may use.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { authorizeQuery, locationOf, SPA, signIn } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const ADMIN = { client_id: 'admin' }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'admin', settings: SPA.settings })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser()
  await enableFor('spa', 'admin')
  await signIn(browser, 'kim@mail.test')
})

/** The clients that may use the connection Kim signs in with. */
async function enableFor(...clients: string[]): Promise<void> {
  await server.database.pool.query(`UPDATE connection SET settings = $1 WHERE name = 'Users'`, [
    JSON.stringify({ enabled_clients: clients }),
  ])
  server.clock.advance(2)
}

const ask = (extra: Record<string, string>): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery(extra) })
const outcome = (answer: TestResponse) => {
  const { pathname, searchParams } = locationOf(answer)
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : pathname)
}

it('a session signs in at every application that may use its connection', async () => {
  expect(outcome(await ask(ADMIN))).toBe('code')
})

it('the session signs in at no other client, with or without a page', async () => {
  await enableFor('spa')
  expect(outcome(await ask(ADMIN))).toBe('/u/login')
  expect(outcome(await ask({ ...ADMIN, prompt: 'none' }))).toBe('login_required')
  expect(outcome(await ask({ prompt: 'none' }))).toBe('code')
})

it('the choice of the signed-in account does not sign in at another client', async () => {
  await enableFor('spa')
  const state = locationOf(await ask({ ...ADMIN, prompt: 'select_account' })).searchParams.get('state') ?? ''
  expect(outcome(await browser.post('/u/submit', { form: { state, action: 'continue' } }))).toBe('/u/login')
})
