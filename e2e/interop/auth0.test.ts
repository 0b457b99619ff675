// The unmodified npm package `auth0` (the last with an AuthenticationClient). It speaks https only, so the server
// stands behind a TLS proxy, as it does in production.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { SEAL_KEY } from '../origins'
import { PASSWORD, PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { type ServerProcess, startServer } from './support/server-process'
import { authorizeRequest, CALLBACK, TENANT } from './support/tenant'
import { startTlsFront, type TlsFront } from './support/tls-front'

const { bo, kim } = PEOPLE
const SECRET = { clientSecret: 'e2e-post-secret-of-the-letters' }

let data: DataDir
let server: ServerProcess
let front: TlsFront
let domain: string

beforeAll(async () => {
  data = await makeServedDataDir()
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

/** Signs in, then uses every backend function of the SDK. */
async function runSdk(clientId: string, proof: object, pkce: boolean): Promise<Outcomes> {
  const origin = `https://${domain}`
  const browser = httpsBrowser()
  const request = authorizeRequest(
    origin,
    pkce ? { client_id: clientId } : { client_id: clientId, code_challenge: '', code_challenge_method: '' },
  )
  const callback = await signIn(browser, request.url, kim.email)
  expect([...browser.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true)
  const task = {
    domain,
    clientId,
    proof,
    code: callback.searchParams.get('code'),
    redirectUri: CALLBACK,
    codeVerifier: pkce ? request.verifier : undefined,
  }
  return runScript('auth0-client.mjs', task)
}

/** Reaches the server behind the TLS proxy, whose authority only the scripts know. */
const httpsBrowser = (): HttpBrowser => new HttpBrowser((url) => url.replace(`https://${domain}`, server.url))

async function runScript<T>(name: string, task: object): Promise<T> {
  const script = fileURLToPath(new URL(name, import.meta.url))
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: front.caFile }
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)], { env })
  return JSON.parse(stdout) as T
}

describe.each([
  { kind: 'a regular web app without PKCE', id: 'e2e-post', proof: SECRET, pkce: false },
  { kind: 'a regular web app with PKCE', id: 'e2e-post', proof: SECRET, pkce: true },
  { kind: 'one with a key of its own', id: 'e2e-seal', proof: { clientAssertionSigningKey: SEAL_KEY }, pkce: true },
])('auth0 AuthenticationClient for $kind', ({ id, proof, pkce }) => {
  it('exchanges, reads the user, refreshes and revokes', async () => {
    const { tokens, user, refreshed, revoked, afterwards, replayed } = await runSdk(id, proof, pkce)
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

describe('auth0 AuthenticationClient without passwords', () => {
  const backend = { clientId: 'e2e-backend', clientSecret: 'e2e-backend-secret-of-the-crane' }
  let answers: Record<string, Outcome & { data?: Record<string, unknown> }>

  beforeAll(async () => {
    const person = { email: 'lea@e2e.test', phone: '+4915123456711' }
    answers = await runScript('auth0-passwordless.mjs', { ...backend, domain, person, outbox: server.url })
  })

  it('signs in by a mailed code, once, and by a texted one', () => {
    expect(answers.byMail).toMatchObject({ status: 200, data: { id_token: expect.any(String) } })
    expect(answers.user).toMatchObject({
      status: 200,
      data: { sub: expect.stringMatching(/^email\|/), email: 'lea@e2e.test' },
    })
    expect(answers.again).toMatchObject({
      statusCode: 403,
      error: 'invalid_grant',
      error_description: 'Wrong email or verification code.',
    })
    expect(answers.bySms).toMatchObject({ status: 200, data: { id_token: expect.any(String) } })
  })

  it('sends a link unless a code is requested, and reports an invalid request', () => {
    expect(answers.link).toMatchObject({ status: 200, link: expect.stringContaining('/passwordless/verify_redirect?') })
    expect(answers.noNumber).toMatchObject({ statusCode: 400, error: 'bad.phone_number' })
    expect(answers.unknown).toMatchObject({ statusCode: 400, error: 'bad.request' })
  })
})

describe('auth0 AuthenticationClient when a second factor is required', () => {
  const safe = { clientId: 'e2e-safe', clientSecret: 'e2e-safe-secret-of-the-anchor' }
  let answers: Record<string, Outcome & { data?: Record<string, unknown> }>

  beforeAll(async () => {
    const person = { email: bo.email, password: PASSWORD }
    answers = await runScript('auth0-mfa.mjs', { ...safe, domain, person, scope: 'openid email offline_access' })
  })

  it('receives mfa_required, and the available factors', () => {
    expect(answers.refused).toMatchObject({
      name: 'AuthApiError',
      error: 'mfa_required',
      statusCode: 403,
      mfa_token: expect.any(String),
      mfa_requirements: { enroll: expect.arrayContaining([{ type: 'otp' }]) },
    })
    expect(answers.unenrolled).toMatchObject({ data: { error: 'association_required' } })
  })

  it('continues with the enrolled app, each of whose codes is accepted once', () => {
    expect(answers.added).toMatchObject({ status: 200, data: { authenticator_type: 'otp' } })
    expect(answers.proven).toMatchObject({ status: 200, data: { id_token: expect.any(String) } })
    expect(answers.user).toMatchObject({ email: bo.email })
    expect(answers.refreshed).toMatchObject({ status: 200 })
    expect(answers.challenge).toEqual({ status: 200, data: { challenge_type: 'otp' } })
    expect(answers.replayed).toMatchObject({ status: 403, data: { error: 'invalid_grant' } })
    expect(answers.later).toMatchObject({ status: 200, data: { access_token: expect.any(String) } })
  })

  it('it gets tokens with the recovery code, and another code in its place', () => {
    expect(answers.recovered).toMatchObject({
      status: 200,
      data: { recovery_code: expect.stringMatching(/^[A-Z0-9]{24}$/) },
    })
    expect(answers.list).toMatchObject({
      status: 200,
      data: expect.arrayContaining([expect.objectContaining({ active: true })]),
    })
  })
})

describe('auth0 AuthenticationClient without a browser', () => {
  const audience = 'https://boats.e2e.test/'
  const backend = { clientId: 'e2e-backend', clientSecret: 'e2e-backend-secret-of-the-crane' }
  const person = { email: 'neo@e2e.test', password: 'a much longer secret 1863' }
  let answers: Record<string, Outcome & { data?: Record<string, unknown> }>

  beforeAll(async () => {
    answers = await runScript('auth0-backend.mjs', { ...backend, domain, person, audience, redirectUri: CALLBACK })
  })

  it('gets a token for itself, where it was granted an API and nowhere else', () => {
    expect(answers.machine).toMatchObject({ status: 200, data: { token_type: 'Bearer', expires_in: 86400 } })
    expect(answers.machine?.data).not.toHaveProperty('refresh_token')
    expect(answers.elsewhere).toMatchObject({ statusCode: 403, error: 'access_denied' })
    expect(answers.strangers).toMatchObject({
      statusCode: 401,
      error: 'access_denied',
      error_description: 'Unauthorized',
    })
  })

  it('signs a user up, once', () => {
    expect(answers.signUp).toMatchObject({
      status: 200,
      data: { id: expect.stringMatching(/^[0-9a-f]{24}$/), email: person.email, email_verified: false },
    })
    expect(JSON.stringify(answers.signUp)).not.toContain(person.password)
    expect(answers.again).toMatchObject({ statusCode: 400, error: 'invalid_signup' })
    expect(answers.weak).toMatchObject({ statusCode: 400, error: 'invalid_password' })
  })

  it('asks for another password', () => {
    expect(answers.changePassword).toMatchObject({
      status: 200,
      data: "We've just sent you an email to reset your password.",
    })
  })

  it('trades a password for tokens, and says the same of every wrong one', () => {
    expect(answers.tokens).toMatchObject({
      status: 200,
      data: { id_token: expect.any(String), refresh_token: expect.any(String) },
    })
    const refusal = { statusCode: 403, error: 'invalid_grant', error_description: 'Wrong email or password.' }
    expect(answers.wrong).toMatchObject(refusal)
    expect(answers.unknownUser).toMatchObject(refusal)
    expect(answers.user).toMatchObject({ status: 200, data: { email: person.email, given_name: 'Neo' } })
  })

  it('refreshes and revokes', () => {
    expect(answers.refreshed).toMatchObject({ status: 200, data: { refresh_token: expect.any(String) } })
    expect(answers.revoked).toMatchObject({ status: 200 })
    expect(answers.afterwards).toMatchObject({ statusCode: 403, error: 'invalid_grant' })
  })

  it('pushes an authorization request, which signs the user in', async () => {
    expect(answers.pushed).toMatchObject({
      status: 201,
      data: {
        request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/),
        expires_in: expect.any(Number),
      },
    })
    const query = new URLSearchParams({
      client_id: backend.clientId,
      request_uri: String(answers.pushed?.data?.request_uri),
    })
    const callback = await signIn(httpsBrowser(), `https://${domain}/authorize?${query}`, kim.email)
    expect(callback.searchParams.get('state')).toBe('pushed')
    expect(callback.searchParams.get('code')).toBeTruthy()
  })
})
