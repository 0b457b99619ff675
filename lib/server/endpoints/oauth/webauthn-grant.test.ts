// Native passkeys: /passkey/challenge, /passkey/register and their grant (threat-model.md PK7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WEBAUTHN } from '../../../protocols/oauth/grants/webauthn'
import { type AuthenticatorCall, softCredential } from '../../../testing/authenticator'
import { payloadOf, SPA, WEB } from '../../../testing/journey'
import { codeOf, demand, OTP } from '../../../testing/mfa'
import { organizationsOf } from '../../../testing/organizations'
import { addPasskey, HERE, offerPasskeys } from '../../../testing/passkeys'
import { CONNECTION_ID } from '../../../testing/seed'
import { statementsOf } from '../../../testing/sent-statements'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const GRANTS = { grant_types: ['authorization_code', 'refresh_token', WEBAUTHN, OTP] }

let server: TestServer
let browser: Browser
let email: string
let credential: ReturnType<typeof softCredential>

beforeAll(async () => {
  server = await testServer()
  const web_origins = ['https://app.id.test', 'https://*.any.test']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, ...GRANTS, web_origins } })
  await server.addClient({ ...SPA, clientId: 'other', settings: { ...SPA.settings, ...GRANTS } })
  await server.addClient({ ...SPA, clientId: 'without' })
  for (const organization_usage of ['allow', 'require'])
    await server.addClient({
      ...{ ...SPA, clientId: `org-${organization_usage}` },
      settings: { ...SPA.settings, ...GRANTS, organization_usage, organization_require_behavior: 'post_login_prompt' },
    })
  await server.addClient({ ...SPA, clientId: 'third', settings: { ...SPA.settings, ...GRANTS, is_first_party: false } })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, ...GRANTS } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await offerPasskeys(server)
  await demand(server, [])
  browser = server.browser()
  email = `${server.random.hex(12)}@mail.test`
  credential = softCredential()
})

type Body = Record<string, unknown>
type Started = { auth_session: string; authn_params_public_key: Body & { challenge: string; user: { id: string } } }

const newUser = () => server.addUser({ email, data: { emailVerified: true } })
const call = (path: string, json: Body) => browser.post(path, { json: { client_id: 'spa', ...json } })
const challenge = async (json: Body = {}) => (await call('/passkey/challenge', json)).json() as unknown as Started
const register = async (json: Body = {}) =>
  (await call('/passkey/register', { user_profile: { email }, ...json })).json() as unknown as Started
const exchange = (json: Body): Promise<TestResponse> =>
  call('/oauth/token', { grant_type: WEBAUTHN, scope: 'openid profile email offline_access', ...json })

async function logIn(change: Partial<AuthenticatorCall> = {}, json: Body = {}): Promise<TestResponse> {
  const { auth_session, authn_params_public_key: options } = await challenge()
  const authn_response = credential.use({ ...HERE, challenge: options.challenge, ...change })
  return exchange({ auth_session, authn_response, ...json })
}

async function signUp(change: Partial<AuthenticatorCall> = {}, json: Body = {}): Promise<TestResponse> {
  const { auth_session, authn_params_public_key: options } = await register()
  const made = credential.create({ ...HERE, challenge: options.challenge, handle: options.user.id, ...change })
  return exchange({ auth_session, authn_response: made, ...json })
}

const refused = (answer: TestResponse) => [answer.status, answer.json().error]

describe('/passkey/challenge', () => {
  it('answers as the contract says, and names no credential', async () => {
    expect(await challenge()).toEqual({
      auth_session: expect.any(String),
      authn_params_public_key: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 60_000,
        rpId: 'id.test',
        userVerification: 'preferred',
      },
    })
  })
})

it('takes no passkey without user verification where the connection requires that', async () => {
  await offerPasskeys(server, { user_verification: 'required' })
  expect((await register()).authn_params_public_key).toMatchObject({
    authenticatorSelection: { userVerification: 'required' },
  })
  expect(refused(await signUp({ uv: false }))).toEqual([403, 'invalid_grant'])
  expect((await signUp()).status).toBe(200)
  expect((await challenge()).authn_params_public_key).toMatchObject({ userVerification: 'required' })
  expect(refused(await logIn({ uv: false }))).toEqual([403, 'invalid_grant'])
  expect((await logIn()).status).toBe(200)
})

describe('/passkey/register', () => {
  it('answers as the contract says, and stores nothing', async () => {
    expect(await register({ user_profile: { email, name: 'Ada Lovelace' } })).toEqual({
      auth_session: expect.any(String),
      authn_params_public_key: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 60_000,
        rp: { id: 'id.test', name: 'id.test' },
        user: { id: expect.stringMatching(/^[\w-]{43}$/), name: email, displayName: 'Ada Lovelace' },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      },
    })
    expect((await server.database.pool.query('SELECT 1 FROM "user" WHERE email = $1', [email])).rowCount).toBe(0)
  })

  it.each<[string, Body]>([
    ['no profile', { user_profile: undefined }],
    ['a profile that is no object', { user_profile: 'x' }],
    ['an unknown member', { user_profile: { email: 'a@mail.test', role: 'admin' } }],
    ['a phone number', { user_profile: { email: 'a@mail.test', phone_number: '+4915112345678' } }],
    ['no address', { user_profile: { name: 'Ada' } }],
    ['a malformed address', { user_profile: { email: 'a' } }],
    ['a long name', { user_profile: { email: 'a@mail.test', name: 'x'.repeat(301) } }],
    ['metadata that are no texts', { user_metadata: { a: { b: 1 } } }],
    ['eleven metadata', { user_metadata: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`m${i}`, 'x'])) }],
    ['an organization, for a client without', { organization: 'org_1234567890123456' }],
    ['an unknown realm', { realm: 'nowhere' }],
  ])('a registration is refused: %s', async (_what, json) => {
    expect(refused(await call('/passkey/register', { user_profile: { email }, ...json }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  it('reports an address that is taken', async () => {
    await newUser()
    expect(refused(await call('/passkey/register', { user_profile: { email: email.toUpperCase() } }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  it.each(['disable_signup', 'require_verified_email', 'hide_existing_accounts'])(
    'is refused with %s',
    async (option) => {
      await offerPasskeys(server, {}, { [option]: true })
      expect(refused(await call('/passkey/register', { user_profile: { email } }))).toEqual([400, 'invalid_request'])
    },
  )
})

describe.each(['/passkey/challenge', '/passkey/register'])('%s', (path) => {
  it('is 404 where passkeys are off', async () => {
    await offerPasskeys(server, {}, { authentication_methods: {} })
    expect(refused(await call(path, { user_profile: { email } }))).toEqual([404, 'not_found'])
  })

  it.each([
    ['a client without the grant', { client_id: 'without' }, [403, 'unauthorized_client']],
    ['a third-party client', { client_id: 'third' }, [403, 'unauthorized_client']],
    ['a wrong secret', { client_id: 'web', client_secret: 'wrong' }, [401, 'access_denied']],
    ['no secret', { client_id: 'web' }, [401, 'access_denied']],
  ])('a caller is refused: %s', async (_what, json, expected) => {
    expect(refused(await call(path, { user_profile: { email }, ...json }))).toEqual(expected)
  })

  it('lets a confidential client in with its secret', async () => {
    const json = { client_id: 'web', client_secret: WEB.secret, user_profile: { email } }
    expect((await call(path, json)).status).toBe(200)
  })
})

describe('the grant', () => {
  it('signs in, with a refresh token and without a nonce', async () => {
    const userId = await newUser()
    await addPasskey(server, userId, credential)
    const tokens = (await logIn()).json()
    expect(tokens.refresh_token).toEqual(expect.any(String))
    const claims = payloadOf(tokens.id_token)
    expect(claims).toMatchObject({ sub: userId, amr: ['swk', 'user', 'mfa'] })
    expect(claims).not.toHaveProperty('nonce')
  })

  it('creates the account', async () => {
    const { authn_params_public_key: options, auth_session } = await register({
      user_profile: { email, given_name: 'Ada' },
      user_metadata: { theme: 'dark' },
    })
    const {
      clientExtensionResults: _,
      authenticatorAttachment: __,
      ...made
    } = credential.create({
      ...HERE,
      challenge: options.challenge,
      handle: options.user.id,
    })
    const tokens = (await exchange({ auth_session, authn_response: made })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ email, email_verified: false, given_name: 'Ada' })
    const { rows } = await server.database.pool.query('SELECT user_metadata FROM "user" WHERE email = $1', [email])
    expect(rows).toEqual([{ user_metadata: { theme: 'dark' } }])
    expect((await logIn()).status).toBe(200)
  })

  it('takes the response as JSON in a form, too', async () => {
    await addPasskey(server, await newUser(), credential)
    const { auth_session, authn_params_public_key: options } = await challenge()
    const authn_response = JSON.stringify(credential.use({ ...HERE, challenge: options.challenge }))
    const form = { client_id: 'spa', grant_type: WEBAUTHN, auth_session, authn_response, scope: 'openid' }
    expect((await browser.post('/oauth/token', { form })).status).toBe(200)
  })

  it('takes a page of the client, and of no other origin', async () => {
    await addPasskey(server, await newUser(), credential)
    expect((await logIn({ origin: 'https://app.id.test' })).status).toBe(200)
    for (const origin of ['https://app.id.test:8443', 'http://app.id.test', 'https://x.any.test', 'https://*.any.test'])
      expect(refused(await logIn({ origin }))).toEqual([403, 'invalid_grant'])
  })

  it.each<[string, Partial<AuthenticatorCall>]>([
    ['for another host', { rpId: 'evil.test' }],
    ['for another challenge', { challenge: 'YW5vdGhlciBjaGFsbGVuZ2U' }],
    ['without the user present', { up: false }],
    ['in a frame of another origin', { crossOrigin: true }],
  ])('refuses an answer made %s, at login and at sign-up', async (_how, change) => {
    expect(refused(await signUp(change))).toEqual([403, 'invalid_grant'])
    await addPasskey(server, await newUser(), credential)
    expect(refused(await logIn(change))).toEqual([403, 'invalid_grant'])
  })

  it('refuses an unknown passkey', async () => {
    expect(refused(await logIn())).toEqual([403, 'invalid_grant'])
  })

  it('does what the session says, whatever the shape of the answer', async () => {
    await addPasskey(server, await newUser(), credential)
    const up = await register({ user_profile: { email: `new-${email}` } })
    const assertion = credential.use({ ...HERE, challenge: up.authn_params_public_key.challenge })
    expect(refused(await exchange({ auth_session: up.auth_session, authn_response: assertion }))).toEqual([
      403,
      'invalid_grant',
    ])
    const down = await challenge()
    const attestation = softCredential().create({ ...HERE, challenge: down.authn_params_public_key.challenge })
    expect(refused(await exchange({ auth_session: down.auth_session, authn_response: attestation }))).toEqual([
      403,
      'invalid_grant',
    ])
  })

  it('refuses a session of another client, of a page, expired, used or invented', async () => {
    await addPasskey(server, await newUser(), credential)
    const fresh = async () => {
      const { auth_session, authn_params_public_key: options } = await challenge()
      return { auth_session, authn_response: credential.use({ ...HERE, challenge: options.challenge }) }
    }
    expect(refused(await exchange({ ...(await fresh()), client_id: 'other' }))).toEqual([403, 'invalid_grant'])
    expect(refused(await exchange({ ...(await fresh()), auth_session: 'x' }))).toEqual([403, 'invalid_grant'])
    const used = await fresh()
    expect((await exchange(used)).status).toBe(200)
    expect(refused(await exchange(used))).toEqual([403, 'invalid_grant'])
    const late = await fresh()
    server.clock.advance(61)
    expect(refused(await exchange(late))).toEqual([403, 'invalid_grant'])
  })

  it.each<[Body]>([
    [{ auth_session: undefined }],
    [{ authn_response: undefined }],
    [{ authn_response: 'x' }],
    [{ organization: 'org_1234567890123456' }],
    [{ realm: 'nowhere' }],
  ])('refuses a request with %j', async (json) => {
    await addPasskey(server, await newUser(), credential)
    expect(refused(await logIn({}, json))).toEqual([400, 'invalid_request'])
  })

  it.each([[[]], [{}], ['[]'], ['null'], ['1']])('refuses %j as an answer', async (authn_response) => {
    expect(refused(await logIn({}, { authn_response }))).toEqual([403, 'invalid_grant'])
  })

  it('refuses a blocked user, and one whose address has to be verified first', async () => {
    const userId = await newUser()
    await addPasskey(server, userId, credential)
    await offerPasskeys(server, {}, { require_verified_email: true })
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [userId])
    expect(refused(await logIn())).toEqual([403, 'access_denied'])
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [userId])
    expect(refused(await logIn())).toEqual([403, 'invalid_grant'])
  })

  it('refuses a sign-up whose address was taken meanwhile, and keeps nothing', async () => {
    const { auth_session, authn_params_public_key: options } = await register()
    await newUser()
    const made = credential.create({ ...HERE, challenge: options.challenge, handle: options.user.id })
    expect(refused(await exchange({ auth_session, authn_response: made }))).toEqual([400, 'invalid_request'])
    expect(await (await server.runtime()).passkeys.find(credential.id)).toBe(null)
  })

  it('requires a second factor where the passkey is one factor only', async () => {
    await demand(server)
    await addPasskey(server, await newUser(), credential)
    expect((await logIn()).status).toBe(200)
    const answer = await logIn({ uv: false })
    expect(refused(answer)).toEqual([403, 'mfa_required'])
    expect(answer.json().mfa_token).toEqual(expect.any(String))
  })

  it('is refused to clients that may not use it', async () => {
    expect(refused(await exchange({ client_id: 'without' }))).toEqual([403, 'unauthorized_client'])
    expect(refused(await exchange({ client_id: 'third' }))).toEqual([403, 'unauthorized_client'])
  })

  it('has one winner of twenty with one session, at login and at sign-up', async () => {
    const up = await register()
    const made = credential.create({
      ...HERE,
      challenge: up.authn_params_public_key.challenge,
      handle: up.authn_params_public_key.user.id,
    })
    const wins = async (json: Body) =>
      (await Promise.all(Array.from({ length: 20 }, () => exchange(json)))).filter(({ status }) => status === 200)
        .length
    expect(await wins({ auth_session: up.auth_session, authn_response: made })).toBe(1)
    const down = await challenge()
    const used = credential.use({ ...HERE, challenge: down.authn_params_public_key.challenge })
    expect(await wins({ auth_session: down.auth_session, authn_response: used })).toBe(1)
  })
})

it('a login takes four statements: one uses the challenge, and none starts it', async () => {
  await addPasskey(server, await newUser(), credential)
  await logIn()
  const names = await statementsOf(server.database.pool, async () => {
    expect((await logIn()).status).toBe(200)
  })
  expect(names).toEqual(['ticket-claim', 'passkey-find', 'passkey-use', 'family-begin'])
})

describe('for an organization', () => {
  const APP = { client_id: 'org-allow' }
  let organizations: ReturnType<typeof organizationsOf>
  let acme: string
  let open: string
  let closed: string

  beforeAll(async () => {
    organizations = organizationsOf(server)
    acme = await organizations.add('acme')
    open = await organizations.add('open', {
      connections: { [CONNECTION_ID]: { signupEnabled: true, assignMembership: true } },
    })
    closed = await organizations.add('closed', { connections: {} })
  })

  async function logInTo(organization: Body, exchanged: Body = APP): Promise<TestResponse> {
    const { auth_session, authn_params_public_key: options } = await challenge({ ...APP, ...organization })
    const authn_response = credential.use({ ...HERE, challenge: options.challenge })
    return exchange({ auth_session, authn_response, ...exchanged })
  }

  async function newMember(...ids: string[]): Promise<string> {
    const userId = await newUser()
    await addPasskey(server, userId, credential)
    for (const id of ids) await organizations.join(id, userId)
    return userId
  }

  const usersNow = async () =>
    (await server.database.pool.query('SELECT 1 FROM "user" WHERE email = $1', [email])).rowCount

  it('signs a member in to it, and a refresh keeps it', async () => {
    await newMember(acme)
    const tokens = (await logInTo({ organization: acme }, { ...APP, organization: acme })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme })
    const form = { ...APP, grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const refreshed = (await browser.post('/oauth/token', { form })).json()
    expect(payloadOf(refreshed.id_token)).toMatchObject({ org_id: acme })
  })

  it('is that of the session, or of the token request alone', async () => {
    await newMember(acme, open)
    expect(payloadOf((await logInTo({ organization: acme })).json().id_token)).toMatchObject({ org_id: acme })
    const named = await logInTo({}, { ...APP, organization: acme })
    expect(payloadOf(named.json().id_token)).toMatchObject({ org_id: acme })
    expect(payloadOf((await logInTo({})).json().id_token)).not.toHaveProperty('org_id')
    const other = await logInTo({ organization: acme }, { ...APP, organization: open })
    expect(refused(other)).toEqual([400, 'invalid_request'])
  })

  it('is named by its name where the tenant allows names', async () => {
    await newMember(acme)
    const byName = () => call('/passkey/challenge', { ...APP, organization: 'ACME' })
    expect(refused(await byName())).toEqual([400, 'invalid_request'])
    await demand(server, [], [], { allow_organization_name_in_authentication_api: true })
    const claims = payloadOf((await logInTo({ organization: 'ACME' })).json().id_token)
    expect(claims).toMatchObject({ org_id: acme, org_name: 'acme' })
  })

  it('refuses who is no member', async () => {
    const userId = await newMember()
    const answer = await logInTo({ organization: acme })
    expect(refused(answer)).toEqual([403, 'access_denied'])
    expect(answer.json().error_description).toBe(`user ${userId} is not part of the ${acme} organization`)
  })

  it('makes a person a member where the organization says so', async () => {
    const userId = await newMember()
    expect(payloadOf((await logInTo({ organization: open })).json().id_token)).toMatchObject({ org_id: open })
    const members = 'SELECT 1 FROM organization_member WHERE organization_id = $1 AND user_id = $2'
    expect((await server.database.pool.query(members, [open, userId])).rowCount).toBe(1)
  })

  it.each(['/passkey/challenge', '/passkey/register'])(
    '%s refuses what the client or organization does not allow',
    async (path) => {
      const at = async (json: Body) => refused(await call(path, { user_profile: { email }, ...json }))
      expect(await at({ organization: acme })).toEqual([400, 'invalid_request'])
      expect(await at({ ...APP, organization: 'org_nowhere000000000' })).toEqual([400, 'invalid_request'])
      expect(await at({ ...APP, organization: closed })).toEqual([400, 'invalid_request'])
      expect(await at({ ...APP, organization: { id: acme } })).toEqual([400, 'invalid_request'])
      expect(await at({ client_id: 'org-require' })).toEqual([400, 'invalid_request'])
    },
  )

  it('refuses a connection that the organization of the token request does not enable', async () => {
    await newMember(closed)
    expect(refused(await logInTo({}, { ...APP, organization: closed }))).toEqual([403, 'access_denied'])
  })

  it('takes a sign-up where the organization does, and creates no account elsewhere', async () => {
    const started = (organization: string) => register({ ...APP, organization })
    expect(refused(await call('/passkey/register', { ...APP, user_profile: { email }, organization: acme }))).toEqual([
      400,
      'invalid_request',
    ])
    const finish = async ({ auth_session, authn_params_public_key: options }: Started, json: Body = {}) => {
      const made = credential.create({ ...HERE, challenge: options.challenge, handle: options.user.id })
      return exchange({ ...APP, auth_session, authn_response: made, ...json })
    }
    expect(refused(await finish(await register(APP), { organization: acme }))).toEqual([403, 'invalid_grant'])
    expect(await usersNow()).toBe(0)
    await offerPasskeys(server, {}, { disable_signup: true })
    const tokens = (await finish(await started(open))).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ email, org_id: open })
  })

  it('survives a second factor', async () => {
    await newMember(acme)
    await demand(server, ['all-applications'], ['otp'])
    const { auth_session, authn_params_public_key: options } = await challenge({ ...APP, organization: acme })
    const authn_response = credential.use({ ...HERE, challenge: options.challenge, uv: false })
    const demanded = (await exchange({ ...APP, auth_session, authn_response })).json()
    const headers = { authorization: `Bearer ${demanded.mfa_token}` }
    const json = { authenticator_types: ['otp'] }
    const { secret } = (await browser.post('/mfa/associate', { json, headers })).json()
    const form = { ...APP, grant_type: OTP, mfa_token: String(demanded.mfa_token), otp: codeOf(server, secret) }
    const tokens = (await browser.post('/oauth/token', { form })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme, amr: expect.arrayContaining(['mfa']) })
  })

  it('survives a second factor that a refresh requires, while the person is a member', async () => {
    const userId = await newMember(acme)
    await demand(server, [])
    await offerPasskeys(server, { counts_as_mfa: false })
    const tokens = (await logInTo({ organization: acme })).json()
    await demand(server, ['all-applications'], ['otp'])
    const form = { ...APP, grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const refresh = async () => (await browser.post('/oauth/token', { form })).json().mfa_token
    const first = await refresh()
    const headers = { authorization: `Bearer ${first}` }
    const json = { authenticator_types: ['otp'] }
    const { secret } = (await browser.post('/mfa/associate', { json, headers })).json()
    const prove = (mfa_token: unknown) => {
      server.clock.advance(60)
      const proof = { ...APP, grant_type: OTP, mfa_token: String(mfa_token), otp: codeOf(server, secret) }
      return browser.post('/oauth/token', { form: proof })
    }
    await organizations.leave(acme, userId)
    expect(refused(await prove(first))).toEqual([403, 'invalid_grant'])
    await organizations.join(acme, userId)
    expect(payloadOf((await prove(await refresh())).json().id_token)).toMatchObject({ org_id: acme })
  })
})
