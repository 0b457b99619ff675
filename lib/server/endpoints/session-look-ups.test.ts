// No request looks its session up twice (docs/adr/0035).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { authorizeQuery, locationOf, SPA, signInForTokens } from '../../testing/journey'
import { statementsOf } from '../../testing/sent-statements'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../testing/server'

const THIRD = { client_id: 'third', redirect_uri: 'https://third.test/cb', scope: 'openid email' }

let server: TestServer
let browser: Browser
let idToken: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  const settings = { app_type: 'spa', callbacks: ['https://third.test/cb'], is_first_party: false }
  await server.addClient({ clientId: 'third', settings })
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser()
  const { id_token } = await signInForTokens(browser, 'kim@mail.test')
  idToken = String(id_token)
})

async function lookUpsOf(
  send: () => Promise<TestResponse>,
  isExpected: (answer: TestResponse) => boolean,
): Promise<number> {
  let answer: TestResponse | undefined
  const names = await statementsOf(server.database.pool, async () => {
    answer = await send()
  })
  expect(answer && isExpected(answer)).toBe(true)
  return names.filter((name) => name === 'session-find').length
}

const leadsTo = (target: string) => (answer: TestResponse) => locationOf(answer).href.startsWith(target)

it('single sign-on looks up the session once', async () => {
  const query = authorizeQuery({ prompt: 'none' })
  expect(await lookUpsOf(() => browser.get('/authorize', { query }), leadsTo('https://app.test/cb?code='))).toBe(1)
})

it('a step that finishes a login with the proof of the session looks it up once', async () => {
  const consent = locationOf(await browser.get('/authorize', { query: authorizeQuery(THIRD) }))
  expect(consent.pathname).toBe('/u/consent')
  const form = { state: consent.searchParams.get('state') ?? '', action: 'accept' }
  const accept = () => browser.post('/u/submit', { form })
  expect(await lookUpsOf(accept, leadsTo('https://third.test/cb?code='))).toBe(1)
})

it('a logout that looks for an upstream provider too looks up the session once', async () => {
  const query = 'client_id=spa&federated'
  expect(await lookUpsOf(() => browser.get('/v2/logout', { query }), leadsTo('https://app.test/bye'))).toBe(1)
})

it('a logout that proves the session looks it up once', async () => {
  const query = { id_token_hint: idToken }
  const isLoggedOut = ({ status }: TestResponse) => status === 200
  expect(await lookUpsOf(() => browser.get('/oidc/logout', { query }), isLoggedOut)).toBe(1)
  expect(browser.cookies.has('__Host-latchkey_session')).toBe(false)
})
