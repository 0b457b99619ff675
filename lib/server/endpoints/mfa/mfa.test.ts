// The contract's state table of MFA: every grant that can need a factor, every challenge and every response, word for word.
import { describe, expect } from 'vitest'
import { answerPrompt, enrollDevice, promptsOf } from '../../../identity/mfa/device'
import { payloadOf, SPA, userinfo } from '../../../testing/journey'
import {
  ALL_FACTORS,
  associate,
  challenge,
  codeOf,
  demand,
  enrollApp,
  enrollPhone,
  logIn,
  MFA_GRANTS,
  MFA_WEB,
  mfaToken,
  OOB,
  OTP,
  RECOVERY,
  token,
  WEB_SECRET,
} from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import { codeTo, wrong } from '../../../testing/passwordless'
import type { Browser, TestResponse, TestServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

const MULTI_FACTOR = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'

let server: TestServer
let browser: Browser
let user: string
let phone: string
let ip: string

const it = mfaTest(async (server) => {
  await server.addClient(SPA)
  await server.addClient({ clientId: 'other', secret: 'web-secret', settings: MFA_WEB.settings })
  await server.addClient({
    clientId: 'simple',
    secret: 'web-secret',
    settings: { grant_types: MFA_GRANTS.slice(0, 3) },
  })
  await server.addClient({
    clientId: 'strict',
    secret: 'web-secret',
    settings: { ...MFA_WEB.settings, compat: { errors: 'rfc' } },
  })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], allow_offline_access: true })
  await demand(server)
})
it.beforeEach(({ mfa }) => {
  ;({ server, browser, user, phone, ip } = mfa)
})

const outcome = (answer: TestResponse) => {
  const { error, error_description } = answer.json()
  return [answer.status, error, error_description]
}
const enrollSms = () => enrollPhone(browser, user, () => codeTo(server, phone), phone)
const oob = (mfa_token: string, oob_code: unknown, extra = {}) =>
  token(browser, { grant_type: OOB, mfa_token, oob_code: String(oob_code), ...extra })
const otp = (mfa_token: string, code: string, extra = {}) =>
  token(browser, { grant_type: OTP, mfa_token, otp: code, ...extra })

/** An enrolled device, and its token. */
async function enrollPush(): Promise<string> {
  const mfa_token = await mfaToken(browser, user)
  const added = (await associate(browser, mfa_token, { authenticator_types: ['oob'], oob_channels: ['auth0'] })).json()
  const ticket = new URL(String(added.barcode_uri)).searchParams.get('enrollment_tx_id') ?? ''
  expect(outcome(await oob(mfa_token, added.oob_code))[1]).toBe('authorization_pending')
  const device = await enrollDevice(ticket, 'Pixel', await server.runtime())
  expect((await oob(mfa_token, added.oob_code)).status).toBe(200)
  return device ?? ''
}

async function answer(device: string, approve: boolean): Promise<boolean> {
  const runtime = await server.runtime()
  const [prompt] = (await promptsOf(device, runtime))?.prompts ?? []
  return answerPrompt(device, prompt?.id ?? '', { approve }, runtime)
}

describe('a grant that lacks a second factor', () => {
  it('is refused with a token to continue, and the factors that can be enrolled', async () => {
    const refused = await logIn(browser, user)
    expect(refused.status).toBe(403)
    expect(refused.json()).toEqual({
      error: 'mfa_required',
      error_description: 'Multifactor authentication required',
      mfa_token: expect.stringMatching(/^[\w-]{43}$/),
      mfa_requirements: { enroll: ['otp', 'push-notification', 'phone', 'email'].map((type) => ({ type })) },
    })
  })

  it('the refusal names the types that can answer', async () => {
    await enrollApp(server, browser, user)
    const types = ['otp', 'recovery-code'].map((type) => ({ type }))
    expect((await logIn(browser, user)).json().mfa_requirements).toEqual({ challenge: types })
  })

  it('the refusal reveals no factor without the password', async () => {
    await enrollApp(server, browser, user)
    expect(outcome(await logIn(browser, user, { password: 'wrong' }))).toEqual([
      403,
      'invalid_grant',
      'Wrong email or password.',
    ])
  })

  it('asks for a password, its default directory, a code by mail alike', async () => {
    expect((await logIn(browser, user, { grant_type: 'password' })).json().error).toBe('mfa_required')
  })

  it('is not required where the client, the tenant or the lack of factors says so', async () => {
    await server.addClient({ ...MFA_WEB, clientId: 'never', settings: { ...MFA_WEB.settings, mfa_policy: 'never' } })
    expect((await logIn(browser, user, { client_id: 'never' })).status).toBe(200)
    await demand(server, [])
    expect((await logIn(browser, user)).status).toBe(200)
    await server.addClient({ ...MFA_WEB, clientId: 'always', settings: { ...MFA_WEB.settings, mfa_policy: 'always' } })
    expect((await logIn(browser, user, { client_id: 'always' })).status).toBe(403)
    await demand(server, ['all-applications'], [])
    expect((await logIn(browser, user)).status).toBe(200)
    await demand(server, ['confidence-score'])
    expect((await logIn(browser, user)).status).toBe(403)
    await demand(server)
  })

  it('writes nothing of the login: no family, no session, no login counted', async () => {
    await logIn(browser, user)
    const { rows } = await server.database.pool.query(
      `SELECT (SELECT count(*)::int FROM token_family f WHERE f.user_id = u.id) AS families, logins_count
       FROM "user" u WHERE email = $1`,
      [user],
    )
    expect(rows).toEqual([{ families: 0, logins_count: 0 }])
  })
})

describe('the code of an authenticator app', () => {
  it('returns what the first request asked for, with amr', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const parameters = { audience: 'https://api.test', scope: 'openid email offline_access read:things' }
    const done = (await otp(await mfaToken(browser, user, parameters), codeOf(server, secret))).json()
    expect(done).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86400,
      scope: 'openid email offline_access read:things',
    })
    expect(payloadOf(done.id_token)).toMatchObject({ amr: ['pwd', 'mfa'], acr: MULTI_FACTOR, aud: 'web' })
    expect(payloadOf(done.access_token)).toMatchObject({ gty: 'password', scope: parameters.scope })
    const again = await token(browser, { grant_type: 'refresh_token', refresh_token: String(done.refresh_token) })
    expect(again.status).toBe(200)
  })

  it.each([-1, 0, 1])('may be %i steps off, and counts once', async (drift) => {
    const { secret } = await enrollApp(server, browser, user)
    const code = codeOf(server, secret, drift)
    expect((await otp(await mfaToken(browser, user), code)).status).toBe(200)
    expect(outcome(await otp(await mfaToken(browser, user), code))).toEqual([403, 'invalid_grant', 'Invalid otp_code.'])
  })

  it('is refused two steps off, of an older step, of another app, of six other digits or of no digits', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    const refused = [403, 'invalid_grant', 'Invalid otp_code.']
    for (const bad of [
      codeOf(server, secret, 2),
      codeOf(server, secret, -2),
      wrong(codeOf(server, secret)),
      'abcdef',
      '1',
    ]) {
      expect(outcome(await otp(mfa_token, bad))).toEqual(refused)
    }
    const [older, newer] = [codeOf(server, secret, 0), codeOf(server, secret, 1)]
    expect((await otp(mfa_token, newer)).status).toBe(200)
    expect(outcome(await otp(await mfaToken(browser, user), older))).toEqual(refused)
  })

  it('is taken as it is typed: "123 456"', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const code = codeOf(server, secret)
    expect((await otp(await mfaToken(browser, user), asPasted(code))).status).toBe(200)
  })

  it('needs its parameters', async () => {
    expect(outcome(await token(browser, { grant_type: OTP, otp: '123456' }))).toEqual([
      400,
      'invalid_request',
      'Missing required parameter: mfa_token',
    ])
    expect(outcome(await token(browser, { grant_type: OTP, mfa_token: 'x' }))).toEqual([
      400,
      'invalid_request',
      'Missing required parameter: otp',
    ])
  })
})

describe('the mfa_token', () => {
  const malformed = [403, 'invalid_grant', 'Malformed mfa_token']
  const expired = [403, 'expired_token', 'mfa_token is expired']

  it('is refused if it is malformed, of another client, or without client authentication', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const good = await mfaToken(browser, user)
    const code = codeOf(server, secret)
    expect(outcome(await otp('junk', code))).toEqual(malformed)
    expect(outcome(await otp(good, code, { client_id: 'other' }))).toEqual(malformed)
    expect(outcome(await otp(good, code, { client_secret: 'wrong' }))).toEqual([401, 'access_denied', 'Unauthorized'])
    expect((await otp(good, code)).status).toBe(200)
  })

  it('lives ten minutes and works once', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const used = await mfaToken(browser, user)
    expect((await otp(used, codeOf(server, secret))).status).toBe(200)
    server.clock.advance(60)
    expect(outcome(await otp(used, codeOf(server, secret)))).toEqual(expired)
    const old = await mfaToken(browser, user)
    server.clock.advance(600)
    expect(outcome(await otp(old, codeOf(server, secret)))).toEqual(expired)
  })

  it('is worth nothing elsewhere', async () => {
    const mfa_token = await mfaToken(browser, user)
    expect((await userinfo(browser, mfa_token)).status).toBe(401)
    expect((await browser.get('/u/login', { query: { state: mfa_token } })).status).toBe(400)
    expect((await token(browser, { grant_type: 'refresh_token', refresh_token: mfa_token })).status).toBe(403)
  })

  it('ends with a new password and with a block', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE email = $1`, [user])
    expect(outcome(await otp(mfa_token, codeOf(server, secret)))).toEqual([403, 'invalid_grant', 'user is blocked'])
  })
})

describe('a code that is sent', () => {
  it('is requested, arrives with a masked address, and signs in', async () => {
    await enrollSms()
    const mfa_token = await mfaToken(browser, user)
    const response = await challenge(browser, mfa_token)
    expect([response.status, response.json()]).toEqual([
      200,
      { challenge_type: 'oob', oob_code: expect.any(String), binding_method: 'prompt' },
    ])
    const code = await codeTo(server, phone)
    expect(response.text).not.toContain(code)
    const { oob_code } = response.json()
    expect(outcome(await oob(mfa_token, oob_code))).toEqual([
      400,
      'invalid_request',
      'Missing required parameter: binding_code',
    ])
    expect(outcome(await oob(mfa_token, oob_code, { binding_code: wrong(code) }))).toEqual([
      403,
      'invalid_grant',
      'Invalid binding_code.',
    ])
    expect((await oob(mfa_token, oob_code, { binding_code: code })).json()).toHaveProperty('id_token')
  })

  it('works with its own oob_code and mfa_token alone, for five minutes, and only the newest', async () => {
    await enrollSms()
    const refused = [403, 'invalid_grant', 'Invalid oob_code.']
    const [mine, parallel] = [await mfaToken(browser, user), await mfaToken(browser, user)]
    const first = (await challenge(browser, mine)).json().oob_code
    const code = await codeTo(server, phone)
    expect(outcome(await oob(parallel, first, { binding_code: code }))).toEqual(refused)
    expect(outcome(await oob(mine, 'junk', { binding_code: code }))).toEqual(refused)
    const second = (await challenge(browser, mine)).json().oob_code
    expect(outcome(await oob(mine, first, { binding_code: code }))).toEqual(refused)
    server.clock.advance(301)
    expect(outcome(await oob(mine, second, { binding_code: await codeTo(server, phone) }))).toEqual(refused)
  })

  it('is sent to one user at most ten times an hour', async () => {
    await enrollSms()
    const mfa_token = await mfaToken(browser, user)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await challenge(browser, mfa_token)).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(200))
  })

  it('goes to a verified address without enrolment', async () => {
    await server.addUser({ email: `verified.${user}`, data: { emailVerified: true } })
    const mfa_token = await mfaToken(browser, `verified.${user}`)
    const { oob_code } = (await challenge(browser, mfa_token)).json()
    const done = await oob(mfa_token, oob_code, { binding_code: await codeTo(server, `verified.${user}`) })
    expect(done.status).toBe(200)
  })
})

describe('a prompt on a device', () => {
  it('waits, refuses fast polling, and signs in when approved', async () => {
    const device = await enrollPush()
    const mfa_token = await mfaToken(browser, user)
    const response = await challenge(browser, mfa_token)
    expect(response.json()).toEqual({ challenge_type: 'oob', oob_code: expect.any(String) })
    const { oob_code } = response.json()
    expect(outcome(await oob(mfa_token, oob_code))).toEqual([
      200,
      'authorization_pending',
      'Authorization pending: please repeat the request in a few seconds.',
    ])
    expect(outcome(await oob(mfa_token, oob_code))).toEqual([429, 'slow_down', 'You are polling too fast.'])
    server.clock.advance(5)
    expect(outcome(await oob(mfa_token, oob_code))[1]).toBe('authorization_pending')
    expect(await answer(device, true)).toBe(true)
    expect((await oob(mfa_token, oob_code)).json()).toHaveProperty('id_token')
  })

  it('ends with a rejection', async () => {
    const device = await enrollPush()
    const mfa_token = await mfaToken(browser, user)
    const { oob_code } = (await challenge(browser, mfa_token)).json()
    await answer(device, false)
    expect(await answer(device, true)).toBe(false)
    expect(outcome(await oob(mfa_token, oob_code))).toEqual([200, 'invalid_grant', 'MFA Authorization rejected'])
    expect(outcome(await oob(mfa_token, oob_code))).toEqual([403, 'invalid_grant', 'Invalid oob_code.'])
  })

  it('answers a poll with 400 where errors are those of the RFCs, for the tenant or the client', async () => {
    const device = await enrollPush()
    const mfa_token = await mfaToken(browser, user, { client_id: 'strict' })
    const strict = { client_id: 'strict' }
    const { oob_code } = (await challenge(browser, mfa_token, strict)).json()
    expect(outcome(await oob(mfa_token, oob_code, strict)).slice(0, 2)).toEqual([400, 'authorization_pending'])
    expect(outcome(await oob(mfa_token, oob_code, strict)).slice(0, 2)).toEqual([400, 'slow_down'])
    await answer(device, false)
    expect(outcome(await oob(mfa_token, oob_code, strict)).slice(0, 2)).toEqual([400, 'invalid_grant'])
    await demand(server, ['all-applications'], ALL_FACTORS, { compat: { errors: 'rfc' } })
    const next = await mfaToken(browser, user)
    const requested = (await challenge(browser, next)).json()
    expect(outcome(await oob(next, requested.oob_code)).slice(0, 2)).toEqual([400, 'authorization_pending'])
    await demand(server)
  })

  it('is answered by its own device alone', async () => {
    const device = await enrollPush()
    const mfa_token = await mfaToken(browser, user)
    await challenge(browser, mfa_token)
    const runtime = await server.runtime()
    const [prompt] = (await promptsOf(device, runtime))?.prompts ?? []
    expect(prompt).toMatchObject({ clientName: 'App web', asksNumber: false })
    expect(await promptsOf('someone-else', runtime)).toBeNull()
    expect(await answerPrompt('someone-else', prompt?.id ?? '', { approve: true }, runtime)).toBe(false)
  })
})

describe('a recovery code', () => {
  it('signs in once, returns the next one, and that one works', async () => {
    const { recoveryCode } = await enrollApp(server, browser, user)
    expect(recoveryCode).toMatch(/^[A-Z0-9]{24}$/)
    const use = async (code: string) =>
      token(browser, { grant_type: RECOVERY, mfa_token: await mfaToken(browser, user), recovery_code: code })
    const first = (await use(recoveryCode)).json()
    expect(first).toMatchObject({
      id_token: expect.any(String),
      recovery_code: expect.stringMatching(/^[A-Z0-9]{24}$/),
    })
    expect(outcome(await use(recoveryCode))).toEqual([403, 'invalid_grant', 'Invalid recovery_code.'])
    expect((await use(asPasted(String(first.recovery_code)))).status).toBe(200)
  })

  it('is stored as no more than a keyed digest', async () => {
    const { recoveryCode, secret } = await enrollApp(server, browser, user)
    const { rows } = await server.database.pool.query('SELECT row_to_json(a)::text AS text FROM authenticator a')
    const dump = rows.map(({ text }) => text).join()
    expect(dump).not.toContain(recoveryCode)
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  })
})

describe('the available challenges', () => {
  const unsupported = [
    403,
    'unsupported_challenge_type',
    'None of the challenge types is one that the user enrolled with.',
  ]

  it('are the user’s factors of the kinds that the application supports', async () => {
    await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    expect((await challenge(browser, mfa_token)).json()).toEqual({ challenge_type: 'otp' })
    expect((await challenge(browser, mfa_token, { challenge_type: 'oob otp' })).json()).toEqual({
      challenge_type: 'otp',
    })
    expect(outcome(await challenge(browser, mfa_token, { challenge_type: 'oob' }))).toEqual(unsupported)
    expect(outcome(await challenge(browser, mfa_token, { challenge_type: 'nonsense' }))).toEqual(unsupported)
    expect(outcome(await challenge(browser, mfa_token, { authenticator_id: 'sms|dev_none' }))).toEqual([
      400,
      'invalid_request',
      'Unknown authenticator_id',
    ])
  })

  it('is nothing for a client without the grants', async () => {
    await enrollApp(server, browser, user)
    const simple = { client_id: 'simple' }
    const mfa_token = await mfaToken(browser, user, { ...simple, grant_type: 'password' })
    expect(outcome(await challenge(browser, mfa_token, simple))).toEqual(unsupported)
  })

  it('is nothing before something is enrolled', async () => {
    expect(outcome(await challenge(browser, await mfaToken(browser, user)))).toEqual([
      403,
      'association_required',
      'User is not enrolled. You can use /mfa/associate endpoint to enroll the first authenticator.',
    ])
  })

  it('is nothing at all where nothing can be enrolled that the client could ask for', async () => {
    const sentence = 'User is not enrolled, and with none of the challenge types could be.'
    const refused = [403, 'unsupported_challenge_type', sentence]
    await demand(server, ['all-applications'], ['otp'])
    const mfa_token = await mfaToken(browser, user)
    expect(outcome(await challenge(browser, mfa_token, { challenge_type: 'oob' }))).toEqual(refused)
    expect((await challenge(browser, mfa_token, { challenge_type: 'oob otp' })).json().error).toBe(
      'association_required',
    )
    await demand(server)
    const simple = { client_id: 'simple' }
    const token = await mfaToken(browser, user, { ...simple, grant_type: 'password' })
    expect(outcome(await challenge(browser, token, simple))).toEqual(refused)
  })

  it('requires a token and client authentication', async () => {
    const mfa_token = await mfaToken(browser, user)
    expect(outcome(await challenge(browser, 'junk'))).toEqual([403, 'invalid_grant', 'Malformed mfa_token'])
    expect(outcome(await challenge(browser, mfa_token, { client_secret: 'wrong' }))).toEqual([
      401,
      'invalid_client',
      'Unauthorized',
    ])
    const without = await browser.post('/mfa/challenge', { json: WEB_SECRET })
    expect(outcome(without)).toEqual([400, 'invalid_request', 'Missing required parameter: mfa_token'])
  })
})

describe('wrong codes', () => {
  it('are ten per user over all tokens, factors and addresses, and one more every six minutes', async () => {
    const { secret, recoveryCode } = await enrollApp(server, browser, user)
    const blocked = [429, 'too_many_attempts', 'Too many wrong codes. Wait for some minutes before you try again.']
    for (let i = 0; i < 10; i++) {
      browser = server.browser({ ip: `198.51.100.${i}` })
      const mfa_token = await mfaToken(browser, user)
      const answer =
        i % 2
          ? await otp(mfa_token, wrong(codeOf(server, secret)))
          : await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: 'WRONG' })
      expect(answer.status).toBe(403)
    }
    const mfa_token = await mfaToken(browser, user)
    expect(outcome(await otp(mfa_token, codeOf(server, secret)))).toEqual(blocked)
    expect(outcome(await token(browser, { grant_type: RECOVERY, mfa_token, recovery_code: recoveryCode }))).toEqual(
      blocked,
    )
    server.clock.advance(361)
    expect((await otp(mfa_token, codeOf(server, secret))).status).toBe(200)
  })
})

describe('a refresh token', () => {
  it('a refresh token from before the policy continues only with a factor, and is replaced by the new tokens', async () => {
    await demand(server, [])
    const before = (await logIn(browser, user, { scope: 'openid offline_access' })).json()
    const refresh = () =>
      token(browser, { grant_type: 'refresh_token', refresh_token: String(before.refresh_token), scope: 'openid' })
    expect((await refresh()).status).toBe(200)
    const again = (await logIn(browser, user, { scope: 'openid offline_access' })).json()
    before.refresh_token = again.refresh_token
    await demand(server)
    const { secret } = await enrollApp(server, browser, user)
    const refused = await refresh()
    expect([refused.status, refused.json().error]).toEqual([403, 'mfa_required'])
    const done = await otp(String(refused.json().mfa_token), codeOf(server, secret))
    expect(payloadOf(done.json().id_token)).toMatchObject({ amr: ['pwd', 'mfa'] })
    await demand(server, [])
    expect(outcome(await refresh())).toEqual([403, 'invalid_grant', 'Unknown or invalid refresh token.'])
    await demand(server)
  })

  it('of a login long ago gives an mfa_token that adds no factor (threat-model.md BF3)', async () => {
    await demand(server, [])
    const before = (await logIn(browser, user, { scope: 'openid offline_access' })).json()
    await demand(server)
    const refused = () =>
      token(browser, { grant_type: 'refresh_token', refresh_token: String(before.refresh_token), scope: 'openid' })
    const add = async () => associate(browser, (await refused()).json().mfa_token, { authenticator_types: ['otp'] })
    server.clock.advance(3500)
    expect((await add()).status).toBe(200)
    server.clock.advance(100)
    const late = await add()
    expect([late.status, late.json().error]).toEqual([401, 'insufficient_user_authentication'])
    expect(late.header('www-authenticate')).toContain('max_age="3600"')
    expect((await associate(browser, await mfaToken(browser, user), { authenticator_types: ['otp'] })).status).toBe(200)
  })

  it('for an API that is gone meanwhile gives nothing, and least of all a token for another', async () => {
    const audience = `https://${ip}.gone.test`
    await server.addApi(audience, { scopes: [{ value: 'read:things' }], allow_offline_access: true })
    await demand(server, [])
    const before = await logIn(browser, user, { audience, scope: 'offline_access read:things' })
    const refresh_token = String(before.json().refresh_token)
    await demand(server)
    const { secret } = await enrollApp(server, browser, user)
    const mfa_token = String((await token(browser, { grant_type: 'refresh_token', refresh_token })).json().mfa_token)
    await server.database.pool.query('DELETE FROM api WHERE identifier = $1', [audience])
    await demand(server)
    expect(outcome(await otp(mfa_token, codeOf(server, secret)))).toEqual([
      403,
      'access_denied',
      `Service not found: ${audience}`,
    ])
    const again = await token(browser, { grant_type: 'refresh_token', refresh_token })
    expect(outcome(again)).toEqual([403, 'invalid_grant', 'Unknown or invalid refresh token.'])
  })

  it('an mfa_token of a refresh token that was revoked or replaced gives nothing', async () => {
    await demand(server, [])
    const fields = { scope: 'openid offline_access' }
    const before = [await logIn(browser, user, fields), await logIn(browser, user, fields)]
    const [replaced, revoked] = before.map((answer) => String(answer.json().refresh_token))
    await demand(server)
    const { secret } = await enrollApp(server, browser, user)
    const begin = async (refresh_token = ''): Promise<string> =>
      String((await token(browser, { grant_type: 'refresh_token', refresh_token })).json().mfa_token)
    const finish = async (mfa_token: string): Promise<unknown[]> => {
      server.clock.advance(60)
      return outcome(await otp(mfa_token, codeOf(server, secret)))
    }
    const over = [403, 'invalid_grant', 'Unknown or invalid refresh token.']
    const [first, second, third] = [await begin(replaced), await begin(replaced), await begin(revoked)]
    expect((await finish(first))[0]).toBe(200)
    expect(await finish(second)).toEqual(over)
    await browser.post('/oauth/revoke', { json: { ...WEB_SECRET, token: revoked } })
    expect(await finish(third)).toEqual(over)
  })
})
