// A user's own second factors in the management API (threat-model.md TK6, MF3, SE7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { payloadOf, SPA, signInForTokens } from '../../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'
const SCOPE = 'read:current_user delete:current_user_metadata update:current_user_identities'
const KIM = '/api/v2/users/auth0%7Ckim'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await server.setTenant({
    tenant: { rate_limits: { current_user: { burst: 10_000, per_minute: 1 } } },
    guardianFactors: [
      { name: 'otp', enabled: true },
      { name: 'sms', enabled: true },
    ],
  })
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.database.pool.query('DELETE FROM authenticator')
  token = await tokenOf('kim@mail.test')
  await enrol('auth0|kim', 'totp|dev_k', { type: 'otp' })
  await enrol('auth0|kim', 'sms|dev_k', { type: 'oob', channel: 'sms', phoneNumber: '+4915112349167' })
  await enrol('auth0|kim', 'recovery-code|dev_k', { type: 'recovery-code' })
  await enrol('auth0|lee', 'totp|dev_l', { type: 'otp' })
})

type Row = { type: string; channel?: string; phoneNumber?: string; active?: boolean }

async function enrol(userId: string, id: string, { type, channel, phoneNumber, active = true }: Row): Promise<void> {
  const { tenantId } = await server.runtime()
  const text = `INSERT INTO authenticator (tenant_id, user_id, id, type, channel, phone_number, active, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
  const values = [tenantId, userId, id, type, channel ?? null, phoneNumber ?? null, active, server.clock.now()]
  await server.database.pool.query(text, values)
}
const tokenOf = async (email: string, scope = SCOPE): Promise<string> =>
  String((await signInForTokens(server.browser(), email, { audience: AUDIENCE, scope })).access_token)
/** Marks the login of the token as one with a proven factor. */
async function prove(bearer = token): Promise<void> {
  const text = `UPDATE token_family SET authentication = jsonb_set(authentication::jsonb, '{methods}', '["pwd","mfa"]')
    WHERE id = $1`
  await server.database.pool.query(text, [String(payloadOf(bearer).jti).split('.')[0]])
}
const send = (method: string, path: string, bearer = token): Promise<TestResponse> =>
  server.browser().send(method, path, { headers: { authorization: `Bearer ${bearer}` } })
const remove = (provider: string, bearer = token, user = KIM) =>
  send('DELETE', `${user}/multifactor/${provider}`, bearer)
const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]
const left = async (): Promise<string[]> =>
  (await server.database.pool.query('SELECT id FROM authenticator ORDER BY id')).rows.map(({ id }) => id)
const ALL = ['recovery-code|dev_k', 'sms|dev_k', 'totp|dev_k', 'totp|dev_l']

describe('enrollments', () => {
  it('are listed masked, without secrets and recovery codes', async () => {
    await enrol('auth0|kim', 'totp|dev_w', { type: 'otp', active: false })
    const enrolled_at = server.clock.now().toISOString()
    const answer = await send('GET', `${KIM}/enrollments`)
    expect([answer.status, answer.json()]).toEqual([
      200,
      [
        {
          id: 'sms|dev_k',
          status: 'confirmed',
          type: 'sms',
          auth_method: 'sms',
          name: 'XXXXXXXXX9167',
          phone_number: 'XXXXXXXXX9167',
          enrolled_at,
        },
        { id: 'totp|dev_k', status: 'confirmed', type: 'authenticator', auth_method: 'authenticator', enrolled_at },
        { id: 'totp|dev_w', status: 'pending', type: 'authenticator', auth_method: 'authenticator', enrolled_at },
      ],
    ])
  })

  it('are the user’s own, with the scope', async () => {
    expect(outcome(await send('GET', '/api/v2/users/auth0%7Clee/enrollments'))).toEqual([403, 'access_denied'])
    const removing = await tokenOf('kim@mail.test', 'delete:current_user_metadata')
    expect(outcome(await send('GET', `${KIM}/enrollments`, removing))).toEqual([403, 'insufficient_scope'])
    expect(outcome(await send('GET', `${KIM}/enrollments`, 'x'))).toEqual([401, 'invalid_token'])
  })
})

describe('taking factors away', () => {
  it.each([
    ['google-authenticator', ['recovery-code|dev_k', 'sms|dev_k', 'totp|dev_l']],
    ['guardian', ['recovery-code|dev_k', 'totp|dev_k', 'totp|dev_l']],
    ['duo', ALL],
  ])('the removal of %s leaves %j', async (provider, expected) => {
    await prove()
    const answer = await remove(provider)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await left()).toEqual(expected)
  })

  it('takes the recovery code with the last one', async () => {
    await prove()
    await remove('guardian')
    await remove('google-authenticator')
    expect(await left()).toEqual(['totp|dev_l'])
    expect((await remove('guardian')).status).toBe(204)
  })

  it('needs a login that proved one', async () => {
    expect(outcome(await remove('google-authenticator'))).toEqual([401, 'insufficient_user_authentication'])
    const unlinking = await send('DELETE', `${KIM}/identities/auth0/x`)
    expect(outcome(unlinking)).toEqual([401, 'insufficient_user_authentication'])
    expect(await left()).toEqual(ALL)
  })

  it('needs a login of the last hour', async () => {
    await prove()
    server.clock.advance(3601)
    expect(outcome(await remove('google-authenticator'))).toEqual([401, 'insufficient_user_authentication'])
    expect(await left()).toEqual(ALL)
  })

  it('is for the user’s own factors, with the scope, of an existing provider', async () => {
    await prove()
    expect(outcome(await remove('google-authenticator', token, '/api/v2/users/auth0%7Clee'))).toEqual([
      403,
      'access_denied',
    ])
    const reading = await tokenOf('kim@mail.test', 'read:current_user')
    expect(outcome(await remove('google-authenticator', reading))).toEqual([403, 'insufficient_scope'])
    for (const provider of ['other', '__proto__', 'constructor']) {
      expect(outcome(await remove(provider))).toEqual([400, 'invalid_uri'])
    }
    expect(await left()).toEqual(ALL)
  })
})
