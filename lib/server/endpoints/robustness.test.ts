// Fuzzing of every endpoint (threat-model.md HT1, AZ2, AZ9, SC1): never a 5xx, never an unregistered Location, never unescaped
// input markup, no password in the log. Each request starts as a valid one and is then mutated in a few places, so it passes
// the first check. Seeded: failures are reproducible and are shrunk.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pemOf } from '../../crypto/saml/certificate'
import { signXml } from '../../crypto/saml/sign'
import { decodeMessage, encodeForForm } from '../../crypto/saml/transport'
import { makeTest } from '../../data/login-tests/login-test'
import { LIMIT_NAMES } from '../../data/rate-limit/limits'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { issueTicket } from '../../data/tickets/ticket'
import { writeUnblockTicket } from '../../data/users/unblock'
import { RESTORE } from '../../data/users/undo-address'
import { ENROLLMENT } from '../../identity/mfa/enrollment-ticket'
import { FACTOR_RECORDS } from '../../identity/mfa/factors/index'
import { noEffects } from '../../identity/tenant-code/trigger'
import { digest } from '../../kernel/secret'
import { departureOf } from '../../login/post-login/redirect'
import { writeDownload } from '../../management/jobs/download'
import { runJobs } from '../../management/jobs/runner'
import { LOGIN_SCREENS, type LoginScreen, screenPath } from '../../pages/screens'
import { PORTAL_PAGES } from '../../pages/view'
import { WEBAUTHN } from '../../protocols/oauth/grants/webauthn'
import { softCredential } from '../../testing/authenticator'
import { jobWorker } from '../../testing/jobs'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  VERIFIER,
  WEB,
  webCredentials,
} from '../../testing/journey'
import { ticketTo } from '../../testing/mail'
import { addManager, type Manager } from '../../testing/management'
import { codeOf } from '../../testing/mfa'
import { organizationsOf } from '../../testing/organizations'
import { HERE, offerPasskeys } from '../../testing/passkeys'
import { addPasswordless, messagesTo, OTP_GRANT } from '../../testing/passwordless'
import { png } from '../../testing/pictures'
import { confirmationOf, enterPortal } from '../../testing/portal'
import { sampleUser } from '../../testing/samples'
import { type Browser, PASSWORD, type TestRequest, type TestResponse } from '../../testing/server'
import { storedLogin } from '../../testing/stored-login'
import { press, type UpstreamTestServer, upstreamTestServer } from '../../testing/upstream'
import type { Finding } from '../doctor/finding'
import { ENDPOINTS } from './index'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const REALM_GRANT = 'http://auth0.com/oauth/grant-type/password-realm'
const SERVER_GRANTS = ['client_credentials', 'password', REALM_GRANT, 'refresh_token']
const MFA_OOB = 'http://auth0.com/oauth/grant-type/mfa-oob'
const MANAGEMENT = 'https://id.test/api/v2/'
const MARKUP = '"><script>alert(1)</script>'
const HOSTS = ['idp.test', 'id.test', 'app.test', 'web.test', 'tenant.test']
const OPERATOR = 'the-token-of-the-operator'
const FINDING: Finding = { about: 'clock', health: 'ill', says: 'Run NTP.' }
const RUNS = 3000

let server: UpstreamTestServer
/** Signed in, so codes come without a form. */
let signedIn: Browser
let tokens: Record<string, unknown>
let links: { reset: string; verify: string; passwordless: string }
/** A finished export of users. */
let exportJob: string
let shareSecret: string
let sharer: Manager
let organizations: ReturnType<typeof organizationsOf>
let organization: string

beforeAll(async () => {
  server = await upstreamTestServer({
    devOutbox: true,
    examiner: { tokenDigest: digest(OPERATOR), examine: async () => [FINDING] },
  })
  await server.addProvider('corp', 'oidc', {
    show_as_button: true,
    options: { issuer: 'https://idp.test', domain_aliases: ['corp.test'] },
  })
  await addPasswordless(server)
  shareSecret = await shareLogin()
  await server.addConnection('links', { options: { send: 'link' } }, 'con_links', 'email')
  const grant_types = ['authorization_code', 'implicit', 'refresh_token', 'password', OTP_GRANT]
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types, allow_userinfo_query_token: true } })
  await server.addClient(WEB)
  await server.addClient({ clientId: 'strong', settings: { ...SPA.settings, mfa_policy: 'always' } })
  await server.addClient({
    clientId: 'factor',
    secret: WEB.secret,
    settings: { grant_types: ['password', MFA_OOB], mfa_policy: 'always' },
  })
  const samlp = { signingCert: pemOf((await server.runtime()).keyring.current.certificate) }
  await server.addConnection('portal', portalOf(samlp.signingCert), 'con_portal', 'samlp')
  await server.addClient({ clientId: 'signed', settings: { callbacks: ['https://app.test/cb'], addons: { samlp } } })
  await server.addClient({
    clientId: 'native',
    settings: { ...SPA.settings, grant_types: [WEBAUTHN, 'refresh_token'] },
  })
  await server.addClient({ clientId: 'tv', settings: { app_type: 'native', grant_types: [DEVICE_GRANT] } })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await server.addClient({ clientId: 'server', secret: WEB.secret, settings: { grant_types: SERVER_GRANTS } })
  const grantId = await server.addClientGrant('server', 'https://api.test', ['read:things'], {
    organizationUsage: 'allow',
  })
  organizations = organizationsOf(server)
  organization = await organizations.add('acme')
  await organizations.addClientGrant(organization, grantId)
  await server.addRole('Owners', {})
  await server.database.pool.query("UPDATE role SET administers_organization = true WHERE id = 'Owners'")
  await server.setTenant({
    tenant: {
      organization_connections: true,
      // No limits, so every request is processed.
      rate_limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, false])),
      flags: { enable_dynamic_client_registration: true },
      allowed_logout_urls: ['https://tenant.test/bye'],
    },
    guardianFactors: FACTOR_RECORDS.map((name) => ({ name, enabled: true })),
  })
  await server.addUser({ email: 'kim@mail.test' })
  await server.addUser({ email: 'restored@mail.test', data: { emailVerified: true } })
  links = { reset: await resetLink(), verify: await verificationLink(), passwordless: await passwordlessLink() }
  signedIn = server.browser()
  await signIn(signedIn, 'kim@mail.test')
  tokens = await signInForTokens(server.browser(), 'kim@mail.test')
  await offerPasskeys(server, { progressive_enrollment_enabled: false, local_enrollment_enabled: false })
  exportJob = String((await (await addManager(server)).post('/jobs/users-exports', { limit: 2 })).json().id)
  await runJobs(jobWorker(server))
})
afterAll(() => server.close())

/** For another user: mutated requests must not sign out the user whose tokens the other requests use. */
async function resetLink(): Promise<string> {
  await server.addUser({ email: 'pat@mail.test' })
  const form = { action: 'request-reset', email: 'pat@mail.test' }
  const own = server.browser()
  await own.post('/u/submit', { form: { ...form, state: await beginLogin(own) } })
  return ticketTo(server, 'pat@mail.test')
}
async function verificationLink(): Promise<string> {
  const own = server.browser()
  await own.post('/u/submit', { form: { ...SIGN_UP, email: 'vera@mail.test', state: await beginLogin(own) } })
  return ticketTo(server, 'vera@mail.test')
}

async function passwordlessLink(): Promise<string> {
  const authParams = { redirect_uri: 'https://app.test/cb', state: 's' }
  const json = { client_id: 'spa', connection: 'email', email: 'lin@mail.test', authParams }
  await server.browser().post('/passwordless/start', { json })
  const [message] = await messagesTo(server, 'lin@mail.test')
  return new URL(message?.link ?? 'https://no.mail').searchParams.get('verification_code') ?? ''
}

/** The address that the browser requested a code for. */
const sentTo = new WeakMap<Browser, string>()
async function sentAddress(own: Browser): Promise<string> {
  const email = `${server.random.hex(12)}@mail.test`
  sentTo.set(own, email)
  await own.post('/passwordless/start', { json: { client_id: 'spa', connection: 'email', email, send: 'code' } })
  return email
}

/** A login of this browser that waits for a mailed link. */
const waitingLinks = new WeakMap<Browser, URLSearchParams>()
/** A login that a rule has redirected to another site; returns the state to come back with. */
async function awayByRule(handle: string): Promise<string> {
  const suspended = { action: 'gone', awaits: 'redirect' as const }
  const userId = await server.addUser({ email: `${server.random.hex(12)}@mail.test` })
  const rules = { userId, effects: { ...noEffects(), suspended }, left: 'left' }
  const evidence = [{ method: 'pwd', at: server.clock.now().toISOString(), connection: 'Users' }]
  await server.database.pool.query(
    'UPDATE login_transaction SET user_id = $2, evidence = $3, decisions = $4 WHERE handle_digest = $1',
    [digest(handle), userId, JSON.stringify(evidence), { rules }],
  )
  const away = departureOf(rules, new URL('https://elsewhere.test/'), handle, server)
  return new URL(away).searchParams.get('state') ?? ''
}

async function waitingLogin(own: Browser): Promise<string> {
  const address = `${server.random.hex(12)}@mail.test`
  const state = await beginLogin(own, { connection: 'links' })
  await own.post('/u/submit', { form: { state, action: 'send-code', address } })
  const [message] = await messagesTo(server, address)
  waitingLinks.set(own, new URL(message?.link ?? 'https://no.mail').searchParams)
  return state
}

const leave = async (own: Browser): Promise<URL> => press(own, await beginLogin(own), 'corp')

const stateOf = (address: URL): string => server.double.answer(address.href, { sub: server.random.hex(8) }).state ?? ''

async function postedReply(own: Browser): Promise<string> {
  const address = await leave(own)
  const form = server.double.answer(address.href, { sub: server.random.hex(8) })
  return locationOf(await own.post('/login/callback', { form })).searchParams.get('reply') ?? ''
}

/** A SAML connection that accepts IdP-initiated logins. */
const portalOf = (signingCert: string) => ({
  options: {
    signInEndpoint: 'https://idp.test/saml',
    signingCert,
    idpinitiated: { enabled: true, client_id: 'web' },
  },
})

/** A login that waits for a second factor; a user with a verified address has one. */
async function secondStep(own: Browser, emailVerified: boolean): Promise<string> {
  const email = `${server.random.hex(12)}@mail.test`
  await server.addUser({ email, data: { emailVerified } })
  const state = await beginLogin(own, { client_id: 'strong' })
  await submitPassword(own, state, email)
  return state
}

/** The QR code that enrols a phone. */
async function picture(own: Browser): Promise<string> {
  const state = await secondStep(own, false)
  await own.post('/u/submit', { form: { state, action: 'mfa-enroll', factor: 'push' } })
  const page = await own.get('/u/mfa-enroll', { query: { state } })
  return /enrollment_tx_id=([\w-]+)/.exec(page.text)?.[1] ?? ''
}

const startDevice = async (): Promise<Record<string, unknown>> =>
  (await server.browser().post('/oauth/device/code', { form: { client_id: 'tv' } })).json()

type Person = { id: string; token: string; idToken: string }
const people = new WeakMap<Browser, Promise<Person>>()

/** A separate user for the request: mutated requests must not link or end accounts that the others use. */
function personOf(own: Browser): Promise<Person> {
  const known = people.get(own) ?? newPerson()
  people.set(own, known)
  return known
}

async function newPerson(): Promise<Person> {
  const email = `${server.random.hex(12)}@mail.test`
  const id = await server.addUser({ email, data: { phoneVerified: true } })
  const scope = `openid ${[...((await (await server.runtime()).apis.find(MANAGEMENT))?.personal?.scopes ?? [])].join(' ')}`
  const { access_token, id_token } = await signInForTokens(server.browser(), email, { audience: MANAGEMENT, scope })
  return { id, token: String(access_token), idToken: String(id_token) }
}

const ME = 'https://id.test/me/'

/** A separate user of the My Account API, who is adding an authenticator app and a passkey. */
const accounts = new WeakMap<Browser, ReturnType<typeof makeAccount>>()

function accountOf(own: Browser) {
  const known = accounts.get(own) ?? makeAccount()
  accounts.set(own, known)
  return known
}

async function makeAccount() {
  const email = `${server.random.hex(12)}@mail.test`
  await server.addUser({ email, data: { phoneVerified: true } })
  const scope = [...((await (await server.runtime()).apis.find(ME))?.scopes.keys() ?? [])].join(' ')
  const access = String((await signInForTokens(server.browser(), email, { audience: ME, scope })).access_token)
  const begin = async (type: string) => {
    const ask = { json: { type }, headers: { authorization: `Bearer ${access}` } }
    return (await server.browser(elsewhere()).post('/me/v1/authentication-methods', ask)).json()
  }
  const [app, passkey] = [await begin('totp'), await begin('passkey')]
  const options = passkey.authn_params_public_key as { challenge: string; user: { id: string } }
  const made = softCredential().create({ ...HERE, challenge: options.challenge, handle: options.user.id })
  return { access, app, passkey: { session: String(passkey.auth_session), response: JSON.stringify(made) } }
}

async function asPerson(own: Browser, path: string, json: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${(await personOf(own)).token}` }
  return (await own.post(path, { json, headers })).json()
}

async function linkedAccount(own: Browser): Promise<string> {
  const [{ id }, second] = [await personOf(own), await newPerson()]
  await asPerson(own, `/api/v2/users/${encodeURIComponent(id)}/identities`, { link_with: second.idToken })
  return second.id.slice('auth0|'.length)
}

async function enrollmentTicket(): Promise<string> {
  const userId = await server.addUser({ email: `${server.random.hex(12)}@mail.test` })
  return issueTicket(ENROLLMENT, { userId, record: null, multiple: true }, await server.runtime())
}

/** For an account that goes on as it is. */
async function restoreTicket(): Promise<string> {
  const { rows } = await server.database.pool.query(
    `SELECT user_id AS "userId", connection_id AS "connectionId", provider_user_id AS "providerUserId", email_key AS email
    FROM identity WHERE email_key = 'restored@mail.test'`,
  )
  return issueTicket(RESTORE, rows[0], await server.runtime())
}

/** The last segment of the address of an uploaded picture. */
async function uploaded(): Promise<string> {
  const { userPictures, canonicalUrl, clock } = await server.runtime()
  const name = server.random.hex(24)
  const userId = await server.addUser({ email: `${name}@mail.test` })
  await userPictures.put(
    userId,
    { name, extension: 'png', bytes: png() },
    `${canonicalUrl}/picture/${name}.png`,
    clock.now(),
  )
  return `${name}.png`
}

async function newTest(): Promise<URLSearchParams> {
  const { url } = makeTest({ clientId: 'spa', parameters: {} }, await server.runtime())
  return new URL(url).searchParams
}

/** The state of a test that the browser began. */
async function testedIn(own: Browser): Promise<string> {
  const started = await own.get('/login-test/start', { query: Object.fromEntries(await newTest()) })
  return locationOf(started).searchParams.get('state') ?? ''
}

/** The last segment of a link to a test. */
async function shareTest(): Promise<string> {
  const { url } = (await sharer.post('/login-shares/tests', { client_id: 'spa' })).json()
  return String(url).split('/').at(-1) ?? ''
}

/** The last segment of a link to a copy of a login. */
async function shareLogin(): Promise<string> {
  sharer = await addManager(server, { clientId: 'sharer' })
  const { url } = (await sharer.post('/login-shares', { login_id: await storedLogin(server) })).json()
  return String(url).split('/').at(-1) ?? ''
}

/** The last segment of the address of a drawn picture. */
async function drawing(): Promise<string> {
  const { picture } = (await server.runtime()).portray(sampleUser())
  return (picture ?? '').split('/').at(-1) ?? ''
}

/** Signs a user of its own in to the account portal, who may administer the organization; returns what its forms send. */
async function portalForm(own: Browser, administers = false): Promise<string> {
  const email = `${server.random.hex(12)}@mail.test`
  const user = await server.addUser({ email, data: { emailVerified: true } })
  if (administers) await organizations.join(organization, user, ['Owners'])
  await enterPortal(own, email)
  return confirmationOf(own)
}

type NewPasskey = { session: string; response: string }
const newPasskeys = new WeakMap<Browser, NewPasskey>()

/** Starts a sign-up with a passkey; returns its session. An authenticator answers it. */
async function newPasskey(own: Browser): Promise<string> {
  const user_profile = { email: `${server.random.hex(12)}@mail.test` }
  const { auth_session, authn_params_public_key: options } = (
    await own.post('/passkey/register', { json: { client_id: 'native', user_profile } })
  ).json() as { auth_session: string; authn_params_public_key: { challenge: string; user: { id: string } } }
  const made = softCredential().create({ ...HERE, challenge: options.challenge, handle: options.user.id })
  newPasskeys.set(own, { session: auth_session, response: JSON.stringify(made) })
  return auth_session
}

const freshCode = async (): Promise<string> =>
  locationOf(await signedIn.get('/authorize', { query: authorizeQuery() })).searchParams.get('code') ?? ''

/** Values that only the running server can issue, created when a request names them. */
const FRESH = new Map<string, (own: Browser) => Promise<string>>(
  Object.entries({
    '@handle': (own) => beginLogin(own),
    '@rule': async (own) => awayByRule(await beginLogin(own)),
    '@address': async () => `${server.random.hex(12)}@mail.test`,
    '@left': async (own) => stateOf(await leave(own)),
    '@reply': postedReply,
    '@code': freshCode,
    '@refresh': async () => String((await redeem(signedIn, await freshCode())).json().refresh_token),
    '@ticket': async () => writeUnblockTicket({ connectionId: 'con', identifier: 'kim', ip: '192.0.2.1' }, server),
    '@drawing': drawing,
    '@uploaded': uploaded,
    '@new-passkey': newPasskey,
    '@credential': async (own) => newPasskeys.get(own)?.response ?? '{}',
    '@portal': (own) => portalForm(own),
    '@administration': (own) => portalForm(own, true),
    '@enrollment': enrollmentTicket,
    '@restore': restoreTicket,
    '@reset': async () => links.reset,
    '@verify': async () => links.verify,
    '@link': async () => links.passwordless,
    '@waiting': waitingLogin,
    '@mailed': async (own) => waitingLinks.get(own)?.get('ticket') ?? '',
    '@sent': sentAddress,
    '@otp': async (own) => (await messagesTo(server, sentTo.get(own) ?? ''))[0]?.code ?? '123456',
    '@enrolling': (own) => secondStep(own, false),
    '@challenged': (own) => secondStep(own, true),
    '@share': async () => shareSecret,
    '@share-test': shareTest,
    '@test': async () => (await newTest()).get('ticket') ?? '',
    '@tested': testedIn,
    '@picture': picture,
    '@mfa': async (own) => (await halfWay(own, false)).token,
    '@asked': async (own) => (await halfWay(own, true)).token,
    '@oob': async (own) => (await halfWay(own, true)).oobCode,
    '@oob-code': async (own) => (await halfWay(own, true)).code,
    '@prompt': async (own) => (await waitingPrompt(own)).id,
    '@authenticator': async (own) => (await waitingFactor(own)).id,
    '@user-code': async () => String((await startDevice()).user_code),
    '@device-code': async () => String((await startDevice()).device_code),
    '@access': async () => String((await redeem(signedIn, await freshCode())).json().access_token),
    '@id': async () => String(tokens.id_token),
    '@own': async (own) => (await personOf(own)).id,
    '@second': async () => (await newPerson()).idToken,
    '@linked': linkedAccount,
    '@own-linked': async (own) => {
      const [{ access }, { idToken: link_with }] = [await accountOf(own), await newPerson()]
      const ask = { json: { link_with }, headers: { authorization: `Bearer ${access}` } }
      const { identities } = (await server.browser(elsewhere()).post('/me/v1/identities', ask)).json()
      return (identities as { id: string }[])[1]?.id ?? ''
    },
    '@method': async (own) => String((await accountOf(own)).app.id),
    '@method-session': async (own) => String((await accountOf(own)).app.auth_session),
    '@method-code': async (own) => codeOf(server, (await accountOf(own)).app.manual_input_code),
    '@own-passkey-session': async (own) => (await accountOf(own)).passkey.session,
    '@own-passkey': async (own) => (await accountOf(own)).passkey.response,
    '@organization': async () => organization,
    '@export': async () => writeDownload({ tenantId: FIRST_TENANT, jobId: exportJob }, server),
    '@device': async (own) => String((await asPerson(own, '/api/v2/device-credentials', DEVICE)).id),
    '@login': async (own) => {
      const ask = { json: PASSWORD_FROM_PAGE, headers: PAGES['/co/authenticate'] ?? {} }
      return String((await own.post('/co/authenticate', ask)).json().login_ticket)
    },
    '@signed': async () => encodeForForm(await signedAuthnRequest()),
    '@pushed': async () => String((await server.browser().post('/oauth/par', { form: PUSHED })).json().request_uri),
  }),
)

const PUSHED = authorizeQuery(webCredentials())

const SIGN_UP = { action: 'sign-up', password: 'a lantern over the harbour wall' }

const PASSWORD_FROM_PAGE = {
  client_id: 'spa',
  username: 'kim@mail.test',
  password: PASSWORD,
  credential_type: REALM_GRANT,
  realm: 'Users',
}

/** The page that sends the request, where it matters. */
const PAGES: Record<string, Record<string, string>> = {
  '/co/authenticate': { origin: 'https://app.test' },
  '/usernamepassword/login': { origin: 'https://id.test' },
}

/** Text of a list or object is parsed where parameters travel as JSON. */
const REGISTRATION = {
  redirect_uris: '["https://third.test/cb"]',
  client_name: 'Third',
  token_endpoint_auth_method: 'none',
  grant_types: '["authorization_code"]',
  logo_uri: 'https://third.test/logo.png',
}

const PROVIDER = { action: 'connect', organization: '@organization', address: 'https://idp.test', assign: 'true' }

/** Path segments are mutated like parameters. */
const PART = /:\w+/g

const DEVICE = { device_name: 'Phone', device_id: 'phone-1', type: 'public_key', value: 'TUlJQklqQU5C' }

const SERVER = { client_id: 'server', client_secret: WEB.secret }

const FACTOR = { client_id: 'factor', client_secret: WEB.secret }

/** Each request from its own network; otherwise the limits would answer. */
const elsewhere = () => ({ ip: `2001:db8:${server.random.hex(4)}:${server.random.hex(4)}::1` })

/** Logins that lack a second factor, by the browser that uses them: with a pending code, or of a user without a factor. */
const halves = new Map<string, Promise<{ token: string; oobCode: string; code: string }>>()
const owners = new Map<Browser, number>()

function halfWay(own: Browser, isChallenged: boolean) {
  const owner = owners.get(own) ?? owners.size
  owners.set(own, owner)
  const key = `${owner} ${isChallenged}`
  const known = halves.get(key) ?? makeHalf(isChallenged)
  halves.set(key, known)
  return known
}

async function makeHalf(isChallenged: boolean) {
  const email = `${server.random.hex(12)}@mail.test`
  await server.addUser({ email, data: { emailVerified: isChallenged } })
  const browser = server.browser(elsewhere())
  const form = { ...FACTOR, grant_type: 'password', username: email, password: PASSWORD }
  const mfa_token = String((await browser.post('/oauth/token', { form })).json().mfa_token)
  if (!isChallenged) return { token: mfa_token, oobCode: '', code: '' }
  const { oob_code } = (await browser.post('/mfa/challenge', { json: { ...FACTOR, mfa_token } })).json()
  const [message] = await messagesTo(server, email)
  return { token: mfa_token, oobCode: String(oob_code), code: message?.code ?? '' }
}

/** A user without a factor, and a pending factor. */
const factors = new Map<Browser, Promise<{ access: string; id: string }>>()

function waitingFactor(own: Browser) {
  const known = factors.get(own) ?? makeFactor()
  factors.set(own, known)
  return known
}

async function makeFactor() {
  const email = `${server.random.hex(12)}@mail.test`
  await server.addUser({ email, data: { phoneVerified: true } })
  const browser = server.browser(elsewhere())
  const scope = 'enroll read:authenticators remove:authenticators'
  const form = { ...BY_PASSWORD, grant_type: 'password', username: email, audience: 'https://id.test/mfa/', scope }
  const access = String((await browser.post('/oauth/token', { form })).json().access_token)
  const headers = { authorization: `Bearer ${access}` }
  await browser.post('/mfa/associate', { json: { authenticator_types: ['otp'] }, headers })
  const listed: unknown = (await browser.get('/mfa/authenticators', { headers })).json()
  const [first] = listed as { id: string }[]
  return { access, id: first?.id ?? '' }
}

/** A phone with a pending prompt. */
const phones = new Map<Browser, Promise<{ device: string; id: string }>>()

function waitingPrompt(own: Browser) {
  const known = phones.get(own) ?? makePrompt()
  phones.set(own, known)
  return known
}

async function makePrompt() {
  const email = `${server.random.hex(12)}@mail.test`
  await server.addUser({ email })
  const browser = server.browser(elsewhere())
  const ask = async (path: string, json: object, bearer = '') =>
    (await browser.post(path, { json: { ...FACTOR, ...json }, headers: { authorization: `Bearer ${bearer}` } })).json()
  const byPassword = { grant_type: 'password', username: email, password: PASSWORD }
  const first = String((await ask('/oauth/token', byPassword)).mfa_token)
  const added = await ask('/mfa/associate', { authenticator_types: ['oob'], oob_channels: ['auth0'] }, first)
  const ticket = new URL(String(added.barcode_uri)).searchParams.get('enrollment_tx_id')
  const device = String((await ask('/mfa/devices', { enrollment_tx_id: ticket })).device_token)
  await ask('/oauth/token', { grant_type: MFA_OOB, mfa_token: first, oob_code: added.oob_code })
  await ask('/mfa/challenge', { mfa_token: (await ask('/oauth/token', byPassword)).mfa_token })
  const listed = await browser.get('/mfa/prompts', { headers: { authorization: `Bearer ${device}` } })
  const [prompt] = listed.json().prompts as { id: string }[]
  return { device, id: prompt?.id ?? '' }
}

/** The caller of the MFA API: an `mfa_token` adds, an access token removes. */
async function bearerFor(path: string, own: Browser): Promise<Record<string, string>> {
  if (path === '/mfa/associate') return { authorization: `Bearer ${(await halfWay(own, false)).token}` }
  if (path.startsWith('/mfa/prompts')) return { authorization: `Bearer ${(await waitingPrompt(own)).device}` }
  if (!path.startsWith('/mfa/authenticators')) return {}
  return { authorization: `Bearer ${(await waitingFactor(own)).access}` }
}

const BY_PASSWORD = { ...SERVER, username: 'kim@mail.test', password: PASSWORD }

const BY_CODE = { client_id: 'spa', connection: 'email', email: '@sent', verification_code: '@otp' }
const BY_LINK = { connection: 'email', email: 'lin@mail.test', verification_code: '@link', confirmation: 'x' }

const samlMessage = (name: string, attributes: string, content: string): string =>
  encodeForForm(
    `<p:${name} xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="2027-01-15T08:00:00Z" ${attributes}><a:Issuer>urn:sp</a:Issuer>${content}</p:${name}>`,
  )
const AUTHN_REQUEST = samlMessage('AuthnRequest', 'AssertionConsumerServiceURL="https://app.test/cb"', '')
const LOGOUT_REQUEST = samlMessage('LogoutRequest', '', '<a:NameID>auth0|kim</a:NameID>')

async function signedAuthnRequest(): Promise<string> {
  const { current } = (await server.runtime()).keyring
  return signXml(decodeMessage(AUTHN_REQUEST), current, { signature: 'sha256', digest: 'sha256' })
}

const token = (grant: Record<string, string>) => ({ client_id: 'spa', ...grant })

/** A login at which the screen is due, where the first page of a login does not show it. */
const DUE: Partial<Record<LoginScreen, string>> = {
  'mfa-enroll': '@enrolling',
  'mfa-challenge': '@challenged',
  'mfa-recovery-code': '@enrolling',
}
const screenRequest = (screen: LoginScreen) => ({ state: DUE[screen] ?? '@handle', notice: 'wrong_code' })

/** A valid request for every endpoint with parameters. */
const GOOD: Record<string, Record<string, string>[]> = {
  '/reference': [{ api: 'management' }],
  '/authorize': [
    authorizeQuery(),
    authorizeQuery({ prompt: 'none', response_mode: 'form_post' }),
    authorizeQuery({ prompt: 'none', response_mode: 'query.jwt' }),
    authorizeQuery({
      audience: 'https://api.test',
      scope: 'openid read:things',
      response_mode: 'fragment',
      max_age: '60',
    }),
    authorizeQuery({
      id_token_hint: '@id',
      login_hint: 'kim@mail.test',
      ui_locales: 'de',
      response_mode: 'web_message',
    }),
    authorizeQuery({
      response_type: 'code id_token token',
      response_mode: undefined,
      claims: '{"userinfo":{"name":{"essential":true}},"id_token":{"acr":{"values":["urn:a"]}}}',
    }),
    authorizeQuery({ response_type: 'token', prompt: 'none', response_mode: 'fragment' }),
    { client_id: 'web', request_uri: '@pushed' },
    authorizeQuery({ login_ticket: '@login', realm: 'Users' }),
  ],
  '/co/authenticate': [PASSWORD_FROM_PAGE],
  '/usernamepassword/login': [
    { ...authorizeQuery(), username: 'kim@mail.test', password: PASSWORD, connection: 'Users', tenant: 'id' },
  ],
  '/login/callback': [
    authorizeQuery({ login_ticket: '@login' }),
    { code: 'x', state: '@left', iss: 'https://idp.test', user: '{"name":{"firstName":"Kim"}}' },
    { error: 'access_denied', error_description: 'no', state: '@left' },
    { SAMLResponse: LOGOUT_REQUEST, RelayState: '@left', connection: 'corp' },
    { SAMLResponse: LOGOUT_REQUEST, RelayState: MARKUP, connection: 'portal' },
  ],
  '/u/resume': [{ reply: '@reply' }],
  '/logout/callback': [{ state: 'x' }, { SAMLResponse: LOGOUT_REQUEST, RelayState: 'x' }],
  '/usernamepassword/challenge': [{ state: 's' }],
  '/dbconnections/signup/challenge': [{ state: 's' }],
  '/dbconnections/change_password/challenge': [{ state: 's' }],
  '/passwordless/challenge': [{ state: 's' }],
  '/passwordless/start': [
    { client_id: 'spa', connection: 'email', email: '@address', send: 'link' },
    { client_id: 'web', client_secret: WEB.secret, connection: 'sms', phone_number: '+491701234567' },
  ],
  '/passwordless/verify': [BY_CODE],
  '/passwordless/verify_redirect': [authorizeQuery(BY_CODE), BY_LINK],
  '/oauth/par': [PUSHED],
  '/oauth/token': [
    token({
      grant_type: 'authorization_code',
      redirect_uri: 'https://app.test/cb',
      code: '@code',
      code_verifier: VERIFIER,
    }),
    token({ grant_type: 'refresh_token', refresh_token: '@refresh', scope: 'openid' }),
    { ...SERVER, grant_type: 'client_credentials', audience: 'https://api.test', scope: 'read:things' },
    { ...SERVER, grant_type: 'client_credentials', audience: 'https://api.test', organization: '@organization' },
    { ...BY_PASSWORD, grant_type: 'password', scope: 'openid offline_access' },
    { ...BY_PASSWORD, grant_type: REALM_GRANT, realm: 'Users', audience: 'https://api.test' },
    token({ grant_type: OTP_GRANT, realm: 'email', username: '@sent', otp: '@otp' }),
    token({ grant_type: 'password', connection: 'email', username: '@sent', password: '@otp' }),
    { client_id: 'native', grant_type: WEBAUTHN, auth_session: '@new-passkey', authn_response: '@credential' },
    { ...FACTOR, grant_type: MFA_OOB, mfa_token: '@asked', oob_code: '@oob', binding_code: '@oob-code' },
  ],
  '/passkey/challenge': [{ client_id: 'native', realm: 'Users' }],
  '/passkey/register': [
    {
      client_id: 'native',
      realm: 'Users',
      user_profile: '{"email":"ada@mail.test","name":"Ada"}',
      user_metadata: '{"colour":"blue"}',
    },
  ],
  '/mfa/challenge': [{ ...FACTOR, mfa_token: '@asked', challenge_type: 'oob otp' }],
  '/mfa/associate': [
    { ...FACTOR, authenticator_types: '["otp"]' },
    { authenticator_types: '["oob"]', oob_channels: '["sms"]', phone_number: '+4915123456789', email: 'a@b.test' },
    { authenticator_types: '["oob"]', oob_channel: '["auth0"]' },
  ],
  '/mfa/authenticators': [{ page: '0' }],
  '/mfa/prompts': [{ page: '0' }],
  '/mfa/prompts/:id': [{ ':id': '@prompt', decision: 'approve' }],
  '/mfa/authenticators/:id': [{ ':id': '@authenticator' }],
  '/mfa/devices': [{ enrollment_tx_id: '@picture', name: 'Phone' }],
  '/oauth/introspect': [{ ...SERVER, token: '@access', token_type_hint: 'access_token' }],
  '/oauth/device/code': [{ client_id: 'tv', scope: 'openid offline_access', audience: 'https://api.test' }],
  '/continue': [{ state: '@rule', session_token: 'x' }],
  '/activate': [
    { user_code: '@user-code', action: 'confirm', confirmation: 'x' },
    { user_code: 'bcdf-ghjk', result: 'connected' },
  ],
  '/oauth/revoke': [token({ token: '@refresh', token_type_hint: 'refresh_token' })],
  '/userinfo': [{ access_token: '@access' }],
  '/me/v1/factors': [{ page: '0' }],
  '/me/v1/identities': [{ link_with: '@second' }],
  '/me/v1/identities/:id': [{ ':id': '@own-linked' }],
  '/me/v1/authentication-methods': [
    { type: 'totp' },
    { type: 'phone', phone_number: '+4915123456789', preferred_authentication_method: 'sms' },
    { type: 'email', email: '@address' },
    { type: 'push-notification' },
    { type: 'recovery-code' },
    { type: 'passkey', connection: 'Users' },
    { type: 'password', connection: 'Users' },
  ],
  '/me/v1/authentication-methods/:id': [
    { ':id': '@method' },
    { ':id': '@method', name: 'Phone', preferred_authentication_method: 'sms' },
  ],
  '/me/v1/authentication-methods/:id/verify': [
    { ':id': '@method', auth_session: '@method-session', otp_code: '@method-code' },
    { ':id': 'passkey|new', auth_session: '@own-passkey-session', authn_response: '@own-passkey' },
  ],
  '/api/v2/users/:id': [
    { ':id': '@own', fields: 'email,user_metadata', include_fields: 'true' },
    { ':id': '@own', user_metadata: '{"colour":"blue"}' },
  ],
  '/api/v2/users/:id/enrollments': [{ ':id': '@own' }],
  '/api/v2/users/:id/multifactor/:provider': [{ ':id': '@own', ':provider': 'google-authenticator' }],
  '/api/v2/users/:id/identities': [{ ':id': '@own', link_with: '@second' }],
  '/api/v2/users/:id/identities/:provider/:user_id': [{ ':id': '@own', ':provider': 'auth0', ':user_id': '@linked' }],
  '/api/v2/device-credentials': [DEVICE],
  '/api/v2/device-credentials/:id': [{ ':id': '@device' }],
  '/api/v2/exports': [{ file: '@export' }],
  '/v2/logout': [
    { client_id: 'spa', returnTo: 'https://app.test/bye' },
    { returnTo: 'https://tenant.test/bye', federated: '' },
  ],
  '/oidc/logout': [
    { id_token_hint: '@id', post_logout_redirect_uri: 'https://app.test/bye', state: 's' },
    { client_id: 'spa' },
  ],
  '/dbconnections/signup': [
    { client_id: 'spa', connection: 'Users', email: '@address', password: SIGN_UP.password, given_name: 'Neo' },
  ],
  '/dbconnections/change_password': [{ client_id: 'spa', connection: 'Users', email: 'kim@mail.test' }],
  '/oidc/register': [REGISTRATION],
  '/oidc/register/:client_id': [REGISTRATION],
  '/samlp/:client_id': [
    { ':client_id': 'spa', SAMLRequest: AUTHN_REQUEST, RelayState: MARKUP },
    { ':client_id': 'web', RelayState: 'deep', connection: 'Users', login_hint: 'kim@mail.test' },
    { ':client_id': 'signed', SAMLRequest: '@signed', RelayState: 'deep' },
  ],
  '/samlp/:client_id/logout': [{ ':client_id': 'spa', SAMLRequest: LOGOUT_REQUEST, RelayState: MARKUP }],
  '/samlp/metadata': [{ connection: 'portal' }],
  '/samlp/metadata/:client_id': [{ ':client_id': 'spa' }],
  '/wsfed': [
    { wtrealm: 'urn:web', wa: 'wsignin1.0', wctx: MARKUP, wfresh: '60', whr: 'urn:Users', wauth: 'urn:a' },
    { 'client-id': 'spa', wa: 'wsignout1.0', wreply: 'https://app.test/bye' },
  ],
  '/wsfed/:client_id': [{ ':client_id': 'spa', wtrealm: 'urn:spa', wreply: 'https://app.test/cb', wctx: 'c' }],
  '/wsfed/:client_id/FederationMetadata/2007-06/FederationMetadata.xml': [{ ':client_id': 'web' }],
  ...Object.fromEntries(LOGIN_SCREENS.map((screen) => [screenPath(screen), [screenRequest(screen)]])),
  '/u/passwordless-link': [
    { state: '@waiting', ticket: '@mailed', action: 'login' },
    { state: '@waiting', ticket: '@mailed', action: 'approve', number: '12' },
  ],
  '/u/device': [{ enrollment_tx_id: '@picture', ticket: '@picture', confirmation: 'x', action: 'connect' }],
  '/u/submit': [
    { state: '@handle', action: 'login', username: 'kim@mail.test', password: PASSWORD },
    { state: '@handle', action: 'passkey', passkey_session: '@new-passkey', passkey_response: '@credential' },
    { state: '@handle', action: 'identify', username: 'kim@corp.test' },
    { state: '@handle', action: 'federated', connection: 'corp' },
    { state: '@handle', ...SIGN_UP, email: 'new@mail.test', username: 'new', field_city: 'Oslo' },
    { state: '@handle', action: 'request-reset', email: 'kim@mail.test' },
    { state: '@handle', action: 'send-code', address: '@address' },
    { state: '@handle', action: 'check-code', code: '123 456' },
    { state: '@enrolling', action: 'mfa-enroll', factor: 'sms', phone: '+4915123456789' },
    { state: '@challenged', action: 'mfa-use', authenticator: 'email|dev_1' },
    { state: '@challenged', action: 'mfa-verify', code: '123456', remember: 'true' },
  ],
  '/u/unblock': [{ ticket: '@ticket', action: 'unblock' }],
  '/shared-login/:secret': [{ ':secret': '@share' }, { ':secret': '@share-test', action: 'test' }],
  '/login-test/start': [{ ticket: '@test' }],
  '/login-test/callback': [{ code: 'x', state: '@tested' }],
  '/avatar/:file': [{ ':file': '@drawing' }],
  '/picture/:file': [{ ':file': '@uploaded' }],
  '/account': [{ confirmation: '@portal', action: 'save', name: 'Kim', notice: 'portal_saved' }],
  '/account/:page': [
    ...PORTAL_PAGES.map((page) => ({ ':page': page, confirmation: '@portal' })),
    { ':page': 'profile', confirmation: '@portal', action: 'save', name: 'Kim', given_name: 'K', nickname: 'k' },
    { ':page': 'profile', confirmation: '@portal', action: 'picture', picture: 'x' },
    { ':page': 'profile', confirmation: '@portal', action: 'remove-picture' },
    { ':page': 'profile', confirmation: '@portal', action: 'language', locale: 'de' },
    { ':page': 'profile', confirmation: '@portal', action: 'email', email: 'kim.new@mail.test' },
    { ':page': 'profile', confirmation: '@portal', action: 'phone', phone: '+4915123456789' },
    { ':page': 'profile', confirmation: '@portal', action: 'confirm', waiting: 'x', code: '123456' },
    { ':page': 'profile', waiting: 'x', connection: 'Users' },
    { ':page': 'sessions', confirmation: '@portal', action: 'end', session: 'x' },
    { ':page': 'applications', confirmation: '@portal', action: 'revoke', client: 'spa' },
    { ':page': 'factors', confirmation: '@portal', action: 'remove', factor: 'totp|x' },
    { ':page': 'connections', confirmation: '@portal', action: 'unlink', provider: 'auth0', user_id: 'x' },
    { ':page': 'data', confirmation: '@portal', action: 'download' },
    { ':page': 'data', confirmation: '@portal', action: 'delete' },
    { ':page': 'data', confirmation: '@portal', action: 'keep' },
    { ':page': 'passkeys', confirmation: '@portal', action: 'add', passkey_session: 'x', passkey_response: '{}' },
    { ':page': 'passkeys', confirmation: '@portal', action: 'remove', passkey: 'x', removed: 'x' },
    { ':page': 'password', confirmation: '@portal', action: 'change' },
    { ':page': 'factors', confirmation: '@portal', action: 'add' },
    { ':page': 'sessions', confirmation: '@portal', action: 'end-all' },
    { ':page': 'sessions', confirmation: '@portal', action: 'forget-browsers' },
    { ':page': 'activity', confirmation: '@portal', action: 'not-me' },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      action: 'invite',
      organization: '@organization',
      email: 'x@mail.test',
      client: 'spa',
    },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      action: 'give',
      organization: '@organization',
      member: 'x',
      role: 'x',
    },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      action: 'take',
      organization: '@organization',
      member: 'x',
      role: 'x',
    },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      action: 'remove',
      organization: '@organization',
      member: 'x',
    },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      action: 'withdraw',
      organization: '@organization',
      invitation: 'x',
    },
    {
      ':page': 'organizations',
      confirmation: '@administration',
      ...PROVIDER,
      strategy: 'oidc',
      client_id: 'us',
      client_secret: 'x',
    },
    { ':page': 'organizations', confirmation: '@administration', ...PROVIDER, strategy: 'samlp', metadata: '<x/>' },
    { ':page': 'organizations', confirmation: '@administration', action: 'disconnect', organization: '@organization' },
  ],
  '/u/enroll': [
    { ticket: '@enrollment', state: '@enrollment', action: 'mfa-enroll', factor: 'sms', phone: '+4915123456789' },
    { ticket: '@enrollment', draft: 'x', state: '@enrollment', action: 'mfa-confirm', code: '123456' },
  ],
  '/u/reset-password': [{ ticket: '@reset', action: 'reset-password', password: SIGN_UP.password }],
  '/u/restore-email': [{ ticket: '@restore', action: 'restore-email' }],
  '/u/verify-email': [{ ticket: '@verify', action: 'verify-email' }],
  '/doctor': [{ token: OPERATOR }],
  '/dev/outbox.json': [{ to: 'kim@mail.test', channel: 'email' }],
}

// biome-ignore format: lists of words
const NASTY = [
  '', ' ', '\0', 'a\0b', '\r\nSet-Cookie: x=1', '\ud800', 'x\udfff', '\u2028', '\ufeff', '日本', MARKUP, '%', '%00', '%0d%0a',
  "' OR 1=1 --", '#{7*7}', '{{7*7}}', '../../etc/passwd', '__proto__', 'constructor', 'null', 'true', '-1', '0', '1e999',
  'https://evil.test/', '//evil.test', 'javascript:alert(1)', 'https://app.test@evil.test/cb', 'https://app.test/bye\n',
  'https://app.test/bye?q=日', 'https://app.test\\@evil.test', 'https:\\\\app.test\\bye', 'https://*.app.test/bye',
  'at1.AAAA', 'v1.AAAA', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', `${'k'.repeat(319)}😀`, `${'é'.repeat(199)}😀`, 'x'.repeat(70_000),
  'spa', 'web', WEB.secret, 'none', 'login', 'consent', 'select_account', 'form_post', 'fragment', 'web_message', 'jwt', 'openid',
  'cancel', 'accept', 'deny', 'confirm', DEVICE_GRANT, 'tv', 'continue', 'switch', 'server', 'password', 'client_credentials', REALM_GRANT, 'logout', 'stay', 'authorization_code', 'refresh_token', ...FRESH.keys(),
]
// biome-ignore format: lists of words
const NAMES = [
  ...new Set(Object.values(GOOD).flat().flatMap(Object.keys)), 'connection', 'request', 'request_uri', 'registration',
  'acr_values', 'screen_hint', 'organization', 'client_secret', 'logout_hint', 'confirmation', 'account',
  '__proto__', 'constructor', 'toString', '', '\0', 'a\r\nb', '\ud800', MARKUP,
]

type Pair = [name: string, value: string]
type Bend = { name: string; value: string; how: 'replace' | 'repeat' | 'drop' }

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

function bend(good: Record<string, string>, bends: Bend[]): Pair[] {
  let pairs = Object.entries(good)
  for (const { name, value: bent, how } of bends) {
    if (how !== 'repeat') pairs = pairs.filter(([known]) => known !== name)
    if (how !== 'drop') pairs.push([name, bent])
  }
  return pairs
}

/** Names of the valid request are more frequent than all others. */
const parametersFor = (path: string) =>
  fc.constantFrom(...(GOOD[path] ?? [{}])).chain((good) => {
    const own = Object.keys(good)
    const name =
      own.length > 0 ? fc.oneof(fc.constantFrom(...own), fc.constantFrom(...NAMES)) : fc.constantFrom(...NAMES)
    const how = fc.constantFrom<Bend['how']>('replace', 'replace', 'replace', 'repeat', 'drop')
    return fc.array(fc.record({ name, value, how }), { maxLength: 3 }).map((bends) => bend(good, bends))
  })

const headers = fc.option(
  fc.dictionary(
    fc.constantFrom('authorization', 'cookie', 'accept-language', 'origin', 'content-type', 'host', 'x-forwarded-for'),
    fc.oneof(
      value.map((one) => `Bearer ${one}`),
      value.map((one) => `Basic ${Buffer.from(one).toString('base64')}`),
      value.map((one) => `__Host-latchkey_session=${one}; __Host-latchkey_browser=${one}`),
      value,
    ),
    { minKeys: 1, maxKeys: 2 },
  ),
  { freq: 4 },
)

type Carrier = { as: 'form' | 'json' | 'odd' | 'raw'; odd?: Record<string, unknown>; raw?: Uint8Array }

/** The encoding of the parameters, or bytes that are no parameters. */
const carrier: fc.Arbitrary<Carrier> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ as: 'form' as const }) },
  { weight: 4, arbitrary: fc.constant({ as: 'json' as const }) },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 2 })
      .map((odd) => ({ as: 'odd' as const, odd })),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((raw) => ({ as: 'raw' as const, raw })) },
)

/** Endpoints with parameters are three times as frequent as those without. */
const PATHS = [...Object.keys(ENDPOINTS), ...Object.keys(GOOD), ...Object.keys(GOOD)]

/** A path that people share with managers lists their methods first. */
const methodsOf = (path: string): string[] => {
  const all = Object.keys(ENDPOINTS[path]?.methods ?? {})
  return path.startsWith('/api/v2/') ? all.slice(0, 2) : all
}

const request = fc.constantFrom(...PATHS).chain((path) =>
  fc.record({
    path: fc.constant(path),
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...methodsOf(path)) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'constructor') },
    ),
    pairs: parametersFor(path),
    carrier,
    headers,
  }),
)

type Request = typeof request extends fc.Arbitrary<infer T> ? T : never

const encode = (pairs: Pair[]): string =>
  new URLSearchParams(pairs.map(([name, one]) => [name.toWellFormed(), one.toWellFormed()])).toString()

function askOf(method: string, pairs: Pair[], { as, odd, raw }: Carrier): TestRequest {
  if (method === 'GET' || method === 'HEAD') return { query: encode(pairs) }
  if (as === 'form') return { form: encode(pairs) }
  if (as === 'raw') return { body: raw ?? new Uint8Array(), headers: { 'content-type': 'application/json' } }
  return {
    json: JSON.stringify({ ...Object.fromEntries(pairs.map(([name, one]) => [name, structured(name, one)])), ...odd }),
  }
}

const structured = (name: string, text: string): unknown =>
  name !== 'claims' && /^[[{]"/.test(text) ? JSON.parse(text) : text

let callers = 0

/** Each request from its own address, because of the limits; on loopback, which alone may read the outbox. */
async function send({ path, method, pairs, carrier: how, headers: extra }: Request): Promise<TestResponse> {
  callers += 1
  const own = server.browser({ ip: `127.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`, described: false })
  const resolved: Pair[] = []
  for (const [name, one] of pairs) resolved.push([name, (await FRESH.get(one)?.(own)) ?? one])
  const [parts, members] = [true, false].map((part) => resolved.filter(([name]) => name.startsWith(':') === part))
  const ask = askOf(method, members ?? [], how)
  const sent = { ...ask.headers, ...PAGES[path], ...extra }
  if (path.startsWith('/api/v2/')) {
    const headers = { authorization: `Bearer ${(await personOf(own)).token}`, ...sent }
    return own.send(method, filled(path, Object.fromEntries(parts ?? [])), { ...ask, headers })
  }
  if (path.startsWith('/me/')) {
    const headers = { authorization: `Bearer ${(await accountOf(own)).access}`, ...sent }
    return own.send(method, filled(path, Object.fromEntries(parts ?? [])), { ...ask, headers })
  }
  if (path.startsWith('/mfa/')) {
    const bearer = await bearerFor(path, own)
    return own.send(method, filled(path, Object.fromEntries(parts ?? [])), { ...ask, headers: { ...bearer, ...sent } })
  }
  if (!path.startsWith('/oidc/register/')) {
    return own.send(method, filled(path, Object.fromEntries(parts ?? [])), { ...ask, headers: sent })
  }
  const { client_id, registration_access_token } = await newRegistration(own)
  const headers = { authorization: `Bearer ${registration_access_token}`, ...sent }
  return own.send(method, path.replace(':client_id', client_id), { ...ask, headers })
}

/** An empty segment would be another path. */
const filled = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(PART, (name) => encodeURIComponent(parts[name]?.toWellFormed() || name))

async function newRegistration(own: Browser): Promise<{ client_id: string; registration_access_token: string }> {
  const answer = await own.post('/oidc/register', { json: { redirect_uris: ['https://third.test/cb'] } })
  return answer.json() as Awaited<ReturnType<typeof newRegistration>>
}

/** Secrets that responses issued and no request contained: none may be in the log. */
const handedOut = new Set<string>()
const SECRETS =
  /"(?:\w+_token|\w*secret|co_verifier|login_ticket|device_code|user_code|request_uri|oob_code|auth_session|manual_input_code|recovery_code)":"([^"]{8,})"/g

function remember(answer: TestResponse): void {
  const location = answer.header('location')
  const target = location === undefined ? null : new URL(location)
  const inFront = new URLSearchParams(`${target?.search.slice(1)}&${target?.hash.slice(1)}`)
  const found = [
    ...Array.from(answer.text.matchAll(SECRETS), ([, secret]) => secret),
    ...['code', 'access_token', 'id_token', 'ticket'].map((name) => inFront.get(name)),
    ...answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => /=([^;]{8,})/.exec(value)?.[1]),
  ]
  for (const secret of found) if (secret) handedOut.add(secret)
}

/** The URLs that a page would navigate to, by itself or by its button. */
const targetsOf = ({ text }: TestResponse): string[] =>
  Array.from(
    text.matchAll(/<form\b[^>]* action="(https?:[^"]*)"|postMessage\(.*,"(https?:[^"]*)"\)/g),
    ([, a, b]) => a ?? b ?? '',
  )

function expectHarmless(answer: TestResponse): void {
  expect(answer.status).toBeGreaterThanOrEqual(200)
  expect(answer.status).toBeLessThan(500)
  const location = answer.header('location')
  if (location !== undefined) expect(HOSTS).toContain(new URL(location).host)
  for (const target of targetsOf(answer)) expect(HOSTS).toContain(new URL(target).host)
  if (answer.header('content-type')?.startsWith('text/html')) expect(answer.text).not.toContain('<script>alert')
  expect(answer.text).not.toMatch(/node_modules|PrismaClient|syntax error at/)
}

it.each(Object.entries(GOOD).flatMap(([path, all]) => all.map((good) => [path, good] as const)))(
  'begins from requests that %s takes: %o',
  async (path, good) => {
    const [method = 'GET'] = Object.keys(ENDPOINTS[path]?.methods ?? {})
    const isJson = good === REGISTRATION || /^\/(api\/v2|me|passkey)\/|^\/mfa\/associate$/.test(path)
    const as = isJson ? 'json' : 'form'
    const answer = await send({ path, method, pairs: Object.entries(good), carrier: { as }, headers: null })
    expect(answer.status).toBeLessThan(400)
  },
)

it('survives whatever is sent', async () => {
  const property = fc.asyncProperty(request, async (sent) => {
    const answer = await send(sent)
    expectHarmless(answer)
    remember(answer)
  })
  await fc.assert(property, { numRuns: RUNS, seed: 20270115 })
}, 300_000)

it('the log has no password, nothing that was handed out, and no unexpected condition', () => {
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  const log = JSON.stringify(server.lines)
  expect(handedOut.size).toBeGreaterThan(callers / 20)
  expect([PASSWORD, ...handedOut].filter((secret) => log.includes(secret))).toEqual([])
})

it('bends a good request of every endpoint that takes parameters', () => {
  const without = [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/*',
    '/.well-known/jwks.json',
    '/.well-known/assetlinks.json',
    '/.well-known/apple-app-site-association',
    '/.well-known/change-password',
    '/wsfed/FederationMetadata/2007-06/FederationMetadata.xml',
    '/pem',
    '/cer',
    '/rawpem',
    '/pb7',
    '/fingerprint',
    '/openapi.json',
    '/reference/:file',
    '/troubleshooting',
    '/healthz',
    '/readyz',
    '/metrics',
    // In demo mode only (operations/demo.test.ts).
    '/demo/received',
    '/demo/invitation',
    // Its operations are bent one by one (management/robustness.test.ts).
    '/api/v2/*',
    '/api/v2/openapi.json',
  ]
  const paths = Object.keys(ENDPOINTS).filter((path) => !without.includes(path))
  expect(paths.filter((path) => GOOD[path] === undefined)).toEqual([])
})
