// The modules of the OpenID Foundation's Basic, Implicit, Hybrid and Form Post plans, under their names, for every response
// type and mode of the plans. docs/conformance.md says which tests cover the other plans. Statuses and codes are those of
// `compat.errors: rfc`, the format for strict clients.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHALLENGE, locationOf, payloadOf, VERIFIER } from '../../../testing/journey'
import { isLogin, type LoginPlan, logIn, RP, redeem, relyingParty } from '../../../testing/relying-party'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const GRANTS = ['authorization_code', 'implicit', 'refresh_token']
const TYPES = ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token']
const PLANS: LoginPlan[] = TYPES.flatMap((type) => [
  { type, mode: 'default' as const },
  { type, mode: 'form_post' as const },
])

/** The claims of user-info by scope, for a user who has all of them. */
const CLAIMS: Record<string, string[]> = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'nickname',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const UNSIGNED = `${base64url({ alg: 'none' })}.${base64url({ client_id: RP.clientId, redirect_uri: RP.callback })}.`

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.setTenant({ tenant: { compat: { errors: 'rfc', updated_at: 'epoch', id_token_claims: 'core' } } })
  await server.addClient({
    clientId: RP.clientId,
    secret: RP.secret,
    settings: { app_type: 'regular_web', callbacks: [RP.callback, 'https://rp.test/other'], grant_types: GRANTS },
  })
  const profile = {
    website: 'https://kim.test',
    gender: 'none',
    birthdate: '1990-01-02',
    zoneinfo: 'Asia/Tokyo',
    locale: 'ja',
    address: { country: 'JP' },
  }
  await server.addUser({
    email: 'kim@mail.test',
    data: {
      emailVerified: true,
      name: 'Kim Ito',
      givenName: 'Kim',
      familyName: 'Ito',
      nickname: 'kim',
      picture: 'https://kim.test/k.png',
      phoneNumber: '+81312345678',
      phoneVerified: true,
      profile,
    },
  })
})
afterAll(() => server.close())

const byHeader = (browser: Browser, token: string | null) =>
  browser.get('/userinfo', { headers: { authorization: `Bearer ${token}` } })

describe.each(PLANS)('$type, $mode', (plan) => {
  const rp = () => relyingParty(server, plan)
  const hasCode = plan.type.includes('code')
  /** Whether the user's claims come from user-info; without an access token they are in the ID token. */
  const hasAccess = plan.type !== 'id_token'

  const login = async (extra: Record<string, string | undefined> = {}, browser = server.browser()) => {
    const answer = await rp().authorize(browser, extra)
    if (answer.error !== undefined) throw new Error(`${answer.error}: ${answer.error_description}`)
    return { browser, answer, tokens: await rp().tokensOf(answer) }
  }

  /** The claims that the relying party gets by this request. */
  const learn = async (extra: Record<string, string>) => {
    const { tokens } = await login(extra)
    return hasAccess ? (await byHeader(server.browser(), tokens.accessToken)).json() : { ...tokens.claims }
  }

  it('oidcc-server', async () => {
    const { tokens } = await login({ scope: 'openid' })
    if (hasAccess) expect((await byHeader(server.browser(), tokens.accessToken)).json()).toHaveProperty('sub')
    expect(tokens.claims).toMatchObject({ iss: 'https://id.test/', aud: RP.clientId })
  })

  it('oidcc-response-type-missing', async () => {
    const answer = await rp().send(server.browser(), { response_type: undefined })
    const error = plan.mode === 'form_post' ? answer.text : (answer.header('location') ?? '')
    expect(error).toContain('invalid_request')
  })

  it('oidcc-idtoken-signature', async () => {
    const { tokens } = await login()
    const header = JSON.parse(Buffer.from(tokens.idToken.split('.')[0] ?? '', 'base64url').toString())
    expect(header).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
  })

  if (plan.type === 'code' || plan.type === 'code token') {
    it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
      const { answer } = await login({ nonce: undefined })
      expect(answer.code).toBeTruthy()
    })
  } else {
    it('oidcc-ensure-request-without-nonce-fails', async () => {
      const answer = await rp().authorize(server.browser(), { nonce: undefined })
      expect(answer.error).toBe('invalid_request')
    })
  }

  it.each(Object.entries(CLAIMS))('oidcc-scope-%s', async (scope, names) => {
    const learnt = await learn({ scope: `openid ${scope}` })
    expect(Object.keys(learnt)).toEqual(expect.arrayContaining(names))
    for (const [other, foreign] of Object.entries(CLAIMS)) {
      if (other !== scope) for (const name of foreign) expect(learnt).not.toHaveProperty(name)
    }
  })

  if (hasAccess) {
    it.each(Object.entries(CLAIMS))(
      'has no claims of %s in the ID token beside an access token',
      async (scope, names) => {
        const { answer, tokens } = await login({ scope: `openid ${scope}` })
        for (const idToken of [tokens.idToken, answer.id_token]) {
          const claims = idToken === undefined ? {} : payloadOf(idToken)
          for (const name of names) expect(claims).not.toHaveProperty(name)
        }
      },
    )
  }

  it('oidcc-scope-all', async () => {
    const learnt = await learn({ scope: `openid ${Object.keys(CLAIMS).join(' ')}` })
    expect(Object.keys(learnt)).toEqual(expect.arrayContaining(Object.values(CLAIMS).flat()))
    expect(learnt).toMatchObject({ address: { country: 'JP' }, email_verified: true, phone_number_verified: true })
    expect(learnt.updated_at).toEqual(expect.any(Number))
  })

  it('oidcc-alternate-happy-flow', async () => {
    expect(await learn({ scope: 'email openid' })).toHaveProperty('email')
    const reversed = Object.fromEntries(Object.entries(rp().query()).reverse())
    expect(isLogin(await server.browser().get('/authorize', { query: reversed }))).toBe(true)
  })

  it.each(['page', 'popup'])('oidcc-display-%s', async (display) => {
    await login({ display })
  })

  it('oidcc-prompt-login', async () => {
    const { browser, tokens } = await login({ max_age: '10000' })
    server.clock.advance(2)
    const response = await rp().send(browser, { prompt: 'login' })
    expect(isLogin(response)).toBe(true)
    const again = await login({ prompt: 'login' }, browser)
    expect(Number(again.tokens.claims.auth_time)).toBeGreaterThan(Number(tokens.claims.auth_time))
  })

  it('oidcc-prompt-none-not-logged-in', async () => {
    const answer = await rp().authorize(server.browser(), { prompt: 'none' })
    expect(answer.error).toBe('login_required')
    expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(['code']))
  })

  it('oidcc-prompt-none-logged-in', async () => {
    const { browser, tokens } = await login({ max_age: '10000' })
    const again = await login({ prompt: 'none', max_age: '10000' }, browser)
    expect(again.tokens.claims.sub).toBe(tokens.claims.sub)
    expect(again.tokens.claims.auth_time).toBe(tokens.claims.auth_time)
  })

  it('oidcc-max-age-1', async () => {
    const { browser, tokens } = await login({ max_age: '10000' })
    server.clock.advance(2)
    expect(isLogin(await rp().send(browser, { max_age: '1' }))).toBe(true)
    const again = await login({ max_age: '1' }, browser)
    expect(Number(again.tokens.claims.auth_time)).toBeGreaterThan(Number(tokens.claims.auth_time))
  })

  it('oidcc-max-age-10000', async () => {
    const { browser, tokens } = await login({ max_age: '10000' })
    const response = await rp().send(browser, { max_age: '10000' })
    expect(isLogin(response)).toBe(false)
    expect(tokens.claims.auth_time).toEqual(expect.any(Number))
  })

  it('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
    await login({ extra: 'foobar' })
  })

  it('oidcc-id-token-hint', async () => {
    const { browser } = await login()
    const { tokens } = await relyingPartyLogin(browser)
    const answer = await rp().authorize(browser, { prompt: 'none', id_token_hint: tokens.idToken })
    expect(answer.error).toBeUndefined()
    expect((await rp().tokensOf(answer)).claims.sub).toBe(tokens.claims.sub)
  })

  it('oidcc-login-hint', async () => {
    const browser = server.browser()
    const response = await rp().send(browser, { login_hint: 'kim@mail.test' })
    const page = await browser.get(locationOf(response).href)
    expect(page.text).toContain('value="kim@mail.test"')
    expect((await logIn(browser, response)).status).toBeLessThan(400)
  })

  it.each([
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
  ])('%s', async (_module, extra: Record<string, string>) => {
    await login(extra)
  })

  it('oidcc-ensure-request-with-acr-values-succeeds', async () => {
    const { acr_values_supported } = (await server.browser().get('/.well-known/openid-configuration')).json()
    const known = acr_values_supported as string[]
    for (const acr_values of ['1 2', known.join(' ')])
      expect(known).toContain((await login({ acr_values })).tokens.claims.acr)
  })

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const answer = await rp().send(server.browser(), { redirect_uri: 'https://rp.test/cb/another' })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect(answer.text).not.toContain('<form method="post"')
  })

  it('oidcc-ensure-post-request-succeeds', async () => {
    const browser = server.browser()
    const { query } = rp()
    const response = await browser.post('/authorize', { form: query() })
    expect(isLogin(response)).toBe(true)
  })

  it.each([
    ['oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', 'request', UNSIGNED],
    ['oidcc-ensure-request-object-with-redirect-uri', 'request', UNSIGNED],
    ['oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', 'request_uri', 'https://rp.test/r'],
  ])('%s', async (_module, name, value) => {
    const answer = await rp().authorize(server.browser(), { [name]: value })
    expect(answer.error).toBe(`${name}_not_supported`)
  })

  it('oidcc-claims-essential', async () => {
    const wanted = { name: { essential: true } }
    const learnt = await learn({ claims: JSON.stringify({ userinfo: wanted, id_token: wanted }) })
    expect(learnt).toMatchObject({ name: 'Kim Ito' })
  })

  if (hasAccess) {
    it('oidcc-userinfo-get', async () => {
      const { tokens } = await login()
      const answer = await byHeader(server.browser(), tokens.accessToken)
      expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    })

    it('oidcc-userinfo-post-header', async () => {
      const { tokens } = await login()
      const headers = { authorization: `Bearer ${tokens.accessToken}` }
      expect((await server.browser().post('/userinfo', { headers })).status).toBe(200)
    })

    it('oidcc-userinfo-post-body', async () => {
      const { tokens } = await login()
      const form = { access_token: tokens.accessToken ?? '' }
      expect((await server.browser().post('/userinfo', { form })).json()).toHaveProperty('sub')
    })
  }

  if (hasCode) {
    it('oidcc-codereuse', async () => {
      const { answer } = await login()
      const again = await redeem(server.browser(), answer.code)
      expect([again.status, again.json().error]).toEqual([400, 'invalid_grant'])
    })

    it('oidcc-codereuse-30seconds', async () => {
      const { answer, tokens } = await login()
      server.clock.advance(30)
      expect((await redeem(server.browser(), answer.code)).json().error).toBe('invalid_grant')
      expect((await byHeader(server.browser(), tokens.accessToken)).status).toBe(401)
    })

    it('oidcc-server-client-secret-post', async () => {
      const answer = await rp().authorize(server.browser())
      const form = { code: answer.code, grant_type: 'authorization_code', redirect_uri: RP.callback }
      const credentials = { client_id: RP.clientId, client_secret: RP.secret }
      const exchanged = await server.browser().post('/oauth/token', { form: { ...form, ...credentials } })
      expect(exchanged.status).toBe(200)
    })

    it('oidcc-refresh-token', async () => {
      const { tokens } = await login({ scope: 'openid offline_access' })
      const headers = { authorization: `Basic ${Buffer.from(`${RP.clientId}:${RP.secret}`).toString('base64')}` }
      const refresh = (token: unknown) =>
        server
          .browser()
          .post('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: String(token) }, headers })
      const fresh = (await refresh(tokens.refreshToken)).json()
      expect(fresh).toMatchObject({ access_token: expect.any(String), id_token: expect.any(String) })
      expect(fresh.access_token).not.toBe(tokens.accessToken)
    })

    it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
      const { code } = await rp().authorize(server.browser(), pkce)
      expect((await redeem(server.browser(), code, { code_verifier: VERIFIER })).status).toBe(200)
    })
  }
})

/** A login whose only purpose is its ID token. */
async function relyingPartyLogin(browser: Browser) {
  const plain = relyingParty(server, { type: 'code', mode: 'default' })
  return { tokens: await plain.tokensOf(await plain.authorize(browser)) }
}
