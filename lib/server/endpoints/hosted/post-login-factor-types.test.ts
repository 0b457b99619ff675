// Factors of a type that a tenant's action names: no other proof meets the demand, on the pages, over the API, in a session and at
// a refresh; and a refused answer spends nothing (threat-model.md MF8).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindActions, postLogin } from '../../../testing/bind-action'
import type { FormFields } from '../../../testing/browser'
import { authorizeQuery, locationOf, payloadOf, submitPassword } from '../../../testing/journey'
import {
  associate,
  challenge,
  codeOf,
  enrollApp,
  logIn,
  MFA_WEB,
  OOB,
  OTP,
  RECOVERY,
  token,
  WEB_SECRET,
} from '../../../testing/mfa'
import { codeTo, messagesTo } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const CLAIM = 'https://acme.example/factors'
const SETTINGS = {
  tenant: { default_directory: 'Users' },
  guardianFactors: ['otp', 'sms', 'recovery-code'].map((name) => ({ name, enabled: true })),
  guardianPhoneFactorMessageTypes: { message_types: ['sms'] },
}
const ANY = `api.multifactor.enable('any')`
const BY_PHONE = `api.authentication.challengeWith({ type: 'phone' })`
const BY_APP = `api.authentication.challengeWith({ type: 'otp' })`
/** The types of factor that the last action finds proven. */
const SAYS = `api.idToken.setCustomClaim('${CLAIM}', event.authentication.methods.flatMap((each) => each.type ?? []))`

let server: TestServer
let counter = 0

const at = (...bodies: string[]) =>
  bindActions(
    server,
    'post-login',
    bodies.map((body) => postLogin(body)),
    SETTINGS,
  )

beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(120))

type Person = { email: string; phone: string; secret: string; recoveryCode: string; browser: Browser }

/** A user with an authenticator app, a recovery code and, unless `hasPhone` is false, a phone. */
async function person({ hasPhone = true } = {}): Promise<Person> {
  counter += 1
  const id = `kim${counter}`
  const email = `${id}@mail.test`
  const phone = `+4915100000${String(counter).padStart(3, '0')}`
  const browser = server.browser({ ip: `203.0.113.${counter}` })
  await server.addUser({ id, email })
  await at(ANY)
  const { secret, recoveryCode } = await enrollApp(server, browser, email)
  if (hasPhone) {
    await server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, phone_number)
      VALUES ('default', $1, $2, 'oob', 'sms', true, $3)`,
      [`sms|dev_${id}`, `auth0|${id}`, phone],
    )
  }
  return { email, phone, secret, recoveryCode, browser }
}

const query = { client_id: 'web', redirect_uri: 'https://web.test/cb', code_challenge: undefined }
const authorize = (browser: Browser, extra: FormFields = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery({ ...query, code_challenge_method: undefined, ...extra }) })

const send = (browser: Browser, state: string, action: string, fields: FormFields = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, ...fields } })

/** Signs in with the password, up to what follows. */
async function firstFactor({ browser, email }: Person): Promise<{ state: string; answer: URL }> {
  const state = locationOf(await authorize(browser)).searchParams.get('state') ?? ''
  return { state, answer: locationOf(await submitPassword(browser, state, email)) }
}

/** What the application gets of a code. */
const redeem = async (browser: Browser, answer: TestResponse) =>
  (
    await browser.post('/oauth/token', {
      form: {
        ...WEB_SECRET,
        grant_type: 'authorization_code',
        redirect_uri: 'https://web.test/cb',
        code: locationOf(answer).searchParams.get('code') ?? '',
      },
    })
  ).json()
const provenIn = (tokens: Record<string, unknown>): unknown => payloadOf(tokens.id_token)[CLAIM]

const mfaRequired = async ({ browser, email }: Person) => {
  const answer = (await logIn(browser, email, { scope: 'openid offline_access' })).json()
  return { mfa_token: String(answer.mfa_token), requirements: answer.mfa_requirements, error: answer.error }
}

const byApp = ({ browser, secret }: Person, mfa_token: string): Promise<TestResponse> =>
  token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, secret) })

async function byPhone({ browser, phone }: Person, mfa_token: string): Promise<TestResponse> {
  const { oob_code } = (await challenge(browser, mfa_token)).json()
  return token(browser, {
    grant_type: OOB,
    mfa_token,
    oob_code: String(oob_code),
    binding_code: await codeTo(server, phone),
  })
}

const OTHER_TYPE = [403, 'invalid_grant', 'This login requires a factor of another type.']
const outcome = (answer: TestResponse) => [answer.status, answer.json().error, answer.json().error_description]

describe('on the pages, a challenge by phone', () => {
  it('offers the phone alone, and is met by it', async () => {
    const kim = await person()
    await at(BY_PHONE, SAYS)
    const { state, answer } = await firstFactor(kim)
    expect(answer.pathname).toBe('/u/mfa-challenge')
    const page = (await kim.browser.get(answer.href)).text
    expect([...page.matchAll(/name="authenticator" value="([^"|]+)/g)].map(([, prefix]) => prefix)).toEqual(['sms'])
    const finished = await send(kim.browser, state, 'mfa-verify', { code: await codeTo(server, kim.phone) })
    expect(provenIn(await redeem(kim.browser, finished))).toEqual(['phone'])
  })

  it('is not met by the app, whose code stays unspent', async () => {
    const kim = await person()
    await at(BY_PHONE)
    const { state } = await firstFactor(kim)
    const code = codeOf(server, kim.secret)
    const { rows } = await server.database.pool.query(
      `SELECT id FROM authenticator WHERE user_id = $1 AND type = 'otp'`,
      [`auth0|${kim.email.split('@')[0]}`],
    )
    await send(kim.browser, state, 'mfa-use', { authenticator: rows[0].id })
    const answered = await send(kim.browser, state, 'mfa-verify', { code })
    expect(locationOf(answered).pathname).toBe('/u/mfa-challenge')
    expect(kim.browser.cookies.has('__Host-latchkey_session')).toBe(false)
    await at(ANY)
    const { mfa_token } = await mfaRequired(kim)
    expect((await token(kim.browser, { grant_type: OTP, mfa_token, otp: code })).status).toBe(200)
  })

  it('is not met by a recovery code, which stays good', async () => {
    const kim = await person()
    await at(BY_PHONE)
    const { state } = await firstFactor(kim)
    const { rows } = await server.database.pool.query(
      `SELECT id FROM authenticator WHERE user_id = $1 AND type = 'recovery-code'`,
      [`auth0|${kim.email.split('@')[0]}`],
    )
    await send(kim.browser, state, 'mfa-use', { authenticator: rows[0].id })
    const answered = await send(kim.browser, state, 'mfa-verify', { code: kim.recoveryCode })
    expect(locationOf(answered).pathname).toBe('/u/mfa-challenge')
    await at(ANY)
    const { mfa_token } = await mfaRequired(kim)
    const used = await token(kim.browser, { grant_type: RECOVERY, mfa_token, recovery_code: kim.recoveryCode })
    expect(used.status).toBe(200)
  })

  it('follows one by the app, and each is required', async () => {
    const kim = await person()
    await at(BY_APP, BY_PHONE, SAYS)
    const { state } = await firstFactor(kim)
    const next = locationOf(await send(kim.browser, state, 'mfa-verify', { code: codeOf(server, kim.secret) }))
    expect(next.pathname).toBe('/u/mfa-challenge')
    const finished = await send(kim.browser, state, 'mfa-verify', { code: await codeTo(server, kim.phone) })
    expect(provenIn(await redeem(kim.browser, finished))).toEqual(['otp', 'phone'])
  })
})

it.each([
  `api.multifactor.enable('google-authenticator')`,
  `api.authentication.challengeWithAny([{ type: 'otp' }, { type: 'email' }])`,
  `api.authentication.enrollWith({ type: 'otp' })`,
])('%s is met by the app, and not by a phone', async (body) => {
  const kim = await person()
  await at(body)
  const { mfa_token, requirements } = await mfaRequired(kim)
  expect(requirements).toEqual({ challenge: [{ type: 'otp' }] })
  const sent = await challenge(kim.browser, mfa_token, { authenticator_id: `sms|dev_${kim.email.split('@')[0]}` })
  expect(outcome(sent)).toEqual([400, 'invalid_request', 'Unknown authenticator_id'])
  expect(await messagesTo(server, kim.phone)).toEqual([])
  expect((await byApp(kim, mfa_token)).status).toBe(200)
})

describe('a user without any factor', () => {
  /** Known by the password alone. */
  async function newcomer(): Promise<Pick<Person, 'email' | 'browser'>> {
    counter += 1
    const email = `lee${counter}@mail.test`
    await server.addUser({ id: `lee${counter}`, email })
    return { email, browser: server.browser({ ip: `203.0.113.${counter}` }) }
  }

  it('adds one of the named types, over the API', async () => {
    const { email, browser } = await newcomer()
    await at(`api.multifactor.enable('google-authenticator')`)
    const { mfa_token, mfa_requirements } = (await logIn(browser, email)).json()
    expect(mfa_requirements).toEqual({ enroll: [{ type: 'otp' }] })
    const phone = { authenticator_types: ['oob'], oob_channels: ['sms'], phone_number: '+4915100000999' }
    expect((await associate(browser, mfa_token, phone)).json().error).toBe('invalid_request')
    const { secret } = (await associate(browser, mfa_token, { authenticator_types: ['otp'] })).json()
    const answer = { grant_type: OTP, mfa_token: String(mfa_token), otp: codeOf(server, secret) }
    expect((await token(browser, answer)).status).toBe(200)
  })

  it('adds one of the named types, on the pages', async () => {
    const { email, browser } = await newcomer()
    await at(`api.authentication.enrollWith({ type: 'otp' })`, SAYS)
    const state = locationOf(await authorize(browser)).searchParams.get('state') ?? ''
    const page = (await browser.get(locationOf(await submitPassword(browser, state, email)).href)).text
    expect([...page.matchAll(/name="factor" value="([^"]+)"/g)].map(([, factor]) => factor)).toEqual(['otp'])
    await send(browser, state, 'mfa-enroll', { factor: 'sms', phone: '+4915100000999' })
    expect(await messagesTo(server, '+4915100000999')).toEqual([])
  })
})

describe('a session that has proven another factor', () => {
  /** Signed in with the app. */
  async function signedIn(): Promise<Person> {
    const kim = await person()
    const { state } = await firstFactor(kim)
    await send(kim.browser, state, 'mfa-verify', { code: codeOf(server, kim.secret) })
    expect(kim.browser.cookies.has('__Host-latchkey_session')).toBe(true)
    server.clock.advance(60)
    return kim
  }

  it('requires the phone, is refused silently, and is required once', async () => {
    const kim = await signedIn()
    await at(BY_PHONE, SAYS)
    const silent = locationOf(await authorize(kim.browser, { prompt: 'none' })).searchParams
    expect(silent.get('error_description')).toBe('Multifactor authentication required')
    const page = locationOf(await authorize(kim.browser))
    expect(page.pathname).toBe('/u/mfa-challenge')
    const state = page.searchParams.get('state') ?? ''
    await send(kim.browser, state, 'mfa-use', { authenticator: `sms|dev_${kim.email.split('@')[0]}` })
    const finished = await send(kim.browser, state, 'mfa-verify', { code: await codeTo(server, kim.phone) })
    expect(provenIn(await redeem(kim.browser, finished))).toEqual(['otp', 'phone'])
    expect(provenIn(await redeem(kim.browser, await authorize(kim.browser)))).toEqual(['otp', 'phone'])
  })

  it('is not required again if the app is one of the named factors', async () => {
    const kim = await signedIn()
    await at(`api.authentication.challengeWithAny([{ type: 'phone' }, { type: 'otp' }])`, SAYS)
    expect(provenIn(await redeem(kim.browser, await authorize(kim.browser)))).toEqual(['otp'])
  })

  it('proves no type if an older version stored it, and still meets a demand for any', async () => {
    const kim = await signedIn()
    await server.database.pool.query(
      `UPDATE session SET evidence = (SELECT jsonb_agg(proof - 'factor') FROM jsonb_array_elements(evidence::jsonb) AS proof)
      WHERE user_id = $1`,
      [`auth0|${kim.email.split('@')[0]}`],
    )
    await at(BY_APP)
    expect(locationOf(await authorize(kim.browser)).pathname).toBe('/u/mfa-challenge')
    await at(ANY)
    expect(locationOf(await authorize(kim.browser)).searchParams.has('code')).toBe(true)
  })
})

describe('over the API, a challenge by phone', () => {
  it('is not met by the app, whose code stays unspent', async () => {
    const kim = await person()
    await at(BY_PHONE)
    const { mfa_token, requirements } = await mfaRequired(kim)
    expect(requirements).toEqual({ challenge: [{ type: 'phone' }] })
    const otp = codeOf(server, kim.secret)
    expect(outcome(await token(kim.browser, { grant_type: OTP, mfa_token, otp }))).toEqual(OTHER_TYPE)
    await at(ANY)
    const any = await mfaRequired(kim)
    expect((await token(kim.browser, { grant_type: OTP, mfa_token: any.mfa_token, otp })).status).toBe(200)
  })

  it('is not met by a recovery code, which stays good', async () => {
    const kim = await person()
    await at(BY_PHONE)
    const { mfa_token } = await mfaRequired(kim)
    const answer = { grant_type: RECOVERY, recovery_code: kim.recoveryCode }
    expect(outcome(await token(kim.browser, { ...answer, mfa_token }))).toEqual(OTHER_TYPE)
    await at(`api.authentication.challengeWithAny([{ type: 'phone' }, { type: 'recovery-code' }])`)
    const named = await mfaRequired(kim)
    expect(named.requirements).toEqual({ challenge: [{ type: 'phone' }, { type: 'recovery-code' }] })
    expect((await token(kim.browser, { ...answer, mfa_token: named.mfa_token })).status).toBe(200)
  })

  it('may name the recovery code alone', async () => {
    const kim = await person()
    await at(`api.authentication.challengeWith({ type: 'recovery-code' })`)
    const { mfa_token } = await mfaRequired(kim)
    expect((await challenge(kim.browser, mfa_token)).json().error).toBe('unsupported_challenge_type')
    const { state, answer } = await firstFactor(kim)
    expect(answer.pathname).toBe('/u/mfa-challenge')
    const used = await send(kim.browser, state, 'mfa-verify', { code: kim.recoveryCode })
    expect(locationOf(used).pathname).toBe('/u/mfa-recovery-code')
  })

  it('follows one by the app, with its own token', async () => {
    const kim = await person()
    await at(BY_APP, BY_PHONE, SAYS)
    const first = await mfaRequired(kim)
    const next = (await byApp(kim, first.mfa_token)).json()
    expect(next).toMatchObject({ error: 'mfa_required', mfa_requirements: { challenge: [{ type: 'phone' }] } })
    expect(next.mfa_token).not.toBe(first.mfa_token)
    expect(provenIn((await byPhone(kim, String(next.mfa_token))).json())).toEqual(['otp', 'phone'])
  })

  it('does not take the place of a factor that an action before it enabled', async () => {
    const kim = await person()
    await at(`api.multifactor.enable('google-authenticator')`, BY_PHONE)
    const { mfa_token, requirements } = await mfaRequired(kim)
    expect(requirements).toEqual({ challenge: [{ type: 'phone' }] })
    const next = (await byPhone(kim, mfa_token)).json()
    expect(next).toMatchObject({ error: 'mfa_required', mfa_requirements: { challenge: [{ type: 'otp' }] } })
    expect((await byApp(kim, String(next.mfa_token))).status).toBe(200)
  })

  it('returns the next recovery code although another factor must follow', async () => {
    const kim = await person()
    await at(`api.authentication.challengeWith({ type: 'recovery-code' })`, BY_PHONE)
    const { mfa_token } = await mfaRequired(kim)
    const answer = { grant_type: RECOVERY, mfa_token, recovery_code: kim.recoveryCode }
    const next = (await token(kim.browser, answer)).json()
    expect(next).toMatchObject({ error: 'mfa_required', recovery_code: expect.stringMatching(/^[A-Z0-9]{24}$/) })
    expect((await byPhone(kim, String(next.mfa_token))).status).toBe(200)
  })
})

describe('at a refresh', () => {
  const refresh = ({ browser }: Person, refresh_token: unknown): Promise<TestResponse> =>
    token(browser, { grant_type: 'refresh_token', refresh_token: String(refresh_token) })

  it('a factor of the login keeps its type', async () => {
    const kim = await person()
    await at(BY_APP, SAYS)
    const { mfa_token } = await mfaRequired(kim)
    const { refresh_token } = (await byApp(kim, mfa_token)).json()
    const refreshed = (await refresh(kim, refresh_token)).json()
    expect(provenIn(refreshed)).toEqual(['otp'])
    await at(BY_PHONE)
    expect((await refresh(kim, refreshed.refresh_token)).json()).toMatchObject({
      error: 'mfa_required',
      mfa_requirements: { challenge: [{ type: 'phone' }] },
    })
  })

  it('a factor of a login on the pages does too', async () => {
    const kim = await person()
    await at(BY_APP, SAYS)
    const { state } = await firstFactor(kim)
    const tokens = await redeem(
      kim.browser,
      await send(kim.browser, state, 'mfa-verify', { code: codeOf(server, kim.secret) }),
    )
    expect(provenIn((await refresh(kim, tokens.refresh_token)).json())).toEqual(['otp'])
  })

  it('a factor that an older version stored has no type', async () => {
    const kim = await person()
    const { mfa_token } = await mfaRequired(kim)
    const { refresh_token } = (await byApp(kim, mfa_token)).json()
    await server.database.pool.query(
      `UPDATE token_family SET authentication = (authentication::jsonb - 'factors')::json WHERE user_id = $1`,
      [`auth0|${kim.email.split('@')[0]}`],
    )
    await at(BY_APP)
    expect((await refresh(kim, refresh_token)).json().error).toBe('mfa_required')
    await at(ANY)
    expect((await refresh(kim, refresh_token)).status).toBe(200)
  })

  it('tokens take the place of the old ones, also after two factors', async () => {
    const kim = await person()
    const { mfa_token } = await mfaRequired(kim)
    const { refresh_token } = (await byApp(kim, mfa_token)).json()
    server.clock.advance(60)
    await at(BY_PHONE, BY_APP, SAYS)
    const requested = (await refresh(kim, refresh_token)).json()
    await at(BY_PHONE, `api.authentication.challengeWith({ type: 'recovery-code' })`, SAYS)
    const next = (await byPhone(kim, String(requested.mfa_token))).json()
    expect(next).toMatchObject({ error: 'mfa_required', mfa_requirements: { challenge: [{ type: 'recovery-code' }] } })
    const answer = { grant_type: RECOVERY, mfa_token: String(next.mfa_token), recovery_code: kim.recoveryCode }
    const tokens = (await token(kim.browser, answer)).json()
    expect(provenIn(tokens)).toEqual(['otp', 'phone', 'recovery-code'])
    expect((await refresh(kim, refresh_token)).json().error).toBe('invalid_grant')
    expect((await refresh(kim, tokens.refresh_token)).status).toBe(200)
  })
})

describe('an enrolment by phone, for a user with an app', () => {
  const ADD = `api.authentication.enrollWith({ type: 'phone' })`
  const PHONE = { authenticator_types: ['oob'], oob_channels: ['sms'] }

  it('comes after the app, on the pages', async () => {
    const kim = await person({ hasPhone: false })
    await at(ADD, SAYS)
    const { state, answer } = await firstFactor(kim)
    expect(answer.pathname).toBe('/u/mfa-challenge')
    const early = await send(kim.browser, state, 'mfa-enroll', { factor: 'sms', phone: kim.phone })
    expect(locationOf(early).pathname).toBe('/u/mfa-challenge')
    const proven = locationOf(await send(kim.browser, state, 'mfa-verify', { code: codeOf(server, kim.secret) }))
    expect(proven.pathname).toBe('/u/mfa-enroll')
    const page = (await kim.browser.get(proven.href)).text
    expect([...page.matchAll(/name="factor" value="([^"]+)"/g)].map(([, factor]) => factor)).toEqual(['sms'])
    const other = locationOf(await send(kim.browser, state, 'mfa-enroll', { factor: 'otp' }))
    expect((await kim.browser.get(other.href)).text).not.toContain('class="secret-text"')
    await send(kim.browser, state, 'mfa-enroll', { factor: 'sms', phone: kim.phone })
    const finished = await send(kim.browser, state, 'mfa-confirm', { code: await codeTo(server, kim.phone) })
    expect(provenIn(await redeem(kim.browser, finished))).toEqual(['otp', 'phone'])
  })

  it('comes after the app, over the API', async () => {
    const kim = await person({ hasPhone: false })
    await at(ADD, SAYS)
    const first = await mfaRequired(kim)
    expect(first.requirements).toEqual({ challenge: [{ type: 'otp' }, { type: 'recovery-code' }] })
    const early = await associate(kim.browser, first.mfa_token, { ...PHONE, phone_number: kim.phone })
    expect(early.json().error).toBe('access_denied')
    const next = (await byApp(kim, first.mfa_token)).json()
    expect(next).toMatchObject({ error: 'mfa_required', mfa_requirements: { enroll: [{ type: 'phone' }] } })
    const mfa_token = String(next.mfa_token)
    server.clock.advance(60)
    expect(outcome(await byApp(kim, mfa_token))).toEqual(OTHER_TYPE)
    const app = await associate(kim.browser, mfa_token, { authenticator_types: ['otp'] })
    expect(outcome(app)).toEqual([400, 'invalid_request', 'None of the authenticator types can be enrolled'])
    const added = (await associate(kim.browser, mfa_token, { ...PHONE, phone_number: kim.phone })).json()
    const answer = { grant_type: OOB, mfa_token, oob_code: String(added.oob_code) }
    const tokens = (await token(kim.browser, { ...answer, binding_code: await codeTo(server, kim.phone) })).json()
    expect(provenIn(tokens)).toEqual(['otp', 'phone'])
  })

  it('asks for the app again where a session or a refresh token brings a proof from before', async () => {
    const kim = await person({ hasPhone: false })
    const { state } = await firstFactor(kim)
    const finished = await send(kim.browser, state, 'mfa-verify', { code: codeOf(server, kim.secret) })
    const { refresh_token } = await redeem(kim.browser, finished)
    server.clock.advance(60)
    await at(ADD)
    expect(locationOf(await authorize(kim.browser)).pathname).toBe('/u/mfa-challenge')
    const requested = (
      await token(kim.browser, { grant_type: 'refresh_token', refresh_token: String(refresh_token) })
    ).json()
    expect(requested.mfa_requirements).toEqual({ challenge: [{ type: 'otp' }, { type: 'recovery-code' }] })
    const early = await associate(kim.browser, String(requested.mfa_token), { ...PHONE, phone_number: kim.phone })
    expect(early.json().error).toBe('access_denied')
    const next = (await byApp(kim, String(requested.mfa_token))).json()
    expect(next.mfa_requirements).toEqual({ enroll: [{ type: 'phone' }] })
  })

  it('is refused where that factor is not switched on, and where a challenge asks for it', async () => {
    const kim = await person({ hasPhone: false })
    for (const body of [`api.authentication.enrollWith({ type: 'push-notification' })`, BY_PHONE]) {
      await at(body)
      expect((await mfaRequired(kim)).error).toBe('access_denied')
      expect((await firstFactor(kim)).answer.searchParams.get('error')).toBe('access_denied')
    }
  })

  it('keeps a recovery code that proved the login until it is shown', async () => {
    const kim = await person({ hasPhone: false })
    await at(ADD, SAYS)
    const { state } = await firstFactor(kim)
    const { rows } = await server.database.pool.query(
      `SELECT id FROM authenticator WHERE user_id = $1 AND type = 'recovery-code'`,
      [`auth0|${kim.email.split('@')[0]}`],
    )
    await send(kim.browser, state, 'mfa-use', { authenticator: rows[0].id })
    const proven = await send(kim.browser, state, 'mfa-verify', { code: kim.recoveryCode })
    expect(locationOf(proven).pathname).toBe('/u/mfa-enroll')
    await send(kim.browser, state, 'mfa-enroll', { factor: 'sms', phone: kim.phone })
    const confirmed = locationOf(
      await send(kim.browser, state, 'mfa-confirm', { code: await codeTo(server, kim.phone) }),
    )
    expect(confirmed.pathname).toBe('/u/mfa-recovery-code')
    const saved = await send(kim.browser, state, 'mfa-saved')
    expect(provenIn(await redeem(kim.browser, saved))).toEqual(['recovery-code', 'phone'])
  })
})
