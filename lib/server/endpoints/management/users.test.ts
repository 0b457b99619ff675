// Users in the Management API: what managers read, create, change and delete, and what ends with it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadOf, redeem, refresh, SPA, signIn, signInForTokens, userinfo } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { BREACHED, PASSWORD, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  const grant_types = ['authorization_code', 'refresh_token']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await server.addConnection('Named', { options: { requires_username: true } }, 'con_named')
  await server.addConnection('email', {}, 'con_email', 'email')
  await server.addConnection('sms', {}, 'con_sms', 'sms')
  await server.addConnection(
    'google',
    { options: { client_id: 'x', client_secret: 'y' } },
    'con_google',
    'google-oauth2',
  )
})
afterAll(() => server.close())

type Body = Record<string, unknown>

let made = 0
async function create(body: Body = {}): Promise<Body> {
  made += 1
  const answer = await manager.post('/users', {
    connection: 'Users',
    email: `person${made}@mail.test`,
    password: PASSWORD,
    verify_email: false,
    ...body,
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.json()
}
const pathOf = ({ user_id }: Body): string => `/users/${encodeURIComponent(String(user_id))}`
const patch = (user: Body, body: Body) => manager.patch(pathOf(user), body)
const refusal = (statusCode: number, errorCode: string) => ({ statusCode, errorCode })
const SCOPE = { scope: 'openid offline_access' }
const logIn = (email: unknown) => signInForTokens(server.browser(), String(email), SCOPE)

describe('POST /users', () => {
  it('creates a user who can log in, and shows the vendor’s object', async () => {
    const user = await create({
      email: 'Kim@Mail.test',
      given_name: 'Kim',
      user_metadata: { theme: 'dark' },
      app_metadata: { plan: 'gold' },
    })
    expect(user).toMatchObject({
      user_id: expect.stringMatching(/^auth0\|[0-9a-f]{24}$/),
      email: 'kim@mail.test',
      email_verified: false,
      name: 'kim@mail.test',
      nickname: 'kim',
      given_name: 'Kim',
      blocked: false,
      user_metadata: { theme: 'dark' },
      app_metadata: { plan: 'gold' },
      identities: [{ connection: 'Users', provider: 'auth0', isSocial: false, user_id: expect.any(String) }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      logins_count: 0,
    })
    const tokens = await logIn('kim@mail.test')
    expect(payloadOf(tokens.id_token).sub).toBe(user.user_id)
    expect((await manager.get(pathOf(user))).json()).toMatchObject({ logins_count: 1, last_login: expect.any(String) })
  })

  it('mails the link that verifies the address, unless verify_email is false', async () => {
    await create({ email: 'mailed@mail.test', verify_email: undefined })
    expect(await ticketTo(server, 'mailed@mail.test')).toEqual(expect.any(String))
    await create({ email: 'quiet@mail.test' })
    await create({ email: 'known@mail.test', verify_email: undefined, email_verified: true })
    expect(await mailsTo(server, 'quiet@mail.test')).toEqual([])
    expect(await mailsTo(server, 'known@mail.test')).toEqual([])
  })

  it('takes an id, a user name, or no password', async () => {
    expect((await create({ user_id: 'given-1' })).user_id).toBe('auth0|given-1')
    expect(await create({ connection: 'Named', username: 'Zoe' })).toMatchObject({ username: 'zoe' })
    const without = await create({ password: undefined })
    expect((await signIn(server.browser(), String(without.email))).get('code')).toBeNull()
  })

  it('creates users of passwordless connections', async () => {
    const mail = { connection: 'email', email: 'code@mail.test', password: undefined, email_verified: true }
    expect((await create(mail)).user_id).toMatch(/^email\|/)
    const phone = { connection: 'sms', email: undefined, password: undefined, phone_number: '+49 1511 2349167' }
    expect(await create(phone)).toMatchObject({ phone_number: '+4915112349167', phone_verified: false })
  })

  it.each<[string, Body, number, string]>([
    ['a taken address', { email: 'KIM@mail.test' }, 409, 'auth0_idp_error'],
    ['a taken id', { user_id: 'given-1' }, 409, 'auth0_idp_error'],
    ['a taken user name', { connection: 'Named', username: 'zoe' }, 409, 'auth0_idp_error'],
    ['an unknown connection', { connection: 'Nowhere' }, 400, 'inexistent_connection'],
    ['a connection of a provider', { connection: 'google' }, 400, 'operation_not_supported'],
    ['no address', { email: undefined }, 400, 'invalid_body'],
    ['no address', { connection: 'email', email: undefined, password: undefined }, 400, 'invalid_body'],
    ['no number', { connection: 'sms', password: undefined }, 400, 'invalid_body'],
    ['an invalid number', { connection: 'sms', password: undefined, phone_number: '12' }, 400, 'invalid_body'],
    ['an invalid address', { email: 'someone' }, 400, 'invalid_body'],
    ['a password without a database', { connection: 'email' }, 400, 'operation_not_supported'],
    ['a user name that is not taken', { username: 'zoe' }, 400, 'invalid_body'],
    ['no user name', { connection: 'Named' }, 400, 'invalid_body'],
    ['a user name with an @', { connection: 'Named', username: 'a@b' }, 400, 'invalid_body'],
    ['an id with a bar', { user_id: 'auth0|x' }, 400, 'invalid_body'],
    ['an unknown member', { shoe_size: 42 }, 400, 'invalid_body'],
    ['a picture that is no address', { picture: 'javascript:alert(1)' }, 400, 'invalid_body'],
    ['metadata that is a list', { app_metadata: [1] }, 400, 'invalid_body'],
    ['metadata that is too large', { app_metadata: { a: 'x'.repeat(70_000) } }, 400, 'invalid_body'],
  ])('a new user with %s is refused', async (_what, body, status, code) => {
    made += 1
    const whole = { connection: 'Users', email: `refused${made}@mail.test`, password: PASSWORD, ...body }
    expect((await manager.post('/users', whole)).json()).toMatchObject(refusal(status, code))
  })

  it.each([
    ['short', 'PasswordStrengthError: Password is too weak'],
    [BREACHED, 'PasswordLeakedError: Password has been leaked'],
  ])('refuses the password %s as the connection does', async (password, message) => {
    const answer = await manager.post('/users', { connection: 'Users', email: 'weak@mail.test', password })
    expect(answer.json()).toMatchObject({ statusCode: 400, message })
  })

  it('creates one of two at the same time', async () => {
    const body = { connection: 'Users', email: 'race@mail.test', password: PASSWORD }
    const answers = await Promise.all([manager.post('/users', body), manager.post('/users', body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

describe('GET /users', () => {
  it('searches, sorts, and selects members', async () => {
    const user = await create({ app_metadata: { shelf: 'top' }, name: 'Zeta' })
    const other = await create({ app_metadata: { shelf: 'top' }, name: 'Alpha' })
    const ask = (query: Record<string, string>) => manager.get('/users', { query: { search_engine: 'v3', ...query } })
    const found = await ask({ q: 'app_metadata.shelf:top', sort: 'name:1', include_totals: 'true' })
    expect(found.json()).toMatchObject({ start: 0, limit: 50, length: 2, total: 2 })
    expect((found.json().users as Body[]).map((each) => each.user_id)).toEqual([other.user_id, user.user_id])
    const fields = await ask({ q: `user_id:"${user.user_id}"`, fields: 'email,user_id', include_fields: 'true' })
    expect(JSON.parse(fields.text)).toEqual([{ email: user.email, user_id: user.user_id }])
    expect(JSON.parse((await ask({ connection: 'sms' })).text)).toHaveLength(1)
    expect(JSON.parse((await ask({ q: 'email:nobody@mail.test' })).text)).toEqual([])
  })

  it.each([
    { q: 'name:"open' },
    { q: 'logins_count:many' },
    { sort: 'name' },
    { sort: 'name:2' },
    { sort: 'app_metadata:1' },
    { search_engine: 'v9' },
    { page: '10', per_page: '100' },
    { per_page: '101' },
    { include_totals: 'yes' },
  ])('the query %j is refused', async (query) => {
    expect((await manager.get('/users', { query })).json()).toMatchObject(refusal(400, 'invalid_query_string'))
  })

  it('goes on by checkpoint where pages end', async () => {
    expect((await manager.get('/users', { query: { page: '9', per_page: '100' } })).status).toBe(200)
    const answer = (await manager.get('/users', { query: { take: '1' } })).json()
    expect(answer).toMatchObject({ users: [expect.any(Object)], next: expect.any(String) })
  })

  it('never shows a hash, and never a user of another tenant', async () => {
    const far = await server.addTenant('far', 'https://far.test')
    await far.addUser({ id: 'far', email: 'far@mail.test' })
    const all = await manager.get('/users', { query: { per_page: '100' } })
    expect(all.text).not.toMatch(/argon2|password_hash|far@mail/)
    const byEmail = await manager.get('/users-by-email', { query: { email: 'far@mail.test' } })
    expect(JSON.parse(byEmail.text)).toEqual([])
  })

  it('finds by address, whatever its case', async () => {
    const user = await create({ email: 'case@mail.test' })
    const answer = await manager.get('/users-by-email', { query: { email: 'CASE@mail.test', fields: 'user_id' } })
    expect(JSON.parse(answer.text)).toEqual([{ user_id: user.user_id }])
    expect((await manager.get('/users-by-email')).json()).toMatchObject(refusal(400, 'invalid_query_string'))
  })

  it('shows the tokens of providers to readers of them alone', async () => {
    const sealed = server.vault.seal('upstream tokens', '{"accessToken":"at-1","refreshToken":null}', server.random)
    await server.database.pool.query(
      `INSERT INTO "user" (tenant_id, id) SELECT tenant_id, 'google-oauth2|7' FROM connection WHERE id = 'con_google'`,
    )
    await server.database.pool.query(
      `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, is_social, sealed_tokens)
       SELECT tenant_id, id, '7', 'google-oauth2', 'google-oauth2|7', true, $1 FROM connection WHERE id = 'con_google'`,
      [sealed],
    )
    const path = '/users/google-oauth2%7C7'
    expect((await manager.get(path)).json()).toMatchObject({ identities: [{ access_token: 'at-1', isSocial: true }] })
    const token = await manager.token(['read:users'])
    expect((await manager.get(path, { token })).text).not.toContain('at-1')
  })
})

describe('PATCH /users/:id', () => {
  it('merges metadata at the first level; null removes', async () => {
    const user = await create({ user_metadata: { a: 1, b: { c: 1 } }, app_metadata: { x: 1 } })
    const body = { user_metadata: { b: { d: 2 }, a: null }, app_metadata: { y: [1] } }
    expect((await patch(user, body)).json()).toMatchObject({
      user_metadata: { b: { d: 2 } },
      app_metadata: { x: 1, y: [1] },
    })
    expect((await patch(user, { app_metadata: {} })).json().app_metadata).toEqual({})
  })

  it('keeps both of two changes at the same time', async () => {
    const user = await create()
    await Promise.all([patch(user, { app_metadata: { a: 1 } }), patch(user, { app_metadata: { b: 2 } })])
    expect((await manager.get(pathOf(user))).json().app_metadata).toEqual({ a: 1, b: 2 })
  })

  it('with app_metadata alone needs no more than its own scope', async () => {
    const user = await create()
    const token = await manager.token(['update:users_app_metadata'])
    const send = (json: Body) => manager.send('PATCH', pathOf(user), { json, token })
    expect((await send({ app_metadata: { a: 1 } })).status).toBe(200)
    expect((await send({ app_metadata: { a: 1 }, blocked: true })).json()).toMatchObject(
      refusal(403, 'insufficient_scope'),
    )
  })

  it('sets and unsets names', async () => {
    const user = await create({ name: 'Before', nickname: 'b' })
    expect((await patch(user, { name: 'After', nickname: null, picture: 'https://p.test/1' })).json()).toMatchObject({
      name: 'After',
      nickname: expect.stringMatching(/^person/),
      picture: 'https://p.test/1',
    })
  })

  it('a block ends sessions, tokens and codes', async () => {
    const user = await create()
    const browser = server.browser()
    const code = (await signIn(browser, String(user.email), SCOPE)).get('code')
    const tokens = await logIn(user.email)
    expect((await patch(user, { blocked: true })).json()).toMatchObject({ blocked: true })
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(401)
    expect((await redeem(browser, String(code))).status).toBe(403)
    await patch(user, { blocked: false })
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    expect((await logIn(user.email)).access_token).toEqual(expect.any(String))
  })

  it('a message that verifies a number is not sent, and its request is reported', async () => {
    const user = await create()
    await patch(user, { phone_number: '+4915112349167', verify_phone_number: true })
    expect(await lastReported(server)).toEqual(['verify_phone_number'])
  })

  it('a password ends the logins of the one before', async () => {
    const user = await create()
    const tokens = await logIn(user.email)
    const changed = await patch(user, { password: 'another password of hers', connection: 'Users' })
    expect(changed.status, changed.text).toBe(200)
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    const log = (await server.audited()).filter((each) => JSON.stringify(each).includes('users.update'))
    expect(JSON.stringify(log)).not.toContain('another password')
    expect(JSON.stringify(log.at(-1))).toContain('[masked]')
  })

  it('an address finds the account from then on, unverified', async () => {
    const user = await create({ email_verified: true })
    const changed = await patch(user, { email: 'New-Address@mail.test', verify_email: true })
    expect(changed.json()).toMatchObject({ email: 'new-address@mail.test', email_verified: false })
    expect(await ticketTo(server, 'new-address@mail.test')).toEqual(expect.any(String))
    expect((await logIn('new-address@mail.test')).access_token).toEqual(expect.any(String))
    const freed = await create({ email: String(user.email) })
    expect((await patch(freed, { email: 'new-address@mail.test' })).json()).toMatchObject(
      refusal(409, 'auth0_idp_error'),
    )
  })

  it('a change that first verifies an address removes what was attached before, and ends every login (BF1)', async () => {
    const user = await create({ user_metadata: { planted: true }, app_metadata: { plan: 'gold' } })
    const tokens = await logIn(user.email)
    await server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, user_id, id, type, active, created_at)
       SELECT tenant_id, id, 'totp|dev_planted', 'otp', true, now() FROM "user" WHERE id = $1`,
      [user.user_id],
    )
    const changed = (await patch(user, { email_verified: true })).json()
    expect(changed).toMatchObject({ email_verified: true, user_metadata: {}, app_metadata: { plan: 'gold' } })
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    const { rows } = await server.database.pool.query("SELECT 1 FROM authenticator WHERE id = 'totp|dev_planted'")
    expect(rows).toEqual([])
    const again = await logIn(user.email)
    await patch(user, { email_verified: true, user_metadata: { own: 1 } })
    expect((await refresh(server.browser(), again.refresh_token)).status).toBe(200)
  })

  it('of a user who never logged in keeps the metadata that its manager gave', async () => {
    const user = await create({ user_metadata: { given: 1 } })
    expect((await patch(user, { email_verified: true })).json()).toMatchObject({ user_metadata: { given: 1 } })
  })

  it('renames, and refuses a taken name', async () => {
    const user = await create({ connection: 'Named', username: 'first' })
    await create({ connection: 'Named', username: 'second' })
    expect((await patch(user, { username: 'third' })).json()).toMatchObject({ username: 'third' })
    expect((await patch(user, { username: 'second' })).json()).toMatchObject(refusal(409, 'auth0_idp_error'))
  })

  it.each<[string, Body, string]>([
    ['a weak password', { password: 'x' }, 'invalid_body'],
    ['no password', { password: null }, 'invalid_body'],
    ['an unknown connection', { password: PASSWORD, connection: 'Nowhere' }, 'inexistent_connection'],
    ['a connection without an account', { password: PASSWORD, connection: 'Named' }, 'invalid_body'],
    ['no address', { email: null }, 'invalid_body'],
    ['a user name that is not taken', { username: 'zoe' }, 'invalid_body'],
    ['an unknown member', { shoe_size: 42 }, 'invalid_body'],
    ['a member of a wrong type', { blocked: 'yes' }, 'invalid_body'],
  ])('a change with %s is refused', async (_what, body, code) => {
    const user = await create()
    expect((await patch(user, body)).json()).toMatchObject(refusal(400, code))
  })

  it('refuses what a provider decides', async () => {
    const user = { user_id: 'google-oauth2|7' }
    for (const body of [{ name: 'New' }, { email: 'new@mail.test' }, { password: PASSWORD }])
      expect((await patch(user, body)).json()).toMatchObject(refusal(400, 'operation_not_supported'))
    expect((await patch(user, { app_metadata: { a: 1 }, blocked: true })).status).toBe(200)
  })
})

describe('DELETE /users/:id', () => {
  it('removes the user with all logins, and frees the address', async () => {
    const user = await create()
    const tokens = await logIn(user.email)
    expect((await manager.remove(pathOf(user))).status).toBe(204)
    expect((await manager.get(pathOf(user))).json()).toMatchObject(refusal(404, 'inexistent_user'))
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(403)
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(401)
    const { rows } = await server.database.pool.query(
      'SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL UNION ALL SELECT 1 FROM identity WHERE user_id = $1',
      [user.user_id],
    )
    expect(rows).toEqual([])
    expect((await create({ email: user.email })).user_id).not.toBe(user.user_id)
  })
})
