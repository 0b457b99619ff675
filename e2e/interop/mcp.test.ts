// The unmodified client of `@modelcontextprotocol/sdk` at a protected MCP server: it finds this server by the metadata of the MCP
// server, registers itself, sends the user to log in, and calls a tool with a token for that server (docs/mcp.md).
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, landing, signIn } from './support/http-browser'
import { type ServerProcess, startServer } from './support/server-process'
import { CALLBACK, TENANT } from './support/tenant'

/** The API of the tenant file; requests for its host go to the MCP server below. */
const RESOURCE = 'https://boats.e2e.test/'
const METADATA = `${RESOURCE}.well-known/oauth-protected-resource`

let data: DataDir
let latchkey: ServerProcess
let mcp: Server

beforeAll(async () => {
  data = await makeServedDataDir()
  latchkey = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path })
  mcp = createServer(serveMcp).listen(0, '127.0.0.1')
  await once(mcp, 'listening')
})
afterAll(async () => {
  mcp?.closeAllConnections()
  mcp?.close()
  await latchkey?.end('SIGTERM')
  await data?.remove()
})

async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/.well-known/oauth-protected-resource') {
    const authorization_servers = [`${latchkey.url}/`]
    const metadata = { resource: RESOURCE, authorization_servers, scopes_supported: ['read:boats'] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    return
  }
  const subject = await subjectOf(request.headers.authorization).catch(() => null)
  if (subject === null) {
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${METADATA}"` }).end()
    return
  }
  const server = new McpServer({ name: 'boats', version: '1.0.0' })
  server.registerTool('owner', {}, async () => ({ content: [{ type: 'text', text: subject }] }))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request, response)
}

async function subjectOf(authorization = ''): Promise<string> {
  const keys = createRemoteJWKSet(new URL(`${latchkey.url}/.well-known/jwks.json`))
  const accept = { issuer: `${latchkey.url}/`, audience: RESOURCE, requiredClaims: ['exp', 'sub'] }
  const { payload } = await jwtVerify(authorization.replace(/^Bearer /, ''), keys, accept)
  if (!String(payload.scope).split(' ').includes('read:boats')) throw new Error('the scope is missing')
  return String(payload.sub)
}

const routed = (url: string | URL, init?: RequestInit): Promise<Response> => {
  const { pathname, host } = new URL(url)
  if (host !== new URL(RESOURCE).host) return fetch(url, init)
  return fetch(`http://127.0.0.1:${(mcp.address() as AddressInfo).port}${pathname}`, init)
}

/** What an MCP client keeps, and the user's browser. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = {
    client_name: 'Deckhand',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  }
  private information: OAuthClientInformationMixed | undefined
  private kept: OAuthTokens | undefined
  private verifier = ''
  code = ''

  clientInformation = () => this.information
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.information = information
  }
  tokens = () => this.kept
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens
  }
  codeVerifier = () => this.verifier
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  async redirectToAuthorization(url: URL) {
    const browser = new HttpBrowser()
    const consent = await signIn(browser, url.href, PEOPLE.kim.email)
    const form = { state: consent.searchParams.get('state') ?? '', action: 'accept' }
    const callback = landing(await browser.post(new URL('/u/submit', consent).href, form), consent.href)
    this.code = callback.searchParams.get('code') ?? ''
  }
}

it('discovers, registers, logs in, calls a tool, and refreshes', async () => {
  const agent = new Agent()
  const transport = () => new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: agent, fetch: routed })
  const connect = async (over: StreamableHTTPClientTransport) => {
    const client = new Client({ name: 'deckhand', version: '1.0.0' })
    await client.connect(over as Parameters<typeof client.connect>[0])
    return client
  }
  await expect(connect(transport())).rejects.toThrow('Unauthorized')
  // A client that wants refresh tokens adds the scope that the authorization server lists.
  const authorization = { serverUrl: RESOURCE, scope: 'read:boats offline_access', fetchFn: routed }
  expect(await auth(agent, authorization)).toBe('REDIRECT')
  expect(await auth(agent, { ...authorization, authorizationCode: agent.code })).toBe('AUTHORIZED')
  const before = agent.tokens()
  expect(decodeJwt(before?.access_token ?? '').aud).toBe(RESOURCE)

  const client = await connect(transport())
  const owner = decodeJwt(before?.access_token ?? '').sub
  expect((await client.callTool({ name: 'owner' })).content).toEqual([{ type: 'text', text: owner }])
  await client.close()

  expect(await auth(agent, { serverUrl: RESOURCE, fetchFn: routed })).toBe('AUTHORIZED')
  expect(agent.tokens()?.refresh_token).not.toBe(before?.refresh_token)
})
