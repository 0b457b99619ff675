// A test of a login: one authorization request of one application, which the server itself receives the answer of (docs/adr/0072). Nothing is stored
// for it but that it was used: what it permits is sealed in the `state` of its request.
// - It is started once, by a ticket of minutes, and its request is made once. A cookie binds it to the browser that began it.
// - The verifier of its code is in the sealed state alone, so no one else can redeem the code.
// - The secret of a link that began it is in that cookie alone, so the answer finds the way back to the page of the link.

import { addSeconds, type Clock } from '../../kernel/clock'
import type { CookieName } from '../../kernel/cookie-names'
import type { Random } from '../../kernel/random'
import { digest, equalsConstantTime, type Vault } from '../../kernel/secret'
import { newLoginId } from '../audit/login-id'
import { claimName, type TicketPort } from '../tickets/ticket'

export const TEST_START_PATH = '/login-test/start'
export const TEST_CALLBACK_PATH = '/login-test/callback'

export const testCallback = (baseUrl: string): string => baseUrl + TEST_CALLBACK_PATH

/** Add-ons of applications, as the vendor names them. */
export const TESTED_PROTOCOLS = ['samlp', 'wsfed'] as const
export type TestedProtocol = (typeof TESTED_PROTOCOLS)[number]

/** What is to be tested. */
export type TestWish = {
  clientId: string
  /** A connection that is open to the test although not to its application; '*' for those that are open to any application. */
  opens?: string
  /** The add-on whose login it is; absent for OpenID Connect. */
  protocol?: TestedProtocol
  /** Further parameters of the request. */
  parameters: Readonly<Record<string, string>>
}

export type LoginTest = TestWish & {
  tenantId: string
  login: string
  verifier: string
  until: string
  /** Who made it: see `makerMark`. */
  maker: string
}

/** Parameters that belong to the test. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'state', 'nonce', 'response_mode', 'code_challenge', 'code_challenge_method'],
  ...['request', 'request_uri', 'login_ticket', 'invitation', 'dpop_jkt'],
])

type Deps = {
  tenantId: string
  baseUrl: string
  vault: Vault
  random: Random
  clock: Clock
  tickets: Pick<TicketPort, 'claim'>
}

const START = 'login-test-start'
const STATE = 'login-test-state'
const COOKIE = 'login-test-cookie'

/** From the making of a test to its request, and from the request to its answer. */
const START_SECONDS = 600
const ANSWER_SECONDS = 3600

const inSeconds = (seconds: number, { clock }: Pick<Deps, 'clock'>): string =>
  addSeconds(clock.now(), seconds).toISOString()

/** `url` begins the test, once. */
export function makeTest(wish: TestWish, deps: Deps, maker = ''): { login: string; url: string; until: string } {
  const { random, vault, baseUrl, tenantId } = deps
  const until = inSeconds(START_SECONDS, deps)
  const login = newLoginId(random)
  const test: LoginTest = { ...wish, tenantId, login, verifier: random.token(), until, maker }
  const ticket = vault.sealText(START, JSON.stringify(test), random)
  return { login, until, url: `${baseUrl}${TEST_START_PATH}?${new URLSearchParams({ ticket })}` }
}

/** Null for a ticket that is over. */
export const takeTest = (ticket: string, deps: Deps): Promise<LoginTest | null> => takeOnce(START, ticket, deps)

/** The address of the authorization request, and the cookie of the browser. */
export const beginTest = (test: LoginTest, deps: Deps): Started => requestedBy(test, { maker: test.maker }, deps)

/** The same for a test that a link begins, in the browser that asks for it. */
export function beginLinkedTest(wish: TestWish, login: string, link: string, deps: Deps): Started {
  const until = inSeconds(ANSWER_SECONDS, deps)
  const verifier = deps.random.token()
  return requestedBy({ ...wish, tenantId: deps.tenantId, login, verifier, until, maker: '' }, { link }, deps)
}

export type Started = { to: string; cookie: TestCookie }

/** Who began a test: the secret of a link, or who made it. */
type By = { link: string } | { maker: string }

function requestedBy(test: LoginTest, by: By, deps: Deps): Started {
  const { vault, random, baseUrl } = deps
  const until = inSeconds(ANSWER_SECONDS, deps)
  // Its maker may change the parameters in the address, so nothing compares them.
  const requested: LoginTest = { ...test, until, parameters: {} }
  const state = vault.sealText(STATE, JSON.stringify(requested), random)
  const to = `${baseUrl}/authorize?${new URLSearchParams({ ...requestOf(test, deps), state })}`
  return { to, cookie: cookieFor(test, by, deps) }
}

const requestOf = ({ clientId, login, verifier, parameters }: LoginTest, { baseUrl }: Pick<Deps, 'baseUrl'>) => {
  const { response_type = 'code' } = parameters
  return {
    ...parameters,
    client_id: clientId,
    redirect_uri: testCallback(baseUrl),
    response_type,
    // A fragment would stay in the browser.
    response_mode: response_type === 'code' ? 'query' : 'form_post',
    nonce: login,
    code_challenge: digest(verifier).toString('base64url'),
    code_challenge_method: 'S256',
  }
}

type Sent = Readonly<Record<string, string | undefined>>

/**
 * The test that an authorization request is the one request of; null for every other request. Requests to other addresses cost one
 * comparison.
 */
export async function testOfRequest(sent: Sent, deps: Deps): Promise<LoginTest | null> {
  if (sent.redirect_uri !== testCallback(deps.baseUrl)) return null
  const test = readSealed(STATE, sent.state ?? '', deps)
  if (!test || test.clientId !== sent.client_id) return null
  return (await claimName(STATE, sent.state ?? '', new Date(test.until), deps)) ? test : null
}

/** The test that an answer belongs to, if this browser began it, and the secret of the link that began it. */
export function testOfAnswer(
  state: string,
  cookie: string | undefined,
  deps: Deps,
): { test: LoginTest; link: string | null } | null {
  const test = readSealed(STATE, state, deps)
  const started = testInCookie(cookie, deps)
  return test && started && equalsConstantTime(digest(test.login), digest(started.login))
    ? { test, link: started.link }
    : null
}

/** Parameters of the exchange of its code. */
export const exchangeOf = (code: string, { clientId, verifier }: LoginTest, { baseUrl }: Pick<Deps, 'baseUrl'>) => ({
  ...{ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier },
  redirect_uri: testCallback(baseUrl),
})

/** An answer is used once. */
export const claimAnswer = (state: string, { until }: LoginTest, deps: Deps): Promise<boolean> =>
  claimName(`${STATE} answer`, state, new Date(until), deps)

export type TestCookie = { name: CookieName; value: string; maxAge: number }
function cookieFor({ login }: LoginTest, by: By, deps: Deps): TestCookie {
  const until = Date.parse(inSeconds(ANSWER_SECONDS, deps))
  const started = 'link' in by ? `link ${by.link}` : `maker ${by.maker}`
  const value = deps.vault.sealText(COOKIE, `${login} ${until} ${started}`, deps.random)
  return { name: 'test', value, maxAge: ANSWER_SECONDS }
}

/** The login of the last test that this browser began, and by what it began; null without a test. */
export function testInCookie(
  cookie: string | undefined,
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
): { login: string; link: string | null; maker: string | null } | null {
  const plain = cookie === undefined ? null : vault.openText(COOKIE, cookie)
  const [login = '', until = '0', kind, by = ''] = plain?.split(' ') ?? []
  if (login === '' || Number(until) <= clock.now().getTime()) return null
  return { login, link: kind === 'link' ? by : null, maker: kind === 'maker' ? by || null : null }
}

/** Names who made a test, in few characters. */
export const makerMark = ({ clientId, userId }: { clientId: string; userId: string | null }): string =>
  digest(JSON.stringify([clientId, userId])).toString('base64url')

/** The vault is that of all tenants. */
function readSealed(purpose: string, text: string, { vault, clock, tenantId }: Deps): LoginTest | null {
  const plain = vault.openText(purpose, text)
  const test = plain === null ? null : (JSON.parse(plain) as LoginTest)
  return test && test.tenantId === tenantId && new Date(test.until) > clock.now() ? test : null
}

async function takeOnce(purpose: string, text: string, deps: Deps): Promise<LoginTest | null> {
  const test = readSealed(purpose, text, deps)
  return test && (await claimName(purpose, text, new Date(test.until), deps)) ? test : null
}
