// Authorization responses as signed JWTs (JARM).
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizeQuery, beginLogin, locationOf, redeem, SPA, submitPassword, userinfo } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser
let keys: JSONWebKeySet

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: ['authorization_code', 'implicit'] } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  browser = server.browser()
  await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
  keys = (await browser.get('/.well-known/jwks.json')).json() as unknown as JSONWebKeySet
})
afterAll(() => server.close())

const ask = (response_mode: string, extra: Record<string, string> = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery({ response_mode, ...extra }) })
const inQuery = (answer: TestResponse) => locationOf(answer).searchParams
const inFragment = (answer: TestResponse) => new URLSearchParams(locationOf(answer).hash.slice(1))
const inForm = ({ text }: TestResponse) =>
  new URLSearchParams([['response', /name="response" value="([^"]*)"/.exec(text)?.[1] ?? '']])

async function open(parameters: URLSearchParams): Promise<Record<string, unknown>> {
  expect([...parameters.keys()]).toEqual(['response'])
  const accept = { issuer: 'https://id.test/', audience: 'spa', algorithms: ['RS256'], currentDate: server.clock.now() }
  return (await jwtVerify(parameters.get('response') ?? '', createLocalJWKSet(keys), accept)).payload
}

const STATE = 's t+a/te'

describe('the place of the JWT', () => {
  it.each([
    ['jwt', 'code', inQuery],
    ['query.jwt', 'code', inQuery],
    ['fragment.jwt', 'code', inFragment],
    ['form_post.jwt', 'code', inForm],
    ['jwt', 'code id_token', inFragment],
    ['form_post.jwt', 'code id_token', inForm],
  ])('the mode %s with %s puts the JWT in its place', async (mode, response_type, place) => {
    const { code, ...rest } = await open(place(await ask(mode, { response_type })))
    expect(rest).toMatchObject({ state: STATE, aud: 'spa', exp: Math.floor(server.clock.now().getTime() / 1000) + 600 })
    expect('id_token' in rest).toBe(response_type !== 'code')
    expect((await redeem(server.browser(), String(code))).status).toBe(200)
  })

  it('is not that of a message: an error on our own page', async () => {
    expect((await ask('web_message.jwt')).status).toBe(400)
  })
})

it('has errors in it, from the request and from the login', async () => {
  const wrong = await open(inQuery(await ask('jwt', { prompt: 'shout' })))
  expect(wrong).toMatchObject({ error: 'invalid_request', state: STATE })
  const refused = await server
    .browser()
    .get('/authorize', { query: authorizeQuery({ response_mode: 'jwt', prompt: 'none' }) })
  expect(await open(inQuery(refused))).toMatchObject({ error: 'login_required', error_description: 'Login required' })
})

it('refuses a token in a query, even in a JWT', async () => {
  const answer = await ask('query.jwt', { response_type: 'token' })
  expect(await open(inFragment(answer))).toMatchObject({ error: 'invalid_request', state: STATE })
})

it('is no access token and no hint of a login', async () => {
  const response = inQuery(await ask('jwt')).get('response') ?? ''
  expect((await userinfo(browser, response)).status).toBe(401)
  expect((await browser.get('/oidc/logout', { query: { id_token_hint: response } })).status).toBe(400)
})
