// Posts from pages of other origins (threat-model.md BF5): every endpoint refuses them, except those where the other party of a
// protocol sends the browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'
import { ENDPOINTS } from '../index'

const FROM_ELSEWHERE: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sibling.id.test' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.test' },
  { origin: 'null' },
]
const OWN = { 'sec-fetch-site': 'same-origin', origin: 'null' }

const user = 'kim@mail.test'
let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ email: user })
})
afterAll(() => server.close())

const posting = Object.entries(ENDPOINTS).filter(([, { errors, methods }]) => errors === 'page' && methods.POST)

it('is taken at these addresses alone', () => {
  const open = posting.filter(([, { posts }]) => posts === 'any-site').map(([path]) => path)
  expect(open).toEqual([
    '/authorize',
    '/logout/callback',
    '/oidc/logout',
    '/continue',
    '/login/callback',
    '/samlp/:client_id',
    '/samlp/:client_id/logout',
  ])
})

describe.each(posting.filter(([, { posts }]) => posts === 'own-pages'))('%s', (path) => {
  it.each(FROM_ELSEWHERE)('refuses with a page what comes with %j', async (headers) => {
    const answer = await server.browser().post(path, { form: {}, headers })
    expect([answer.status, answer.header('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('This didn’t come from our page')
    expect([answer.header('location'), answer.header('set-cookie')]).toEqual([undefined, undefined])
  })
})

describe('a right login state and password', () => {
  it.each(FROM_ELSEWHERE)('cannot sign in from another origin: %j', async (headers) => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const answer = await submitPassword(browser, state, user, undefined, headers)
    expect([answer.status, answer.header('set-cookie')]).toEqual([403, undefined])
    const own = await submitPassword(browser, state, user, undefined, OWN)
    expect(locationOf(own).searchParams.has('code')).toBe(true)
  })
})

it('answers scripts in JSON', async () => {
  const headers = { 'sec-fetch-site': 'same-site', origin: 'https://sibling.id.test' }
  const answer = await server.browser().post('/usernamepassword/login', { json: { username: user }, headers })
  expect([answer.status, answer.json().error]).toEqual([403, 'access_denied'])
})
