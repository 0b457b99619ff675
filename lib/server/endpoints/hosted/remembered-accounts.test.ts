// The accounts that signed in with a browser (threat-model.md RA1).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  submitPassword,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const COOKIE = '__Host-latchkey_accounts'
const PICKER = '/u/select-account'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  for (const id of ['kim', 'lee', 'ann', 'joe', 'sue', 'max'])
    await server.addUser({ id, email: `${id}@mail.test`, data: { name: `${id} Doe` } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({})
  browser = server.browser()
})

/** Signs in as each, one after the other. */
async function signInAs(...ids: string[]): Promise<void> {
  for (const id of ids) {
    server.clock.advance(10)
    await signIn(browser, `${id}@mail.test`, { prompt: 'login' })
  }
}

async function choose(extra: Record<string, string> = {}): Promise<string> {
  const query = authorizeQuery({ prompt: 'select_account', ...extra })
  const answer = await browser.get('/authorize', { query })
  expect(locationOf(answer).pathname).toBe(PICKER)
  return locationOf(answer).searchParams.get('state') ?? ''
}

const act = (state: string, action: string, account: string): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, account: `auth0|${account}` } })
const pageOf = async (state: string, path = PICKER): Promise<string> =>
  (await browser.get(path, { query: { state } })).text
const accountsIn = (page: string): string[] =>
  [...page.matchAll(/class="account-email">([^@<]*)@/g)].map(([, id]) => id ?? '')
const subjectOf = async (answer: TestResponse): Promise<unknown> => {
  const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
  return payloadOf(tokens.id_token).sub
}

it('are offered, the session’s first, then the newest', async () => {
  await signInAs('kim', 'lee', 'ann')
  const state = await choose()
  const page = await pageOf(state)
  expect(accountsIn(page)).toEqual(['ann', 'lee', 'kim'])
  expect(page.match(/account-note/g)).toHaveLength(1)
  expect(await subjectOf(await act(state, 'continue', 'ann'))).toBe('auth0|ann')
})

it('are asked for a proof if the session is not theirs, with the name filled in', async () => {
  await signInAs('kim', 'lee')
  const state = await choose()
  const answer = await act(state, 'continue', 'kim')
  expect(locationOf(answer).pathname).toBe('/u/login')
  expect(await pageOf(state, '/u/login')).toContain('value="kim@mail.test"')
  expect(await subjectOf(await submitPassword(browser, state, 'kim@mail.test'))).toBe('auth0|kim')
})

it('are offered without a session as well, and signed in by none of them', async () => {
  await signInAs('kim')
  await browser.get('/v2/logout')
  const state = await choose()
  expect(accountsIn(await pageOf(state))).toEqual(['kim'])
  expect(locationOf(await act(state, 'continue', 'kim')).pathname).toBe('/u/login')
  expect(locationOf(await act(await choose(), 'continue', 'lee')).pathname).toBe('/u/login')
  expect(locationOf(await act(await choose(), 'switch', '')).pathname).toBe('/u/login')
})

it('are a link away from the login page', async () => {
  expect(await pageOf(await beginLogin(browser), '/u/login')).not.toContain(PICKER)
  await signInAs('kim')
  const state = await beginLogin(browser, { prompt: 'login' })
  expect(await pageOf(state, '/u/login')).toContain(`${PICKER}?state=`)
  expect(accountsIn(await pageOf(state))).toEqual(['kim'])
})

it('continue without a proof only where the login accepts the session', async () => {
  await signInAs('kim')
  const state = await beginLogin(browser, { prompt: 'login' })
  expect(locationOf(await act(state, 'continue', 'kim')).pathname).toBe('/u/login')
})

it('are removed from the browser one by one', async () => {
  await signInAs('kim', 'lee')
  await browser.get('/v2/logout')
  const state = await choose()
  expect(locationOf(await act(state, 'forget', 'lee')).pathname).toBe(PICKER)
  expect(accountsIn(await pageOf(state))).toEqual(['kim'])
  await act(state, 'forget', 'nobody')
  expect(accountsIn(await pageOf(state))).toEqual(['kim'])
  await act(state, 'forget', 'kim')
  expect(browser.cookies.has(COOKIE)).toBe(false)
  expect(locationOf(await browser.get(PICKER, { query: { state } })).pathname).toBe('/u/login')
})

it('are four at most, in a cookie of bounded length that names none in the clear', async () => {
  await signInAs('kim', 'lee', 'ann', 'joe', 'sue', 'max', 'kim')
  const value = browser.cookies.get(COOKIE) ?? ''
  expect(value.length).toBeLessThanOrEqual(1600)
  expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain('mail.test')
  expect(accountsIn(await pageOf(await choose()))).toEqual(['kim', 'max', 'sue', 'joe'])
})

it('fit into the cookie with long names', async () => {
  const id = 'x'.repeat(200)
  await server.addUser({ id, email: 'long@mail.test', data: { name: 'ü'.repeat(300) } })
  await signInAs('kim', 'lee')
  server.clock.advance(10)
  await signIn(browser, 'long@mail.test', { prompt: 'login' })
  expect((browser.cookies.get(COOKIE) ?? '').length).toBeLessThanOrEqual(1600)
  expect(accountsIn(await pageOf(await choose()))[0]).toBe('long')
})

it.each([
  ['nothing that was sealed', () => 'abc'],
  ['a changed one', (value: string) => `${value.slice(0, -4)}AAAA`],
  ['an endless one', () => 'A'.repeat(5000)],
])('are not read from %s', async (_what, change) => {
  await signInAs('kim')
  browser.cookies.set(COOKIE, change(browser.cookies.get(COOKIE) ?? ''))
  await browser.get('/v2/logout')
  const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
  expect(locationOf(answer).pathname).toBe('/u/login')
})

it('are of their tenant', async () => {
  const tenant = await server.addTenant('elsewhere', 'https://elsewhere.test')
  await tenant.addClient(SPA)
  await signInAs('kim')
  const there = server.browser({ host: 'elsewhere.test' })
  there.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
  const answer = await there.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
  expect(locationOf(answer).pathname).toBe('/u/login')
})

it.each([
  ['the tenant turned it off', { remember_accounts: false }],
  ['the session ends with the browser', { session_cookie: { mode: 'non-persistent' } }],
])('are remembered nowhere if %s', async (_why, tenant) => {
  await signInAs('kim')
  const value = browser.cookies.get(COOKIE) ?? ''
  await server.setTenant({ tenant })
  browser = server.browser()
  await signInAs('lee')
  expect(browser.cookies.has(COOKIE)).toBe(false)
  await browser.get('/v2/logout')
  browser.cookies.set(COOKIE, value)
  const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'select_account' }) })
  expect(locationOf(answer).pathname).toBe('/u/login')
})
