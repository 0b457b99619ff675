// Linked accounts in the My Account API (threat-model.md MA1, MA2, TK6). What makes a proof of the other account is tested at
// current-user-identities.test.ts, which uses the same functions.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SPA, signInForTokens } from '../../../testing/journey'
import { bearer } from '../../../testing/mfa'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const PATH = '/me/v1/identities'
const SCOPE = 'read:me:identities update:me:identities'

let server: TestServer
let main: string
let other: string
let token: string
let idToken: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
  await server.setTenant({ tenant: { rate_limits: { mfa: false, current_user: false } } })
})
afterAll(() => server.close())

const person = async (): Promise<{ id: string; email: string }> => {
  const email = `${server.random.hex(8)}@mail.test`
  return { id: await server.addUser({ email, data: { emailVerified: true } }), email }
}
const tokenOf = async (email: string, scope = SCOPE): Promise<string> =>
  String((await signInForTokens(server.browser(), email, { audience: 'https://id.test/me/', scope })).access_token)

beforeEach(async () => {
  const [first, second] = [await person(), await person()]
  ;[main, other] = [first.id, second.id]
  token = await tokenOf(first.email)
  idToken = String((await signInForTokens(server.browser(), second.email)).id_token)
})

const send = (method: string, path: string, json?: object, by = token): Promise<TestResponse> =>
  server.browser().send(method, path, { headers: bearer(by), ...(json === undefined ? {} : { json }) })
const ids = (answer: TestResponse): unknown[] => (answer.json().identities as { id: string }[]).map(({ id }) => id)
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`
const outcome = (answer: TestResponse): unknown[] => [answer.status, answer.json().detail]

describe('a second account', () => {
  it('is linked by its ID token, listed and unlinked', async () => {
    expect(ids(await send('GET', PATH))).toEqual([main])
    const linked = await send('POST', PATH, { link_with: idToken })
    expect([linked.status, ids(linked)]).toEqual([201, [main, other]])
    expect((await send('GET', PATH)).json().identities).toMatchObject([
      { id: main, connection: 'Users', provider: 'auth0', user_id: main.slice('auth0|'.length), isSocial: false },
      { id: other },
    ])
    expect((await send('DELETE', pathOf(other))).status).toBe(204)
    expect(ids(await send('GET', PATH))).toEqual([main])
  })

  it('is linked by one of two parallel requests', async () => {
    const all = await Promise.all([1, 2, 3].map(() => send('POST', PATH, { link_with: idToken })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })

  it('is not linked without a proof of it', async () => {
    const unproven = 'link_with is not a fresh ID token of another account for this application'
    for (const link_with of ['x', token])
      expect(outcome(await send('POST', PATH, { link_with }))).toEqual([400, unproven])
    for (const json of [{}, { link_with: 1 }, { link_with: '' }, { link_with: idToken, more: 1 }])
      expect(outcome(await send('POST', PATH, json))).toEqual([400, 'The request body is invalid'])
    expect(ids(await send('GET', PATH))).toEqual([main])
  })

  it('is not unlinked by others, and the account that names the user never is', async () => {
    expect(outcome(await send('DELETE', pathOf(main)))).toEqual([
      400,
      'The account that the user is named after cannot be unlinked',
    ])
    for (const id of [other, 'auth0|x', 'x'])
      expect(outcome(await send('DELETE', pathOf(id)))).toEqual([404, 'No such account is linked'])
  })
})

describe('the last owner of the console', () => {
  const owner = async (id: string) => (await server.runtime()).administrators.put(id, 'owner', server.clock.now())
  const operator = async (id: string) => (await server.runtime()).administrators.change(id, null, 'operator')
  const REFUSED = [
    409,
    'This would leave no owner of the console who can sign in. Make another administrator an owner first.',
  ]

  it('is not absorbed by another account', async () => {
    await owner(other)
    const answer = await send('POST', PATH, { link_with: idToken })
    expect(outcome(answer)).toEqual(REFUSED)
    expect(ids(await send('GET', PATH))).toEqual([main])
    await operator(other)
  })

  it('does not unlink the last account that opens the console', async () => {
    await send('POST', PATH, { link_with: idToken })
    await owner(main)
    const name = main.slice('auth0|'.length)
    await server.database.pool.query(`UPDATE identity SET connection_id = 'con_closed' WHERE provider_user_id = $1`, [
      name,
    ])
    expect(outcome(await send('DELETE', pathOf(other)))).toEqual(REFUSED)
    expect(ids(await send('GET', PATH))).toHaveLength(2)
    await operator(main)
  })
})

it.each([
  ['GET', PATH, 'read:me:identities'],
  ['POST', PATH, 'update:me:identities'],
  ['DELETE', `${PATH}/x`, 'update:me:identities'],
])('needs a token with the scope: %s %s', async (method, path, scope) => {
  const { email } = await person()
  const without = SCOPE.replace(scope, 'read:me:factors')
  const refused = await send(method, path, undefined, await tokenOf(email, without))
  expect(outcome(refused)).toEqual([403, `The token lacks the scope ${scope}`])
  expect((await server.browser().send(method, path)).status).toBe(401)
})

it('changes nothing with a login that is older than fifteen minutes', async () => {
  await server.database.pool.query(
    `UPDATE token_family SET authentication = jsonb_set(authentication::jsonb, '{time}', to_jsonb($2::bigint)) WHERE user_id = $1`,
    [main, Math.floor(server.clock.now().getTime() / 1000) - 901],
  )
  for (const answer of [await send('POST', PATH, { link_with: idToken }), await send('DELETE', pathOf(other))])
    expect(outcome(answer)).toEqual([401, 'Sign in again to do this'])
  expect(ids(await send('GET', PATH))).toEqual([main])
})
