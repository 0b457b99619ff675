// Twenty actions of lib/testing/action-examples, applied by their tenant file with their packages from a registry, and run by what they
// decide, against a service of the test. Requests to the tenant reach the server itself.
import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseXml } from '../../crypto/saml/parse'
import { attributeOf, elementsOf } from '../../crypto/saml/xml'
import type { GeoLocation } from '../../identity/tenant-code/geoip'
import { type Bundler, createBundler, type Dependency } from '../../identity/tenant-code/packages/bundle'
import { createSandbox } from '../../identity/tenant-code/sandbox/sandbox'
import type { SendRequest } from '../../identity/tenant-code/services/exchange'
import { createServices } from '../../identity/tenant-code/services/index'
import { testOutgoing, withoutTimeLimit } from '../../testing/actions'
import type { FormFields } from '../../testing/browser'
import { channelsOf, deliverMessages } from '../../testing/delivering'
import {
  beginLogin,
  codeBySession,
  locationOf,
  outcomeOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
} from '../../testing/journey'
import { ticketTo } from '../../testing/mail'
import { addManager, MANAGER_SECRET, type Manager } from '../../testing/management'
import { codeOf, demand, enrollApp, enrollPhone, MFA_GRANTS, MFA_WEB, REALM, WEB_SECRET } from '../../testing/mfa'
import { organizationsOf } from '../../testing/organizations'
import { OWN_HOST, ownAnswer } from '../../testing/own-exchange'
import { openService, type Receiver, type ServiceAnswer, type ServiceRequest } from '../../testing/receiver'
import { openRegistry, publishInstalled, type Registry } from '../../testing/registry'
import { formOf } from '../../testing/saml'
import { type Browser, PASSWORD, type TestServer, testServer } from '../../testing/server'
import { applyText } from '../../testing/tenant-file'
import { sandboxFiles } from '../runtime/actions'

const FILE = 'lib/testing/action-examples/tenant.yaml'
const API = 'https://api.test/'
const CLAIM = 'https://acme.example/'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const NEW_PASSWORD = 'a lantern over the harbour wall'
const LINKING_SECRET = 'the secret of the linking application'
const TERMS_SECRET = 'the secret that the page for the terms has too'
const NOTICE_KEY = 'the key of notices'
const AWAY = '203.0.113.9'
const OUTSIDE = '192.0.2.1'
const PLACES: Record<string, GeoLocation> = {
  '198.51.100.7': {
    countryCode: 'DE',
    countryName: 'Germany',
    timeZone: 'Europe/Berlin',
    latitude: 52.5,
    longitude: 13.4,
  },
  [AWAY]: { countryCode: 'AU', countryName: 'Australia', latitude: -33.9, longitude: 151.2 },
}

let server: TestServer
let manager: Manager
let registry: Registry
let service: Receiver
let sandbox: ReturnType<typeof createSandbox>
let requests: ServiceRequest[] = []
/** By path without its query; what is not there answers 404. */
let answers: Record<string, ServiceAnswer | ((request: ServiceRequest) => ServiceAnswer)> = {}

const received = (path: string): ServiceRequest =>
  requests.find((request) => request.path === path) ?? expect.fail(`nothing arrived at ${path}`)
const json = (value: unknown): ServiceAnswer => ({ text: JSON.stringify(value) })
const channels = channelsOf(() => server)
const outgoing = testOutgoing()
const exchange: SendRequest = (url, request) =>
  url.host === OWN_HOST ? ownAnswer(url, request, server) : outgoing.exchange(url, request)

beforeAll(async () => {
  service = await openService((request) => {
    requests.push(request)
    const answer = answers[request.path.split('?')[0] ?? ''] ?? { status: 404, text: '{}' }
    return typeof answer === 'function' ? answer(request) : answer
  })
  registry = await openRegistry()
  const text = await readFile(FILE, 'utf8')
  const dependencies = dependenciesIn(text)
  for (const { name } of dependencies) await publishInstalled(registry, name)
  const services = createServices({ ...outgoing, exchange })
  sandbox = createSandbox({ ...sandboxFiles(process.cwd()), services, threads: 2, queueLimit: 100, preparing: 600_000 })
  server = await testServer({
    ...{ sandbox: withoutTimeLimit(sandbox), tenantChannel: channels },
    placeOf: (ip) => PLACES[ip] ?? {},
  })
  // `Date` of an action is the machine's.
  server.clock.advance(Math.floor((Date.now() - server.clock.now().getTime()) / 1000) - 600)
  await addPeopleAndApplications()
  await demand(server, [], ['otp', 'sms'], { default_directory: 'Users' })
  const variables = { SERVICE: service.origin, TERMS_SECRET, NOTICE_KEY, MANAGER_SECRET, LINKING_SECRET }
  // One build for all actions, because each takes four processes.
  const names = dependencies.map(({ name }) => name)
  const whole = createBundler({ root: process.cwd() }).build(dependencies, names)
  const bundler: Bundler = {
    build(_dependencies, entries) {
      expect(names).toEqual(expect.arrayContaining([...entries]))
      return whole
    },
  }
  const { notApplied, changes } = await applyText(server, 'default', text, variables, bundler, FILE)
  expect(notApplied).toEqual([])
  expect(changes.filter(({ writes }) => writes.some(({ table }) => table === 'actions'))).toHaveLength(20)
}, 480_000)
afterAll(async () => {
  sandbox.close()
  service.close()
  await registry.close()
  await server.close()
})
beforeEach(() => {
  requests = []
  answers = {}
})

const dependenciesIn = (text: string): Dependency[] => {
  const { actions } = parse(text) as { actions: { dependencies?: Dependency[] }[] }
  const each = actions.flatMap(({ dependencies = [] }) => dependencies.map((one) => [one.name, one] as const))
  return [...new Map(each).values()]
}

async function addPeopleAndApplications(): Promise<void> {
  manager = await addManager(server)
  const grant_types = ['authorization_code', ...MFA_GRANTS]
  const token_exchange = { allow_any_profile_of_type: ['custom_authentication'] }
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types, token_exchange, organization_usage: 'allow' },
  })
  await server.addClient({ ...MFA_WEB, settings: { ...MFA_WEB.settings, client_metadata: { session_minutes: '30' } } })
  await server.addClient({
    ...{ clientId: 'linking', secret: LINKING_SECRET },
    settings: { app_type: 'regular_web', callbacks: ['https://id.test/continue'] },
  })
  await server.addApi(API, { scopes: [{ value: 'read:articles' }, { value: 'write:articles' }] })
  await server.addRole('reader', {})
}

let people = 0
async function addPerson(data: Record<string, unknown> = {}, email = `person${++people}@mail.test`) {
  return {
    email,
    id: await server.addUser({ email, data: { emailVerified: true, createdAt: server.clock.now(), ...data } }),
  }
}

async function bind(trigger: string, ...names: string[]): Promise<void> {
  const bindings = names.map((action_name) => ({ action_name }))
  const { notApplied } = await applyText(server, 'default', JSON.stringify({ triggers: { [trigger]: bindings } }), {})
  expect(notApplied).toEqual([])
}

const userOf = async (id: string) => (await manager.get(`/users/${encodeURIComponent(id)}`)).json()
const denialOf = (answer: URLSearchParams) => [answer.get('error'), answer.get('error_description')]
const DENIED = (reason: string) => ['access_denied', reason]
const logIn = (email: string, extra: Record<string, string> = {}, ip?: string) =>
  signInForTokens(server.browser(ip === undefined ? {} : { ip }), email, extra)
/** Where the browser is after the password. */
async function afterPassword(browser: Browser, email: string, extra: Record<string, string> = {}): Promise<URL> {
  return locationOf(await submitPassword(browser, await beginLogin(browser, extra), email))
}

describe('a login', () => {
  it('takes a second factor outside the networks of the staff', async () => {
    await bind('post-login', 'Staff network')
    const { email } = await addPerson()
    for (const ip of ['198.51.100.7', '2001:db8::5'])
      expect((await afterPassword(server.browser({ ip }), email)).searchParams.get('code'), ip).toBeTruthy()
    for (const ip of ['192.0.2.1', '2001:db9::5'])
      expect((await afterPassword(server.browser({ ip }), email)).pathname, ip).toMatch(/^\/u\/mfa/)
  })

  it('puts roles, address, connection and campaign into the tokens, and the scope of editors', async () => {
    await bind('post-login', 'Token contents')
    const scope = 'openid email read:articles write:articles'
    const { email, id } = await addPerson()
    await server.giveRole(id, 'reader')
    const tokens = await logIn(email, { audience: API, scope, 'ext-campaign': 'no', campaign: 'spring' })
    expect(payloadOf(tokens.id_token)).toMatchObject({
      ...{ [`${CLAIM}roles`]: ['reader'], [`${CLAIM}connection`]: 'Users', [`${CLAIM}campaign`]: 'spring' },
    })
    expect(payloadOf(tokens.access_token)).toMatchObject({
      ...{ [`${CLAIM}roles`]: ['reader'], [`${CLAIM}email`]: email, scope: 'openid email read:articles' },
    })
    const edith = await addPerson({}, 'edith@mail.test')
    const hers = payloadOf((await logIn(edith.email, { audience: API, scope: 'openid read:articles' })).access_token)
    expect(hers).toMatchObject({ [`${CLAIM}roles`]: ['editor'], scope: 'openid read:articles write:articles' })
    const late = await addPerson({ emailVerified: false })
    expect(denialOf(await signIn(server.browser(), late.email))).toEqual(DENIED('Confirm your address first'))
  })

  it('has the place as claims, and takes a second factor where the way from the last one is too long', async () => {
    await bind('post-login', 'Unusual place')
    const { email } = await addPerson()
    const claims = payloadOf((await logIn(email)).id_token)
    expect(claims).toMatchObject({ [`${CLAIM}country`]: 'Germany', [`${CLAIM}time_zone`]: 'Europe/Berlin' })
    expect((await afterPassword(server.browser({ ip: AWAY }), email)).pathname).toMatch(/^\/u\/mfa/)
  })

  it('has the roles that a service of SOAP answers, and none without its answer', async () => {
    await bind('post-login', 'Directory service')
    const { email } = await addPerson({}, 'o&m@mail.test')
    const roles = '<r xmlns:d="urn:acme:directory"><d:role>Buyer</d:role><role>No</role><d:role>Clerk</d:role></r>'
    answers['/directory'] = { type: 'text/xml', text: roles }
    expect(payloadOf((await logIn(email)).id_token)[`${CLAIM}directory_roles`]).toEqual(['Buyer', 'Clerk'])
    expect(requests).toMatchObject([{ method: 'POST', headers: { 'content-type': 'application/soap+xml' } }])
    expect(elementsOf(parseXml(requests[0]?.text ?? '')).at(-1)?.textContent).toBe(email)
    answers['/directory'] = { status: 500, text: '' }
    expect(denialOf(await signIn(server.browser(), email))).toEqual(DENIED('The directory cannot be reached'))
  })

  it('reports a person once to another service, with a token that is kept, and passes where that fails', async () => {
    await bind('post-login', 'Sales lead')
    const first = await addPerson({ name: 'Kim' })
    answers['/sales/token'] = json({ access_token: 'a token of sales' })
    answers['/sales/leads'] = { status: 503, text: '' }
    expect((await logIn(first.email)).id_token).toBeTruthy()
    expect((await userOf(first.id)).app_metadata ?? {}).not.toHaveProperty('lead')
    answers['/sales/leads'] = json({ id: 'L-7' })
    await logIn(first.email)
    await logIn(first.email)
    expect((await userOf(first.id)).app_metadata).toMatchObject({ lead: 'L-7' })
    const leads = requests.filter(({ path }) => path === '/sales/leads')
    expect(leads).toHaveLength(2)
    expect(leads[1]?.headers.authorization).toBe('Bearer a token of sales')
    expect(JSON.parse(leads[1]?.text ?? '')).toEqual({ email: first.email, name: 'Kim' })
    // The cache is one of a thread, of which there are two.
    const tokenRequests = requests.filter(({ path }) => path === '/sales/token')
    expect(tokenRequests.length).toBeLessThanOrEqual(2)
    expect(new URLSearchParams(tokenRequests[0]?.text).get('client_secret')).toBe('the secret of sales')
  })

  it('goes to a page for the terms, and on with its signed answer alone', async () => {
    await bind('post-login', 'Terms')
    const { email, id } = await addPerson()
    const leave = async (browser: Browser) => {
      const away = await afterPassword(browser, email)
      expect(away.origin + away.pathname).toBe('https://terms.example/show')
      const sent = payloadOf(away.searchParams.get('session_token'))
      expect(sent).toMatchObject({ sub: id, version: '7', application: 'App spa' })
      return { state: away.searchParams.get('state') ?? '', sent }
    }
    const sign = ({ iss, sub }: JWTPayload, state: string, accepted: string, secret = TERMS_SECRET) =>
      new SignJWT({ iss, sub, state, accepted } as JWTPayload)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(server.clock.now())
        .setExpirationTime(new Date(Date.now() + 600_000))
        .sign(Buffer.from(secret))
    const comeBack = async (browser: Browser, accepted: string, secret?: string) => {
      const { state, sent } = await leave(browser)
      const answer = await sign(sent as JWTPayload, state, accepted, secret)
      return locationOf(await browser.get('/continue', { query: { state, answer } })).searchParams
    }
    expect(denialOf(await comeBack(server.browser(), '6'))).toEqual(DENIED('The terms were not accepted'))
    expect(denialOf(await comeBack(server.browser(), '7', 'another secret of the same length ......'))).toEqual(
      DENIED('An action of this tenant could not be run'),
    )
    const browser = server.browser()
    const code = (await comeBack(browser, '7')).get('code') ?? ''
    expect(payloadOf((await redeem(browser, code)).json().id_token)[`${CLAIM}terms`]).toBe('7')
    expect((await userOf(id)).user_metadata).toMatchObject({ terms: { version: '7' } })
    expect((await signIn(server.browser(), email)).get('code')).toBeTruthy()
  })

  it('links a second account that the person has proven, and goes on as the user who has both', async () => {
    await bind('post-login', 'Link accounts')
    const [first, second, third] = [await addPerson(), await addPerson(), await addPerson({ emailVerified: false })]
    const prove = async (email: string, link = 'account', from = first.email) => {
      const browser = server.browser()
      const away = await afterPassword(browser, from, { link })
      expect(away.origin + away.pathname).toBe('https://id.test/authorize')
      const page = locationOf(await browser.get(away.pathname + away.search))
      const back = locationOf(await submitPassword(browser, page.searchParams.get('state') ?? '', email))
      expect(back.origin + back.pathname).toBe('https://id.test/continue')
      return { browser, answer: locationOf(await browser.get(back.pathname + back.search)).searchParams }
    }
    expect(denialOf((await prove(third.email)).answer)).toEqual(DENIED(`Confirm ${third.email} first`))
    expect(denialOf((await prove(first.email)).answer)).toEqual(DENIED('This is the same account'))
    const { browser, answer } = await prove(second.email)
    const claims = payloadOf((await redeem(browser, answer.get('code') ?? '')).json().id_token)
    expect(claims).toMatchObject({ sub: first.id, [`${CLAIM}linked`]: second.email })
    expect(payloadOf((await logIn(second.email)).id_token).sub).toBe(first.id)
    const fourth = await addPerson()
    const into = await prove(first.email, 'into', fourth.email)
    const after = payloadOf((await redeem(into.browser, into.answer.get('code') ?? '')).json().id_token)
    expect(after).toMatchObject({ sub: first.id, [`${CLAIM}linked`]: fourth.email })
    expect((await userOf(first.id)).identities).toHaveLength(3)
  })

  it('decides what a service provider of SAML receives', async () => {
    const [acs, other] = ['https://sp.test/acs', 'https://sp.test/second']
    const client_metadata = { saml_audience: 'urn:acme:sp', saml_recipient: other }
    await server.addClient({
      clientId: 'sp',
      settings: { callbacks: [acs, other], addons: { samlp: {} }, client_metadata },
    })
    await bind('post-login', 'SAML partner')
    const { email } = await addPerson({ appMetadata: { department: 'Sales' }, userMetadata: { teams: ['a', 'b'] } })
    const browser = server.browser()
    await signIn(browser, email)
    const { action, fields } = formOf((await browser.get('/samlp/sp')).text)
    const response = parseXml(Buffer.from(fields.SAMLResponse ?? '', 'base64').toString())
    const named = (name: string) => elementsOf(response).filter(({ localName }) => localName === name)
    const valuesOf = (name: string) =>
      named('Attribute')
        .filter((each) => attributeOf(each, 'Name') === name)
        .flatMap((each) => elementsOf(each).filter(({ localName }) => localName === 'AttributeValue'))
        .map(({ textContent }) => textContent)
    expect(action).toBe(acs)
    expect([valuesOf('mail'), valuesOf('department')]).toEqual([[email], ['Sales']])
    expect(valuesOf(`${CLAIM}teams`)).toEqual(['a', 'b'])
    expect(named('Audience')[0]?.textContent).toBe('urn:acme:sp')
    const [confirmed] = named('SubjectConfirmationData')
    expect(confirmed && attributeOf(confirmed, 'Recipient')).toBe(other)
    expect(attributeOf(response, 'Destination')).toBe(other)
    const until = Date.parse((confirmed && attributeOf(confirmed, 'NotOnOrAfter')) ?? '')
    expect(until - server.clock.now().getTime()).toBeLessThanOrEqual(120_000)
  })

  it('ends its session when the metadata of the application says', async () => {
    await bind('post-login', 'Session times')
    const { email } = await addPerson()
    const sessionOf = async (query: Record<string, string>, credentials: FormFields) => {
      const browser = server.browser()
      const code = (await signIn(browser, email, query)).get('code') ?? ''
      const { sid } = payloadOf((await redeem(browser, code, credentials)).json().id_token)
      return (await manager.get(`/sessions/${sid}`)).json()
    }
    const web = { client_id: 'web', redirect_uri: 'https://web.test/cb' }
    const limited = await sessionOf(web, { ...WEB_SECRET, redirect_uri: web.redirect_uri })
    expect(limited.session_metadata).toEqual({ limited_by: 'metadata' })
    expect(Date.parse(String(limited.expires_at)) - Date.now()).toBeLessThanOrEqual(30 * 60_000)
    const free = await sessionOf({}, {})
    expect(free.session_metadata).toEqual({ limited_by: 'tenant' })
    expect(Date.parse(String(free.expires_at)) - Date.now()).toBeGreaterThan(60 * 60_000)
  })

  it('is for whom it admits: address, domain, guests, group and age of the password', async () => {
    await bind('post-login', 'Admission')
    const old = new Date(server.clock.now().getTime() - 100 * 86_400_000)
    const web = { client_id: 'web', redirect_uri: 'https://web.test/cb' }
    const result = async (data: object, email: string | undefined, query = {}) => {
      const person = await addPerson({ ...data }, email)
      const answer = await signIn(server.browser(), person.email, query)
      return answer.get('error_description') ?? (answer.has('code') ? 'admitted' : 'nothing')
    }
    expect(await result({}, undefined)).toBe('admitted')
    expect(await result({ emailVerified: false }, undefined)).toBe('Confirm your address first')
    expect(await result({}, 'eve@evil.test')).toBe('You are not invited')
    expect(await result({}, 'guest@other.test')).toBe('admitted')
    expect(await result({ createdAt: old }, undefined)).toBe('Your password is too old')
    const changed = await addPerson({ createdAt: old })
    await manager.patch(`/users/${encodeURIComponent(changed.id)}`, { password: PASSWORD })
    expect((await signIn(server.browser(), changed.email)).get('code')).toBeTruthy()
    expect(await result({}, undefined, web)).toBe('This application is for the staff')
    expect(await result({ profile: { groups: ['Staff'] } }, undefined, web)).toBe('admitted')
    expect(denialOf(await signIn(server.browser(), 'guest@other.test', web))[1]).toBe(
      'Guests do not use this application',
    )
  })

  it('takes a second factor for payments: one that is added, or one of the person', async () => {
    await bind('post-login', 'Step-up')
    const acr_values = 'urn:acme:payments'
    const [first, second] = [await addPerson(), await addPerson()]
    const query = { acr_values, audience: API, scope: 'openid' }
    expect((await signIn(server.browser(), first.email)).get('code')).toBeTruthy()
    expect((await afterPassword(server.browser(), first.email, query)).pathname).toMatch(/^\/u\/mfa.*enroll/)
    await bind('post-login', 'Staff network')
    const { secret } = await enrollApp(server, server.browser({ ip: OUTSIDE }), second.email)
    await bind('post-login', 'Step-up')
    const browser = server.browser()
    const state = await beginLogin(browser, query)
    expect(locationOf(await submitPassword(browser, state, second.email)).pathname).toBe('/u/mfa-challenge')
    const proven = await browser.post('/u/submit', {
      form: { state, action: 'mfa-verify', code: codeOf(server, secret) },
    })
    expect(outcomeOf(proven)).toBe('code')
    const again = (await redeem(browser, await codeBySession(browser, query))).json()
    expect(payloadOf(again.access_token)).toMatchObject({ [`${CLAIM}payments`]: true })
  })
})

it('a machine gets a token from its network, for what it may do, and the token names its team', async () => {
  await bind('credentials-exchange', 'Machines')
  const client_metadata = { addresses: '198.51.100.7 198.51.100.8', team: 'Billing', read_only: 'yes' }
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'], client_metadata }
  await server.addClient({ clientId: 'machine', secret: 'a machine', settings })
  await server.addClientGrant('machine', API, ['read:articles', 'write:articles'])
  const request = (scope: string, ip?: string) =>
    server.browser(ip === undefined ? {} : { ip }).post('/oauth/token', {
      form: {
        ...{ grant_type: 'client_credentials', client_id: 'machine', client_secret: 'a machine', audience: API, scope },
      },
    })
  const answer = (await request('read:articles')).json()
  expect(payloadOf(answer.access_token)).toMatchObject({ scope: 'read:articles', [`${CLAIM}team`]: 'Billing' })
  expect((await request('read:articles', OUTSIDE)).json()).toMatchObject({
    ...{ error: 'invalid_request', error_description: 'Not from this network' },
  })
  expect((await request('write:articles')).json()).toMatchObject({
    ...{ error: 'invalid_scope', error_description: 'Not for you: write:articles' },
  })
  await bind('credentials-exchange')
})

const signUp = (email: string, user_metadata: object = {}) =>
  server.browser().post('/dbconnections/signup', {
    json: { client_id: 'spa', connection: 'Users', email, password: PASSWORD, user_metadata },
  })

it('a sign-up is for addresses of customers, and the account has metadata from its beginning', async () => {
  await bind('pre-user-registration', 'Sign-up')
  const made = await signUp('new@acme.test', { company: '<Acme>' })
  expect(made.status, made.text).toBe(200)
  expect(await userOf(`auth0|${made.json()._id}`)).toMatchObject({
    ...{ user_metadata: { company: '&lt;Acme&gt;' }, app_metadata: { signed_up_from: '198.51.100.7' } },
  })
  expect((await signUp('new@evil.test')).json()).toMatchObject({
    code: 'extensibility_error',
    description: 'new@evil.test is of no customer',
    friendly_message: 'Sign up with the address of your company',
  })
  const long = await signUp('newer@acme.test', { company: 'A company with a long name' })
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('The name of the company is too long')])
  expect((await manager.get('/users-by-email', { query: { email: 'newer@acme.test' } })).json()).toEqual([])
  await bind('pre-user-registration')
})

it('a new account gets the number that a service answers, by the Management API', async () => {
  await bind('post-user-registration', 'Welcome')
  answers['/customers'] = ({ text }) => json({ number: `C-${JSON.parse(text).email}` })
  const { _id } = (await signUp('customer@acme.test')).json()
  await expect.poll(() => userOf(`auth0|${_id}`)).toMatchObject({ app_metadata: { customer: 'C-customer@acme.test' } })
  await bind('post-user-registration')
})

async function startReset(email: string): Promise<void> {
  server.clock.advance(1)
  const json = { client_id: 'spa', connection: 'Users', email }
  expect((await server.browser().post('/dbconnections/change_password', { json })).status).toBe(200)
}
const setPassword = (ticket: string, ip?: string) =>
  server.browser(ip === undefined ? {} : { ip }).post('/u/reset-password', {
    form: { ticket, action: 'reset-password', password: NEW_PASSWORD },
  })
const isPassword = async (email: string, password: string) => {
  const form = { grant_type: REALM, realm: 'Users', client_id: 'spa', username: email, password, scope: 'openid' }
  return (await server.browser().post('/oauth/token', { form })).status === 200
}

describe('a reset of a password', () => {
  it('is refused to those whom a service or the network excludes, and the password stays', async () => {
    await bind('post-login')
    await bind('password-reset-post-challenge', 'Reset guard')
    const { email } = await addPerson()
    const refused = async (ip?: string) => {
      await startReset(email)
      const { text } = await setPassword(await ticketTo(server, email), ip)
      expect([await isPassword(email, PASSWORD), await isPassword(email, NEW_PASSWORD)]).toEqual([true, false])
      return text
    }
    expect(await refused('203.0.113.66')).toContain('Not from here')
    expect(requests).toEqual([])
    expect(await refused()).toContain('It is not known whether you work here')
    answers['/people'] = json({ left: true })
    expect(await refused()).toContain('You have left')
    answers['/people'] = json({ left: false })
    await startReset(email)
    expect((await setPassword(await ticketTo(server, email))).status).toBe(200)
    expect(await isPassword(email, NEW_PASSWORD)).toBe(true)
    expect(new URL(requests.at(-1)?.path ?? '', service.origin).searchParams.get('email')).toBe(email)
    await bind('password-reset-post-challenge')
  })

  it('is reported to a service in a signed message', async () => {
    await bind('post-change-password', 'Change notice')
    answers['/notices'] = json({})
    const { email, id } = await addPerson()
    await startReset(email)
    await setPassword(await ticketTo(server, email))
    await expect.poll(() => requests.map(({ path }) => path)).toEqual(['/notices'])
    const { text, headers } = received('/notices')
    expect(JSON.parse(text)).toMatchObject({ type: 'password_changed', user: id, connection: 'Users' })
    expect(headers['x-signature']).toBe(createHmac('sha256', NOTICE_KEY).update(text).digest('hex'))
    await bind('post-change-password')
  })
})

describe('a message', () => {
  it('with the code of a second factor is delivered by a gateway, and the code ends the login', async () => {
    await bind('send-phone-message', 'Text messages')
    await bind('post-login', 'Staff network')
    answers['/texts'] = json({})
    const { email } = await addPerson()
    const codeOfGateway = async () => {
      await deliverMessages(server, channels)
      const { text, headers } = received('/texts')
      expect(headers.authorization).toBe(`Basic ${Buffer.from('acme:the key of the gateway').toString('base64')}`)
      const type = String(headers['content-type'])
      const form = await new Response(text, { headers: { 'content-type': type } }).formData()
      expect(form.get('recipient')).toBe('+491711234567')
      expect(form.get('text')).toContain(form.get('code'))
      return String(form.get('code'))
    }
    const tokens = await enrollPhone(server.browser({ ip: OUTSIDE }), email, codeOfGateway)
    expect(payloadOf(tokens.id_token)).toMatchObject({ email })
    const output = (await manager.get('/actions/executions', { query: { action_name: 'Text messages' } })).text
    expect(output).not.toContain(received('/texts').text)
  })

  it('of mail is delivered by a service, tried again when it fails, and given up when it refuses', async () => {
    await bind('custom-email-provider', 'Mail service')
    const { email } = await addPerson()
    const deliver = async () => {
      await deliverMessages(server, channels)
      const { rows } = await server.database.pool.query(
        'SELECT sent_at IS NOT NULL AS sent, failed_at IS NOT NULL AS failed FROM outbox_message',
      )
      return rows
    }
    const start = async () => {
      await server.database.pool.query('TRUNCATE outbox_message')
      await startReset(email)
    }
    await start()
    answers['/mails'] = { status: 503, text: '' }
    expect(await deliver()).toEqual([{ sent: false, failed: false }])
    answers['/mails'] = json({})
    server.clock.advance(60)
    expect(await deliver()).toEqual([{ sent: true, failed: false }])
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(Array(2).fill('the key of the service'))
    const mail = JSON.parse(requests[1]?.text ?? '')
    expect(mail).toMatchObject({ to: email, from: 'Acme <login@acme.test>', tag: 'reset_email' })
    const [, ticket = ''] = /ticket=([\w-]+)/.exec(mail.text) ?? []
    expect((await setPassword(ticket)).status).toBe(200)
    await start()
    answers['/mails'] = { status: 422, text: '' }
    expect(await deliver()).toEqual([{ sent: false, failed: true }])
  })
})

describe('a token exchange', () => {
  const exchangeFor = (subject_token: string, type: string, more: Record<string, string> = {}) =>
    server.browser().post('/oauth/token', {
      form: {
        ...{ grant_type: EXCHANGE, client_id: 'spa', subject_token, subject_token_type: `urn:acme:${type}` },
        ...{ scope: 'openid email', ...more },
      },
    })

  it('makes of a token for one API one for another, in the name of the service and for the same organization', async () => {
    const other = 'https://other.test/'
    await server.addApi(other, { scopes: [{ value: 'read' }], allow_offline_access: true })
    await bind('post-login')
    const { email, id } = await addPerson()
    const organization = await organizationsOf(server).add('acme', { members: [id] })
    const own = await logIn(email, { audience: API, organization, scope: 'openid email' })
    const answer = await exchangeFor(String(own.access_token), 'own', { audience: other, scope: 'openid read' })
    expect(answer.status, answer.text).toBe(200)
    const tokens = answer.json()
    expect(payloadOf(tokens.access_token)).toMatchObject({
      ...{ sub: id, scope: 'openid read', act: { sub: 'spa' }, gty: 'token-exchange', org_id: organization },
    })
    expect(payloadOf(tokens.access_token).aud).toContain(other)
    const longer = await exchangeFor(String(own.access_token), 'own', { audience: other, scope: 'offline_access' })
    expect(longer.json()).toMatchObject({
      error: 'invalid_scope',
      error_description: 'A service gets no refresh token',
    })
    const foreign = await logIn(email, { audience: other, scope: 'openid' })
    for (const token of [String(foreign.access_token), String(own.id_token), 'a.b.c'])
      expect((await exchangeFor(token, 'own', { audience: other })).json()).toMatchObject({
        ...{ error: 'invalid_request', error_description: 'This server did not issue this token' },
      })
  })

  it('makes an account of a partner’s token, whose keys are kept', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const key: JWK = { ...(await exportJWK(publicKey)), kid: 'p1', alg: 'ES256' }
    answers['/partner-keys'] = json({ keys: [key] })
    const signed = (claims: JWTPayload, typ = 'partner+jwt') =>
      new SignJWT({ iss: 'https://partner.example', aud: 'spa', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'p1', typ })
        .setIssuedAt(server.clock.now())
        .setExpirationTime(new Date(Date.now() + 600_000))
        .sign(privateKey)
    const buyer = { sub: randomUUID(), email: 'buyer@mail.test', name: 'Bo' }
    const exchanged = async (token: string, audience = API) =>
      (await exchangeFor(token, 'partner', { audience })).json()
    const first = payloadOf((await exchanged(await signed(buyer))).id_token)
    expect(first).toMatchObject({ email: 'buyer@mail.test', email_verified: true })
    const second = payloadOf((await exchanged(await signed({ ...buyer, name: 'Bob' }))).id_token)
    expect(second.sub).toBe(first.sub)
    expect(await userOf(String(first.sub))).toMatchObject({ name: 'Bob', app_metadata: { partner: 'yes' } })
    const refused = { error: 'invalid_request', error_description: 'Not signed, or not complete' }
    expect(await exchanged(await signed(buyer, 'jwt'))).toMatchObject(refused)
    expect(await exchanged(await signed({ ...buyer, aud: 'web' }))).toMatchObject(refused)
    expect(await exchanged(await signed({ ...buyer, email: 'no address' }))).toMatchObject(refused)
    expect(await exchanged(await signed(buyer), 'https://other.test/')).toMatchObject({ error: 'invalid_target' })
    // The cache is one of a thread, of which there are two.
    expect(requests.length).toBeLessThanOrEqual(2)
  })
})
