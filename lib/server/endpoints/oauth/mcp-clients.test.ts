// Registrations as the MCP clients send them (RFC 7591), each followed by a login at the address that the client uses.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, redeem, refresh, submitPassword } from '../../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://mcp.test/boats'
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'
const PUBLIC = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

/** `uses`: redirect URIs of its authorization requests, with ports that are chosen when it starts. */
type Recorded = { sends: { redirect_uris: string[] } & Record<string, unknown>; uses: string[]; type: 'native' | 'web' }

const CLIENTS: Record<string, Recorded> = {
  'claude.ai, Claude Desktop': {
    sends: {
      ...PUBLIC,
      client_name: 'Claude',
      scope: 'read:boats',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    },
    uses: ['https://claude.ai/api/mcp/auth_callback'],
    type: 'web',
  },
  'claude.com': {
    sends: {
      ...PUBLIC,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    },
    uses: ['https://claude.com/api/mcp/auth_callback'],
    type: 'web',
  },
  'Claude Code': {
    sends: {
      ...PUBLIC,
      client_name: 'Claude Code (boats)',
      application_type: 'native',
      redirect_uris: ['http://localhost:3118/callback'],
    },
    uses: ['http://localhost:3118/callback', 'http://localhost:54545/callback'],
    type: 'native',
  },
  'Claude Code without a type': {
    sends: { ...PUBLIC, client_name: 'Claude Code (boats)', redirect_uris: ['http://localhost:3118/callback'] },
    uses: ['http://localhost:54545/callback'],
    type: 'native',
  },
  ChatGPT: {
    sends: {
      ...PUBLIC,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    },
    uses: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    type: 'web',
  },
  'ChatGPT, by connector': {
    sends: {
      ...PUBLIC,
      client_name: 'ChatGPT',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      redirect_uris: ['https://chatgpt.com/connector/oauth/abc123'],
    },
    uses: ['https://chatgpt.com/connector/oauth/abc123'],
    type: 'web',
  },
  Codex: {
    sends: {
      ...PUBLIC,
      client_name: 'Codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:37819/callback/k3J9'],
    },
    uses: ['http://127.0.0.1:37819/callback/k3J9', 'http://127.0.0.1:40001/callback/k3J9'],
    type: 'native',
  },
  'VS Code': {
    sends: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    },
    uses: ['http://127.0.0.1:33418/', 'http://127.0.0.1:51234/', 'https://vscode.dev/redirect'],
    type: 'native',
  },
  Cursor: {
    sends: {
      ...PUBLIC,
      client_name: 'Cursor',
      redirect_uris: [CURSOR, 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback'],
    },
    uses: [CURSOR, 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8788/callback'],
    type: 'native',
  },
  'Copilot Studio': {
    sends: {
      client_name: 'Copilot Studio',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: ['https://global.consent.azure-apim.net/redirect/boats'],
    },
    uses: ['https://global.consent.azure-apim.net/redirect/boats'],
    type: 'web',
  },
  'Gemini CLI': {
    sends: {
      ...PUBLIC,
      client_name: 'Gemini CLI MCP Client',
      scope: 'read:boats',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
    },
    uses: ['http://localhost:7777/oauth/callback', 'http://localhost:41234/oauth/callback'],
    type: 'native',
  },
  n8n: {
    sends: {
      ...PUBLIC,
      client_name: 'n8n',
      client_uri: 'https://n8n.io/',
      redirect_uris: ['https://oauth.n8n.cloud/oauth2/callback'],
    },
    uses: ['https://oauth.n8n.cloud/oauth2/callback'],
    type: 'web',
  },
  v0: {
    sends: { ...PUBLIC, client_name: 'v0', redirect_uris: ['https://api.v0.dev/v1/mcp-servers/oauth/callback'] },
    uses: ['https://api.v0.dev/v1/mcp-servers/oauth/callback'],
    type: 'web',
  },
  opencode: {
    sends: {
      ...PUBLIC,
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    uses: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    type: 'native',
  },
  'opencode without a port': {
    sends: {
      ...PUBLIC,
      client_name: 'OpenCode',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    },
    uses: ['http://127.0.0.1:19876/callback', 'http://localhost:19876/callback'],
    type: 'native',
  },
  'MCP Inspector': {
    sends: {
      ...PUBLIC,
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    },
    uses: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    type: 'native',
  },
}

let server: TestServer
let next = 0

beforeAll(async () => {
  server = await testServer()
  await server.addUser({ email: 'kim@mail.test' })
  await server.addApi(API, { scopes: [{ value: 'read:boats' }], allow_offline_access: true })
  await tenant({})
})
afterAll(() => server.close())

const tenant = (more: Record<string, unknown>) =>
  server.setTenant({
    tenant: {
      resource_parameter_profile: 'compatibility',
      flags: { enable_dynamic_client_registration: true },
      ...more,
    },
  })
const register = (body: unknown): Promise<TestResponse> =>
  server.browser({ ip: `192.0.2.${++next}` }).post('/oidc/register', { json: body })
const start = (client_id: string, redirect_uri: string, extra: Record<string, string> = {}) =>
  server.browser().get('/authorize', { query: authorizeQuery({ client_id, redirect_uri, ...extra }) })

describe.each(Object.entries(CLIENTS))('%s', (_name, { sends, uses, type }) => {
  it('registers as it is, signs in at its own address, and refreshes', async () => {
    const answer = await register(sends)
    expect([answer.status, answer.json().redirect_uris]).toEqual([201, sends.redirect_uris])
    expect(answer.json()).toMatchObject({
      application_type: type,
      token_endpoint_auth_method: sends.token_endpoint_auth_method,
      client_name: sends.client_name,
    })
    const { client_id, client_secret } = answer.json() as { client_id: string; client_secret?: string }
    const credentials = { client_id, ...(client_secret === undefined ? {} : { client_secret }) }
    for (const redirect_uri of uses) {
      const browser = server.browser()
      const resource = `${API}/`
      const query = authorizeQuery({ client_id, redirect_uri, resource, scope: 'read:boats offline_access' })
      const state = locationOf(await browser.get('/authorize', { query })).searchParams.get('state') ?? ''
      const first = await submitPassword(browser, state, 'kim@mail.test')
      // What was granted once is not asked for again.
      if (redirect_uri === uses[0]) expect(locationOf(first).pathname).toBe('/u/consent')
      const granted = () => browser.post('/u/submit', { form: { state, action: 'accept' } })
      const back = (redirect_uri === uses[0] ? await granted() : first).header('location') ?? ''
      expect(back.startsWith(`${redirect_uri}?`), back).toBe(true)
      const code = new URL(back).searchParams.get('code') ?? ''
      const tokens = await redeem(browser, code, { ...credentials, redirect_uri, resource })
      expect(payloadOf(tokens.json().access_token)).toMatchObject({ aud: API, scope: 'read:boats offline_access' })
      const again = await refresh(browser, tokens.json().refresh_token, { ...credentials, resource })
      expect([again.status, again.json().refresh_token === tokens.json().refresh_token]).toEqual([200, false])
    }
  })
})

it('registers from the page of a client in a browser, without cookies', async () => {
  const origin = 'http://localhost:6274'
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const preflight = await server.browser().send('OPTIONS', '/oidc/register', { headers })
  expect([preflight.status, preflight.header('access-control-allow-origin')]).toEqual([204, '*'])
  expect(preflight.header('access-control-allow-credentials')).toBeUndefined()
  const browser = server.browser({ ip: '192.0.2.250' })
  const answer = await browser.post('/oidc/register', { json: CLIENTS['MCP Inspector']?.sends, headers: { origin } })
  expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([201, '*'])
})

describe('a client that is no longer registered', () => {
  it.each(['vendor', 'rfc'])('is answered so that it registers again: compat.errors %s', async (errors) => {
    await tenant({ compat: { errors } })
    const { client_id, registration_access_token } = (await register(CLIENTS.Cursor?.sends)).json()
    const headers = { authorization: `Bearer ${registration_access_token}` }
    expect((await server.browser().send('DELETE', `/oidc/register/${client_id}`, { headers })).status).toBe(204)
    for (const credentials of [{ client_id }, { client_id, client_secret: 'x' }]) {
      const answer = await refresh(server.browser(), 'v1.x', credentials as Record<string, string>)
      expect([answer.status, answer.json().error]).toEqual([401, 'invalid_client'])
    }
    await tenant({})
  })
})

describe('a registration', () => {
  const registered = async (redirect_uris: string[], more: Record<string, unknown> = PUBLIC) =>
    (await register({ client_name: 'Agent', redirect_uris, ...more })).json()

  it('keeps what is acceptable of the redirect URIs, and says what was registered', async () => {
    const acceptable = ['https://agent.test/cb', 'com.agent.app:/cb', 'http://127.0.0.1/cb']
    const sent = ['http://agent.test/cb', 'agent://cb', ...acceptable, 'https://*.agent.test/cb', 'javascript:alert(1)']
    const { client_id, redirect_uris } = await registered(sent)
    expect(redirect_uris).toEqual(acceptable)
    for (const uri of sent)
      expect([uri, (await start(String(client_id), uri)).status]).toEqual([uri, acceptable.includes(uri) ? 302 : 400])
  })

  it.each([
    'agent://cb',
    'cursor://anysphere.cursor-mcp/oauth/callback/',
    'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
    'cursor://anysphere.cursor-mcp/oauth/callback#x',
    'cursor://evil/oauth/callback',
    'Cursor://anysphere.cursor-mcp/oauth/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.test/1',
    'about:blank',
    'intent://cb#Intent;end',
    'intent:cb',
  ])('a registration with the callback %s alone is refused', async (uri) => {
    expect(await registered([uri])).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  it('of a client with a secret has no private-use URI without a domain', async () => {
    const more = { token_endpoint_auth_method: 'client_secret_basic' }
    expect((await registered([CURSOR, 'https://agent.test/cb'], more)).redirect_uris).toEqual(['https://agent.test/cb'])
    expect(await registered([CURSOR], more)).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  it('has the private-use URIs that the tenant adds, exactly', async () => {
    await tenant({ private_use_redirect_uris: ['agent://cb'] })
    const { client_id, redirect_uris, application_type } = await registered(['agent://cb', 'agent://cb/x', CURSOR])
    expect([redirect_uris, application_type]).toEqual([['agent://cb', CURSOR], 'native'])
    expect((await start(String(client_id), 'agent://cb')).status).toBe(302)
    await tenant({})
    expect(await registered(['agent://cb'])).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  it('with a private-use URI needs PKCE, also where the tenant added it', async () => {
    const { client_id } = await registered([CURSOR])
    const answer = await start(String(client_id), CURSOR, { code_challenge: '', code_challenge_method: '' })
    expect(answer.header('location')).toMatch(/^cursor:.*error=invalid_request/)
  })

  it('of a client with a secret on loopback is as it says', async () => {
    const more = { token_endpoint_auth_method: 'client_secret_post' }
    const { client_id, application_type } = await registered(['http://localhost:3000/cb'], more)
    expect(application_type).toBe('web')
    expect((await start(String(client_id), 'http://localhost:3001/cb')).status).toBe(400)
  })
})
