// The API of a request as its `resource` (RFC 8707), and the metadata of our own APIs (RFC 9728, RFC 9470).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  codeBySession,
  exchangeOf,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  WEB,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test/mcp'
const OTHER = 'https://other.test'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['client_credentials'] } })
  await server.addApi(API, { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await server.addApi(OTHER, { scopes: [{ value: 'read:things' }] })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await profile('compatibility')
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
})
afterAll(() => server.close())

const profile = (resource_parameter_profile: string) => server.setTenant({ tenant: { resource_parameter_profile } })
const codeFor = (extra: Record<string, string>) =>
  codeBySession(browser, { scope: 'openid read:things offline_access', ...extra })
const audience = (answer: TestResponse) => payloadOf(answer.json().access_token).aud
const outcome = (answer: TestResponse) => [answer.status, answer.json().error]
const INVALID_TARGET = [400, 'invalid_target']

describe('the resource of a request', () => {
  it('is the audience of its tokens, and may be repeated where they are issued', async () => {
    const answer = await redeem(browser, await codeFor({ resource: API }), { resource: API })
    expect(audience(answer)).toContain(API)
    const refreshed = await refresh(browser, answer.json().refresh_token, { resource: API })
    expect(audience(refreshed)).toContain(API)
  })

  it('gives way to an audience, and means nothing without the profile', async () => {
    expect(audience(await redeem(browser, await codeFor({ resource: OTHER, audience: API })))).toContain(API)
    await profile('audience')
    const plain = await redeem(browser, await codeFor({ resource: 'nowhere' }), { resource: API })
    await profile('compatibility')
    expect([plain.status, plain.json().access_token]).toEqual([200, expect.not.stringContaining('.ey')])
  })

  it.each([`${API}/`, 'HTTPS://API.test/mcp', 'https://api.test:443/mcp/'])('may be spelt %s', async (resource) => {
    const answer = await redeem(browser, await codeFor({ resource }), { resource })
    expect(audience(answer)).toContain(API)
    const refreshed = await refresh(browser, answer.json().refresh_token, { resource })
    expect(audience(refreshed)).toContain(API)
    const mixed = await redeem(browser, await codeFor({ resource: API }), { resource })
    expect(audience(mixed)).toContain(API)
  })

  it.each([
    `${API}#x`,
    `${API}//`,
    `${API}/x`,
    'https://api.test/MCP',
    `${API}?x`,
    'https://kim@api.test/mcp',
    'http://api.test/mcp',
  ])('is not spelt %s', async (resource) => {
    const query = authorizeQuery({ prompt: 'none', resource })
    expect(locationOf(await browser.get('/authorize', { query })).searchParams.get('error')).toBe('invalid_target')
    expect(outcome(await redeem(browser, await codeFor({ resource: API }), { resource }))).toEqual(INVALID_TARGET)
  })

  it('is the API of the same spelling where two differ by the slash alone', async () => {
    await server.addApi(`${OTHER}/`, { scopes: [{ value: 'read:things' }] })
    for (const resource of [OTHER, `${OTHER}/`]) {
      const answer = await redeem(browser, await codeFor({ resource }), { resource })
      expect([audience(answer)].flat()).toContain(resource)
    }
    expect(outcome(await redeem(browser, await codeFor({ resource: OTHER }), { resource: `${OTHER}/` }))).toEqual(
      INVALID_TARGET,
    )
  })

  it('is refused where it is unknown', async () => {
    const query = authorizeQuery({ prompt: 'none', resource: 'https://nowhere.test/' })
    expect(locationOf(await browser.get('/authorize', { query })).searchParams.get('error')).toBe('invalid_target')
    const device = await browser.post('/oauth/device/code', {
      form: { client_id: 'spa', resource: 'https://nowhere.test/' },
    })
    expect(device.status).toBeGreaterThanOrEqual(400)
  })

  it('cannot change at the token endpoint, and the refusal spends neither code nor refresh token', async () => {
    const code = await codeFor({ resource: API })
    expect(outcome(await redeem(browser, code, { resource: OTHER }))).toEqual(INVALID_TARGET)
    const tokens = (await redeem(browser, code)).json()
    expect(outcome(await refresh(browser, tokens.refresh_token, { resource: OTHER }))).toEqual(INVALID_TARGET)
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('is refused twice in one request, wherever it is sent, and the refusal spends no code', async () => {
    const query = `${new URLSearchParams(authorizeQuery({ prompt: 'none', resource: API }))}&resource=${OTHER}`
    expect(locationOf(await browser.get('/authorize', { query })).searchParams.get('error')).toBe('invalid_target')
    const twice = (form: Record<string, string>) => `${new URLSearchParams(form)}&resource=${API}&resource=${OTHER}`
    for (const path of ['/oauth/par', '/oauth/device/code'])
      expect(outcome(await browser.post(path, { form: twice(authorizeQuery()) }))).toEqual(INVALID_TARGET)
    const code = await codeFor({ resource: API })
    expect(outcome(await browser.post('/oauth/token', { form: twice(exchangeOf(code)) }))).toEqual(INVALID_TARGET)
    const list = { ...exchangeOf(code), resource: [API, OTHER] }
    expect(outcome(await browser.post('/oauth/token', { json: list }))).toEqual(INVALID_TARGET)
    expect((await redeem(browser, code)).status).toBe(200)
  })

  it('cannot be added to a grant without API', async () => {
    expect(outcome(await redeem(browser, await codeFor({}), { resource: API }))).toEqual(INVALID_TARGET)
  })

  it('needs a client grant, as an audience does', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'web', client_secret: WEB.secret, resource: API }
    expect(outcome(await browser.post('/oauth/token', { form }))).toEqual([403, 'access_denied'])
  })
})

describe('the metadata of our own APIs', () => {
  const get = (path: string) => browser.get(`/.well-known/oauth-protected-resource${path}`)

  it.each(['/me/', '/me', '/mfa/', '/api/v2/'])('is served for %s, to any origin', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([200, '*'])
    expect(answer.json()).toMatchObject({
      resource: `https://id.test${path.replace(/\/?$/, '/')}`,
      authorization_servers: ['https://id.test/'],
      bearer_methods_supported: ['header'],
    })
  })

  it.each([
    ['/api/v2/', 'Management API'],
    ['/me/', 'My Account API'],
    ['/mfa/', 'MFA API'],
  ])('names the API of %s', async (path, name) => {
    expect((await get(path)).json().resource_name).toBe(name)
  })

  it('lists the scopes of the API', async () => {
    expect((await get('/me/')).json().scopes_supported).toContain('read:me:factors')
  })

  it.each(['/', '/userinfo', '/me/v1/factors', '/api/v2/clients'])('is not there for %s', async (path) => {
    expect(outcome(await get(path).catch(() => get(`/x${path}`)))).toEqual([404, 'not_found'])
  })

  it.each([
    ['/me/v1/factors', '/me/'],
    ['/api/v2/clients', '/api/v2/'],
  ])('is named where %s is refused', async (path, api) => {
    const address = `resource_metadata="https://id.test/.well-known/oauth-protected-resource${api}"`
    expect((await browser.get(path)).header('www-authenticate')).toContain(address)
    const headers = { authorization: 'Bearer x' }
    expect((await browser.get(path, { headers })).header('www-authenticate')).toContain(address)
  })
})
