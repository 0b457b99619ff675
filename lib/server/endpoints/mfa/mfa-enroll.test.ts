// Adding, listing and removing factors over the API: by mfa_token while the user has none, by access token with the scope.
import { describe, expect } from 'vitest'
import {
  ALL_FACTORS,
  associate,
  bearer,
  challenge,
  codeOf,
  demand,
  type EnrolledTestUser,
  enrollApp,
  enrollPhone,
  logIn,
  MFA_WEB,
  mfaToken,
  OOB,
  OTP,
  RECOVERY,
  token,
  WEB_SECRET,
} from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import { codeTo } from '../../../testing/passwordless'
import type { Browser, TestResponse, TestServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/mfa/'
const SCOPES = 'enroll read:authenticators remove:authenticators'
const OTP_TYPE = { authenticator_types: ['otp'] }

let server: TestServer
let browser: Browser
let user: string
let phone: string

const it = mfaTest(async (server) => {
  await server.addClient({ clientId: 'other', secret: 'web-secret', settings: MFA_WEB.settings })
  await server.addApi('https://api.test', { scopes: [{ value: 'enroll' }, { value: 'read:authenticators' }] })
  await demand(server)
})
it.beforeEach(({ mfa }) => {
  ;({ server, browser, user, phone } = mfa)
})

const outcome = (answer: TestResponse) => {
  const { error, error_description } = answer.json()
  return [answer.status, error, error_description]
}
const list = (by: unknown) => browser.get('/mfa/authenticators', { headers: bearer(by) })
const listed = async (by: unknown) => (await list(by)).json() as unknown as Record<string, unknown>[]
const remove = (by: unknown, id: unknown) =>
  browser.send('DELETE', `/mfa/authenticators/${encodeURIComponent(String(id))}`, { headers: bearer(by) })

/** An access token may add factors only for a verified address. */
const verifyAddress = () =>
  server.database.pool.query('UPDATE "user" SET email_verified = true WHERE email = $1', [user])

/** A token for the MFA API, after proving a factor. */
async function apiToken({ secret }: EnrolledTestUser, scope = SCOPES, audience = AUDIENCE): Promise<string> {
  const mfa_token = await mfaToken(browser, user, { audience, scope })
  const answer = await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, secret) })
  server.clock.advance(60)
  return String(answer.json().access_token)
}

describe('the first factor', () => {
  it('of an authenticator app: seed, address and recovery code; it counts when it has answered', async () => {
    const mfa_token = await mfaToken(browser, user)
    const added = (await associate(browser, mfa_token, OTP_TYPE)).json()
    expect(added).toEqual({
      authenticator_type: 'otp',
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      barcode_uri: expect.any(String),
      recovery_codes: [expect.stringMatching(/^[A-Z0-9]{24}$/)],
    })
    const uri = new URL(String(added.barcode_uri))
    expect(uri.href.split('?')[0]).toMatch(/^otpauth:\/\/totp\/[^:]+:user\d+%40mail.test$/)
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: added.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(await listed(mfa_token)).toEqual([
      { id: expect.stringMatching(/^totp\|dev_\w{16}$/), authenticator_type: 'otp', active: false, type: 'otp' },
      {
        id: expect.stringMatching(/^recovery-code\|dev_\w{16}$/),
        authenticator_type: 'recovery-code',
        active: false,
        type: 'recovery-code',
      },
    ])
    expect((await challenge(browser, mfa_token)).json().error).toBe('association_required')
    expect((await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, added.secret) })).status).toBe(200)
    const active = await listed(await mfaToken(browser, user))
    expect(active.map((each) => each.active)).toEqual([true, true])
  })

  it.each(['sms', 'voice'])(
    'the first factor is enrolled by %s, in either spelling of the parameter and of the number',
    async (channel) => {
      const typed = phone.replace(/^\+49171/, '+49 171 ')
      for (const named of [{ oob_channels: [channel] }, { oob_channel: [channel] }]) {
        const mfa_token = await mfaToken(browser, user)
        const added = await associate(browser, mfa_token, {
          authenticator_types: ['oob'],
          phone_number: typed,
          ...named,
        })
        expect(added.json()).toMatchObject({
          authenticator_type: 'oob',
          oob_channel: channel,
          binding_method: 'prompt',
          oob_code: expect.any(String),
        })
      }
      server.clock.advance(1)
      const mfa_token = await mfaToken(browser, user)
      const parameters = { authenticator_types: ['oob'], oob_channels: [channel], phone_number: phone }
      const { oob_code } = (await associate(browser, mfa_token, parameters)).json()
      const answer = { mfa_token, oob_code: String(oob_code), binding_code: await codeTo(server, phone) }
      expect((await token(browser, { grant_type: OOB, ...answer })).status).toBe(200)
      const [first] = await listed(await mfaToken(browser, user))
      expect(first).toEqual({
        id: expect.stringMatching(new RegExp(`^${channel}\\|dev_`)),
        authenticator_type: 'oob',
        oob_channel: channel,
        name: `XXXXXXXX${phone.slice(-4)}`,
        active: true,
        type: 'phone',
      })
    },
  )

  it('the first factor is enrolled by e-mail, with a masked address', async () => {
    const mfa_token = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['email'], email: 'Kim@Example.org' }
    const { oob_code } = (await associate(browser, mfa_token, parameters)).json()
    const binding_code = await codeTo(server, 'kim@example.org')
    expect(
      (await token(browser, { grant_type: OOB, mfa_token, oob_code: String(oob_code), binding_code })).status,
    ).toBe(200)
    expect((await listed(await mfaToken(browser, user)))[0]).toMatchObject({ name: '***@exam*******' })
  })

  it('by a device: an address to open, and no code to type', async () => {
    const added = await associate(browser, await mfaToken(browser, user), {
      authenticator_types: ['oob'],
      oob_channels: ['auth0'],
    })
    expect(added.json()).toEqual({
      authenticator_type: 'oob',
      oob_channel: 'auth0',
      oob_code: expect.any(String),
      barcode_uri: expect.stringMatching(/^https:\/\/id\.test\/u\/device\?enrollment_tx_id=[\w-]+&base_url=https/),
      recovery_codes: [expect.any(String)],
    })
  })

  it('brings its own recovery code, whichever of several enrolments is confirmed', async () => {
    const mfa_token = await mfaToken(browser, user)
    const codesOf = (answer: TestResponse) => String(answer.json().recovery_codes)
    const given = codesOf(await associate(browser, mfa_token, OTP_TYPE))
    const app = await associate(browser, mfa_token, OTP_TYPE)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
    const other = codesOf(await associate(browser, mfa_token, parameters))
    expect((await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, app.json().secret) })).status).toBe(
      200,
    )
    const recover = async (recovery_code: string) =>
      (await token(browser, { grant_type: RECOVERY, mfa_token: await mfaToken(browser, user), recovery_code })).status
    expect([await recover(given), await recover(other), await recover(codesOf(app))]).toEqual([403, 403, 200])
  })

  it('is one that is enabled, with its required fields', async () => {
    const mfa_token = await mfaToken(browser, user)
    const refusals: [object, string][] = [
      [{}, 'Missing required parameter: authenticator_types'],
      [{ authenticator_types: ['oob'] }, 'Missing required parameter: oob_channels'],
      [{ authenticator_types: [1] }, 'authenticator_types must be an array of strings'],
      [{ authenticator_types: 'otp' }, 'authenticator_types must be an array of strings'],
      [{ authenticator_types: { 0: 'otp' } }, 'authenticator_types must be an array of strings'],
      [{ authenticator_types: ['oob'], oob_channels: 'auth0' }, 'oob_channels must be an array of strings'],
      [{ authenticator_types: ['oob'], oob_channel: 'auth0' }, 'oob_channel must be an array of strings'],
      [{ authenticator_types: ['nonsense'] }, 'None of the authenticator types can be enrolled'],
      [{ authenticator_types: ['oob'], oob_channels: ['pigeon'] }, 'None of the authenticator types can be enrolled'],
      [{ authenticator_types: ['oob'], oob_channels: ['sms'] }, 'Missing required parameter: phone_number'],
      [{ authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: '123' }, 'Invalid phone number'],
      [{ authenticator_types: ['oob'], oob_channels: ['email'], email: 'a@b, c@d' }, 'Invalid e-mail address'],
    ]
    for (const [json, sentence] of refusals) {
      expect(outcome(await associate(browser, mfa_token, json))).toEqual([400, 'invalid_request', sentence])
    }
    await demand(server, ['all-applications'], ['sms'])
    expect((await associate(browser, mfa_token, OTP_TYPE)).status).toBe(400)
    await demand(server)
  })

  it('needs a token that is good', async () => {
    expect((await associate(browser, 'junk', OTP_TYPE)).status).toBe(401)
    expect((await browser.post('/mfa/associate', { json: OTP_TYPE })).status).toBe(401)
    const mfa_token = await mfaToken(browser, user)
    const named = (client: object) => associate(browser, mfa_token, { ...OTP_TYPE, ...client })
    expect((await named({ client_id: 'web' })).status).toBe(401)
    expect((await named({ ...WEB_SECRET, client_id: 'other' })).status).toBe(401)
    expect((await named(WEB_SECRET)).status).toBe(200)
    server.clock.advance(601)
    expect((await associate(browser, mfa_token, OTP_TYPE)).status).toBe(401)
  })
})

describe('one number', () => {
  it('receives ten codes an hour, for all users together', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const name = `crowd${i}.${user}`
      await server.addUser({ email: name })
      const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
      statuses.push((await associate(browser, await mfaToken(browser, name), parameters)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  })
})

describe('enrolments of others with the same number', () => {
  it('leaves its owner able to sign in', async () => {
    await enrollPhone(browser, user, () => codeTo(server, phone), phone)
    for (let i = 0; i < 10; i++) {
      const name = `stranger${i}.${user}`
      await server.addUser({ email: name })
      const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
      await associate(browser, await mfaToken(browser, name), parameters)
    }
    expect((await challenge(browser, await mfaToken(browser, user))).status).toBe(200)
  })
})

describe('whose factor is of a kind that is switched off', () => {
  it('adds another, and only that one', async () => {
    await enrollApp(server, browser, user)
    await demand(server, ['all-applications'], ['sms', 'recovery-code'])
    const mfa_token = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
    const { oob_code } = (await associate(browser, mfa_token, parameters)).json()
    const answer = { mfa_token, oob_code: String(oob_code), binding_code: await codeTo(server, phone) }
    expect((await token(browser, { grant_type: OOB, ...answer })).status).toBe(200)
    expect(outcome(await associate(browser, await mfaToken(browser, user), parameters))[2]).toBe(
      'User is already enrolled.',
    )
    await demand(server)
  })
})

describe('a caller with the password only', () => {
  it('adds no factor beside one that is there', async () => {
    await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    expect(outcome(await associate(browser, mfa_token, OTP_TYPE))).toEqual([
      403,
      'access_denied',
      'User is already enrolled.',
    ])
  })

  it('a caller with the password only cannot confirm an earlier enrolment, or read its recovery code', async () => {
    const thief = await mfaToken(browser, user)
    const started = (await associate(browser, thief, OTP_TYPE)).json()
    const owner = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
    const { oob_code } = (await associate(browser, owner, parameters)).json()
    const binding_code = await codeTo(server, phone)
    expect(
      (await token(browser, { grant_type: OOB, mfa_token: owner, oob_code: String(oob_code), binding_code })).status,
    ).toBe(200)
    const late = await token(browser, { grant_type: OTP, mfa_token: thief, otp: codeOf(server, started.secret) })
    expect(outcome(late)).toEqual([403, 'invalid_grant', 'Invalid otp_code.'])
    const [stolen] = started.recovery_codes as string[]
    const recovery = {
      grant_type: OTP.replace('mfa-otp', 'mfa-recovery-code'),
      mfa_token: thief,
      recovery_code: stolen,
    }
    expect((await token(browser, recovery)).status).toBe(403)
  })

  it('a caller with the password only reads no secret of a factor, and removes no factor', async () => {
    const { secret } = await enrollApp(server, browser, user)
    const mfa_token = await mfaToken(browser, user)
    const seen = await list(mfa_token)
    expect(seen.text).not.toContain(secret)
    const [first] = await listed(mfa_token)
    expect((await remove(mfa_token, first?.id)).status).toBe(401)
  })

  it('gets no token for the API of factors, whatever the policy', async () => {
    await enrollApp(server, browser, user)
    await demand(server, [])
    expect((await logIn(browser, user)).status).toBe(200)
    expect(outcome(await logIn(browser, user, { audience: AUDIENCE, scope: SCOPES }))[1]).toBe('mfa_required')
    await demand(server)
  })
})

describe('an access token for the API of factors', () => {
  it('lives ten minutes and adds a factor beside the first, without a second recovery code', async () => {
    const enrolled = await enrollApp(server, browser, user)
    await verifyAddress()
    const access = await apiToken(enrolled)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
    const added = (await associate(browser, access, parameters)).json()
    expect(added).not.toHaveProperty('recovery_codes')
    const mfa_token = await mfaToken(browser, user)
    const answer = { mfa_token, oob_code: String(added.oob_code), binding_code: await codeTo(server, phone) }
    expect((await token(browser, { grant_type: OOB, ...answer })).status).toBe(200)
    expect((await listed(access)).filter((each) => each.active)).toHaveLength(4)
    server.clock.advance(600)
    expect((await list(access)).status).toBe(401)
  })

  it('opens each verb with its scope, for its audience', async () => {
    const enrolled = await enrollApp(server, browser, user)
    const read = await apiToken(enrolled, 'read:authenticators')
    const [first] = await listed(read)
    expect(outcome(await associate(browser, read, OTP_TYPE)).slice(0, 2)).toEqual([403, 'insufficient_scope'])
    expect((await remove(read, first?.id)).status).toBe(403)
    const adds = await apiToken(enrolled, 'enroll')
    expect((await list(adds)).status).toBe(403)
    const elsewhere = await apiToken(enrolled, 'enroll read:authenticators', 'https://api.test')
    expect((await list(elsewhere)).status).toBe(401)
    expect((await associate(browser, elsewhere, OTP_TYPE)).status).toBe(401)
  })

  it('from before the first factor changes nothing beside it', async () => {
    await demand(server, [])
    const early = (await logIn(browser, user, { audience: AUDIENCE, scope: SCOPES })).json().access_token
    await demand(server)
    await enrollApp(server, browser, user)
    expect(outcome(await associate(browser, early, OTP_TYPE)).slice(0, 2)).toEqual([
      401,
      'insufficient_user_authentication',
    ])
    const [first] = await listed(early)
    expect((await remove(early, first?.id)).status).toBe(401)
  })

  it('from a password alone leaves nothing behind that counts later', async () => {
    const factors = ['otp', 'sms', 'recovery-code']
    await verifyAddress()
    await demand(server, [], factors)
    const early = (await logIn(browser, user, { audience: AUDIENCE, scope: SCOPES })).json().access_token
    const answered = await associate(browser, early, OTP_TYPE)
    expect(answered.status).toBe(200)
    const started = answered.json()
    await demand(server, ['all-applications'], factors)
    const owner = await mfaToken(browser, user)
    const parameters = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: phone }
    const { oob_code } = (await associate(browser, owner, parameters)).json()
    const answer = { mfa_token: owner, oob_code: String(oob_code), binding_code: await codeTo(server, phone) }
    expect((await token(browser, { grant_type: OOB, ...answer })).status).toBe(200)
    const late = { grant_type: OTP, mfa_token: await mfaToken(browser, user), otp: codeOf(server, started.secret) }
    expect(outcome(await token(browser, late))).toEqual([403, 'invalid_grant', 'Invalid otp_code.'])
    await demand(server)
  })

  it('removes its own factors alone; with the last one goes the recovery code', async () => {
    const enrolled = await enrollApp(server, browser, user)
    const access = await apiToken(enrolled)
    const [mine] = await listed(access)
    const [owner, ownUser] = [browser, user]
    user = `other.${ownUser}`
    await server.addUser({ email: user })
    const others = await enrollApp(server, browser, user)
    const stranger = await apiToken(others)
    expect(outcome(await remove(stranger, mine?.id))).toEqual([404, 'not_found', 'Authenticator not found'])
    expect((await remove(stranger, 'totp|dev_none')).status).toBe(404)
    browser = owner
    const done = await remove(access, mine?.id)
    expect([done.status, done.text]).toEqual([204, ''])
    expect(await listed(access)).toEqual([])
    expect((await logIn(browser, ownUser)).json().mfa_requirements).toHaveProperty('enroll')
  })
})

describe('what a tenant file brought', () => {
  it('counts like what was enrolled here', async () => {
    await demand(server, ['all-applications'], ALL_FACTORS)
    const { vault, random } = server
    const { rows } = await server.database.pool.query('SELECT tenant_id, id FROM "user" WHERE email = $1', [user])
    const secret = 'JBSWY3DPEHPK3PXP'
    await server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, id, user_id, type, active, sealed) VALUES ($1, $2, $3, 'otp', true, $4)`,
      [rows[0].tenant_id, 'totp|dev_imported', rows[0].id, vault.seal('totp', secret, random)],
    )
    const mfa_token = await mfaToken(browser, user)
    expect((await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, secret) })).status).toBe(200)
  })
})
