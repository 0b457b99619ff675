// A relying party like that of the OpenID Foundation's suite: sends an authorization request, reads the response by its response
// mode, and checks every ID token as OIDC Core 3.1.3.7, 3.2.2.11 and 3.3.2.11 require.
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { leftHalfHash } from '../kernel/secret'
import type { FormFields } from './browser'
import { locationOf } from './journey'
import { type Browser, PASSWORD, type TestResponse, type TestServer } from './server'

export const RP = {
  clientId: 'rp',
  secret: 'the-secret-of-the-relying-party',
  callback: 'https://rp.test/cb',
}

export type LoginPlan = { type: string; mode: 'default' | 'form_post' }

/** The parameters of an authorization response. */
export type AuthorizationAnswer = Record<string, string>

export type IssuedTokens = {
  idToken: string
  claims: JWTPayload
  accessToken: string | null
  refreshToken: string | null
}

const STATE = 'the state of the suite'
const NONCE = 'the-nonce-of-the-suite'

export function relyingParty(server: TestServer, { type, mode }: LoginPlan) {
  const has = (part: string): boolean => type.split(' ').includes(part)

  const send = (browser: Browser, extra: FormFields = {}): Promise<TestResponse> =>
    browser.get('/authorize', { query: requestOf({ type, mode }, extra) })

  /** The response to a request, through the login form if one is shown. */
  async function authorize(browser: Browser, extra: FormFields = {}): Promise<AuthorizationAnswer> {
    const response = await send(browser, extra)
    const answer = isLogin(response) ? await logIn(browser, response) : response
    return answerOf(answer, { type, mode })
  }

  /** All tokens of the response: those in it, and those that its code is exchanged for. */
  async function tokensOf(answer: AuthorizationAnswer, extra: FormFields = {}): Promise<IssuedTokens> {
    const front = has('id_token') ? await checkIdToken(server, answer.id_token, answer) : null
    if (front && !has('code')) return { ...front, accessToken: answer.access_token ?? null, refreshToken: null }
    const back = (await redeem(server.browser(), answer.code, extra)).json() as Record<string, string | undefined>
    const own = await checkIdToken(server, back.id_token, { access_token: back.access_token })
    if (front && front.claims.sub !== own.claims.sub) throw new Error('two ID tokens of two people')
    return { ...own, accessToken: back.access_token ?? null, refreshToken: back.refresh_token ?? null }
  }

  return { send, query: (extra: FormFields = {}) => requestOf({ type, mode }, extra), authorize, tokensOf }
}

export const isLogin = (answer: TestResponse): boolean =>
  answer.status === 302 && locationOf(answer).pathname === '/u/login'

export function logIn(browser: Browser, requested: TestResponse, username = 'kim@mail.test'): Promise<TestResponse> {
  const state = locationOf(requested).searchParams.get('state') ?? ''
  return browser.post('/u/submit', { form: { state, action: 'login', username, password: PASSWORD } })
}

export const redeem = (browser: Browser, code: string | undefined, extra: FormFields = {}): Promise<TestResponse> =>
  browser.post('/oauth/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: RP.callback, ...extra },
    headers: { authorization: `Basic ${Buffer.from(`${RP.clientId}:${RP.secret}`).toString('base64')}` },
  })

const requestOf = ({ type, mode }: LoginPlan, extra: FormFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      client_id: RP.clientId,
      redirect_uri: RP.callback,
      response_type: type,
      scope: 'openid',
      state: STATE,
      nonce: NONCE,
      ...(mode === 'default' ? {} : { response_mode: mode }),
      ...extra,
    }).filter((field): field is [string, string] => field[1] !== undefined),
  )

/** Reads the response where the mode returns it, and nowhere else. */
function answerOf(answer: TestResponse, { type, mode }: LoginPlan): AuthorizationAnswer {
  const fields = mode === 'form_post' ? formFields(answer) : locationFields(answer, type === 'code')
  if (fields.state !== STATE) throw new Error('another state')
  if (fields.iss !== 'https://id.test/') throw new Error('no iss, or another (RFC 9207)')
  return fields
}

function locationFields(answer: TestResponse, inQuery: boolean): AuthorizationAnswer {
  const { origin, pathname, hash, search, href } = locationOf(answer)
  if (origin + pathname !== RP.callback) throw new Error(`sent to ${href}: ${answer.text.slice(0, 200)}`)
  if (inQuery ? hash !== '' : search !== '') throw new Error('the answer is in the wrong half of the address')
  return Object.fromEntries(new URLSearchParams(inQuery ? search : hash.slice(1)))
}

function formFields({ text }: TestResponse): AuthorizationAnswer {
  if (!text.includes(`action="${RP.callback}"`)) throw new Error(`no form for the callback: ${text.slice(0, 200)}`)
  const inputs = text.matchAll(/name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, value]))
}

/** Checks signature, issuer, audience, times, nonce and hashes of the ID token; returns the token and its claims. */
async function checkIdToken(
  server: TestServer,
  idToken: string | undefined,
  companions: { access_token?: string | undefined; code?: string | undefined },
): Promise<Pick<IssuedTokens, 'idToken' | 'claims'>> {
  if (idToken === undefined) throw new Error('no ID token')
  const keys = (await server.browser().get('/.well-known/jwks.json')).json() as unknown as JSONWebKeySet
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: 'https://id.test/',
    audience: RP.clientId,
    algorithms: ['RS256'],
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: server.clock.now(),
  })
  if ((payload.nonce ?? NONCE) !== NONCE) throw new Error('another nonce')
  checkHash(payload.at_hash, companions.access_token)
  checkHash(payload.c_hash, companions.code)
  return { idToken, claims: payload }
}

function checkHash(hash: unknown, value: string | undefined): void {
  if (value !== undefined && hash !== leftHalfHash(value)) throw new Error('a hash does not fit what left beside it')
}
