// The steps of a login that many tests start with.
import { createHash } from 'node:crypto'
import { type FormFields, sent } from './browser'
import { type Browser, PASSWORD, type TestResponse } from './server'

export const VERIFIER = 'a-code-verifier-that-is-long-enough-for-rfc-7636'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export const SPA = {
  clientId: 'spa',
  settings: {
    app_type: 'spa',
    callbacks: ['https://app.test/cb'],
    web_origins: ['https://app.test'],
    cross_origin_authentication: true,
    allowed_logout_urls: ['https://app.test/bye', 'https://app.test/other'],
  },
}

export const WEB = {
  clientId: 'web',
  secret: 'the-secret-of-the-web-application',
  settings: {
    app_type: 'regular_web',
    callbacks: ['https://web.test/cb'],
    allowed_logout_urls: ['https://web.test/bye'],
  },
}

export const authorizeQuery = (extra: FormFields = {}): Record<string, string> =>
  sent({
    response_type: 'code',
    client_id: 'spa',
    redirect_uri: 'https://app.test/cb',
    scope: 'openid profile email offline_access',
    state: 's t+a/te',
    nonce: 'n1',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...extra,
  })

export const locationOf = (answer: TestResponse): URL => new URL(answer.header('location') ?? '', 'https://id.test')

/** `code` for a response to the application with one; else the response itself, so that a failed assertion shows it. */
export const outcomeOf = (answer: TestResponse): string =>
  locationOf(answer).searchParams.has('code')
    ? 'code'
    : `${answer.status} ${answer.header('location') ?? answer.text.slice(0, 500)}`

/** From /authorize to the login page's handle. */
export async function beginLogin(browser: Browser, extra: FormFields = {}): Promise<string> {
  const page = locationOf(await browser.get('/authorize', { query: authorizeQuery(extra) }))
  return page.searchParams.get('state') ?? ''
}

export const submitPassword = (
  browser: Browser,
  state: string,
  username: string,
  password: string = PASSWORD,
  headers: Record<string, string> = {},
): Promise<TestResponse> => browser.post('/u/submit', { form: { state, action: 'login', username, password }, headers })

/** A complete login; returns the parameters that the application received. */
export async function signIn(browser: Browser, username: string, extra: FormFields = {}): Promise<URLSearchParams> {
  const state = await beginLogin(browser, extra)
  return locationOf(await submitPassword(browser, state, username)).searchParams
}

/** A code by single sign-on, without a login form; empty if there is none. */
export async function codeBySession(browser: Browser, extra: FormFields = {}): Promise<string> {
  const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none', ...extra }) })
  return locationOf(answer).searchParams.get('code') ?? ''
}

/** The parameters that exchange a code. */
export const exchangeOf = (code: string, extra: FormFields = {}): Record<string, string> =>
  sent({
    grant_type: 'authorization_code',
    client_id: 'spa',
    redirect_uri: 'https://app.test/cb',
    code,
    code_verifier: VERIFIER,
    ...extra,
  })

export const redeem = (browser: Browser, code: string, extra: FormFields = {}): Promise<TestResponse> =>
  browser.post('/oauth/token', { form: exchangeOf(code, extra) })

/** A complete login and code exchange; returns the token response. */
export async function signInForTokens(
  browser: Browser,
  username: string,
  extra: FormFields = {},
): Promise<Record<string, unknown>> {
  const code = (await signIn(browser, username, extra)).get('code') ?? ''
  return (await redeem(browser, code)).json()
}

export const refresh = (browser: Browser, token: unknown, extra: FormFields = {}): Promise<TestResponse> =>
  browser.post('/oauth/token', {
    form: { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(token), ...extra },
  })

export const userinfo = (browser: Browser, token: unknown): Promise<TestResponse> =>
  browser.get('/userinfo', { headers: { authorization: `Bearer ${token}` } })

/** The parameters of the confidential client WEB, in addition to the code. */
export const webCredentials = (secret: string = WEB.secret): Record<string, string> => ({
  client_id: 'web',
  client_secret: secret,
  redirect_uri: 'https://web.test/cb',
})

export const payloadOf = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
