// Signing in to the console: next-auth as a client of this very server (docs/adr/0042). Authorization code with PKCE, state and nonce
// through the browser; the code is exchanged within the process, so a server that cannot reach its own public address works too.
// - The session is a cookie that next-auth encrypts under a key of the tenant. It lasts an hour; then the server's own session renews it.
// - Only the steps below exist: the console serves none of next-auth's own pages.
import NextAuth, { type AuthOptions } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { verifyJwt } from '../../../crypto/keys/jwt'
import {
  CONSOLE_CLIENT,
  CONSOLE_PATH,
  consoleCallback,
  consoleSecret,
  consoleSignedOut,
} from '../../../data/clients/console'
import { writeCookie } from '../../../http/cookies'
import { runEndpoint } from '../../../http/endpoint'
import type { HttpRequest } from '../../../http/message'
import { MULTI_FACTOR_ACR } from '../../../identity/mfa/acr'
import { percentDecoded } from '../../../kernel/url'
import type { LoginTicket } from '../../../login/begin/login-ticket'
import { token } from '../../endpoints/oauth/token'
import type { Runtime } from '../../runtime/runtime'

/** Seconds. */
const COOKIE_LIFETIME = 3600
/** The oldest login of this server that opens the console. */
const MAX_AGE = 12 * 3600

export const SIGN_IN_PATH = `${CONSOLE_PATH}/auth/sign-in`
const FAILED_PATH = `${CONSOLE_PATH}/sign-in-failed`

export type ConsoleToken = { sub: string; sid: string; idToken: string }

type Claims = { sub: string; sid?: string; nonce?: string }

const secretOf = ({ tenantId, vault }: Runtime): string => vault.mac('console-session', tenantId).toString('base64url')

const cookiePrefix = ({ secure }: Runtime): string => `${secure ? '__Secure-' : ''}latchkey-console`

export const sessionCookie = (runtime: Runtime): string => `${cookiePrefix(runtime)}.session`

function optionsOf(runtime: Runtime, request: HttpRequest, ask: Readonly<Record<string, string>> = {}): AuthOptions {
  const { tenantId, vault, baseUrl, issuer, secure } = runtime
  const prefix = cookiePrefix(runtime)
  const cookie = (name: string, maxAge?: number) => ({
    name: `${prefix}.${name}`,
    options: { httpOnly: true, sameSite: 'lax' as const, path: CONSOLE_PATH, secure, ...(maxAge ? { maxAge } : {}) },
  })
  const provider: OAuthConfig<Claims> = {
    id: 'latchkey',
    name: 'Latchkey',
    type: 'oauth',
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    issuer,
    clientId: CONSOLE_CLIENT,
    clientSecret: consoleSecret(tenantId, vault),
    authorization: {
      url: `${baseUrl}/authorize`,
      params: { scope: 'openid profile email', max_age: MAX_AGE, ...ask },
    },
    token: { request: ({ params, checks }) => exchange(params, checks, request, runtime) },
    profile: ({ sub }) => ({ id: sub }),
  }
  return {
    secret: secretOf(runtime),
    session: { strategy: 'jwt', maxAge: COOKIE_LIFETIME },
    cookies: {
      sessionToken: cookie('session'),
      callbackUrl: cookie('to'),
      csrfToken: cookie('csrf'),
      pkceCodeVerifier: cookie('pkce', 900),
      state: cookie('state', 900),
      nonce: cookie('nonce', 900),
    },
    providers: [provider],
    callbacks: {
      redirect: ({ url }) => placeInConsole(url, baseUrl),
      // Called with the claims at the sign-in alone.
      jwt({ token: known, account, profile }) {
        const { sub, sid } = (profile ?? {}) as Partial<Claims>
        return account ? { sub: sub ?? '', sid: sid ?? '', idToken: account.id_token } : known
      },
    },
    logger: { error() {}, warn() {}, debug() {} },
  }
}

/** Exchanges the code at the token endpoint, and checks what openid-client leaves to a request of our own. */
async function exchange(
  params: { code?: string; state?: string; iss?: string },
  checks: { code_verifier?: string; state?: string; nonce?: string },
  request: HttpRequest,
  runtime: Runtime,
) {
  if (!checks.state || params.state !== checks.state) throw new Error('the state is another')
  if (params.iss !== undefined && params.iss !== runtime.issuer) throw new Error('the issuer is another')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: params.code ?? '',
    redirect_uri: consoleCallback(runtime.baseUrl),
    code_verifier: checks.code_verifier ?? '',
    client_id: CONSOLE_CLIENT,
    client_secret: consoleSecret(runtime.tenantId, runtime.vault),
  })
  const answer = await runEndpoint(token, { ...request, ...posted(form) }, runtime)
  const tokens = JSON.parse(String(answer.body)) as { id_token?: string; access_token?: string; error?: string }
  if (tokens.id_token === undefined) throw new Error(tokens.error ?? 'no ID token')
  const accept = { issuer: runtime.issuer, types: ['JWT' as const], audience: CONSOLE_CLIENT, now: runtime.clock.now() }
  const claims = await verifyJwt(tokens.id_token, accept, runtime.keyring)
  if (!checks.nonce || claims.nonce !== checks.nonce) throw new Error('the nonce is another')
  return { tokens: { id_token: tokens.id_token } }
}

const posted = (
  form: URLSearchParams,
): Pick<HttpRequest, 'method' | 'path' | 'params' | 'query' | 'search' | 'body'> & {
  headers: HttpRequest['headers']
} => ({
  method: 'POST',
  path: '/oauth/token',
  params: {},
  query: new URLSearchParams(),
  search: '',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new TextEncoder().encode(form.toString()),
})

/** Of an address to come back to: a longer one would not fit into the headers and the cookie that carry it. */
export const MAX_PLACE = 1000

/** A path of the console, as an absolute URL; anything else is its first page. */
export function placeInConsole(to: string, baseUrl: string): string {
  const target = to.length <= MAX_PLACE && URL.canParse(to, baseUrl) ? new URL(to, baseUrl) : null
  const inside =
    target?.origin === baseUrl &&
    (target.pathname === CONSOLE_PATH || target.pathname.startsWith(`${CONSOLE_PATH}/`)) &&
    !target.pathname.startsWith(`${CONSOLE_PATH}/auth/`)
  return inside ? `${baseUrl}${target.pathname}${target.search}` : baseUrl + CONSOLE_PATH
}

/** Where a request leads, and the cookies that it sets. */
export type RedirectWithCookies = { to: string; cookies: string[] }

type Step = {
  action: 'csrf' | 'signin' | 'callback'
  method: 'GET' | 'POST'
  query?: Record<string, string>
  body?: Record<string, string>
  cookies: Readonly<Record<string, string>>
}

type Taken = { to: string | undefined; cookies: string[]; body: unknown }

/** Takes one step of next-auth. It reads its base URL from the forwarded host, which is stated here and never taken from the request. */
async function take(
  { action, method, query = {}, body = {}, cookies }: Step,
  options: AuthOptions,
  { baseUrl }: Runtime,
) {
  const { host, protocol } = new URL(baseUrl)
  const headers = { 'x-forwarded-host': `${host}${CONSOLE_PATH}/auth`, 'x-forwarded-proto': protocol.slice(0, -1) }
  const taken: Taken = { to: undefined, cookies: [], body: undefined }
  const response = {
    getHeader: () => taken.cookies,
    setHeader(name: string, value: string | string[]) {
      if (name === 'Set-Cookie') taken.cookies = [value].flat()
      if (name === 'Location') taken.to = String(value)
      return response
    },
    status: () => response,
    end: () => {},
    send(value: unknown) {
      taken.body = value
    },
  }
  const request = { method, headers, cookies, body, query: { ...query, nextauth: [action, 'latchkey'] } }
  await (NextAuth as unknown as (...args: unknown[]) => Promise<void>)(request, response, options)
  return taken
}

export type SignInWish = {
  /** The person signs in again, for a step-up. */
  fresh?: boolean
  /** The one to sign in by; otherwise any that the console may use. */
  connection?: string | null
  /** Of a person who has proven who it is outside the login pages. */
  proof?: LoginTicket
}

export async function beginSignIn(
  to: string,
  { fresh = false, connection = null, proof }: SignInWish,
  request: HttpRequest,
  runtime: Runtime,
): Promise<RedirectWithCookies> {
  const strong = runtime.settings.tenant.console_second_factor
  const ask = {
    ...(fresh ? { prompt: 'login', ...(strong ? { acr_values: MULTI_FACTOR_ACR } : {}) } : {}),
    ...(connection ? { connection } : {}),
    ...(proof ? { login_ticket: proof.ticket } : {}),
  }
  const options = optionsOf(runtime, request, ask)
  const csrf = await take({ action: 'csrf', method: 'GET', cookies: {} }, options, runtime)
  const { csrfToken } = csrf.body as { csrfToken: string }
  const name = `${cookiePrefix(runtime)}.csrf`
  const value = decodeURIComponent(csrf.cookies.find((each) => each.startsWith(`${name}=`))?.split(/[=;]/)[1] ?? '')
  const body = { csrfToken, callbackUrl: placeInConsole(to, runtime.baseUrl) }
  const started = await take({ action: 'signin', method: 'POST', body, cookies: { [name]: value } }, options, runtime)
  const cookies = proof ? [writeCookie(proof.cookie.name, proof.cookie.value, runtime, proof.cookie.maxAge)[1]] : []
  return { to: started.to ?? FAILED_PATH, cookies: [...started.cookies, ...cookies] }
}

/** The answer of /authorize: the session cookie and the place where the sign-in started, or a page that says that it failed. */
export async function finishSignIn(
  request: HttpRequest,
  cookies: Readonly<Record<string, string>>,
  runtime: Runtime,
): Promise<RedirectWithCookies> {
  const query = Object.fromEntries(request.query)
  const step: Step = { action: 'callback', method: 'GET', query, cookies }
  const taken = await take(step, optionsOf(runtime, request), runtime)
  const failed = !taken.to || new URL(taken.to, runtime.baseUrl).pathname.startsWith(`${CONSOLE_PATH}/auth/`)
  return { to: failed ? FAILED_PATH : (taken.to ?? FAILED_PATH), cookies: taken.cookies }
}

/** Ends the session of the server too (RP-initiated logout), which notifies the other applications. */
export function signOut(idToken: string | null, runtime: Runtime): RedirectWithCookies {
  const { baseUrl, secure } = runtime
  const names = ['', '.0', '.1', '.2'].map((part) => `${sessionCookie(runtime)}${part}`)
  const ended = names.map(
    (name) => `${name}=; Path=${CONSOLE_PATH}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  )
  const query = new URLSearchParams({ client_id: CONSOLE_CLIENT, post_logout_redirect_uri: consoleSignedOut(baseUrl) })
  if (idToken !== null) query.set('id_token_hint', idToken)
  return { to: `${baseUrl}/oidc/logout?${query}`, cookies: ended }
}

/** What the cookie of a signed-in person holds; null if the cookie is foreign or expired. */
export async function readToken(
  cookies: Readonly<Record<string, string>>,
  runtime: Runtime,
): Promise<ConsoleToken | null> {
  const { getToken } = await import('next-auth/jwt')
  const held = await getToken({
    req: { cookies, headers: {} } as never,
    secret: secretOf(runtime),
    cookieName: sessionCookie(runtime),
    secureCookie: runtime.secure,
  })
  const { sub, sid, idToken } = (held ?? {}) as Partial<ConsoleToken>
  return sub && sid && idToken ? { sub, sid, idToken } : null
}

/** The cookies of a header, as they were set. */
export function cookiesIn(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(/;\s*/).map((each) => each.split(/=(.*)/s))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, percentDecoded(value)]))
}
