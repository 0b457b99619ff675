import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
} from '../../../testing/journey'
import { codeOf, demand, enrollApp, MFA_WEB } from '../../../testing/mfa'
import { addPasswordless, codeTo } from '../../../testing/passwordless'
import type { Browser, TestResponse } from '../../../testing/server'
import { comeBack, press, signInBy, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

let server: UpstreamTestServer
let count = 0

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'narrow', settings: SPA.settings })
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addClient(MFA_WEB)
  await server.addProvider('google-oauth2', 'google-oauth2')
  await server.addProvider('apart', 'google-oauth2', { suggest_account_linking: false })
  await server.addProvider('corp', 'oidc', {
    options: { issuer: 'https://idp.test', trust_email_claim: true, domain_aliases: ['corp.test'] },
  })
  await addPasswordless(server)
  await server.database.pool.query(
    `UPDATE connection SET settings = settings || '{"enabled_clients": ["spa", "third", "web"]}' WHERE name = 'Users'`,
  )
})
afterAll(() => server.close())
beforeEach(() => server.setTenant({}))

type TestAccount = { email: string; sub: string; data: { emailVerified: boolean } }

function testAccount(domain = 'mail.test'): TestAccount {
  count += 1
  return { email: `p${count}@${domain}`, sub: `g${count}`, data: { emailVerified: true } }
}

const google = ({ email, sub }: TestAccount) => ({ sub, email, email_verified: true, name: 'Kim' })

/** An account with a password, one second older than the next one. */
async function withPassword(person: TestAccount): Promise<string> {
  const id = await server.addUser(person)
  await server.database.pool.query(`UPDATE "user" SET created_at = $2 WHERE id = $1`, [id, server.clock.now()])
  server.clock.advance(1)
  return id
}

const submit = (browser: Browser, state: string, action: string, more = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, ...more } })

const stateOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('state') ?? ''
const pathOf = (answer: TestResponse): string => locationOf(answer).pathname
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const hasSession = ({ cookies }: Browser): boolean => cookies.has('__Host-latchkey_session')

async function claimsOf(browser: Browser, answer: TestResponse): Promise<Record<string, unknown>> {
  const code = locationOf(answer).searchParams.get('code')
  expect(code).toBeTruthy()
  return payloadOf((await redeem(browser, code ?? '')).json().id_token)
}

/** Signs in with Google up to the linking question; returns its state. */
async function suggested(browser: Browser, person: TestAccount, connection = 'google-oauth2'): Promise<string> {
  const answer = await signInBy(browser, server, connection, google(person))
  expect(pathOf(answer)).toBe('/u/link-account')
  expect(hasSession(browser)).toBe(false)
  return stateOf(answer)
}

const owners = async (person: TestAccount): Promise<Record<string, string>> => {
  const { rows } = await server.database.pool.query<{ provider: string; owner: string }>(
    `SELECT i.provider, i.user_id AS owner FROM identity i JOIN "user" u ON u.id = i.user_id WHERE u.email = $1`,
    [person.email],
  )
  return Object.fromEntries(rows.map(({ provider, owner }) => [provider, owner]))
}

describe('the suggestion to link two accounts', () => {
  it('comes after a login by a provider, and the older account stays', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    const page = await browser.get('/u/link-account', { query: { state } })
    expect(page.text).toContain(person.email)
    expect(page.text).toContain('a password')
    const response = await submit(browser, state, 'link')
    expect(pathOf(response)).toBe('/u/login')
    expect((await browser.get('/u/login', { query: { state } })).text).toContain('Sign in to your other account')
    expect(noticeOf(await submitPassword(browser, state, person.email, 'wrong'))).toBe('wrong_credentials')
    const claims = await claimsOf(browser, await submitPassword(browser, state, person.email))
    expect(claims).toMatchObject({ sub: id, email: person.email })
    expect(await owners(person)).toEqual({ auth0: id, 'google-oauth2': id })
  })

  it('is not made again: the provider signs in to the account that it was linked to', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    await submitPassword(browser, state, person.email)
    const other = server.browser()
    const answer = await signInBy(other, server, 'google-oauth2', google(person))
    expect((await claimsOf(other, answer)).sub).toBe(id)
  })

  it('comes after a login by password as well; what the newer account was signed in to ends', async () => {
    const person = testAccount()
    await signInBy(server.browser(), server, 'google-oauth2', google(person))
    server.clock.advance(1)
    await server.setTenant({ tenant: { suggest_account_linking: 'never_on_login' } })
    const id = await withPassword(person)
    const tokens = await signInForTokens(server.browser(), person.email)
    await server.setTenant({})
    const browser = server.browser()
    const state = stateOf(await submitPassword(browser, await beginLogin(browser), person.email))
    await submit(browser, state, 'link')
    const page = await browser.get('/u/login', { query: { state } })
    expect(page.text).toContain('Continue with Google')
    expect(page.text).not.toContain('name="password"')
    const away = await press(browser, state, 'google-oauth2')
    expect(away.searchParams.get('login_hint')).toBeNull()
    const answer = await comeBack(browser, server.double, away, google(person))
    expect((await claimsOf(browser, answer)).sub).toBe(`google-oauth2|${person.sub}`)
    expect((await refresh(browser, tokens.refresh_token)).json().error).toBe('invalid_grant')
    expect(Object.values(await owners(person))).not.toContain(id)
  })

  it('asks for a mailed code where the other account signs in by one', async () => {
    const person = testAccount()
    const first = server.browser()
    const started = await beginLogin(first)
    await submit(first, started, 'send-code', { address: person.email })
    await submit(first, started, 'check-code', { code: await codeTo(server, person.email) })
    server.clock.advance(60)
    const browser = server.browser()
    const state = await suggested(browser, person)
    expect((await browser.get('/u/link-account', { query: { state } })).text).toContain('a code or link by email')
    expect(pathOf(await submit(browser, state, 'link'))).toBe('/u/passwordless')
    expect((await browser.get('/u/passwordless', { query: { state } })).text).toContain(`value="${person.email}"`)
    await submit(browser, state, 'send-code', { address: person.email })
    const answer = await submit(browser, state, 'check-code', { code: await codeTo(server, person.email) })
    expect((await claimsOf(browser, answer)).sub).toMatch(/^email\|/)
  })

  it('offers an organisation’s provider by its button, wherever its domain would lead', async () => {
    const person = testAccount('corp.test')
    await signInBy(server.browser(), server, 'corp', google(person))
    server.clock.advance(1)
    await withPassword(person)
    const browser = server.browser()
    const state = stateOf(await signInBy(browser, server, 'google-oauth2', google(person)))
    await submit(browser, state, 'link')
    const page = await browser.get('/u/login', { query: { state } })
    expect(page.text).toContain('Continue with corp')
    const answer = await comeBack(browser, server.double, await press(browser, state, 'corp'), google(person))
    expect((await claimsOf(browser, answer)).sub).toBe(`oidc|corp|${person.sub}`)
  })

  it('keeps nothing of the newer account’s rights', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    const newer = `google-oauth2|${person.sub}`
    await server.addRole(`r ${person.sub}`, {})
    await server.giveRole(newer, `r ${person.sub}`)
    await server.database.pool.query(`UPDATE "user" SET app_metadata = '{"admin":true}' WHERE id = $1`, [newer])
    await submit(browser, state, 'link')
    await submitPassword(browser, state, person.email)
    const { rows } = await server.database.pool.query(
      `SELECT app_metadata, (SELECT count(*)::int FROM user_role r WHERE r.user_id = u.id) AS roles FROM "user" u WHERE id = ANY($1)`,
      [[id, newer]],
    )
    expect(rows).toEqual([{ app_metadata: {}, roles: 0 }])
  })

  it('continues with consent, which is requested once', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const answer = await signInBy(browser, server, 'google-oauth2', google(person), { client_id: 'third' })
    expect(pathOf(answer)).toBe('/u/consent')
    const state = stateOf(answer)
    expect(pathOf(await submit(browser, state, 'accept'))).toBe('/u/link-account')
    await submit(browser, state, 'link')
    expect(locationOf(await submitPassword(browser, state, person.email)).searchParams.get('code')).toBeTruthy()
  })
})

describe('keeping two accounts apart', () => {
  it('continues as the user who signed in, and is remembered', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const answer = await submit(browser, await suggested(browser, person), 'keep-apart')
    expect((await claimsOf(browser, answer)).sub).toBe(`google-oauth2|${person.sub}`)
    const again = server.browser()
    const next = await signInBy(again, server, 'google-oauth2', google(person))
    expect((await claimsOf(again, next)).sub).toBe(`google-oauth2|${person.sub}`)
    expect(Object.keys(await owners(person))).toHaveLength(2)
  })

  it('is not offered from the other account either', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    await submit(browser, await suggested(browser, person), 'keep-apart')
    expect((await signIn(server.browser(), person.email)).get('code')).toBeTruthy()
  })

  it('is still possible after agreeing: cancelling leads back to the question', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    expect(pathOf(await submit(browser, state, 'cancel'))).toBe('/u/link-account')
    const answer = await submit(browser, state, 'keep-apart')
    expect((await claimsOf(browser, answer)).sub).toBe(`google-oauth2|${person.sub}`)
  })
})

describe('nothing is suggested', () => {
  const isFinished = async (
    person: TestAccount,
    connection = 'google-oauth2',
    claims = {},
    extra = {},
  ): Promise<void> => {
    const browser = server.browser()
    const answer = await signInBy(browser, server, connection, { ...google(person), ...claims }, extra)
    expect(locationOf(answer).searchParams.get('code')).toBeTruthy()
  }

  it('a link is not suggested to a user who has not proven the address', async () => {
    const person = testAccount()
    await withPassword(person)
    await isFinished(person, 'google-oauth2', { email_verified: false })
  })

  it.each<[string, Partial<TestAccount> & { blocked?: boolean; password?: null }]>([
    ['that has not proven the address', { data: { emailVerified: false } }],
    ['that is blocked', { blocked: true }],
    ['that has no way to sign in', { password: null }],
    ['of another address', { email: 'else@mail.test' }],
  ])('an account is not suggested: %s', async (_, change) => {
    const person = testAccount()
    await withPassword({ ...person, ...change })
    await isFinished(person)
    await server.database.pool.query(`DELETE FROM "user" WHERE email = 'else@mail.test'`)
  })

  it('a link is not suggested where the tenant switched it off, and after the first login if set so', async () => {
    const person = testAccount()
    await withPassword(person)
    await server.setTenant({ tenant: { suggest_account_linking: 'never_on_login' } })
    await isFinished(person)
    await server.setTenant({ tenant: { suggest_account_linking: 'on_first_login' } })
    await isFinished(person)
    await suggested(server.browser(), { ...person, sub: `${person.sub}-new` })
  })

  it('a link is not suggested by a connection that is excluded, or for an account that only such a connection signs in', async () => {
    const person = testAccount()
    await withPassword(person)
    await isFinished(person, 'apart')
    const other = testAccount()
    await isFinished(other, 'apart')
    await isFinished(other)
  })

  it('a link is not suggested for an account that the application does not let in', async () => {
    const person = testAccount()
    await withPassword(person)
    await isFinished(person, 'google-oauth2', {}, { client_id: 'narrow' })
  })

  it('an account of another tenant is not suggested', async () => {
    const person = testAccount()
    const further = await server.addTenant('further', 'https://further.test')
    await server.database.pool.query(
      `INSERT INTO "user" (tenant_id, id, email, email_verified) VALUES ('further', 'auth0|x', $1, true)`,
      [person.email],
    )
    expect(further).toBeTruthy()
    await isFinished(person)
  })

  it('a link is not suggested to a user whom only a session identifies, or where another user than the expected would result', async () => {
    const person = testAccount()
    const browser = server.browser()
    const answer = await signInBy(browser, server, 'google-oauth2', google(person))
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    await withPassword(person)
    for (const extra of [{}, { prompt: 'none' }, { prompt: 'consent', client_id: 'third' }]) {
      const next = await browser.get('/authorize', { query: authorizeQuery(extra) })
      const end = pathOf(next) === '/u/consent' ? await submit(browser, stateOf(next), 'accept') : next
      expect(locationOf(end).searchParams.get('code')).toBeTruthy()
    }
    await isFinished(person, 'google-oauth2', {}, { id_token_hint: String(tokens.id_token) })
  })
})

describe('nothing is linked', () => {
  const isApart = async (person: TestAccount): Promise<void> =>
    expect(new Set(Object.values(await owners(person))).size).toBe(2)

  it('the proof of another account than the suggested one links nothing', async () => {
    const [person, stranger] = [testAccount(), testAccount()]
    await withPassword(person)
    await withPassword(stranger)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    expect(noticeOf(await submitPassword(browser, state, stranger.email))).toBe('link_other_account')
    await isApart(person)
  })

  it('a proof by a way to sign in that the other account does not have links nothing', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    const again = await submit(browser, state, 'federated', { connection: 'google-oauth2' })
    expect(noticeOf(again)).toBe('upstream_failed')
    const code = await submit(browser, state, 'send-code', { address: person.email })
    expect(pathOf(code)).toBe('/u/login')
    await isApart(person)
  })

  it('a password without an answer to the question finishes nothing', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    expect(pathOf(await submitPassword(browser, state, person.email))).toBe('/u/link-account')
    await isApart(person)
  })

  it('another browser links nothing, and an hour later nothing is linked', async () => {
    const person = testAccount()
    await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    const attacker = server.browser()
    await beginLogin(attacker)
    expect((await attacker.get('/u/link-account', { query: { state } })).status).toBe(403)
    expect((await submit(attacker, state, 'link')).status).toBe(403)
    await submit(browser, state, 'link')
    expect((await submitPassword(attacker, state, person.email)).status).toBe(403)
    server.clock.advance(3601)
    expect((await submitPassword(browser, state, person.email)).status).toBe(400)
    await isApart(person)
  })

  it.each<[string, string]>([
    ['is blocked', 'UPDATE "user" SET blocked = true WHERE id = $1'],
    ['has another address', `UPDATE "user" SET email = 'moved@mail.test' WHERE id = $1`],
    ['has an unproven address', 'UPDATE "user" SET email_verified = false WHERE id = $1'],
    ['was signed out everywhere', `UPDATE "user" SET not_before = 'SOON' WHERE id = $1`],
    ['is gone', 'DELETE FROM "user" WHERE id = $1'],
  ])('a link is not made when the first account %s meanwhile', async (_, change) => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    const soon = new Date(server.clock.now().getTime() + 1000).toISOString()
    await server.database.pool.query(change.replace('SOON', soon), [`google-oauth2|${person.sub}`])
    const answer = await submitPassword(browser, state, person.email)
    expect(noticeOf(answer)).toBe('link_failed')
    expect(hasSession(browser)).toBe(false)
    expect((await owners(person)).auth0).toBe(id)
    const { rows } = await server.database.pool.query('SELECT 1 FROM identity WHERE user_id = $1', [id])
    expect(rows).toHaveLength(1)
  })

  it('a link is not made when the newer account is that of the last owner: the login says so and continues', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    const newer = `google-oauth2|${person.sub}`
    await (await server.runtime()).administrators.put(newer, 'owner', server.clock.now())
    await submit(browser, state, 'link')
    const refused = await submitPassword(browser, state, person.email)
    expect([refused.status, pathOf(refused), noticeOf(refused)]).toEqual([303, '/u/link-account', 'link_last_owner'])
    const page = await browser.get('/u/link-account', { query: { state, notice: 'link_last_owner' } })
    expect(page.text).toContain('only account that can manage this server')
    expect(await owners(person)).toEqual({ auth0: id, 'google-oauth2': newer })
    expect(await (await server.runtime()).administrators.find(newer)).toMatchObject({ role: 'owner' })
    const answer = await submit(browser, state, 'keep-apart')
    expect((await claimsOf(browser, answer)).sub).toBe(newer)
    await (await server.runtime()).administrators.change(newer, null, 'operator')
  })

  it('a link is not offered for another user after the first account was deleted', async () => {
    const [person, stranger] = [testAccount(), testAccount()]
    await withPassword(person)
    const id = await withPassword(stranger)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await server.database.pool.query('DELETE FROM "user" WHERE id = $1', [`google-oauth2|${person.sub}`])
    const answer = await submitPassword(browser, state, stranger.email)
    expect((await claimsOf(browser, answer)).sub).toBe(id)
  })

  it('a link is not made when the other account is blocked meanwhile', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [id])
    expect(noticeOf(await submitPassword(browser, state, person.email))).toBe('wrong_credentials')
    await isApart(person)
  })

  it('a link is made once: one of many concurrent submits succeeds, and a repeated one finds the login finished', async () => {
    const person = testAccount()
    const id = await withPassword(person)
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    const all = await Promise.all(Array.from({ length: 5 }, () => submitPassword(browser, state, person.email)))
    expect(all.filter((answer) => locationOf(answer).searchParams.has('code'))).toHaveLength(1)
    expect((await submitPassword(browser, state, person.email)).status).toBe(400)
    expect(await owners(person)).toEqual({ auth0: id, 'google-oauth2': id })
  })
})

describe('an account with a second factor', () => {
  it('is not linked without it, whatever the policy asks of a login', async () => {
    await demand(server)
    const person = testAccount()
    const id = await withPassword({ ...person, data: { emailVerified: true } })
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [id])
    const { secret } = await enrollApp(server, server.browser(), person.email)
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE id = $1', [id])
    await demand(server, [], ['otp'])
    const browser = server.browser()
    const state = await suggested(browser, person)
    await submit(browser, state, 'link')
    expect(pathOf(await submitPassword(browser, state, person.email))).toBe('/u/mfa-challenge')
    expect(noticeOf(await submit(browser, state, 'mfa-verify', { code: '000000' }))).toBe('wrong_code')
    expect(new Set(Object.values(await owners(person))).size).toBe(2)
    const answer = await submit(browser, state, 'mfa-verify', { code: codeOf(server, secret) })
    expect(await claimsOf(browser, answer)).toMatchObject({ sub: id, amr: expect.arrayContaining(['mfa']) })
  })

  it('proves it too where it is the one that was signed in to', async () => {
    await demand(server)
    const person = testAccount()
    await signInBy(server.browser(), server, 'google-oauth2', google(person))
    server.clock.advance(1)
    const id = await withPassword(person)
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [id])
    const { secret } = await enrollApp(server, server.browser(), person.email)
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE id = $1', [id])
    await demand(server, [], ['otp'])
    const browser = server.browser()
    const state = stateOf(await submitPassword(browser, await beginLogin(browser), person.email))
    expect(pathOf(await submit(browser, state, 'link'))).toBe('/u/mfa-challenge')
    expect(pathOf(await submit(browser, state, 'mfa-verify', { code: codeOf(server, secret) }))).toBe('/u/login')
    const away = await press(browser, state, 'google-oauth2')
    const answer = await comeBack(browser, server.double, away, google(person))
    expect((await claimsOf(browser, answer)).sub).toBe(`google-oauth2|${person.sub}`)
  })
})

it('leaves single sign-on as it is', async () => {
  const person = testAccount()
  await withPassword(person)
  const browser = server.browser()
  const state = await suggested(browser, person)
  await submit(browser, state, 'link')
  await submitPassword(browser, state, person.email)
  expect((await signIn(browser, person.email)).has('code')).toBe(false)
  const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
  expect(locationOf(silent).searchParams.has('code')).toBe(true)
})
