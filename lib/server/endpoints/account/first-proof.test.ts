// Account pre-hijacking (threat-model.md BF1, BF2): an attacker signs up with a victim's address and attaches what should open
// the account later. However the owner proves the address, nothing from before gives access.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
} from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import { associate, bearer, codeOf, demand, logIn, MFA_WEB, mfaToken, OTP, token } from '../../../testing/mfa'
import { addPasswordless, codeTo, OTP_GRANT, redeemCode, sendTo } from '../../../testing/passwordless'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const NEW_PASSWORD = 'a lantern over the harbour wall'
const API = 'https://id.test/api/v2/'
const MFA_API = 'https://id.test/mfa/'
/** Without mail: a verified address would be a factor by itself. */
const FACTORS = ['otp', 'recovery-code']
const IDENTITIES = 'update:current_user_identities update:current_user_metadata create:current_user_device_credentials'

let server: TestServer
let email: string
let attacker: string

beforeAll(async () => {
  server = await testServer()
  const grant_types = ['authorization_code', 'refresh_token', OTP_GRANT]
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await server.addClient(MFA_WEB)
  await addPasswordless(server)
  await demand(server, [], FACTORS)
})
afterAll(() => server.close())
beforeEach(() => {
  email = `owner-${server.random.hex(6)}@mail.test`
  attacker = `attacker-${server.random.hex(6)}@mail.test`
})

const rows = async (text: string, values: unknown[]) => (await server.database.pool.query(text, values)).rows
const user = async () => (await rows('SELECT * FROM "user" WHERE email = $1', [email]))[0]
const attached = async (userId: string) => {
  const tables = ['authenticator', 'known_browser', 'device_credential', 'consent', 'identity']
  const counts = await Promise.all(
    tables.map((table) => rows(`SELECT count(*)::int AS count FROM ${table} WHERE user_id = $1`, [userId])),
  )
  return counts.map(([row]) => row?.count)
}
const NOTHING = [0, 0, 0, 0, 1]

/** Signs up as an attacker who cannot read mail of that address. */
async function signUp(): Promise<string> {
  const json = { client_id: 'spa', connection: 'Users', email, password: PASSWORD, user_metadata: { plan: 'gold' } }
  expect((await server.browser().post('/dbconnections/signup', { json })).status).toBe(200)
  return (await user()).id
}
const tokensFor = (audience: string, scope: string) => signInForTokens(server.browser(), email, { audience, scope })

/** Enrols a second factor as a login's policy demands, by the API for clients without pages. */
async function enrollByPolicy(): Promise<void> {
  await demand(server, ['all-applications'], FACTORS)
  const browser = server.browser()
  const mfa_token = await mfaToken(browser, email)
  const added = (await associate(browser, mfa_token, { authenticator_types: ['otp'] })).json()
  const passed = await token(browser, { grant_type: OTP, mfa_token, otp: codeOf(server, added.secret) })
  expect(passed.status).toBe(200)
  await demand(server, [], FACTORS)
}

/** Identities, credentials and consent from before linking required a verified address. */
async function attachMore(userId: string): Promise<void> {
  const { tenantId } = await server.runtime()
  const values = [tenantId, userId]
  await rows(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key)
     VALUES ($1, 'con_email', 'ff', 'email', $2, $3)`,
    [...values, attacker],
  )
  await rows(
    `INSERT INTO known_browser (tenant_id, user_id, digest, created_at, seen_at, remembered_until)
     VALUES ($1, $2, '\\x00', now(), now(), now() + interval '30 days')`,
    values,
  )
  await rows(
    `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at)
     VALUES ($1, $2, 'spa', '', '{openid}', now())`,
    values,
  )
  const { access_token } = await tokensFor(API, IDENTITIES)
  const device = { device_name: 'x', type: 'public_key', value: 'AAAA', device_id: '1' }
  const added = await server
    .browser()
    .post('/api/v2/device-credentials', { json: device, headers: bearer(access_token) })
  expect(added.status).toBe(201)
}

async function attackerSignsInByCode(): Promise<unknown> {
  await sendTo(server.browser(), attacker)
  const answer = await redeemCode(server.browser(), attacker, await codeTo(server, attacker), { scope: 'openid' })
  const [, payload = ''] = String(answer.json().id_token).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub
}

const resetByMail = async () => {
  // The newest mail is found by its time.
  server.clock.advance(1)
  const browser = server.browser()
  await browser.post('/u/submit', { form: { action: 'request-reset', email, state: await beginLogin(browser) } })
  const form = { ticket: await ticketTo(server, email), action: 'reset-password', password: NEW_PASSWORD }
  expect((await browser.post('/u/reset-password', { form })).status).toBe(200)
}
const followVerification = async (browser = server.browser()) => {
  const form = { ticket: await ticketTo(server, email), action: 'verify-email' }
  expect((await browser.post('/u/verify-email', { form })).status).toBe(200)
}

describe('what was attached before the owner proved the address', () => {
  it('is gone after a reset by mail, and opens the account no more', async () => {
    const userId = await signUp()
    await enrollByPolicy()
    await attachMore(userId)
    const browser = server.browser()
    const before = await signInForTokens(browser, email)
    expect(await attackerSignsInByCode()).toBe(userId)
    await resetByMail()
    expect(await attached(userId)).toEqual(NOTHING)
    expect(await user()).toMatchObject({ id: userId, email_verified: true, user_metadata: {} })
    expect(await attackerSignsInByCode()).not.toBe(userId)
    expect((await refresh(server.browser(), before.refresh_token)).status).toBe(403)
    const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
    const own = server.browser()
    const login = await submitPassword(own, await beginLogin(own), email, NEW_PASSWORD)
    expect(locationOf(login).searchParams.has('code')).toBe(true)
  })

  it('is removed after the verification link was opened in a browser without a session', async () => {
    const userId = await signUp()
    await enrollByPolicy()
    await attachMore(userId)
    const before = await signInForTokens(server.browser(), email)
    await followVerification()
    expect(await attached(userId)).toEqual(NOTHING)
    expect(await user()).toMatchObject({ email_verified: true, user_metadata: {} })
    expect((await refresh(server.browser(), before.refresh_token)).status).toBe(403)
    expect((await signIn(server.browser(), email)).has('code')).toBe(true)
  })

  it('is removed after a code to an address that an import left unverified, and that login continues', async () => {
    const { tenantId } = await server.runtime()
    const made = 'INSERT INTO "user" (tenant_id, id, email, user_metadata) VALUES ($1, \'email|aa\', $2, \'{"a": 1}\')'
    await rows(made, [tenantId, email])
    await rows(
      `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key)
       VALUES ($1, 'con_email', 'aa-' || $2, 'email', 'email|aa', $2), ($1, 'con_email', 'bb-' || $2, 'email', 'email|aa', $3)`,
      [tenantId, email, attacker],
    )
    expect(await attackerSignsInByCode()).toBe('email|aa')
    await sendTo(server.browser(), email)
    expect((await redeemCode(server.browser(), email, await codeTo(server, email))).status).toBe(200)
    expect(await user()).toMatchObject({ email_verified: true, user_metadata: {} })
    expect(await attackerSignsInByCode()).not.toBe('email|aa')
  })

  it('stays if the link is opened in the browser of the user who signed up', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const form = { state, action: 'sign-up', email, password: PASSWORD }
    const code = locationOf(await browser.post('/u/submit', { form })).searchParams.get('code') ?? ''
    const tokens = (await redeem(browser, code)).json()
    const { id } = await user()
    await rows('UPDATE "user" SET user_metadata = \'{"plan": "gold"}\' WHERE id = $1', [id])
    await enrollByPolicy()
    const before = await attached(id)
    expect(before).not.toEqual(NOTHING)
    await followVerification(browser)
    expect(await attached(id)).toEqual(before)
    expect(await user()).toMatchObject({ email_verified: true, user_metadata: { plan: 'gold' } })
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(200)
  })

  it('is removed if the browser has another user’s session, and that user’s data stays', async () => {
    const other = `other-${email}`
    await server.addUser({ email: other, data: { userMetadata: { a: 1 } } })
    const browser = server.browser()
    const theirs = await signInForTokens(browser, other)
    await signUp()
    await signInForTokens(server.browser(), email)
    await followVerification(browser)
    expect(await user()).toMatchObject({ user_metadata: {} })
    expect((await rows('SELECT user_metadata FROM "user" WHERE email = $1', [other]))[0]).toEqual({
      user_metadata: { a: 1 },
    })
    expect((await refresh(server.browser(), theirs.refresh_token)).status).toBe(200)
  })

  it('is only the data of the sign-up form if the account was never used: the link confirms it', async () => {
    await signUp()
    await followVerification()
    expect(await user()).toMatchObject({ email_verified: true, user_metadata: { plan: 'gold' } })
  })

  it('stays at every later proof: a second reset takes no factor away', async () => {
    const userId = await signUp()
    await followVerification()
    await enrollByPolicy()
    const before = await attached(userId)
    await resetByMail()
    expect(await attached(userId)).toEqual(before)
  })

  it('leaves what the tenant gave: app_metadata and roles', async () => {
    const userId = await signUp()
    await server.addRole(`role-${email}`, {})
    await server.giveRole(userId, `role-${email}`)
    await rows('UPDATE "user" SET app_metadata = \'{"tier": 1}\' WHERE id = $1', [userId])
    await resetByMail()
    expect(await user()).toMatchObject({ app_metadata: { tier: 1 } })
    expect(await rows('SELECT 1 FROM user_role WHERE user_id = $1', [userId])).toHaveLength(1)
  })
})

describe('while the address is unproven', () => {
  it('no second factor is added by an access token', async () => {
    await signUp()
    const { access_token } = await tokensFor(MFA_API, 'enroll')
    const answer = await associate(server.browser(), access_token, { authenticator_types: ['otp'] })
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: 'access_denied', error_description: 'The address of the account is not verified' },
    ])
    await followVerification()
    const later = await tokensFor(MFA_API, 'enroll')
    const added = await associate(server.browser(), later.access_token, { authenticator_types: ['otp'] })
    expect(added.status).toBe(200)
  })

  it('the first factor that a login demands is added all the same', async () => {
    await signUp()
    await enrollByPolicy()
    expect((await logIn(server.browser(), email)).status).toBe(200)
  })

  it.each(['main', 'other'] as const)('no accounts are linked: the %s one is unproven', async (which) => {
    const userId = await signUp()
    const proven = `proven-${email}`
    const provenId = await server.addUser({ email: proven, data: { emailVerified: true } })
    const [mainId, main, other] = which === 'main' ? [userId, email, proven] : [provenId, proven, email]
    const { access_token } = await signInForTokens(server.browser(), main, { audience: API, scope: IDENTITIES })
    const link = async () => {
      const { id_token } = await signInForTokens(server.browser(), other)
      const path = `/api/v2/users/${encodeURIComponent(mainId)}/identities`
      return server.browser().post(path, { json: { link_with: id_token }, headers: bearer(access_token) })
    }
    const refused = await link()
    expect([refused.status, refused.json().message]).toEqual([403, 'The address of the account is not verified'])
    await rows('UPDATE "user" SET email_verified = true WHERE id = $1', [userId])
    expect((await link()).status).toBe(201)
  })

  it.each([
    ['a username alone', 'email_key = NULL, username_key = $2', 'email = NULL, username = $2'],
    ['an address that a provider asserts', 'email_key = NULL, username_key = $2', 'username = $2'],
  ])('an account of %s has nothing to prove', async (_what, identity, record) => {
    const userId = await signUp()
    const { access_token } = await tokensFor(MFA_API, 'enroll')
    const values = [userId, `name-${server.random.hex(6)}`]
    await rows(`UPDATE identity SET ${identity} WHERE user_id = $1`, values)
    await rows(`UPDATE "user" SET ${record} WHERE id = $1`, values)
    expect((await associate(server.browser(), access_token, { authenticator_types: ['otp'] })).status).toBe(200)
  })
})
