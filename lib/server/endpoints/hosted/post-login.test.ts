// The effects of a tenant's post-login action: with a page, with a session, with neither.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction, bindActions, postLogin } from '../../../testing/bind-action'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  userinfo,
  WEB,
} from '../../../testing/journey'
import { formOf } from '../../../testing/saml'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'
import { RELYING_PARTY, signInByWsFed } from '../../../testing/wsfed'

const API = 'https://orders.test'
const CLAIM = 'https://acme.example/said'
const OTP = { guardianFactors: [{ name: 'otp', enabled: true }] }
const tenant = { default_directory: 'Users' }

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  const grants = ['authorization_code', 'implicit', 'refresh_token', 'password']
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: grants, client_metadata: { tier: 'one' } },
  })
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } } })
  await server.addClient(RELYING_PARTY)
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['client_credentials'] } })
  await server.addApi(API, { scopes: [{ value: 'read' }, { value: 'write' }], allow_offline_access: true })
  await server.addClientGrant('web', API, ['read'])
  await server.addRole('clerk', {})
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', appMetadata: { team: 'blue' } } })
  await server.giveRole('auth0|kim', 'clerk')
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(600))

const at = (body: string, settings = {}) => bindAction(server, 'post-login', postLogin(body), { tenant, ...settings })
const silent = { prompt: 'none' }
const errorOf = (answer: URLSearchParams) => [answer.get('error'), answer.get('error_description')]
const byPassword = (extra = {}) =>
  server.browser().post('/oauth/token', {
    form: {
      grant_type: 'password',
      client_id: 'spa',
      username: 'kim@mail.test',
      password: PASSWORD,
      scope: 'openid offline_access',
      audience: API,
      ...extra,
    },
  })

describe('the event of an action', () => {
  it('is the vendor’s event, without a secret', async () => {
    await at(`api.idToken.setCustomClaim('${CLAIM}', event)`)
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: API,
      scope: 'openid read',
      ui_locales: 'de en',
      login_hint: 'kim@mail.test',
      'ext-secret': 'hidden',
      'ext-hint': 'shown',
    })
    const event = payloadOf(tokens.id_token)[CLAIM] as Record<string, never>
    expect(event).toMatchObject({
      tenant: { id: 'default' },
      authentication: { methods: [{ name: 'pwd', timestamp: expect.any(String) }] },
      authorization: { roles: ['clerk'] },
      client: { client_id: 'spa', name: 'App spa', metadata: { tier: 'one' } },
      connection: { name: 'Users', strategy: 'auth0' },
      request: { ip: expect.any(String), method: 'POST', query: { 'ext-hint': 'shown', client_id: 'spa' } },
      resource_server: { identifier: API },
      stats: { logins_count: 1 },
      transaction: {
        protocol: 'oidc-basic-profile',
        requested_scopes: ['openid', 'read'],
        ui_locales: ['de', 'en'],
        login_hint: 'kim@mail.test',
        redirect_uri: 'https://app.test/cb',
        response_type: ['code'],
        state: 's t+a/te',
      },
      user: {
        user_id: 'auth0|kim',
        email: 'kim@mail.test',
        name: 'Kim',
        app_metadata: { team: 'blue' },
        user_metadata: {},
        identities: [{ connection: 'Users', provider: 'auth0', user_id: 'kim', isSocial: false }],
      },
    })
    expect(JSON.stringify(event)).not.toMatch(/hidden|correct horse|argon2|code_verifier/)
  })
})

describe('claims and scopes of an action', () => {
  it('reach every token of the login and user-info, and no reserved name does', async () => {
    await at(`
      api.idToken.setCustomClaim('${CLAIM}', event.user.app_metadata.team);
      api.idToken.setCustomClaim('sub', 'auth0|eve'); api.idToken.setCustomClaim('email', 'eve@mail.test');
      api.accessToken.setCustomClaim('${CLAIM}', { roles: event.authorization.roles });
      api.accessToken.setCustomClaim('scope', 'everything');
      api.accessToken.addScope('write'); api.accessToken.removeScope('read')`)
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', { audience: API, scope: 'openid email read' })
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: 'auth0|kim', email: 'kim@mail.test', [CLAIM]: 'blue' })
    expect(payloadOf(tokens.access_token)).toMatchObject({ scope: 'openid email write', [CLAIM]: { roles: ['clerk'] } })
    expect((await userinfo(browser, tokens.access_token)).json()).toMatchObject({ sub: 'auth0|kim', [CLAIM]: 'blue' })
  })

  it('large claims do not travel in the code', async () => {
    await at(`api.idToken.setCustomClaim('${CLAIM}', 'x'.repeat(4000))`)
    const browser = server.browser()
    const state = await beginLogin(browser)
    const answer = await submitPassword(browser, state, 'kim@mail.test')
    expect(answer.header('location')?.length).toBeLessThan(2000)
    const tokens = await signInForTokens(browser, 'kim@mail.test', { prompt: 'login' })
    expect(payloadOf(tokens.id_token)).toHaveProperty([CLAIM], 'x'.repeat(4000))
  })

  it('are in tokens that leave by the address and those for a password', async () => {
    await at(`api.accessToken.setCustomClaim('${CLAIM}', event.transaction.protocol)`)
    const browser = server.browser()
    const query = { response_type: 'token id_token', audience: API, scope: 'openid', code_challenge: undefined }
    const answer = locationOf(await submitPassword(browser, await beginLogin(browser, query), 'kim@mail.test'))
    const token = new URLSearchParams(answer.hash.slice(1)).get('access_token') ?? ''
    expect(payloadOf(token)).toHaveProperty([CLAIM], 'oidc-implicit-profile')
    expect(payloadOf((await byPassword()).json().access_token)).toHaveProperty([CLAIM], 'oauth2-password')
  })

  it('are said anew at a refresh, by the action as it is then', async () => {
    await at(`api.accessToken.setCustomClaim('${CLAIM}', event.transaction.protocol)`)
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', { audience: API })
    const renewed = (await refresh(browser, tokens.refresh_token)).json()
    expect(payloadOf(renewed.access_token)).toHaveProperty([CLAIM], 'oauth2-refresh-token')
    await server.setTenant({ tenant })
    const last = (await refresh(browser, renewed.refresh_token)).json()
    expect(payloadOf(last.access_token)).not.toHaveProperty([CLAIM])
  })
})

describe('an action that denies', () => {
  it('is the end of the login, and its reason travels to the application', async () => {
    await at(`api.access.deny('Not on Sundays')`)
    const browser = server.browser()
    expect(errorOf(await signIn(browser, 'kim@mail.test'))).toEqual(['access_denied', 'Not on Sundays'])
    const again = await browser.get('/authorize', { query: authorizeQuery(silent) })
    expect(locationOf(again).searchParams.get('error')).toBe('login_required')
  })

  it('denies a session and a password as well, without starting anything', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    await at(`api.access.deny('Not on Sundays')`)
    const answer = locationOf(await browser.get('/authorize', { query: authorizeQuery() })).searchParams
    expect(errorOf(answer)).toEqual(['access_denied', 'Not on Sundays'])
    const direct = await byPassword()
    expect([direct.status, direct.json()]).toEqual([
      403,
      { error: 'access_denied', error_description: 'Not on Sundays' },
    ])
  })

  it('denies a refresh without spending the token', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    await at(`api.access.deny('Not on Sundays')`)
    for (let time = 0; time < 3; time++) {
      expect((await refresh(browser, tokens.refresh_token)).json().error).toBe('access_denied')
      server.clock.advance(60)
    }
    await server.setTenant({ tenant })
    expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
  })

  it('denies where it fails, in our words', async () => {
    await at(`throw new Error('secret detail')`)
    const [error, description] = errorOf(await signIn(server.browser(), 'kim@mail.test'))
    expect(error).toBe('access_denied')
    expect(description).not.toContain('secret detail')
  })
})

describe('an action in other protocols', () => {
  const samlAnswer = async (browser = server.browser()) => {
    const page = locationOf(await browser.get('/samlp/sp')).searchParams.get('state') ?? ''
    const { fields } = formOf((await submitPassword(browser, page, 'kim@mail.test')).text)
    return Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()
  }

  it('adds to assertions, and replaces nothing in them', async () => {
    await at(`
      api.idToken.setCustomClaim('${CLAIM}', event.transaction.protocol);
      api.idToken.setCustomClaim('http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name', 'Somebody else')`)
    const response = await samlAnswer()
    expect(response).toContain(CLAIM)
    expect(response).toContain('>samlp<')
    expect(response).not.toContain('Somebody else')
    const { wresult } = await signInByWsFed(server.browser(), 'kim@mail.test')
    expect(wresult).toContain('>wsfed<')
    expect(wresult).not.toContain('Somebody else')
  })

  it('denies in their own words', async () => {
    await at(`api.access.deny('Not on Sundays')`)
    const response = await samlAnswer()
    expect(response).toContain('status:RequestDenied')
    expect(response).toContain('Not on Sundays')
    expect(response).not.toContain('Assertion ')
    expect((await signInByWsFed(server.browser(), 'kim@mail.test')).wresult).toContain('Not on Sundays')
  })
})

describe('metadata that an action changes', () => {
  it('is written once the rules are through, and claim rules read it at once', async () => {
    await at(
      `api.user.setAppMetadata('team', 'green'); api.user.setUserMetadata('seen', { times: event.stats.logins_count })`,
      {
        claimRules: [{ name: 'Team', claim: CLAIM, value: 'user.app_metadata.team' }],
      },
    )
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test')
    expect(payloadOf(tokens.id_token)).toHaveProperty([CLAIM], 'green')
    const { rows } = await server.database.pool.query(
      `SELECT app_metadata, user_metadata FROM "user" WHERE id = 'auth0|kim'`,
    )
    expect(rows).toEqual([{ app_metadata: { team: 'green' }, user_metadata: { seen: { times: expect.any(Number) } } }])
  })

  it('is not, where it denies', async () => {
    await at(`api.user.setAppMetadata('team', 'black'); api.access.deny('No')`)
    await signIn(server.browser(), 'kim@mail.test')
    const { rows } = await server.database.pool.query(`SELECT app_metadata FROM "user" WHERE id = 'auth0|kim'`)
    expect(rows[0].app_metadata).not.toEqual({ team: 'black' })
  })
})

describe('an action that asks for a second factor', () => {
  const enable = `api.multifactor.enable('any'); api.accessToken.setCustomClaim('${CLAIM}', 'kept')`

  it('requires consent before the login ends', async () => {
    await at(enable, OTP)
    const browser = server.browser()
    const state = await beginLogin(browser)
    expect(locationOf(await submitPassword(browser, state, 'kim@mail.test')).pathname).toBe('/u/mfa-enroll')
    const { rows } = await server.database.pool.query('SELECT count(*)::int FROM session WHERE created_at = $1', [
      server.clock.now(),
    ])
    expect(rows).toEqual([{ count: 0 }])
  })

  it('refuses silently without a user interface, and returns an mfa_token without a browser', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    await at(enable, OTP)
    const answer = locationOf(await browser.get('/authorize', { query: authorizeQuery(silent) })).searchParams
    expect(errorOf(answer)).toEqual(['login_required', 'Multifactor authentication required'])
    const shown = locationOf(await browser.get('/authorize', { query: authorizeQuery() }))
    expect(shown.pathname).toBe('/u/mfa-enroll')
    expect((await byPassword()).json()).toMatchObject({ error: 'mfa_required', mfa_token: expect.any(String) })
  })

  it('is refused where no factor is switched on, rather than passed', async () => {
    await at(enable)
    expect(errorOf(await signIn(server.browser(), 'kim@mail.test'))).toEqual([
      'access_denied',
      'Multifactor authentication required',
    ])
  })
})

describe('credentials-exchange', () => {
  const exchange = (body: string) =>
    bindAction(
      server,
      'credentials-exchange',
      `exports.onExecuteCredentialsExchange = async (event, api) => { ${body} }`,
    )
  const ask = async () => {
    const form = { grant_type: 'client_credentials', client_id: 'web', client_secret: WEB.secret, audience: API }
    return server.browser().post('/oauth/token', { form })
  }

  it('adds claims, none of them reserved', async () => {
    await exchange(`
      api.accessToken.setCustomClaim('${CLAIM}', event.resource_server.identifier + ' ' + event.client.client_id);
      api.accessToken.setCustomClaim('sub', 'auth0|kim')`)
    const claims = payloadOf((await ask()).json().access_token)
    expect(claims).toMatchObject({ sub: 'web@clients', [CLAIM]: `${API} web` })
  })

  it('the trigger credentials-exchange can refuse a token', async () => {
    await exchange(`api.access.deny('invalid_scope', 'Ask for less')`)
    const answer = await ask()
    expect(answer.json()).toEqual({ error: 'invalid_scope', error_description: 'Ask for less' })
  })

  it.each([
    ["api.transaction.clearTargetScopes().transaction.addTargetScope('read')", 'read'],
    ["api.transaction.setTargetScopes(['write', 'read', 'none'])", 'read'],
    ["api.transaction.removeTargetScope('read')", undefined],
    ['api.transaction.clearTargetScopes()', undefined],
  ])('%s leaves the scopes of the grant', async (call, scope) => {
    await exchange(call)
    expect((await ask()).json().scope).toBe(scope)
  })

  it('sees the target scopes of earlier actions', async () => {
    const claim = `api.accessToken.setCustomClaim('${CLAIM}', event.transaction.target_scopes)`
    const codes = ["api.transaction.addTargetScope('write')", claim].map(
      (body) => `exports.onExecuteCredentialsExchange = async (event, api) => { ${body} }`,
    )
    await bindActions(server, 'credentials-exchange', codes)
    const { access_token, scope } = (await ask()).json()
    expect([payloadOf(access_token)[CLAIM], scope]).toEqual([['read', 'write'], 'read'])
  })

  it.each([
    'api.transaction.setTargetScopes()',
    "api.transaction.addTargetScope('a b')",
    'api.transaction.addScope(1)',
  ])('is refused after %s', async (call) => {
    await exchange(call)
    expect((await ask()).json().error).toBe('access_denied')
  })

  it('receives no secret', async () => {
    await exchange(`api.accessToken.setCustomClaim('${CLAIM}', JSON.stringify(event))`)
    const claim = String(payloadOf((await ask()).json().access_token)[CLAIM])
    expect(claim).toContain('client_credentials')
    expect(claim).not.toContain(WEB.secret)
  })
})

describe('what no database can hold', () => {
  it.each([
    `api.user.setAppMetadata('n', '\\u0000')`,
    `api.user.setUserMetadata('n', { deep: ['\\ud800'] })`,
    `api.user.setAppMetadata('\\u0000', 1)`,
    `api.idToken.setCustomClaim('${CLAIM}', '\\u0000')`,
    `api.accessToken.setCustomClaim('${CLAIM}', { '\\udfff': 1 })`,
    `api.access.deny('\\u0000')`,
  ])('the action fails after %s', async (call) => {
    await bindAction(server, 'post-login', postLogin(call), { tenant })
    const answer = await signIn(server.browser(), 'kim@mail.test')
    expect([answer.get('error'), answer.get('error_description')]).toEqual([
      'access_denied',
      'An action of this tenant could not be run',
    ])
  })
})

it('an action that this version cannot read is one that is missing', async () => {
  await bindAction(server, 'post-login', postLogin(''), { tenant })
  await server.database.pool.query(`UPDATE action SET settings = settings || '{"trigger":"of-a-later-version"}'`)
  server.clock.advance(60)
  const answer = await signIn(server.browser(), 'kim@mail.test')
  expect(answer.get('error')).toBe('access_denied')
})

describe('the session', () => {
  const soon = () => server.clock.now().getTime() + 60_000
  const silently = async (browser: ReturnType<TestServer['browser']>) =>
    locationOf(await browser.get('/authorize', { query: authorizeQuery(silent) })).searchParams
  /** In milliseconds, of the newest session. */
  const lifeOf = async () => {
    const text = 'SELECT expires_at, created_at FROM session ORDER BY created_at DESC LIMIT 1'
    const [{ expires_at, created_at }] = (await server.database.pool.query(text)).rows
    return expires_at - created_at
  }

  it('is in the event from the second login of the browser on, of this user', async () => {
    await at(`api.idToken.setCustomClaim('${CLAIM}', event.session ?? 'none')`)
    const browser = server.browser()
    const first = payloadOf((await signInForTokens(browser, 'kim@mail.test')).id_token)
    expect(first[CLAIM]).toBe('none')
    const code = (await silently(browser)).get('code') ?? ''
    const second = payloadOf((await redeem(browser, code)).json().id_token)
    expect(second[CLAIM]).toMatchObject({ id: first.sid, clients: [{ client_id: 'spa' }] })
  })

  it.each(['setExpiresAt', 'setIdleExpiresAt'])('ends as %s says, at a login and at single sign-on', async (method) => {
    await at(`api.session.${method}(${soon()})`)
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    server.clock.advance(61)
    expect((await silently(browser)).get('error')).toBe('login_required')
    await server.setTenant({ tenant })
    await signIn(browser, 'kim@mail.test')
    await at(`api.session.${method}(${soon()})`)
    expect((await silently(browser)).has('code')).toBe(true)
    server.clock.advance(61)
    expect((await silently(browser)).get('error')).toBe('login_required')
  })

  it('does not live longer than the tenant lets it', async () => {
    await server.setTenant({ tenant })
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    const before = await lifeOf()
    await at(`api.session.setExpiresAt(${soon()} * 2).session.setExpiresAt(${soon()} * 3)`)
    expect((await silently(browser)).has('code')).toBe(true)
    expect(await lifeOf()).toBe(before)
    const other = server.browser()
    await signIn(other, 'kim@mail.test')
    expect(await lifeOf()).toBe(before)
  })

  it.each(["setExpiresAt('soon')", 'setIdleExpiresAt()', 'setExpiresAt(-1)', 'setExpiresAt(9e15)', 'revoke()'])(
    'is not changed by %s, which denies',
    async (call) => {
      await at(`api.session.${call}`)
      expect(errorOf(await signIn(server.browser(), 'kim@mail.test'))).toEqual([
        'access_denied',
        'An action of this tenant could not be run',
      ])
    },
  )
})

describe('a refresh token', () => {
  const tokens = async () => (await byPassword()).json()
  const expected = { client_id: 'spa', id: expect.any(String), expires_at: expect.any(String) }

  it('is in the event at a refresh', async () => {
    await at(`api.idToken.setCustomClaim('${CLAIM}', event.refresh_token ?? 'none')`)
    const { id_token, refresh_token } = await tokens()
    expect(payloadOf(id_token)[CLAIM]).toBe('none')
    expect(payloadOf((await refresh(server.browser(), refresh_token)).json().id_token)[CLAIM]).toMatchObject(expected)
  })

  it('a refresh token that an action revokes is over, unlike one whose refresh is denied', async () => {
    const { refresh_token } = await tokens()
    await at("api.access.deny('Not now')")
    expect((await refresh(server.browser(), refresh_token)).json().error).toBe('access_denied')
    await at("api.refreshToken.revoke('Stolen')")
    expect((await refresh(server.browser(), refresh_token)).json()).toMatchObject({
      error: 'access_denied',
      error_description: 'Stolen',
    })
    await at('')
    expect((await refresh(server.browser(), refresh_token)).json().error).toBe('invalid_grant')
  })

  it('is not there to revoke at a login, which is denied', async () => {
    await at("api.refreshToken.revoke('Stolen')")
    expect((await byPassword()).json()).toMatchObject({ error: 'access_denied', error_description: 'Stolen' })
  })
})
