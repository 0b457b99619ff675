// The vendor's My Account API (threat-model.md MA1 to MA4).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { softCredential } from '../../../testing/authenticator'
import { beginLogin, payloadOf, redeem, SPA, signIn, signInForTokens, WEB } from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import { bearer, codeOf, demand } from '../../../testing/mfa'
import { addPasskey, HERE, offerPasskeys } from '../../../testing/passkeys'
import { messagesTo } from '../../../testing/passwordless'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const ME = 'https://id.test/me/'
const METHODS = '/me/v1/authentication-methods'
const SCOPES = ['create', 'read', 'update', 'delete'].map((verb) => `${verb}:me:authentication_methods`)
const SCOPE = [...SCOPES, 'read:me:factors'].join(' ')
/** Without mail: a verified address would be a factor by itself. */
const FACTORS = ['otp', 'sms', 'push-notification', 'recovery-code']

let server: TestServer
let browser: Browser
let userId: string
let email: string
let token: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: ['authorization_code', 'password'] } })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['client_credentials'] } })
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addClient({ ...SPA, clientId: 'other' })
  await offerPasskeys(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  await demand(server, [], FACTORS, { rate_limits: { mfa: false, current_user: false } })
  server.clock.advance(60)
  email = `kim-${server.random.hex(6)}@mail.test`
  userId = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser()
  token = await tokenOf(email)
})

const ASK = { audience: ME, scope: SCOPE }
const tokenOf = async (who: string, extra: Record<string, string> = {}): Promise<string> =>
  String((await signInForTokens(server.browser(), who, { ...ASK, ...extra })).access_token)
/** Of another application of the same person. */
async function tokenOfOther(): Promise<string> {
  const own = server.browser()
  const code = (await signIn(own, email, { ...ASK, client_id: 'other' })).get('code') ?? ''
  return String((await redeem(own, code, { client_id: 'other' })).json().access_token)
}

const send = (method: string, path: string, json?: object, by = token, headers = {}): Promise<TestResponse> =>
  browser.send(method, path, { headers: { ...bearer(by), ...headers }, ...(json === undefined ? {} : { json }) })
const begin = (json: object, by = token): Promise<TestResponse> => send('POST', METHODS, json, by)
const pathOf = (id: unknown): string => `${METHODS}/${encodeURIComponent(String(id))}`
const verify = (id: unknown, json: object, by = token): Promise<TestResponse> =>
  send('POST', `${pathOf(id)}/verify`, json, by)
const list = async (by = token): Promise<Record<string, unknown>[]> =>
  (await send('GET', METHODS, undefined, by)).json().authentication_methods as Record<string, unknown>[]
const typesOf = async (by = token): Promise<unknown[]> => (await list(by)).map(({ type }) => type)

/** Marks the login of the token as one with a proven factor. */
async function proven(bearerToken: string): Promise<string> {
  const text = `UPDATE token_family SET authentication = jsonb_set(authentication::jsonb, '{methods}', '["pwd","mfa"]')
    WHERE id = $1`
  await server.database.pool.query(text, [String(payloadOf(bearerToken).jti).split('.')[0]])
  return bearerToken
}

type Started = { id: string; auth_session: string; manual_input_code: string; recovery_code: string }

async function beginTotp(by = token): Promise<Started> {
  return (await begin({ type: 'totp' }, by)).json() as Started
}
async function addTotp(by = token): Promise<string> {
  const { id, auth_session, manual_input_code } = await beginTotp(by)
  const answer = await verify(id, { auth_session, otp_code: codeOf(server, manual_input_code) }, by)
  expect(answer.status).toBe(201)
  return id
}

const problem = (status: number, detail: unknown = expect.any(String)) => ({
  type: expect.stringMatching(`^https://auth0\\.com/api-errors/A0E-${status}-\\d{4}$`),
  status,
  title: expect.any(String),
  detail,
})
function expectRefused(answer: TestResponse, status: number, detail?: unknown): void {
  expect(answer.json()).toMatchObject(problem(status, detail))
  expect(answer.status).toBe(status)
  expect(Object.keys(answer.json()).filter((name) => name !== 'validation_errors')).toEqual([
    'type',
    'status',
    'title',
    'detail',
  ])
}

describe('a new person', () => {
  it('has a password, and can add what the tenant enables', async () => {
    expect(await list()).toEqual([
      {
        id: expect.stringMatching(/^password\|/),
        type: 'password',
        identity_user_id: userId,
        usage: ['primary'],
        created_at: expect.stringMatching(/Z$/),
      },
    ])
    expect((await send('GET', '/me/v1/factors')).json()).toEqual({
      factors: [
        { type: 'password', usage: ['primary'] },
        { type: 'passkey', usage: ['primary'] },
        { type: 'recovery-code', usage: ['secondary'] },
        { type: 'totp', usage: ['secondary'] },
        { type: 'push-notification', usage: ['secondary'] },
        { type: 'phone', usage: ['secondary'] },
      ],
    })
  })
})

describe('an authenticator app', () => {
  it('is added by its code, once, and no recovery code comes with it', async () => {
    const started = await begin({ type: 'totp' })
    expect(started.status).toBe(202)
    const { id, auth_session, barcode_uri, manual_input_code, ...rest } = started.json()
    expect(rest).toEqual({})
    expect(barcode_uri).toContain(`secret=${manual_input_code}`)
    expect(started.header('location')).toBe(`https://id.test${pathOf(id)}`)
    expect((await send('GET', pathOf(id))).json()).toMatchObject({ id, type: 'totp', confirmed: false })
    expectRefused(await verify(id, { auth_session, otp_code: '000000' }), 400, 'The code is wrong')
    const otp_code = codeOf(server, manual_input_code)
    const confirmed = await verify(id, { auth_session, otp_code })
    expect(confirmed.status).toBe(201)
    expect(confirmed.header('location')).toBe(`https://id.test${pathOf(id)}`)
    const method = { id, type: 'totp', confirmed: true, usage: ['secondary'], created_at: expect.any(String) }
    expect(confirmed.json()).toEqual(method)
    expect((await send('GET', pathOf(id))).json()).toEqual(method)
    expect(await typesOf()).toEqual(['password', 'totp'])
    await proven(token)
    expectRefused(await verify(id, { auth_session, otp_code }), 400)
  })

  it('is not confirmed by the code of another that the person has', async () => {
    await proven(token)
    const first = await beginTotp()
    await verify(first.id, { auth_session: first.auth_session, otp_code: codeOf(server, first.manual_input_code) })
    server.clock.advance(60)
    const { id, auth_session } = await beginTotp()
    const answer = await verify(id, { auth_session, otp_code: codeOf(server, first.manual_input_code) })
    expectRefused(answer, 400, 'The code is wrong')
    expect((await send('GET', pathOf(id))).json()).toMatchObject({ confirmed: false })
  })

  it('is confirmed by one of two parallel requests', async () => {
    // Without it, a request that begins after the first is done is refused for its token.
    await proven(token)
    const { id, auth_session, manual_input_code } = await beginTotp()
    const otp_code = codeOf(server, manual_input_code)
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(id, { auth_session, otp_code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400])
  })

  it('is renamed and removed', async () => {
    const id = await addTotp(await proven(token))
    expect((await send('PATCH', pathOf(id), { name: 'My phone' })).json()).toMatchObject({ id, name: 'My phone' })
    expectRefused(await send('PATCH', pathOf(id), { preferred_authentication_method: 'voice' }), 400)
    expect((await send('DELETE', pathOf(id))).status).toBe(204)
    expectRefused(await send('DELETE', pathOf(id)), 404)
    expect(await typesOf()).toEqual(['password'])
  })

  it('is refused after too many wrong codes', async () => {
    const { id, auth_session } = await beginTotp()
    const guess = () => verify(id, { auth_session, otp_code: '000000' })
    for (let i = 0; i < 10; i += 1) expectRefused(await guess(), 400)
    const blocked = await guess()
    expectRefused(blocked, 429)
    expect(Number(blocked.header('retry-after'))).toBeGreaterThan(0)
  })

  it('can be added twenty times', async () => {
    await proven(token)
    const { tenantId } = await server.runtime()
    await server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, user_id, id, type, active, created_at)
       SELECT $1, $2, 'totp|' || $2 || n, 'otp', true, $3 FROM generate_series(1, 20) n`,
      [tenantId, userId, server.clock.now()],
    )
    expectRefused(await begin({ type: 'totp' }), 403, 'A person can have 20 factors')
  })
})

describe('a phone', () => {
  const phone_number = '+4915112349167'

  async function addPhone(): Promise<string> {
    const started = (await begin({ type: 'phone', phone_number })).json()
    const [message] = await messagesTo(server, phone_number)
    const answer = await verify(started.id, { auth_session: started.auth_session, otp_code: message?.code })
    expect(answer.status).toBe(201)
    return String(started.id)
  }

  it('is added by the code that was sent to it, and can get calls', async () => {
    const id = await addPhone()
    await proven(token)
    const shown = await send('GET', pathOf(id))
    expect(shown.json()).toMatchObject({ type: 'phone', phone_number, preferred_authentication_method: 'sms' })
    const changed = await send('PATCH', pathOf(id), { preferred_authentication_method: 'voice' })
    expect(changed.json()).toMatchObject({ id, preferred_authentication_method: 'voice' })
    expect((await list()).find((each) => each.id === id)).toMatchObject({ preferred_authentication_method: 'voice' })
  })

  it('does not become one of a disabled kind, which would prove nothing', async () => {
    const id = await addPhone()
    await proven(token)
    await server.setTenant({
      guardianFactors: FACTORS.map((name) => ({ name, enabled: true })),
      guardianPhoneFactorMessageTypes: { message_types: ['sms'] },
    })
    server.clock.advance(2)
    expectRefused(await send('PATCH', pathOf(id), { preferred_authentication_method: 'voice' }), 400)
    expect((await send('GET', pathOf(id))).json()).toMatchObject({ preferred_authentication_method: 'sms' })
  })

  it('is refused without a number, with a wrong number, and without a code', async () => {
    const missing = await begin({ type: 'phone' })
    expectRefused(missing, 400)
    expect(missing.json().validation_errors).toEqual([
      { detail: expect.any(String), field: 'phone_number', pointer: '/phone_number', source: 'body' },
    ])
    expectRefused(await begin({ type: 'phone', phone_number: '12' }), 400)
    const { id, auth_session } = (await begin({ type: 'phone', phone_number })).json()
    expectRefused(await verify(id, { auth_session }), 400, 'The code is missing')
  })
})

describe('an address', () => {
  it('is added by the code that was mailed to it', async () => {
    await demand(server, [], ['email'])
    server.clock.advance(2)
    await proven(token)
    const address = `second-${server.random.hex(6)}@mail.test`
    const started = (await begin({ type: 'email', email: address })).json()
    const [message] = await messagesTo(server, address)
    const answer = await verify(started.id, { auth_session: started.auth_session, otp_code: message?.code })
    expect(answer.status).toBe(201)
    expect(answer.json()).toMatchObject({ type: 'email', email: address, confirmed: true })
  })
})

describe('a device', () => {
  it('is added when it has opened the address of the QR code', async () => {
    const { id, auth_session, barcode_uri } = (await begin({ type: 'push-notification' })).json()
    expectRefused(await verify(id, { auth_session }), 400, 'The device has not answered yet')
    const enrollment_tx_id = new URL(String(barcode_uri)).searchParams.get('enrollment_tx_id')
    await server.browser().post('/mfa/devices', { json: { enrollment_tx_id, name: 'Pixel' } })
    server.clock.advance(5)
    const answer = await verify(id, { auth_session })
    expect(answer.json()).toMatchObject({ type: 'push-notification', confirmed: true, name: 'Pixel' })
    expect(answer.status).toBe(201)
  })
})

describe('a security key', () => {
  it('is listed, renamed and removed, and is added on the pages alone', async () => {
    await proven(token)
    const id = 'webauthn-roaming|dev_key'
    const { tenantId } = await server.runtime()
    await server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, user_id, id, type, active, created_at)
       VALUES ($1, $2, $3, 'webauthn-roaming', true, $4)`,
      [tenantId, userId, id, server.clock.now()],
    )
    const key = { id, type: 'webauthn-roaming', confirmed: true, usage: ['secondary'] }
    expect((await send('GET', `${METHODS}?type=webauthn-roaming`)).json().authentication_methods).toMatchObject([key])
    expect((await send('PATCH', pathOf(id), { name: 'Blue key' })).json()).toMatchObject({ ...key, name: 'Blue key' })
    expectRefused(await begin({ type: 'webauthn-roaming' }), 400)
    expect((await send('DELETE', pathOf(id))).status).toBe(204)
    expect(await typesOf()).toEqual(['password'])
  })
})

describe('a recovery code', () => {
  const current = async () =>
    (
      await server.database.pool.query(
        "SELECT id, secret_digest AS digest FROM authenticator WHERE user_id = $1 AND type = 'recovery-code' AND active",
        [userId],
      )
    ).rows

  it('is shown once, counts after its confirmation, and then replaces the one before', async () => {
    await proven(token)
    await addTotp()
    const first = (await begin({ type: 'recovery-code' })).json() as Started
    expect(first.recovery_code).toMatch(/^[A-Z0-9]{24}$/)
    expect(await current()).toEqual([])
    const confirmed = await verify(first.id, { auth_session: first.auth_session })
    expect(confirmed.status).toBe(201)
    expect(confirmed.text).not.toContain(first.recovery_code)
    expect((await send('GET', METHODS)).text).not.toContain(first.recovery_code)
    const [before] = await current()
    const second = (await begin({ type: 'recovery-code' })).json() as Started
    expect(await current()).toEqual([before])
    const bodies = Array.from({ length: 3 }, () => verify(second.id, { auth_session: second.auth_session }))
    expect((await Promise.all(bodies)).map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    const [after, ...others] = await current()
    expect(others).toEqual([])
    expect(after.id).toBe(second.id)
    expect(after.digest).not.toEqual(before.digest)
    expectRefused(await send('PATCH', pathOf(second.id), { name: 'x' }), 400)
    expect((await send('DELETE', pathOf(second.id))).status).toBe(204)
  })

  it('needs a factor, also when it is confirmed', async () => {
    expectRefused(await begin({ type: 'recovery-code' }), 403)
    await proven(token)
    const factor = await addTotp()
    const { id, auth_session } = (await begin({ type: 'recovery-code' })).json()
    await send('DELETE', pathOf(factor))
    expectRefused(await verify(id, { auth_session }), 403)
    expect(await current()).toEqual([])
  })
})

describe('a passkey', () => {
  type Options = { challenge: string; user: { id: string }; excludeCredentials?: { id: string }[] }

  async function beginPasskey(json: object = {}, by = token) {
    const answer = await begin({ type: 'passkey', ...json }, by)
    expect(answer.status).toBe(202)
    const { auth_session, authn_params_public_key: options, ...rest } = answer.json()
    expect(rest).toEqual({})
    expect(answer.header('location')).toBe(`https://id.test${METHODS}/passkey%7Cnew`)
    return { auth_session, options: options as Options }
  }
  const made = ({ challenge, user }: Options, origin = HERE.origin, credential = softCredential()) =>
    credential.create({ ...HERE, origin, challenge, handle: user.id })

  it('is added from a page of the application, renamed and removed', async () => {
    const { auth_session, options } = await beginPasskey({ connection: 'Users', identity_user_id: userId })
    const authn_response = made(options, 'https://app.test')
    const added = await verify('passkey|new', { auth_session, authn_response })
    expect(added.status).toBe(201)
    expect(added.json()).toMatchObject({
      id: expect.stringMatching(/^passkey\|dev_/),
      type: 'passkey',
      key_id: authn_response.id,
      credential_device_type: 'multi_device',
      credential_backed_up: true,
      identity_user_id: userId,
      user_handle: options.user.id,
      relying_party_id: 'id.test',
      usage: ['primary'],
    })
    expect(added.json()).not.toHaveProperty('confirmed')
    const { id } = added.json()
    expect(added.header('location')).toBe(`https://id.test${pathOf(id)}`)
    expect((await beginPasskey()).options.excludeCredentials).toMatchObject([{ id: authn_response.id }])
    expect((await beginPasskey({ use_exclude_credentials: false })).options.excludeCredentials).toBeUndefined()
    expect((await send('PATCH', pathOf(id), { name: 'Key' })).json()).toMatchObject({ id, name: 'Key' })
    expectRefused(await send('PATCH', pathOf(id), { preferred_authentication_method: 'sms' }), 400)
    expect((await send('DELETE', pathOf(id))).status).toBe(204)
    expectRefused(await send('GET', pathOf(id)), 404)
  })

  it('is refused from another page, with another challenge, twice, and for another application', async () => {
    const foreign = await beginPasskey()
    const elsewhere = made(foreign.options, 'https://evil.test')
    expectRefused(await verify('passkey|new', { auth_session: foreign.auth_session, authn_response: elsewhere }), 400)
    const { auth_session, options } = await beginPasskey()
    expectRefused(await verify('passkey|new', { auth_session, authn_response: made(foreign.options) }), 400)
    expectRefused(
      await verify('passkey|new', { auth_session, authn_response: made(options) }),
      400,
      'The auth_session is invalid or has expired',
    )
    const own = await beginPasskey()
    const body = { auth_session: own.auth_session, authn_response: made(own.options) }
    expectRefused(await verify('passkey|new', body, await tokenOfOther()), 400)
    const more = await beginPasskey()
    const credential = softCredential()
    await addPasskey(server, userId, credential)
    const known = made(more.options, HERE.origin, credential)
    expectRefused(await verify('passkey|new', { auth_session: more.auth_session, authn_response: known }), 409)
  })

  it('is added by one of two parallel requests', async () => {
    const { auth_session, options } = await beginPasskey()
    const authn_response = made(options)
    const all = Array.from({ length: 3 }, () => verify('passkey|new', { auth_session, authn_response }))
    expect((await Promise.all(all)).map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })

  it('is for an account of the person, at a connection that offers passkeys', async () => {
    for (const named of [{ connection: 'nowhere' }, { identity_user_id: 'auth0|somebody' }])
      expectRefused(await begin({ type: 'passkey', ...named }), 400)
  })
})

describe('a password', () => {
  const new_password = 'a lantern over the harbour wall'

  it('is replaced under the policy of the connection, which ends every login', async () => {
    const started = await begin({ type: 'password' })
    expect(started.status).toBe(202)
    expect(started.header('location')).toBe(`https://id.test${METHODS}/password%7Cnew`)
    const { id, auth_session, policy } = started.json()
    expect(id).toBe('password|new')
    expect(policy).toEqual({
      complexity: {
        min_length: 8,
        character_types: [],
        character_type_rule: 'all',
        identical_characters: 'allow',
        sequential_characters: 'allow',
        max_length_exceeded: 'error',
      },
      profile_data: { active: true, blocked_fields: expect.arrayContaining(['email', 'name']) },
      history: { active: false, size: 0 },
      dictionary: { active: true, default: 'en_10k' },
    })
    const weak = await verify(id, { auth_session, new_password: 'short' })
    expectRefused(weak, 400)
    expect(weak.json().validation_errors).toMatchObject([{ field: 'new_password' }])
    const done = await verify(id, { auth_session, new_password })
    expect(done.status).toBe(201)
    expect(done.json()).toMatchObject({
      type: 'password',
      identity_user_id: userId,
      usage: ['primary'],
      last_password_reset: server.clock.now().toISOString(),
    })
    expectRefused(await send('GET', METHODS), 401, 'The token has been revoked')
    const form = { grant_type: 'password', client_id: 'spa', username: email, password: PASSWORD }
    expect((await browser.post('/oauth/token', { form })).status).toBe(403)
    expect((await browser.post('/oauth/token', { form: { ...form, password: new_password } })).status).toBe(200)
  })

  it('is replaced by one of two parallel requests', async () => {
    const { id, auth_session } = (await begin({ type: 'password' })).json()
    const all = Array.from({ length: 3 }, () => verify(id, { auth_session, new_password }))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 400, 401].includes(status))).toBe(true)
  })

  it('is not replaced with the session of another application, and is not removed or named', async () => {
    const { id, auth_session } = (await begin({ type: 'password' })).json()
    expectRefused(await verify(id, { auth_session, new_password }, await tokenOfOther()), 400)
    const [{ id: own } = { id: '' }] = await list()
    expectRefused(await send('DELETE', pathOf(own)), 409)
    expectRefused(await send('PATCH', pathOf(own), { name: 'x' }), 400)
    expectRefused(await send('DELETE', pathOf('password|x')), 404)
  })
})

describe('a session of an enrolment', () => {
  it('is of its method, person and application, and ends by a newer one and by time', async () => {
    const { id, auth_session, manual_input_code } = await beginTotp()
    const body = () => ({ auth_session, otp_code: codeOf(server, manual_input_code) })
    const over = 'The auth_session is invalid or has expired'
    const phone = (await begin({ type: 'phone', phone_number: '+4915112349168' })).json()
    expectRefused(await verify(phone.id, body()), 400, over)
    expectRefused(await verify('passkey|new', { auth_session, authn_response: {} }), 400, over)
    expectRefused(await verify('password|new', { auth_session, new_password: 'a lantern over the wall' }), 400, over)
    expectRefused(await verify('recovery-code|dev_x', { auth_session }), 400, over)
    expectRefused(await verify(id, { ...body(), auth_session: 'x' }), 400, over)
    expectRefused(await verify(id, body(), await tokenOfOther()), 400, over)
    const lee = `lee-${server.random.hex(6)}@mail.test`
    await server.addUser({ email: lee, data: { emailVerified: true } })
    expectRefused(await verify(id, body(), await tokenOf(lee)), 400, over)
    await beginTotp()
    expectRefused(await verify(id, body()), 400, over)
    const late = await beginTotp()
    server.clock.advance(3601)
    const again = await tokenOf(email)
    const code = codeOf(server, late.manual_input_code)
    expectRefused(await verify(late.id, { auth_session: late.auth_session, otp_code: code }, again), 400, over)
  })

  it('is stored as a digest', async () => {
    const { auth_session } = await beginTotp()
    const { rows } = await server.database.pool.query('SELECT * FROM ticket')
    expect(JSON.stringify(rows)).not.toContain(auth_session)
  })
})

describe('methods of other people', () => {
  it('answer as if they did not exist', async () => {
    const id = await addTotp(await proven(token))
    const credential = softCredential()
    const passkey = await addPasskey(server, userId, credential)
    const [password] = await list()
    const lee = `lee-${server.random.hex(6)}@mail.test`
    await server.addUser({ email: lee, data: { emailVerified: true } })
    const theirs = await proven(await tokenOf(lee))
    for (const each of [id, passkey, password?.id, 'totp|dev_unknown', 'x'])
      for (const [method, json] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
        expectRefused(await send(method, pathOf(each), json, theirs), 404)
      }
    expect(await typesOf()).toEqual(['password', 'passkey', 'totp'])
  })
})

describe('a caller', () => {
  const CALLS = [
    ['GET', '/me/v1/factors', 'read:me:factors'],
    ['GET', METHODS, 'read:me:authentication_methods'],
    ['POST', METHODS, 'create:me:authentication_methods'],
    ['GET', `${METHODS}/x`, 'read:me:authentication_methods'],
    ['PATCH', `${METHODS}/x`, 'update:me:authentication_methods'],
    ['DELETE', `${METHODS}/x`, 'delete:me:authentication_methods'],
    ['POST', `${METHODS}/x/verify`, 'create:me:authentication_methods'],
  ] as const

  it.each(CALLS)('needs a token with the scope: %s %s', async (method, path, scope) => {
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    const bare = await browser.send(method, path, json === undefined ? {} : { json })
    expectRefused(bare, 401)
    expect(bare.header('www-authenticate')).toContain('Bearer')
    const without = SCOPE.split(' ')
      .filter((each) => each !== scope)
      .join(' ')
    const lacking = await send(method, path, json, await tokenOf(email, { scope: without }))
    expectRefused(lacking, 403, `The token lacks the scope ${scope}`)
    expect(lacking.json()).toMatchObject({ type: expect.stringMatching(/A0E-403-0002$/), title: 'Insufficient Scope' })
    for (const audience of ['https://id.test/api/v2/', 'https://id.test/mfa/'])
      expectRefused(await send(method, path, json, await tokenOf(email, { audience, scope: 'openid' })), 401)
    expectRefused(await send(method, path, json, 'not.a.token'), 401)
  })

  it('needs a token that has not expired, is not revoked, and whose person is not blocked', async () => {
    const { pool } = server.database
    const old = await tokenOf(email)
    server.clock.advance(901)
    expectRefused(await send('GET', METHODS, undefined, old), 401)
    const blocked = await tokenOf(email)
    await pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [userId])
    expectRefused(await send('GET', METHODS, undefined, blocked), 401)
    await pool.query('UPDATE "user" SET blocked = false WHERE id = $1', [userId])
    await pool.query('UPDATE token_family SET revoked_at = now() WHERE user_id = $1', [userId])
    expectRefused(await send('GET', METHODS, undefined, blocked), 401)
  })

  it('is of this tenant', async () => {
    const other = await server.addTenant('other', 'https://other.test')
    await other.addClient(SPA)
    await other.addUser({ id: userId.slice('auth0|'.length), email })
    const there = server.browser({ host: 'other.test' })
    expectRefused(await there.get(METHODS, { headers: bearer(token) }), 401)
    const tokens = await signInForTokens(there, email, { audience: 'https://other.test/me/', scope: SCOPE })
    expect((await there.get(METHODS, { headers: bearer(tokens.access_token) })).status).toBe(200)
    expectRefused(await send('GET', METHODS, undefined, String(tokens.access_token)), 401)
  })

  it('is a person in a first-party application', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'web', client_secret: WEB.secret, audience: ME }
    expect((await browser.post('/oauth/token', { form })).json()).toMatchObject({ error: 'access_denied' })
    const answer = await signInForTokens(server.browser(), email, { audience: ME, scope: SCOPE, client_id: 'third' })
    expect(answer.access_token).toBeUndefined()
  })

  it('may not be a page of another origin, and may read the address of a method', async () => {
    const at = (origin: string) => send('POST', METHODS, { type: 'totp' }, token, { origin })
    expectRefused(await at('https://evil.test'), 403)
    const own = await at('https://app.test')
    expect(own.status).toBe(202)
    expect(own.header('access-control-allow-origin')).toBe('https://app.test')
    expect(own.header('access-control-expose-headers')).toContain('location')
  })

  it('changes nothing with an old login, nor with a password alone beside a factor', async () => {
    const id = await addTotp()
    for (const refused of [
      await begin({ type: 'totp' }),
      await send('PATCH', pathOf(id), { name: 'x' }),
      await send('DELETE', pathOf(id)),
    ]) {
      expectRefused(refused, 401, 'Prove a second factor to change them')
      expect(refused.header('www-authenticate')).toMatch(/insufficient_user_authentication.*acr_values="http/)
    }
    await proven(token)
    expect((await send('PATCH', pathOf(id), { name: 'x' })).status).toBe(200)
    await server.database.pool.query(
      `UPDATE token_family SET authentication = jsonb_set(authentication::jsonb, '{time}', to_jsonb($2::bigint)) WHERE id = $1`,
      [String(payloadOf(token).jti).split('.')[0], Math.floor(server.clock.now().getTime() / 1000) - 901],
    )
    const old = await send('PATCH', pathOf(id), { name: 'y' })
    expectRefused(old, 401, 'Sign in again to do this')
    expect(old.header('www-authenticate')).toContain('max_age="900"')
    expect((await send('GET', pathOf(id))).json()).toMatchObject({ name: 'x' })
  })

  it('adds nothing while the address is unverified', async () => {
    const own = `new-${server.random.hex(6)}@mail.test`
    const json = { client_id: 'spa', connection: 'Users', email: own, password: PASSWORD }
    expect((await server.browser().post('/dbconnections/signup', { json })).status).toBe(200)
    const by = await tokenOf(own)
    for (const type of ['totp', 'passkey', 'push-notification'])
      expectRefused(await begin({ type }, by), 403, 'The address of the account is not verified')
  })

  it('is asked for the factor by the login', async () => {
    const { id, auth_session, manual_input_code } = await beginTotp()
    await verify(id, { auth_session, otp_code: codeOf(server, manual_input_code) })
    const tokens = await signInForTokens(server.browser(), email, { audience: ME, scope: SCOPE })
    expect(tokens.access_token).toBeUndefined()
    const form = { grant_type: 'password', client_id: 'spa', username: email, password: PASSWORD, audience: ME }
    const refused = await browser.post('/oauth/token', { form: { ...form, scope: SCOPE } })
    expect(refused.json()).toMatchObject({ error: 'mfa_required', mfa_requirements: { challenge: [{ type: 'otp' }] } })
  })
})

describe('a body', () => {
  it.each([
    [{}],
    [{ type: 'sms' }],
    [{ type: 'webauthn-roaming' }],
    [{ type: ['totp'] }],
    [{ type: 'constructor' }],
    [{ type: 'totp', extra: 1 }],
    [{ type: 'recovery-code', name: 'x' }],
    [{ type: 'email', email: 'x' }],
    [{ type: 'email', email: 'a\0@b.test' }],
    [{ type: 'phone', phone_number: 4915112349167 }],
    [{ type: 'phone', phone_number: '+4915112349167', preferred_authentication_method: 'fax' }],
    [{ type: 'passkey', connection: '' }],
    [{ type: 'password', connection: 'nowhere' }],
  ])('is refused: %o', async (json) => {
    await demand(server, [], [...FACTORS, 'email'])
    server.clock.advance(2)
    await proven(token)
    expectRefused(await begin(json), 400)
  })

  it('is JSON', async () => {
    const form = await browser.send('POST', METHODS, { form: { type: 'totp' }, headers: bearer(token) })
    expectRefused(form, 415)
    const text = { body: Buffer.from('totp'), headers: { ...bearer(token), 'content-type': 'text/plain' } }
    expectRefused(await browser.send('POST', METHODS, text), 415)
  })

  it('of a change has known members alone', async () => {
    const id = await addTotp(await proven(token))
    for (const json of [{ confirmed: true }, { name: '' }, { name: 'x'.repeat(101) }, { name: 'a\0' }, { name: 1 }])
      expectRefused(await send('PATCH', pathOf(id), json), 400)
    expect((await send('PATCH', pathOf(id), {})).status).toBe(200)
  })

  it('of the list names a known type', async () => {
    expect((await send('GET', `${METHODS}?type=password`)).json().authentication_methods).toHaveLength(1)
    expect((await send('GET', `${METHODS}?type=totp`)).json().authentication_methods).toEqual([])
    expectRefused(await send('GET', `${METHODS}?type=sms`), 400)
  })
})

describe('an auth_session', () => {
  const new_password = 'a lantern over the harbour wall'
  const STARTS: [string, (by: string) => Promise<() => Promise<TestResponse>>][] = [
    [
      'for a password',
      async (by) => {
        const { auth_session } = (await begin({ type: 'password' }, by)).json()
        return () => verify('password|new', { auth_session, new_password }, by)
      },
    ],
    [
      'for an app',
      async (by) => {
        const { id, auth_session, manual_input_code } = await beginTotp(by)
        return () => verify(id, { auth_session, otp_code: codeOf(server, manual_input_code) }, by)
      },
    ],
  ]

  it.each(STARTS)('%s is no link: it opens no page, with and without a session', async () => {
    const ticket = String((await begin({ type: 'password' })).json().auth_session)
    const form = { ticket, action: 'reset-password', password: new_password }
    for (const own of [server.browser(), browser]) {
      expect((await own.get('/u/reset-password', { query: { ticket } })).status).toBe(400)
      expect((await own.post('/u/reset-password', { form })).status).toBe(400)
      expect((await own.get('/u/enroll', { query: { ticket } })).status).toBe(400)
    }
  })

  it.each(STARTS)(
    '%s ends when everything is revoked, also for a new login of the same application',
    async (_, start) => {
      const { management, clock } = await server.runtime()
      const { userLogins } = await management()
      const by = token
      const body = (await begin({ type: 'password' }, by)).json()
      await start(by)
      await userLogins.endAll(userId, clock.now())
      const later = await tokenOf(email)
      expectRefused(await verify('password|new', { auth_session: body.auth_session, new_password }, later), 400)
    },
  )

  it.each(STARTS)('%s belongs to the login that started it', async (_, start) => {
    const other = await tokenOf(email)
    const { auth_session } = (await begin({ type: 'password' })).json()
    expectRefused(await verify('password|new', { auth_session, new_password }, other), 400)
    const finish = await start(token)
    expect((await finish()).status).toBe(201)
  })

  it('for a passkey belongs to the login that started it', async () => {
    const started = (await begin({ type: 'passkey' })).json()
    const { challenge, user } = started.authn_params_public_key as { challenge: string; user: { id: string } }
    const authn_response = softCredential().create({ ...HERE, challenge, handle: user.id })
    const answer = { auth_session: started.auth_session, authn_response }
    expectRefused(await verify('passkey|new', answer, await tokenOf(email)), 400)
  })

  it('ends after fifteen minutes', async () => {
    const { auth_session } = (await begin({ type: 'password' })).json()
    await server.database.pool.query('UPDATE ticket SET expires_at = $1', [server.clock.now()])
    expectRefused(await verify('password|new', { auth_session, new_password }), 400)
  })

  it('the ticket of a mailed link is not an auth_session', async () => {
    const own = server.browser()
    await own.post('/u/submit', { form: { action: 'request-reset', email, state: await beginLogin(own) } })
    const auth_session = await ticketTo(server, email)
    expect(auth_session).not.toBe('')
    expectRefused(await verify('password|new', { auth_session, new_password }), 400)
  })
})
