// The login inspector: what is stored of real logins, what is not, and who may read it (docs/adr/0068, threat-model.md AU5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseLogins } from '../../../adapters/store/sql/login-records'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { createLoginLog } from '../../../data/logins/login-log'
import { sealActionSecret } from '../../../identity/tenant-code/actions/action'
import { scopesOfRole } from '../../../management/operations/console-roles'
import { bindAction, bindActions, postLogin } from '../../../testing/bind-action'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  submitPassword,
  VERIFIER,
} from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import {
  addPasswordless,
  codeTo,
  messagesTo,
  OTP_GRANT,
  redeemCode,
  sendTo,
  wrong,
} from '../../../testing/passwordless'
import { makePartner, type Partner } from '../../../testing/saml'
import { encoded, IDP, type SamlAnswerOptions, samlAnswer } from '../../../testing/saml-idp'
import { PASSWORD } from '../../../testing/server'
import { signInBy, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

type Line = { name: string; verdict: string; value?: string; says?: string }
type Step = {
  kind: string
  subject: string
  outcome: string
  reason?: string
  lines?: Line[]
  claims?: Record<string, Record<string, unknown>>
}
type Login = {
  id: string
  outcome: string
  reason: string | null
  client_id: string | null
  user_name: string | null
  requests: { endpoint: string; steps: Step[] }[]
}

let server: UpstreamTestServer
let manager: Manager
let idp: Partner
let next = 0
const browserAt = () => server.browser({ ip: `203.0.113.${++next}` })

async function list(query = ''): Promise<Login[]> {
  await server.loginLog.flush()
  return (await manager.get(`/logins${query}`)).json() as unknown as Login[]
}

async function newest(): Promise<Login> {
  const [first] = await list()
  return (await manager.get(`/logins/${first?.id}`)).json() as unknown as Login
}

const stepsOf = ({ requests }: Login): Step[] => requests.flatMap(({ steps }) => steps)
const stepOf = (login: Login, kind: string): Step | undefined => stepsOf(login).find((step) => step.kind === kind)
const verdictsOf = (step: Step | undefined): string[] =>
  (step?.lines ?? []).map(({ name, verdict }) => `${name} ${verdict}`)

/** A login at the SAML provider that is answered with these changes. */
async function enterBySaml(over: Partial<SamlAnswerOptions> = {}) {
  server.clock.advance(1)
  const browser = browserAt()
  const left = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'saml' }) }))
  const { id } = readAuthnRequest(parseXml(decodeMessage(left.searchParams.get('SAMLRequest') ?? '')))
  const recipient = 'https://id.test/login/callback?connection=saml'
  const attributes = { mail: ['kim@idp.test'], department: ['Sales'] }
  const answer = { now: server.clock.now(), recipient, audience: 'urn:id.test:saml', inResponseTo: id, attributes }
  const form = {
    SAMLResponse: encoded(await samlAnswer(idp, { ...answer, ...over })),
    RelayState: left.searchParams.get('RelayState') ?? '',
  }
  const kept = locationOf(await browser.post('/login/callback', { query: { connection: 'saml' }, form }))
  return { browser, sent: form, answer: await browser.get(kept.pathname + kept.search) }
}

beforeAll(async () => {
  idp = await makePartner()
  server = await upstreamTestServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: ['authorization_code', 'refresh_token', 'password', OTP_GRANT] },
  })
  await server.addProvider('corp', 'oidc', { options: { issuer: 'https://idp.test' } })
  await server.addConnection(
    'saml',
    { options: { signInEndpoint: 'https://idp.test/sso', signingCert: idp.certificatePem, idpEntityId: IDP } } as never,
    'con_saml',
    'samlp',
  )
  await addPasswordless(server)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  manager = await addManager(server)
})
afterAll(() => server.close())

describe('a login by password', () => {
  it('has its request, session, failures and tokens as steps', async () => {
    const browser = browserAt()
    const state = await beginLogin(browser, { colour: 'blue' })
    await submitPassword(browser, state, 'kim@mail.test', 'not the password')
    expect(await newest()).toMatchObject({ outcome: 'failed', reason: 'wrong_password', user_name: 'kim@mail.test' })
    const code = locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.get('code') ?? ''
    await redeem(browser, code)
    const login = await newest()
    expect(login).toMatchObject({ outcome: 'succeeded', reason: null, client_id: 'spa', user_name: 'kim@mail.test' })
    expect(stepsOf(login).map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      'request oidc',
      'session none',
      'event password_wrong',
      'page login',
      'event login',
      'event code_exchanged',
      'tokens authorization_code',
    ])
    const request = stepOf(login, 'request')
    expect(verdictsOf(request)).toContain('redirect_uri ok')
    expect(verdictsOf(request)).toContain('colour ignored')
    expect(request?.lines?.find(({ name }) => name === 'nonce')).toEqual({ name: 'nonce', verdict: 'ok' })
    expect(stepOf(login, 'tokens')?.claims?.id_token).toMatchObject({ sub: 'auth0|kim', nonce: '[left out]' })
  })

  it('is found by outcome, application, connection, user and address', async () => {
    expect(await list('?outcome=succeeded&client_id=spa&connection=Users&user=kim%40mail.test')).toHaveLength(1)
    expect(await list('?user=auth0%7Ckim')).toHaveLength(1)
    expect(await list('?user=lee%40mail.test')).toEqual([])
    expect(await list('?outcome=waiting')).toEqual([])
    expect((await manager.get('/logins?outcome=other')).status).toBe(400)
    expect((await manager.get('/logins/0123456789abcdef0123456789abcdef')).status).toBe(404)
  })
})

describe('a request that is refused', () => {
  it('names the parameter and its rule, and the application', async () => {
    server.clock.advance(1)
    const query = authorizeQuery({ redirect_uri: 'https://elsewhere.test/cb?secret=1' })
    await browserAt().get('/authorize', { query })
    const login = await newest()
    expect(login).toMatchObject({ outcome: 'failed', reason: 'callback_not_registered', client_id: 'spa' })
    const line = stepOf(login, 'request')?.lines?.find(({ name }) => name === 'redirect_uri')
    expect(line).toMatchObject({ verdict: 'failed', value: 'https://elsewhere.test/cb' })
  })

  it('names an application that does not exist', async () => {
    server.clock.advance(1)
    await browserAt().get('/authorize', { query: authorizeQuery({ client_id: 'nobody' }) })
    const login = await newest()
    expect(login).toMatchObject({ outcome: 'failed', reason: 'unknown_client' })
    expect(stepOf(login, 'request')?.lines?.find(({ name }) => name === 'client_id')?.value).toBe('nobody')
  })
})

describe('a login at a provider', () => {
  it('has what was asked, and what the provider said', async () => {
    server.clock.advance(1)
    await signInBy(browserAt(), server, 'corp', { sub: 'k-1', email: 'lee@mail.test', email_verified: true })
    const login = await newest()
    expect(stepOf(login, 'provider_request')).toMatchObject({ subject: 'corp' })
    expect(stepOf(login, 'provider_answer')?.claims).toMatchObject({
      id_token: { sub: 'k-1', email: 'lee@mail.test' },
      mapped: { email: 'lee@mail.test' },
    })
  })

  it('has each check of an assertion that holds', async () => {
    await enterBySaml()
    const answer = stepOf(await newest(), 'provider_answer')
    expect(verdictsOf(answer)).toEqual([
      'strategy none',
      ...[
        'signature',
        'issuer',
        'destination',
        'in_response_to',
        'conditions',
        'audience',
        'session',
        'confirmation',
      ].map((name) => `${name} ok`),
      'user_id ok',
    ])
    expect(answer?.claims?.assertion).toMatchObject({ issuer: IDP, name_id: 'kim', department: ['Sales'] })
  })

  it.each<[string, Partial<SamlAnswerOptions>, string, string[]]>([
    ['another audience', { audience: 'urn:another' }, 'upstream_audience', ['audience']],
    ['no signature', { sign: 'neither' }, 'signature_missing', ['signature']],
    ['an old answer', { now: new Date('2020-01-01T00:00:00Z') }, 'upstream_expired', ['conditions', 'confirmation']],
    [
      'another issuer',
      { assertion: { issuer: 'https://other.test' }, answer: { issuer: 'https://other.test' } },
      'upstream_issuer',
      ['issuer'],
    ],
  ])('says which checks fail: %s', async (_, over, reason, failed) => {
    await enterBySaml(over)
    const login = await newest()
    expect(login).toMatchObject({ outcome: 'failed', reason })
    const lines = stepOf(login, 'provider_answer')?.lines ?? []
    expect(
      lines.filter(({ name, verdict }) => verdict === 'failed' && name !== 'failure').map(({ name }) => name),
    ).toEqual(failed)
  })
})

it('a refresh adds nothing to the steps of its login, nor does one that is refused', async () => {
  const browser = browserAt()
  const params = await signIn(browser, 'kim@mail.test')
  const tokens = (await redeem(browser, params.get('code') ?? '')).json()
  const parts = async (): Promise<number> => {
    await server.loginLog.flush()
    return (await server.database.pool.query('SELECT count(*)::int AS count FROM login_part')).rows[0]?.count
  }
  const before = await parts()
  expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  server.clock.advance(3600)
  expect((await refresh(browser, tokens.refresh_token)).status).toBe(403)
  expect(await parts()).toBe(before)
})

it('stores no password, code, token, assertion, cookie or handle of any of these logins (AU5)', async () => {
  const browser = browserAt()
  const state = await beginLogin(browser, { login_hint: 'kim@mail.test' })
  await submitPassword(browser, state, 'kim@mail.test', 'a planted password')
  const params = await signIn(browser, 'kim@mail.test')
  const code = params.get('code') ?? ''
  const tokens = (await redeem(browser, code)).json()
  await refresh(browser, tokens.refresh_token)
  const { sent, browser: other } = await enterBySaml({ audience: 'urn:another' })
  await browser.get('/authorize', {
    query: authorizeQuery({
      id_token_hint: String(tokens.id_token),
      login_ticket: 'planted-ticket',
      scope: `openid ${tokens.access_token}`,
    }),
  })
  await server.loginLog.flush()
  const { rows } = await server.database.pool.query('SELECT * FROM login_part')
  const plain = rows.map(({ sealed }) => server.vault.open('login part', sealed)?.toString() ?? '')
  expect(plain.length).toBeGreaterThan(20)
  expect(plain.every((text) => text.startsWith('{'))).toBe(true)
  const raw = JSON.stringify(rows.map(({ sealed }) => sealed.toString('latin1')))
  const planted = [
    ...['a planted password', 'not the password', PASSWORD, VERIFIER, 'planted-ticket', state, code].filter(Boolean),
    ...Object.entries(tokens).flatMap(([name, value]) => (name.endsWith('token') ? [String(value)] : [])),
    ...[sent.SAMLResponse, sent.RelayState],
    ...[browser, other].flatMap(({ cookies }) => [...cookies.values()]),
  ]
  for (const secret of planted) {
    expect(
      plain.filter((text) => text.includes(secret)),
      secret,
    ).toEqual([])
    expect(raw.includes(secret)).toBe(false)
  }
  expect(raw).not.toContain('kim@mail.test')
})

it('is read with the scope read:logins alone, which owner, admin, auditor and user support have', async () => {
  for (const path of ['/logins', '/logins/abc']) {
    expect((await manager.get(path, { token: await manager.token(['read:logs', 'read:users']) })).status).toBe(403)
  }
  const roles = (['owner', 'admin', 'auditor', 'user_support', 'application_editor'] as const).filter((role) =>
    scopesOfRole(role).includes('read:logins'),
  )
  expect(roles).toEqual(['owner', 'admin', 'auditor', 'user_support'])
})

it('stores successes within the budget of an hour, and each failure with what came before it', async () => {
  const stored: string[] = []
  const log = createLoginLog({
    store: {
      append: async (_, parts) => void stored.push(...parts.map(({ login, outcome }) => `${login} ${outcome}`)),
    },
    clock: server.clock,
    log: { warn: () => {} },
  })
  const part = (login: string, outcome: 'waiting' | 'succeeded' | 'failed') => ({
    ...{ login, outcome, at: server.clock.now(), endpoint: 'e', requestId: 'r', reason: null, clientId: null },
    ...{ clientName: null, connection: null, userId: null, person: null, ip: '', userAgent: null, steps: [] },
  })
  const add = (login: string, outcome: 'waiting' | 'succeeded' | 'failed') =>
    log.add(part(login, outcome), 't', { successes_per_hour: 1, days: 1 })
  add('first', 'succeeded')
  add('second', 'waiting')
  add('second', 'succeeded')
  add('third', 'waiting')
  add('third', 'failed')
  await log.flush()
  expect(stored).toEqual(['first succeeded', 'third waiting', 'third failed'])
  server.clock.advance(3600)
  add('fourth', 'succeeded')
  await log.flush()
  expect(stored).toContain('fourth succeeded')
})

it('sends no statement while a login is under way', async () => {
  const sent: string[] = []
  const { pool } = server.database
  const query = pool.query
  pool.query = ((...of: unknown[]) => {
    sent.push(JSON.stringify(of[0]))
    return (query as (...all: unknown[]) => unknown).apply(pool, of)
  }) as typeof query
  const browser = browserAt()
  await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
  pool.query = query
  expect(sent.filter((text) => text.includes('login_record') || text.includes('login_part'))).toEqual([])
})

it('forgets a person with the audit log', async () => {
  await server.loginLog.flush()
  await server.audited()
  expect((await list('?user=kim%40mail.test')).length).toBeGreaterThan(0)
  expect(await eraseLogins(server.database.pool, 'default', 'auth0|kim', server.vault)).toBeGreaterThan(0)
  expect(await list('?user=kim%40mail.test')).toEqual([])
  expect(await list('?user=auth0%7Ckim')).toEqual([])
})

it('shows what actions did', async () => {
  server.clock.advance(1)
  await bindAction(
    server,
    'post-login',
    `exports.onExecutePostLogin = async (event, api) => { api.idToken.setCustomClaim('https://a.test/team', 'red'); api.access.deny('Not on Sundays') }`,
  )
  const browser = browserAt()
  await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
  const login = await newest()
  expect(login).toMatchObject({ outcome: 'failed', reason: 'action_denied' })
  expect(stepOf(login, 'actions')).toMatchObject({
    outcome: 'failed',
    claims: { id_token: { 'https://a.test/team': 'red' } },
  })
})

describe('a code or a link of an address', () => {
  beforeAll(() => server.setTenant({}))
  const partsOf = async (person: string) => {
    const found = await list(`?user=${encodeURIComponent(person)}`)
    const [first] = found
    const whole = (await manager.get(`/logins/${first?.id}`)).json() as unknown as Login
    return {
      count: found.length,
      login: whole,
      endpoints: whole.requests.map(({ endpoint }) => endpoint),
    }
  }

  it('is one login from the mail to the tokens, with the wrong code between', async () => {
    server.clock.advance(1)
    const email = 'code@mail.test'
    const browser = browserAt()
    await sendTo(browser, email)
    const code = await codeTo(server, email)
    expect((await redeemCode(browser, email, wrong(code))).status).toBe(403)
    expect((await redeemCode(browser, email, code)).status).toBe(200)
    const { count, login, endpoints } = await partsOf(email)
    expect([count, endpoints]).toEqual([1, ['passwordless.start', 'oauth.token', 'oauth.token']])
    expect(login).toMatchObject({ outcome: 'succeeded' })
    expect(JSON.stringify(login)).not.toContain(code)
  })

  it('is another login when it is sent again', async () => {
    server.clock.advance(1)
    const email = 'again@mail.test'
    const browser = browserAt()
    await sendTo(browser, email)
    server.clock.advance(1)
    await sendTo(browser, email)
    expect((await redeemCode(browser, email, await codeTo(server, email))).status).toBe(200)
    const { count, endpoints } = await partsOf(email)
    expect([count, endpoints]).toEqual([2, ['passwordless.start', 'oauth.token']])
  })

  it('is one login where a link is opened', async () => {
    server.clock.advance(1)
    const email = 'link@mail.test'
    const browser = browserAt()
    const { connection: _, ...request } = authorizeQuery()
    await sendTo(browser, email, { send: 'link', authParams: request })
    const [message] = await messagesTo(server, email)
    const link = new URL(message?.link ?? '')
    const { text } = await browser.get(link.pathname + link.search)
    const hidden = text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
    const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
    await browser.post('/passwordless/verify_redirect', { form: { ...fields, action: 'login' } })
    const { count, login, endpoints } = await partsOf(email)
    expect(count).toBe(1)
    expect(login.outcome).toBe('succeeded')
    expect(endpoints).toEqual(['passwordless.start', 'passwordless.verify_redirect', 'passwordless.verify_redirect'])
    expect(JSON.stringify(login)).not.toContain(link.searchParams.get('verification_code'))
  })
})

describe('a refused request of WS-Federation or SAML', () => {
  const failedLine = (step: Step | undefined) => step?.lines?.find(({ verdict }) => verdict === 'failed')

  it.each([
    ['an unknown realm', '/wsfed', { wtrealm: 'urn:nowhere', wctx: 'orders' }, 'wsfed', 'unknown_client', 'wtrealm'],
    [
      'an address that is not registered',
      '/wsfed',
      { wtrealm: 'urn:spa', wreply: 'https://evil.test/cb?secret=1' },
      'wsfed',
      'callback_not_registered',
      'wreply',
    ],
    ['a bad freshness', '/wsfed', { wtrealm: 'urn:spa', wfresh: 'soon' }, 'wsfed', 'parameter_malformed', 'wfresh'],
    ['an unreadable message', '/samlp/spa', { SAMLRequest: 'AAAA' }, 'saml', 'saml_message_invalid', 'SAMLRequest'],
  ])('of %s has its step', async (_what, path, query, protocol, reason, parameter) => {
    server.clock.advance(1)
    await browserAt().get(path, { query })
    const login = await newest()
    expect(login).toMatchObject({ outcome: 'failed', reason })
    const step = stepOf(login, 'request')
    expect(step).toMatchObject({ subject: protocol, outcome: 'failed', reason })
    expect(failedLine(step)?.name).toBe(parameter)
    expect(JSON.stringify(login)).not.toContain('secret=1')
  })

  it('one that is accepted has each parameter', async () => {
    server.clock.advance(1)
    await browserAt().get('/wsfed', { query: { wtrealm: 'urn:spa', wctx: 'orders', whr: 'Users' } })
    const step = stepOf(await newest(), 'request')
    expect(step).toMatchObject({ subject: 'wsfed', outcome: 'ok' })
    expect(verdictsOf(step)).toEqual(['wtrealm ok', 'wctx ok', 'whr ok'])
  })
})

describe('each action of a login', () => {
  const enter = async (actions: readonly string[]): Promise<Login> => {
    server.clock.advance(61)
    await bindActions(server, 'post-login', actions)
    const browser = browserAt()
    await submitPassword(browser, await beginLogin(browser, { colour: 'a-colour-of-the-request' }), 'kim@mail.test')
    const login = await newest()
    await server.setTenant({})
    return login
  }
  const actionsOf = (login: Login): Step[] => stepsOf(login).filter(({ kind }) => kind === 'action')
  const valuesOf = ({ lines = [] }: Step): Record<string, string | undefined> =>
    Object.fromEntries(lines.map(({ name, value }) => [name, value]))

  it('has how long it ran, what it saw and what it alone decided', async () => {
    const [first, second] = actionsOf(
      await enter([
        postLogin(
          "api.idToken.setCustomClaim('https://a.test/team', 'red'); api.user.setAppMetadata('plan', 'a-plan-of-the-user')",
        ),
        postLogin("api.accessToken.setCustomClaim('https://a.test/level', 3); api.accessToken.addScope('extra')"),
      ]),
    )
    expect(first).toMatchObject({ subject: 'At post-login', outcome: 'ok' })
    expect(valuesOf(first as Step)).toMatchObject({ trigger: 'post-login', outcome: 'ok', app_metadata: 'plan' })
    expect(Number(valuesOf(first as Step).milliseconds)).toBeGreaterThanOrEqual(0)
    expect(first?.claims).toMatchObject({
      input: { client: { client_id: 'spa' }, connection: { name: 'Users' }, user: { email: 'kim@mail.test' } },
      id_token: { 'https://a.test/team': 'red' },
    })
    expect(valuesOf(second as Step)).toMatchObject({ scopes_added: 'extra' })
    expect(second?.claims).toMatchObject({ id_token: {}, access_token: { 'https://a.test/level': 3 } })
    expect(JSON.stringify([first, second])).not.toMatch(/a-colour-of-the-request|a-plan-of-the-user/)
  })

  it('names the error and the line of one that fails', async () => {
    const login = await enter([postLogin("\n\nthrow new Error('the service is away')"), postLogin('')])
    const actions = actionsOf(login)
    expect(actions).toHaveLength(1)
    expect(actions[0]).toMatchObject({ outcome: 'failed', reason: 'action_failed' })
    expect(valuesOf(actions[0] as Step).outcome).toBe('threw')
    expect(actions[0]?.lines?.find(({ name }) => name === 'outcome')?.says).toMatch(/the service is away.*3/)
    expect(login).toMatchObject({ outcome: 'failed', reason: 'action_failed' })
  })

  it('shows no secret of the action in its error', async () => {
    const secret = 'the-secret-of-the-action'
    server.clock.advance(61)
    await bindActions(server, 'post-login', [postLogin('throw new Error(event.secrets.KEY)')])
    await server.database.pool.query(
      "UPDATE action SET settings = jsonb_set(settings, '{sealed}', $1) WHERE name = 'At post-login'",
      [JSON.stringify({ KEY: sealActionSecret(secret, server.vault, server.random) })],
    )
    server.clock.advance(2)
    const browser = browserAt()
    await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
    const login = await newest()
    expect(actionsOf(login)[0]).toMatchObject({ outcome: 'failed', reason: 'action_failed' })
    expect(JSON.stringify(login)).toContain('***')
    expect(JSON.stringify(login)).not.toContain(secret)
    await server.setTenant({})
  })

  it('shows the factor that one requires and where one redirects', async () => {
    const leaving = await enter([postLogin("api.redirect.sendUserTo('https://away.test/form?token=a-token')")])
    expect(valuesOf(actionsOf(leaving)[0] as Step).redirect).toBe('https://away.test/form')
    expect(JSON.stringify(leaving)).not.toContain('a-token')
    const asking = await enter([postLogin("api.multifactor.enable('any')")])
    expect(valuesOf(actionsOf(asking)[0] as Step).second_factor).toMatch(/^enable/)
  })
})
