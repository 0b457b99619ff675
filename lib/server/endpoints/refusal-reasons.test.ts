// What the log says of a refusal: its reason and hint, the client and the person. The answer to a stranger says no more than before.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeForAddress } from '../../crypto/saml/transport'
import { composeRecord, presentRecord } from '../../data/audit/record'
import { hintOf } from '../../kernel/reasons'
import { bindAction, postLogin } from '../../testing/bind-action'
import type { BrowserOptions } from '../../testing/browser'
import {
  authorizeQuery,
  beginLogin,
  CHALLENGE,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  submitPassword,
  userinfo,
  WEB,
} from '../../testing/journey'
import { addManager, type Manager } from '../../testing/management'
import { demand, enrollApp, MFA_WEB, mfaToken, OTP, RECOVERY, token } from '../../testing/mfa'
import { addPasswordless } from '../../testing/passwordless'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../testing/server'

const API = 'https://api.test'
const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' }

let server: TestServer
let next = 0
const browserAt = (): Browser => server.browser({ ip: `198.51.100.${++next}` })

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(WEB)
  await server.addClient({ clientId: 'third', secret: 's', settings: { organization_usage: 'require' } })
  await server.addClient({ clientId: 'machine', secret: 'machine-secret', settings: { app_type: 'non_interactive' } })
  await server.addClient({ ...MFA_WEB, clientId: 'mfa' })
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: false })
  await addPasswordless(server)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', blocked: true })
})
afterAll(() => server.close())

type Log = Record<string, unknown> & { type: string; details: Record<string, unknown> }

/** The last record of the work that has a reason, and the line of the server's log with the same reason. */
async function refusalOf(work: () => Promise<unknown>): Promise<Log> {
  const [before, lines] = [(await server.audited()).length, server.lines.length]
  await work()
  const log = ((await server.audited()) as Log[]).slice(before).findLast(({ details }) => details.reason !== undefined)
  const reason = log?.details.reason
  const line = server.lines.slice(lines).findLast(({ fields }) => fields.reason === reason)
  expect(line?.fields).toMatchObject({ hint: hintOf(String(reason)) })
  expect(line?.fields.client_id).toBe(log?.client_id)
  return log as Log
}

const client = (clientId: string) => ({ client_id: clientId, client_name: `App ${clientId}` })
const because = (reason: string) => ({ reason, hint: hintOf(reason) })
const post = (form: Record<string, string>): Promise<TestResponse> => browserAt().post('/oauth/token', { form })

describe('a person', () => {
  const onPage =
    (username: string, password = PASSWORD) =>
    async () => {
      const browser = browserAt()
      await submitPassword(browser, await beginLogin(browser), username, password)
    }

  it('a blocked person is named, with the reason', async () => {
    expect(await refusalOf(onPage('lee@mail.test'))).toMatchObject({
      type: 'f',
      description: 'user is blocked',
      user_id: 'auth0|lee',
      user_name: 'lee@mail.test',
      ...client('spa'),
      details: because('user_blocked'),
    })
  })

  it('with a wrong password is distinguished from an unknown user', async () => {
    expect(await refusalOf(onPage('kim@mail.test', 'wrong wrong wrong'))).toMatchObject({
      type: 'fp',
      user_id: 'auth0|kim',
      ...client('spa'),
      details: because('wrong_password'),
    })
    expect(await refusalOf(onPage('mo@mail.test'))).toMatchObject({
      type: 'fu',
      user_name: 'mo@mail.test',
      ...client('spa'),
      details: because('user_unknown'),
    })
  })

  it('sees the same page in all three cases (threat-model.md SE5)', async () => {
    const pageOf = async (username: string, password: string) => {
      const browser = browserAt()
      const answer = await submitPassword(browser, await beginLogin(browser), username, password)
      const { pathname, searchParams } = locationOf(answer)
      searchParams.delete('state')
      return `${answer.status} ${pathname} ${searchParams}`
    }
    const blocked = await pageOf('lee@mail.test', PASSWORD)
    expect(blocked).toContain('wrong_credentials')
    expect(await pageOf('kim@mail.test', 'wrong wrong wrong')).toBe(blocked)
    expect(await pageOf('mo@mail.test', PASSWORD)).toBe(blocked)
  })

  it('a person without a connection to sign in by is counted for the application', async () => {
    await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
    const opened = async () => {
      const browser = browserAt()
      const page = await browser.get('/u/login', {
        query: { state: await beginLogin(browser, { connection: 'Closed' }) },
      })
      expect(page.status).toBe(403)
    }
    expect(await refusalOf(opened)).toMatchObject({
      type: 'f',
      ...client('spa'),
      details: because('connection_not_enabled'),
    })
  })

  it('a person whom an action denies is named, with the message of the action', async () => {
    await bindAction(server, 'post-login', postLogin("api.access.deny('Not on Sundays')"))
    expect(await refusalOf(onPage('kim@mail.test'))).toMatchObject({
      type: 'f',
      description: 'Not on Sundays',
      user_id: 'auth0|kim',
      ...client('spa'),
      details: because('action_denied'),
    })
    await bindAction(server, 'post-login', postLogin('throw new Error()'))
    expect((await refusalOf(onPage('kim@mail.test'))).details).toMatchObject(because('action_failed'))
    await server.setTenant({})
  })

  it('is not known with an invalid mfa_token, but the client is', async () => {
    const form = { grant_type: OTP, otp: '000000', mfa_token: 'unknown', client_id: 'mfa', client_secret: 'web-secret' }
    expect(await refusalOf(() => token(browserAt(), form))).toMatchObject({
      type: 'feotpft',
      ...client('mfa'),
      details: because('mfa_token_invalid'),
    })
  })
})

describe('a client', () => {
  it.each([
    ['a wrong secret', { ...MACHINE, client_secret: 'x' }, 'wrong_secret'],
    [
      'another way than it is registered for',
      { grant_type: 'client_credentials', client_id: 'machine' },
      'wrong_auth_method',
    ],
    ['no audience', MACHINE, 'audience_missing'],
    ['an unknown API', { ...MACHINE, audience: 'https://no.test' }, 'api_unknown'],
    ['no client grant', { ...MACHINE, audience: API }, 'client_grant_missing'],
    ['a grant that it may not use', { ...MACHINE, grant_type: 'password' }, 'grant_not_allowed'],
  ])('a client with %s is named', async (_what, form, reason) => {
    expect(await refusalOf(() => post(form))).toMatchObject({ ...client('machine'), details: because(reason) })
  })

  it('an unknown client has its id in the sentence, and the same status as a client with a wrong secret', async () => {
    const unknown = { ...MACHINE, client_id: 'nobody-here' }
    expect(await refusalOf(() => post(unknown))).toMatchObject({
      description: 'unknown client: nobody-here',
      details: because('unknown_client'),
    })
    expect((await post(unknown)).status).toBe((await post({ ...MACHINE, client_secret: 'x' })).status)
  })

  it('gets the vendor’s words, and neither reason nor hint', async () => {
    const { text } = await post(MACHINE)
    expect(JSON.parse(text)).toEqual({
      error: 'access_denied',
      error_description: 'Non-global clients are not allowed access to APIv1',
    })
  })
})

describe('an authorization request', () => {
  const ask = (extra: Record<string, string>) => () => browserAt().get('/authorize', { query: authorizeQuery(extra) })

  it('to a callback that is not registered names the nearest', async () => {
    expect(await refusalOf(ask({ redirect_uri: 'https://app.test/callback?token=secret' }))).toMatchObject({
      description: 'https://app.test/callback is not registered; did you mean https://app.test/cb?',
      ...client('spa'),
      details: because('callback_not_registered'),
    })
  })

  it('shows the nearest address only to a developer on this machine', async () => {
    const page = async (runtime: TestServer, ip: string) => {
      const query = authorizeQuery({ redirect_uri: 'https://app.test/callback' })
      return (await runtime.browser({ ip }).get('/authorize', { query })).text
    }
    const stranger = await page(server, '198.51.100.250')
    expect(stranger).not.toContain('did you mean')
    expect(stranger).not.toContain(hintOf('callback_not_registered')?.slice(0, 40))
  })

  it('for web_message from an origin that is not registered names the origin', async () => {
    await server.addClient({
      clientId: 'other-page',
      settings: { ...SPA.settings, web_origins: ['https://elsewhere.test'] },
    })
    expect(await refusalOf(ask({ client_id: 'other-page', response_mode: 'web_message' }))).toMatchObject({
      description: 'https://app.test is not registered; did you mean https://elsewhere.test?',
      ...client('other-page'),
      details: because('web_origin_missing'),
    })
  })

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'spa'],
    ['with a grant that the client lacks', { response_type: 'token' }, 'spa'],
    ['without an organization', { client_id: 'third', redirect_uri: '' }, 'third'],
  ])('%s names the client', async (_what, extra, clientId) => {
    const log = await refusalOf(ask(extra))
    expect(log).toMatchObject(client(clientId))
    expect(log.details.hint).toBe(hintOf(String(log.details.reason)))
  })

  it('for a silent login without a session names the reason', async () => {
    expect(await refusalOf(ask({ prompt: 'none' }))).toMatchObject({
      type: 'fsa',
      ...client('spa'),
      details: because('login_required'),
    })
  })

  it('a request whose offline_access is dropped says so in the record of the login', async () => {
    const log = await refusalOf(() =>
      signIn(browserAt(), 'kim@mail.test', { audience: API, scope: 'openid offline_access nonsense' }),
    )
    expect(log).toMatchObject({
      type: 's',
      user_id: 'auth0|kim',
      ...client('spa'),
      details: { ...because('offline_access_not_allowed'), dropped_scopes: 'offline_access nonsense' },
    })
    expect(server.lines.findLast(({ fields }) => fields.dropped_scopes !== undefined)?.fields).toMatchObject({
      reason: 'offline_access_not_allowed',
      dropped_scopes: 'offline_access nonsense',
    })
  })

  it('a request that gets everything has no reason', async () => {
    await signIn(browserAt(), 'kim@mail.test')
    expect((await server.audited()).at(-1)).toMatchObject({
      type: 's',
      details: expect.not.objectContaining({ reason: expect.anything() }),
    })
  })
})

describe('an exchange', () => {
  const code = async (extra = {}) => (await signIn(browserAt(), 'kim@mail.test', extra)).get('code') ?? ''

  it.each([
    ['an invalid code', async () => 'nonsense', {}, 'code_invalid'],
    ['another verifier', code, { code_verifier: CHALLENGE }, 'pkce_mismatch'],
    ['no verifier', code, { code_verifier: '' }, 'pkce_mismatch'],
    ['another redirect_uri', code, { redirect_uri: 'https://app.test/other' }, 'redirect_uri_differs'],
  ])('an exchange is refused with its reason: %s', async (_what, issued, extra, reason) => {
    const plain = await issued()
    expect(await refusalOf(() => redeem(browserAt(), plain, extra))).toMatchObject({
      type: 'feacft',
      ...client('spa'),
      details: because(reason),
    })
  })

  it('with a code that was used, and with one that has expired, differ in the log alone', async () => {
    const plain = await code()
    await redeem(browserAt(), plain)
    expect((await refusalOf(() => redeem(browserAt(), plain))).details).toMatchObject(because('code_used'))
    const late = await code()
    server.clock.advance(61)
    expect((await refusalOf(() => redeem(browserAt(), late))).details).toMatchObject(because('code_expired'))
    expect((await redeem(browserAt(), late)).json()).toEqual((await redeem(browserAt(), plain)).json())
  })

  it('of a person who was blocked meanwhile names the person', async () => {
    const plain = await code()
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'auth0|kim'`)
    expect(await refusalOf(() => redeem(browserAt(), plain))).toMatchObject({
      user_id: 'auth0|kim',
      details: because('user_blocked'),
    })
    await server.database.pool.query(`UPDATE "user" SET blocked = false WHERE id = 'auth0|kim'`)
  })

  it('an exchange is refused with its reason: an unknown refresh token', async () => {
    expect(await refusalOf(() => refresh(browserAt(), 'nonsense'))).toMatchObject({
      type: 'fertft',
      ...client('spa'),
      details: because('refresh_token_unknown'),
    })
  })
})

describe('the error page of a server in development', () => {
  const HINT = hintOf('callback_not_registered') ?? ''
  const NEAREST = 'did you mean https://app.test/cb?'
  let development: TestServer
  beforeAll(async () => {
    development = await testServer({ devOutbox: true })
    await development.addClient(SPA)
  })
  afterAll(() => development.close())
  const page = async (from: BrowserOptions, extra: Record<string, string> = {}) => {
    const query = authorizeQuery({ redirect_uri: 'https://app.test/callback', ...extra })
    const answer = await development.browser(from).get('/authorize', { query })
    expect(answer.status).toBe(400)
    return answer.text.replaceAll('&#x27;', "'")
  }

  it('shows this machine the reason, the hint, the nearest address and where it is explained', async () => {
    const text = await page({ ip: '127.0.0.1' })
    for (const shown of [HINT, NEAREST, '>callback_not_registered<', '/troubleshooting#callback_not_registered'])
      expect(text).toContain(shown)
  })

  it('names the parameter there', async () => {
    const text = await page({ ip: '127.0.0.1' }, { client_id: '' })
    expect(text).toContain(hintOf('missing_client_id'))
    const twice = await development.browser({ ip: '127.0.0.1' }).get('/authorize?client_id=spa&client_id=spa')
    expect(twice.text).toMatch(/<dt[^>]*>parameter<\/dt>\s*<dd[^>]*>(?:<[^>]+>)*client_id</)
  })

  it.each<[string, BrowserOptions]>([
    ['another machine', { ip: '192.168.1.9' }],
    ['a page under a name of its own', { ip: '127.0.0.1', host: 'evil.test' }],
  ])('shows %s none of it', async (_what, from) => {
    const text = await page(from)
    for (const hidden of [HINT, NEAREST, 'callback_not_registered', '/troubleshooting'])
      expect(text).not.toContain(hidden)
  })
})

describe('an application of SAML or WS-Federation', () => {
  const ACS = 'https://sp.test/acs'
  const authnRequest = (acs: string) =>
    encodeForAddress(
      `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" IssueInstant="2027-01-15T08:00:00Z" AssertionConsumerServiceURL="${acs}"><saml:Issuer>urn:sp</saml:Issuer></samlp:AuthnRequest>`,
    )
  const saml =
    (path: string, acs = ACS) =>
    () =>
      browserAt().get(path, { query: { SAMLRequest: authnRequest(acs) } })
  const wsfed = (query: Record<string, string>) => () => browserAt().get('/wsfed', { query })
  beforeAll(async () => {
    const addons = { samlp: {}, wsfed: {} }
    await server.addClient({ clientId: 'sp', settings: { callbacks: [ACS], addons } })
    const settings = { callbacks: [ACS], is_first_party: false }
    await server.addClient({ clientId: 'without', settings })
  })

  it.each([
    ['SAML', saml('/samlp/nobody-here'), 'nobody-here'],
    ['WS-Federation', wsfed({ wtrealm: 'urn:nobody-here' }), 'urn:nobody-here'],
  ])('an unknown application is named as it was sent: %s', async (_what, work, name) => {
    const log = await refusalOf(work)
    expect(log).toMatchObject({ type: 'f', details: because('unknown_client') })
    expect(log.description).toContain(name)
    expect(log).not.toHaveProperty('client_name')
  })

  it.each([
    [
      'an ACS that is not registered',
      saml('/samlp/sp', 'https://sp.test/acs2?token=secret'),
      'sp',
      'callback_not_registered',
      'https://sp.test/acs2 is not registered; did you mean https://sp.test/acs?',
    ],
    [
      'a reply address that is not registered',
      wsfed({ wtrealm: 'urn:sp', wreply: 'https://sp.test/asc' }),
      'sp',
      'callback_not_registered',
      'https://sp.test/asc is not registered; did you mean https://sp.test/acs?',
    ],
    [
      'SAML and no add-on',
      saml('/samlp/without'),
      'without',
      'saml_not_enabled',
      'SAML is not enabled for this client',
    ],
    [
      'WS-Federation and no add-on',
      wsfed({ wtrealm: 'urn:without' }),
      'without',
      'wsfed_not_enabled',
      'WS-Federation is not enabled for this client',
    ],
  ])('with %s is named, with the reason', async (_what, work, clientId, reason, description) => {
    let page = ''
    const log = await refusalOf(async () => {
      page = (await work()).text
    })
    expect(log).toMatchObject({ type: 'f', description, ...client(clientId), details: because(reason) })
    expect(page).not.toContain('did you mean')
    expect(page).not.toContain(hintOf(reason))
  })
})

describe('a second factor that is wrong', () => {
  let factors: TestServer
  let person: string
  beforeAll(async () => {
    factors = await testServer()
    await factors.addClient(MFA_WEB)
    person = await factors.addUser({ email: 'kim@mail.test', data: { emailVerified: true } })
    await demand(factors)
  })
  afterAll(() => factors.close())

  it.each([
    ['a code of an app', { grant_type: OTP, otp: '000000' }, 'gd_auth_failed', 'otp', 'feotpft'],
    [
      'a recovery code',
      { grant_type: RECOVERY, recovery_code: 'A'.repeat(24) },
      'gd_recovery_failed',
      'recovery-code',
      'fercft',
    ],
  ])('names the person, the factor and the client: %s', async (_what, form, type, factor, refusal) => {
    const browser = factors.browser()
    if (type === 'gd_auth_failed') await enrollApp(factors, browser, 'kim@mail.test')
    const mfa_token = await mfaToken(browser, 'kim@mail.test')
    const [before, lines] = [(await factors.audited()).length, factors.lines.length]
    expect((await token(browser, { ...form, mfa_token })).status).toBe(403)
    const about = { user_id: person, user_name: 'kim@mail.test', ...client('web'), details: because('factor_wrong') }
    const logs = (await factors.audited()).slice(before)
    expect(logs).toMatchObject([
      { ...about, type, details: { ...about.details, factor } },
      { ...about, type: refusal },
    ])
    const refusals = factors.lines.slice(lines).filter(({ fields }) => fields.reason === 'factor_wrong')
    expect(refusals[0]?.fields).toMatchObject({ ...because('factor_wrong'), user: person, client_id: 'web' })
  })
})

describe('a page that logs people in itself', () => {
  const PAGE = 'https://app.tset'
  const send = (clientId: string, origin = PAGE) =>
    browserAt().post('/co/authenticate', {
      json: { client_id: clientId, credential_type: 'password', username: 'kim@mail.test', password: PASSWORD },
      headers: { origin },
    })
  beforeAll(async () => {
    await server.addClient({ clientId: 'closed', settings: { ...SPA.settings, cross_origin_authentication: false } })
    await server.addClient({ clientId: 'foreign', settings: { ...SPA.settings, is_first_party: false } })
  })

  it.each([
    ['of an origin that is not registered', 'spa', `${PAGE} is not registered; did you mean https://app.test?`],
    ['of an application that may not', 'closed', 'cross_origin_authentication of the application is off'],
    ['of a third party', 'foreign', 'the application is of a third party, so no page may log people in for it'],
  ])('%s says why, to the log alone', async (_what, clientId, description) => {
    let text = ''
    const log = await refusalOf(async () => {
      text = (await send(clientId)).text
    })
    expect(log).toMatchObject({
      type: 'fcoa',
      description,
      ...client(clientId),
      details: because('origin_not_allowed'),
    })
    expect(text).toBe((await send('nobody-here')).text)
    expect(text).not.toContain('app.test')
  })

  it('of an application that is unknown says so, to the log alone', async () => {
    expect(await refusalOf(() => send('nobody-here'))).toMatchObject({
      description: 'unknown client: nobody-here',
      details: because('unknown_client'),
    })
  })

  it('a page whose browser sends a preflight is in the log of the server, once a minute', async () => {
    const browser = browserAt()
    const ask = (origin: string) => browser.send('OPTIONS', '/co/authenticate', { headers: { origin } })
    const before = [server.lines.length, (await server.audited()).length] as const
    const answers = [await ask(PAGE), await ask(PAGE), await ask('https://app.test')]
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(answers[0]?.header('access-control-allow-origin')).toBeUndefined()
    const lines = server.lines.slice(before[0]).filter(({ fields }) => fields.reason !== undefined)
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      {
        ...because('origin_not_allowed'),
        endpoint: 'co.authenticate',
        detail: `${PAGE} is not registered; did you mean https://app.test?`,
      },
    ])
    expect(await server.audited()).toHaveLength(before[1])
  })
})

describe('a parameter', () => {
  const ask = (query: Record<string, string>) => () => browserAt().get('/authorize', { query: authorizeQuery(query) })
  let manager: Manager
  beforeAll(async () => {
    manager = await addManager(server)
  })
  const members = (body: object) => () => manager.post('/users', body)

  it.each([
    ['that is missing', ask({ response_type: '' }), 'parameter_missing', 'response_type'],
    ['that is malformed', ask({ prompt: 'sometimes' }), 'parameter_malformed', 'prompt'],
    [
      'that is there twice',
      () => browserAt().get('/authorize?client_id=spa&scope=openid&scope=email'),
      'parameter_repeated',
      'scope',
    ],
    ['of a grant', () => post({ client_id: 'spa', grant_type: 'authorization_code' }), 'parameter_missing', 'code'],
    ['with characters of its own', ask({ 'a b<c>': '\0' }), 'parameter_malformed', 'a?b?c?'],
    ['of a body', members({ connection: 'Users', email: 7 }), 'parameter_malformed', 'email'],
    ['that a body lacks', members({ email: 'a@mail.test' }), 'parameter_missing', 'connection'],
    ['that no body has', members({ connection: 'Users', nonsense: 1 }), 'parameter_malformed', 'nonsense'],
  ])('%s is named beside the hint', async (_what, work, reason, parameter) => {
    const lines = server.lines.length
    const log = await refusalOf(work)
    expect(log.details).toMatchObject({ ...because(reason), parameter })
    expect(server.lines.slice(lines).some(({ fields }) => fields.parameter === parameter)).toBe(true)
  })

  it('is erased with the person', () => {
    const at = server.clock.now()
    const facts = { reason: 'parameter_malformed', sentence: 'Invalid parameter: kim', parameter: 'kim' } as const
    const entry = { name: 'login_refused', facts, tenantId: 'default', hostname: 'id.test', at, source: null } as const
    const record = composeRecord(entry, '1')
    expect(presentRecord(record)).toMatchObject({ details: { parameter: 'kim' } })
    expect(JSON.stringify(presentRecord({ ...record, personal: null }))).not.toContain('kim')
  })
})

describe('the other endpoints', () => {
  const logout = () => browserAt().get('/v2/logout', { query: { client_id: 'spa', returnTo: 'https://app.test/Bye' } })
  const parOf = (form: Record<string, string>) => () => browserAt().post('/oauth/par', { form })

  it('name the nearest address after a logout', async () => {
    expect(await refusalOf(logout)).toMatchObject({
      type: 'flo',
      description: 'https://app.test/Bye is not registered; did you mean https://app.test/bye?',
      ...client('spa'),
      details: because('logout_url_not_registered'),
    })
  })

  it.each([
    ['/oauth/par', parOf({ client_id: 'web', client_secret: 'x' }), 'web', 'wrong_secret'],
    [
      '/oauth/revoke',
      () => browserAt().post('/oauth/revoke', { form: { client_id: 'web', client_secret: 'x', token: 't' } }),
      'web',
      'wrong_secret',
    ],
    [
      '/oauth/introspect',
      () => browserAt().post('/oauth/introspect', { form: { client_id: 'spa', token: 't' } }),
      'spa',
      'client_not_confidential',
    ],
    [
      '/passwordless/start',
      () =>
        browserAt().post('/passwordless/start', {
          json: { client_id: 'web', client_secret: 'x', connection: 'email', email: 'a@mail.test' },
        }),
      'web',
      'wrong_secret',
    ],
    [
      '/oauth/device/code',
      () => browserAt().post('/oauth/device/code', { form: { client_id: 'spa' } }),
      'spa',
      'grant_not_allowed',
    ],
    [
      '/dbconnections/signup',
      () =>
        browserAt().post('/dbconnections/signup', {
          json: { client_id: 'spa', connection: 'None', email: 'a@mail.test', password: PASSWORD },
        }),
      'spa',
      'connection_unknown',
    ],
    [
      '/co/authenticate',
      () =>
        browserAt().post('/co/authenticate', {
          json: { client_id: 'spa', credential_type: 'password', username: 'a', password: 'b' },
          headers: { origin: 'https://evil.test' },
        }),
      'spa',
      'origin_not_allowed',
    ],
  ])('the endpoint %s records the reason', async (_path, work, clientId, reason) => {
    expect(await refusalOf(work)).toMatchObject({ ...client(clientId), details: because(reason) })
  })

  it('the endpoint /userinfo records an invalid token', async () => {
    expect((await refusalOf(() => userinfo(browserAt(), 'nonsense'))).details).toMatchObject(because('invalid_token'))
  })
})
