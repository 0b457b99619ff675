// Linking and unlinking accounts (threat-model.md TK6, SE7, RE3): needs proof of both accounts, happens once, and what happens
// to the other data.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signJwt } from '../../../crypto/keys/jwt'
import { MULTI_FACTOR_ACR } from '../../../identity/mfa/acr'
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
import { ticketTo } from '../../../testing/mail'
import { codeOf, demand, enrollApp, MFA_WEB } from '../../../testing/mfa'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'
const SCOPE = 'update:current_user_identities read:current_user'
const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'other', settings: SPA.settings })
  await server.addApi('https://api.test', { scopes: [{ value: 'openid' }] })
  await server.setTenant({ tenant: { rate_limits: { current_user: { burst: 10_000, per_minute: 1 } } } })
})
afterAll(() => server.close())

type Person = { id: string; email: string; token: string; idToken: string }

let count = 0
/** A separate user for every test, signed in to the client. */
async function person(data: Record<string, unknown> = {}): Promise<Person> {
  const name = `p${count++}`
  const email = `${name}@mail.test`
  const id = await server.addUser({ id: name, email, data: { emailVerified: true, ...data } })
  return { id, email, token: await tokenOf(email), idToken: await idTokenOf(email) }
}
const tokenOf = async (email: string, extra: Record<string, string> = {}): Promise<string> =>
  String((await signInForTokens(server.browser(), email, { audience: AUDIENCE, scope: SCOPE, ...extra })).access_token)
const idTokenOf = async (email: string): Promise<string> =>
  String((await signInForTokens(server.browser(), email)).id_token)

const send = (method: string, path: string, token: string, json?: unknown): Promise<TestResponse> =>
  server
    .browser()
    .send(method, path, { ...(json === undefined ? {} : { json }), headers: { authorization: `Bearer ${token}` } })
const pathOf = ({ id }: Pick<Person, 'id'>): string => `/api/v2/users/${encodeURIComponent(id)}`
const link = (main: Person, proof: unknown, token = main.token) =>
  send('POST', `${pathOf(main)}/identities`, token, { link_with: proof })
const unlink = (main: Person, userId: string, token = main.token) =>
  send('DELETE', `${pathOf(main)}/identities/auth0/${userId}`, token)
const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]
const nameOf = ({ id }: Person): string => id.slice('auth0|'.length)
const identitiesOf = async (who: Person, token = who.token): Promise<string[]> => {
  const { identities } = (await send('GET', pathOf(who), token)).json()
  return (identities as { user_id: string }[]).map(({ user_id }) => user_id)
}
/** A code by the browser's session. */
const silently = async (browser: Browser, extra: Record<string, string> = {}): Promise<string> => {
  const query = authorizeQuery({ prompt: 'none', ...extra })
  return locationOf(await browser.get('/authorize', { query })).searchParams.get('code') ?? ''
}
const subjectOf = async (email: string): Promise<unknown> => payloadOf(await idTokenOf(email)).sub
const exists = async (id: string): Promise<boolean> =>
  (await server.database.pool.query('SELECT 1 FROM "user" WHERE id = $1', [id])).rowCount === 1

describe('linking', () => {
  it('moves the account with its data, and its owner signs in as the main user', async () => {
    const [main, second] = [await person({ name: 'Main' }), await person({ name: 'Second' })]
    const answer = await link(main, second.idToken)
    expect(answer.status).toBe(201)
    const shown = [
      { connection: 'Users', provider: 'auth0', user_id: nameOf(main), isSocial: false },
      {
        connection: 'Users',
        provider: 'auth0',
        user_id: nameOf(second),
        isSocial: false,
        profileData: {
          email: second.email,
          email_verified: true,
          name: 'Second',
          phone_verified: false,
        },
      },
    ]
    expect(answer.json()).toEqual(shown)
    expect((await send('GET', pathOf(main), main.token)).json()).toMatchObject({
      name: 'Main',
      email: main.email,
      identities: shown,
    })
    expect(await subjectOf(second.email)).toBe(main.id)
    expect(await exists(second.id)).toBe(false)
  })

  it('ends everything that the other user was signed in to, and nothing of the main one', async () => {
    const [main, second] = [await person(), await person()]
    const browser = server.browser()
    const theirs = await signInForTokens(browser, second.email)
    const code = await silently(browser)
    const mine = await signInForTokens(server.browser(), main.email)
    await link(main, second.idToken)
    expect((await refresh(server.browser(), theirs.refresh_token)).status).toBe(403)
    expect((await redeem(server.browser(), code)).status).toBe(403)
    expect((await send('GET', pathOf(second), second.token)).status).toBe(401)
    const silent = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
    expect((await refresh(server.browser(), mine.refresh_token)).status).toBe(200)
  })

  it('gives nothing of what the other had: no metadata, no role', async () => {
    await server.addRole('admin', { 'https://api.test': ['openid'] })
    const main = await person({ userMetadata: { colour: 'blue' } })
    const second = await person({ userMetadata: { colour: 'red' }, appMetadata: { admin: true } })
    await server.giveRole(second.id, 'admin')
    await link(main, second.idToken)
    const { rows } = await server.database.pool.query('SELECT * FROM "user" WHERE id = $1', [main.id])
    expect(rows[0]).toMatchObject({ user_metadata: { colour: 'blue' }, app_metadata: {} })
    expect((await server.database.pool.query('SELECT 1 FROM user_role WHERE user_id = $1', [main.id])).rowCount).toBe(0)
  })

  it('sends the other account’s reset link to that account’s address, and verifies only that address', async () => {
    const [main, second] = [await person(), await person()]
    await link(main, second.idToken)
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [main.id])
    const own = server.browser()
    server.clock.advance(1)
    await own.post('/u/submit', {
      form: { action: 'request-reset', email: second.email, state: await beginLogin(own) },
    })
    const ticket = await ticketTo(server, second.email)
    const password = 'a lantern over the harbour wall'
    const form = { ticket, action: 'reset-password', password }
    expect((await own.post('/u/reset-password', { form })).status).toBeLessThan(400)
    const login = server.browser()
    expect((await submitPassword(login, await beginLogin(login), second.email, password)).status).toBe(302)
    const token = await tokenOf(main.email)
    expect((await send('GET', pathOf(main), token)).json()).toMatchObject({ email: main.email, email_verified: false })
  })

  it('is won by one of twenty, and by one of two that want each other', async () => {
    const [main, second] = [await person(), await person()]
    const answers = await Promise.all(TWENTY.map(() => link(main, second.idToken)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]))

    const [one, two] = [await person(), await person()]
    const crossed = await Promise.all([link(one, two.idToken), link(two, one.idToken)])
    expect(crossed.map(({ status }) => status).sort()).toEqual([201, 401])
    expect([await exists(one.id), await exists(two.id)].filter(Boolean)).toHaveLength(1)
  })
})

describe('a proof that proves nothing (threat-model.md TK6)', () => {
  const expectUnproven = async (main: Person, proof: unknown) => {
    expect(outcome(await link(main, proof))).toEqual([400, 'invalid_body'])
    expect(await identitiesOf(main)).toEqual([nameOf(main)])
  }

  it.each([undefined, null, '', 'x', 'a.b.c', 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.', ['x'], { a: 1 }, 'a\0b'])(
    'a proof such as %j links nothing',
    async (proof) => expectUnproven(await person(), proof),
  )

  it('an access token and ID tokens of another application, of the same user and of an unknown user link nothing', async () => {
    const [main, second] = [await person(), await person()]
    await expectUnproven(main, second.token)
    const api = await signInForTokens(server.browser(), second.email, { audience: 'https://api.test', scope: 'openid' })
    await expectUnproven(main, api.access_token)
    await expectUnproven(main, main.idToken)
    const browser = server.browser()
    const code = (await signIn(browser, second.email, { client_id: 'other' })).get('code') ?? ''
    await expectUnproven(main, (await redeem(browser, code, { client_id: 'other' })).json().id_token)
    const { keyring } = await server.runtime()
    const claims = payloadOf(second.idToken)
    for (const change of [
      { sub: 'auth0|nobody' },
      { aud: ['spa', 'other'] },
      { iss: 'https://evil.test/' },
      { azp: 'spa' },
    ]) {
      await expectUnproven(main, await signJwt({ ...claims, ...change }, 'JWT', keyring))
    }
    await expectUnproven(main, await signJwt(claims, 'logout+jwt', keyring))
    expect(await exists(second.id)).toBe(true)
  })

  it('one of a user who is blocked, or was signed out everywhere since', async () => {
    const [main, blocked, out] = [await person(), await person(), await person()]
    const { pool } = server.database
    await pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [blocked.id])
    await pool.query('UPDATE "user" SET not_before = $2 WHERE id = $1', [
      out.id,
      new Date(server.clock.now().getTime() + 1),
    ])
    await expectUnproven(main, blocked.idToken)
    await expectUnproven(main, out.idToken)
  })

  it('a proof from a refresh links nothing, however new it is (threat-model.md BF3)', async () => {
    const [main, second] = [await person(), await person()]
    const tokens = await signInForTokens(server.browser(), second.email)
    const refreshed = (await refresh(server.browser(), tokens.refresh_token)).json()
    expect(payloadOf(refreshed.id_token)).toMatchObject({ sub: second.id, gty: 'refresh_token' })
    await expectUnproven(main, refreshed.id_token)
    expect((await link(main, tokens.id_token)).status).toBe(201)
  })

  it('a proof from a session that was left open, or has ended since, links nothing (BF3)', async () => {
    const second = await person()
    const browser = server.browser()
    await signIn(browser, second.email)
    server.clock.advance(601)
    const main = await person()
    const idToken = async () => (await redeem(browser, await silently(browser))).json().id_token
    await expectUnproven(main, await idToken())
    const again = (await signIn(browser, second.email, { prompt: 'login' })).get('code') ?? ''
    const fresh = (await redeem(browser, again)).json().id_token
    await browser.get('/v2/logout', { query: { client_id: 'spa' } })
    await expectUnproven(main, fresh)
    await signIn(browser, second.email)
    expect((await link(main, await idToken())).status).toBe(201)
  })

  it('a proof from a session that was started for another application links nothing (BF22)', async () => {
    const [main, second] = [await person(), await person()]
    const browser = server.browser()
    await signIn(browser, second.email, { client_id: 'other' })
    const idToken = async () => (await redeem(browser, await silently(browser))).json().id_token
    await expectUnproven(main, await idToken())
    await signIn(browser, second.email, { client_id: 'other', prompt: 'login' })
    await expectUnproven(main, await idToken())
    await signIn(browser, second.email, { prompt: 'login' })
    await signIn(browser, second.email, { client_id: 'other', prompt: 'login' })
    expect((await link(main, await idToken())).status).toBe(400)
    const code = (await signIn(browser, second.email, { prompt: 'login' })).get('code') ?? ''
    expect((await link(main, (await redeem(browser, code)).json().id_token)).status).toBe(201)
  })

  it('a proof that is ten minutes old links nothing', async () => {
    const [main, second] = [await person(), await person()]
    server.clock.advance(601)
    await expectUnproven(main, second.idToken)
  })

  it('a proof without the second factor of the other account links nothing', async () => {
    const [main, second] = [await person(), await person()]
    await server.addClient(MFA_WEB)
    await demand(server, ['all-applications'], ['otp'])
    const { secret } = await enrollApp(server, server.browser(), second.email)
    await demand(server, [], ['otp'])
    await expectUnproven(main, await idTokenOf(second.email))
    expect(await exists(second.id)).toBe(true)
    const browser = server.browser()
    const state = await beginLogin(browser, { acr_values: MULTI_FACTOR_ACR })
    await submitPassword(browser, state, second.email)
    const form = { state, action: 'mfa-verify', code: codeOf(server, secret) }
    const code = locationOf(await browser.post('/u/submit', { form })).searchParams.get('code') ?? ''
    const proof = (await redeem(browser, code)).json().id_token
    expect((await link(main, proof, await tokenOf(main.email))).status).toBe(201)
    await demand(server, [], ['email'])
    const [third, mailed] = [await person({ emailVerified: false, phoneVerified: true }), await person()]
    await expectUnproven(third, mailed.idToken)
    await demand(server, [], [])
    expect((await link(third, mailed.idToken)).status).toBe(201)
  })

  it('a user id instead of a proof, or any member beside it, is refused', async () => {
    const [main, second] = [await person(), await person()]
    for (const body of [
      { provider: 'auth0', user_id: nameOf(second) },
      { link_with: second.idToken, provider: 'auth0' },
      {},
    ]) {
      expect(outcome(await send('POST', `${pathOf(main)}/identities`, main.token, body))).toEqual([400, 'invalid_body'])
    }
    expect(await exists(second.id)).toBe(true)
  })
})

describe('a caller without permission', () => {
  it('is one for another user, or without the scope', async () => {
    const [main, second] = [await person(), await person()]
    expect(outcome(await link(second, main.idToken, main.token))).toEqual([403, 'access_denied'])
    expect(outcome(await unlink(second, nameOf(second), main.token))).toEqual([403, 'access_denied'])
    const reading = await tokenOf(main.email, { scope: 'read:current_user' })
    expect(outcome(await link(main, second.idToken, reading))).toEqual([403, 'insufficient_scope'])
    expect(outcome(await unlink(main, 'x', reading))).toEqual([403, 'insufficient_scope'])
  })

  it('is one who signed in more than an hour ago, though the token is still valid (threat-model.md SE7)', async () => {
    const main = await person()
    server.clock.advance(3601)
    const second = await person()
    expect(await identitiesOf(main)).toEqual([nameOf(main)])
    const answer = await link(main, second.idToken)
    expect(outcome(answer)).toEqual([401, 'insufficient_user_authentication'])
    expect(answer.header('www-authenticate')).toContain('error="insufficient_user_authentication"')
    expect(outcome(await unlink(main, nameOf(second)))).toEqual([401, 'insufficient_user_authentication'])
  })
})

describe('unlinking', () => {
  const linked = async (): Promise<[Person, Person]> => {
    const [main, second] = [await person(), await person({ name: 'Second', userMetadata: { a: 1 } })]
    await link(main, second.idToken)
    return [main, second]
  }

  it('makes the account a separate user again', async () => {
    const [main, second] = await linked()
    const answer = await unlink(main, nameOf(second))
    expect([answer.status, answer.json()]).toEqual([
      200,
      [{ connection: 'Users', provider: 'auth0', user_id: nameOf(main), isSocial: false }],
    ])
    expect(await subjectOf(second.email)).toBe(second.id)
    const record = (await send('GET', pathOf(second), await tokenOf(second.email))).json()
    expect(record).toMatchObject({
      user_id: second.id,
      email: second.email,
      email_verified: true,
      name: 'Second',
      user_metadata: {},
    })
  })

  it('ends every login except the one that requested it', async () => {
    const [main, second] = await linked()
    const elsewhere = await signInForTokens(server.browser(), second.email)
    const here = server.browser()
    const asking = await signInForTokens(here, main.email, { audience: AUDIENCE, scope: SCOPE })
    const mine = (await redeem(here, await silently(here))).json()
    expect((await unlink(main, nameOf(second), String(asking.access_token))).status).toBe(200)
    expect((await refresh(server.browser(), elsewhere.refresh_token)).status).toBe(403)
    expect((await send('GET', pathOf(main), main.token)).status).toBe(401)
    expect(await identitiesOf(main, String(asking.access_token))).toEqual([nameOf(main)])
    expect((await refresh(server.browser(), mine.refresh_token)).status).toBe(200)
    expect(await silently(here)).not.toBe('')
  })

  it('does not let an ID token from before link it once more', async () => {
    const [main, second] = await linked()
    server.clock.advance(1)
    await unlink(main, nameOf(second))
    expect(outcome(await link(main, second.idToken))).toEqual([400, 'invalid_body'])
    server.clock.advance(1)
    expect((await link(main, await idTokenOf(second.email))).status).toBe(201)
  })

  it('leaves the account that the user is named after, and knows no other', async () => {
    const [main, second] = [await person(), await person()]
    expect(outcome(await unlink(main, nameOf(main)))).toEqual([400, 'invalid_body'])
    for (const userId of [nameOf(second), 'nobody', '__proto__', '%ff']) {
      expect(outcome(await unlink(main, userId))).toEqual([404, 'inexistent_identity'])
    }
    expect(
      outcome(await send('DELETE', `${pathOf(main)}/identities/google-oauth2/${nameOf(main)}`, main.token)),
    ).toEqual([404, 'inexistent_identity'])
    expect(await exists(second.id)).toBe(true)
  })

  it('is won by one of twenty', async () => {
    const [main, second] = await linked()
    const answers = await Promise.all(TWENTY.map(() => unlink(main, nameOf(second))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
    expect(await subjectOf(second.email)).toBe(second.id)
  })

  it('leaves the password where it is', async () => {
    const [main, second] = await linked()
    await unlink(main, nameOf(second))
    const login = server.browser()
    expect((await submitPassword(login, await beginLogin(login), second.email, PASSWORD)).status).toBe(302)
  })
})

describe('the last owner of the console', () => {
  const owner = async ({ id }: Person) => (await server.runtime()).administrators.put(id, 'owner', server.clock.now())
  const operator = async ({ id }: Person) => (await server.runtime()).administrators.change(id, null, 'operator')

  it('is not absorbed by another account', async () => {
    const [main, second] = [await person(), await person()]
    await owner(second)
    expect(outcome(await link(main, second.idToken))).toEqual([409, 'last_owner'])
    expect(await exists(second.id)).toBe(true)
    await operator(second)
  })

  it('does not unlink the last account that opens the console', async () => {
    const [main, second] = [await person(), await person()]
    await link(main, second.idToken)
    await owner(main)
    await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
    await server.database.pool.query(`UPDATE identity SET connection_id = 'con_closed' WHERE provider_user_id = $1`, [
      nameOf(main),
    ])
    expect(outcome(await unlink(main, nameOf(second)))).toEqual([409, 'last_owner'])
    expect(await identitiesOf(main)).toHaveLength(2)
    await operator(main)
  })
})
