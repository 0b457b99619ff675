// The unmodified npm package `auth0` (the last with an AuthenticationClient). It speaks https only, so the server
// stands behind a TLS proxy, as it does in production.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type DataDir, makeDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { freePort, type ServerProcess, startServer } from './support/server-process'
import { authorizeRequest, CALLBACK, TENANT } from './support/tenant'
import { startTlsFront, type TlsFront } from './support/tls-front'

const { kim } = PEOPLE
const SCRIPT = fileURLToPath(new URL('auth0-client.mjs', import.meta.url))

let data: DataDir
let server: ServerProcess
let front: TlsFront
let domain: string

beforeAll(async () => {
  data = await makeDataDir()
  const publicPort = await freePort()
  domain = `localhost:${publicPort}`
  server = await startServer({
    ...TENANT,
    APP_URL: `https://${domain}`,
    LATCHKEY_DATA_DIR: data.path,
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1,::1',
  })
  front = await startTlsFront(publicPort, server.port)
})
afterAll(async () => {
  await front?.close()
  await server?.end('SIGTERM')
  await data?.remove()
})

type Outcome = { status?: number; error?: string; error_description?: string; statusCode?: number; data?: object }
type Outcomes = Record<'tokens' | 'user' | 'refreshed' | 'revoked' | 'afterwards' | 'replayed', Outcome>

/** Signs in, then lets the SDK do everything that a backend does with it. */
async function runSdk(clientId: string, clientSecret: string | undefined, pkce: boolean): Promise<Outcomes> {
  const origin = `https://${domain}`
  const browser = new HttpBrowser((url) => url.replace(origin, server.url))
  const request = authorizeRequest(
    origin,
    pkce ? { client_id: clientId } : { client_id: clientId, code_challenge: '', code_challenge_method: '' },
  )
  const callback = await signIn(browser, request.url, kim.email)
  expect([...browser.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true)
  const task = {
    domain,
    clientId,
    clientSecret,
    code: callback.searchParams.get('code'),
    redirectUri: CALLBACK,
    codeVerifier: pkce ? request.verifier : undefined,
  }
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: front.caFile }
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, JSON.stringify(task)], { env })
  return JSON.parse(stdout) as Outcomes
}

describe.each([
  { kind: 'a regular web app without PKCE', id: 'e2e-post', secret: 'e2e-post-secret-of-the-letters', pkce: false },
  { kind: 'a regular web app with PKCE', id: 'e2e-post', secret: 'e2e-post-secret-of-the-letters', pkce: true },
])('auth0 AuthenticationClient for $kind', ({ id, secret, pkce }) => {
  it('exchanges, reads the user, refreshes and revokes', async () => {
    const { tokens, user, refreshed, revoked, afterwards, replayed } = await runSdk(id, secret, pkce)
    expect(tokens).toMatchObject({ status: 200, data: { token_type: 'Bearer', expires_in: expect.any(Number) } })
    expect(user).toMatchObject({ status: 200, data: { name: kim.name, email: kim.email, email_verified: true } })
    expect(refreshed).toMatchObject({ status: 200, data: { refresh_token: expect.any(String) } })
    expect(revoked).toMatchObject({ status: 200 })
    expect(afterwards).toMatchObject({
      name: 'AuthApiError',
      statusCode: 403,
      error: 'invalid_grant',
      error_description: 'Unknown or invalid refresh token.',
    })
    expect(replayed).toMatchObject({ statusCode: 403, error: 'invalid_grant' })
  })
})
