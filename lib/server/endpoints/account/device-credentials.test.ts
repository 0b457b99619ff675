// The public keys of a user's devices (threat-model.md TK6): only the user's own, limited in number and size.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPA, signInForTokens } from '../../../testing/journey'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'
const PATH = '/api/v2/device-credentials'
const BOTH = 'create:current_user_device_credentials delete:current_user_device_credentials'
const DEVICE = {
  device_name: "Kim's phone",
  type: 'public_key',
  value: 'TUlJQklqQU5CZ2txaGtpRzl3',
  device_id: 'phone-1',
}

let server: TestServer
let kim: string
let lee: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await server.setTenant({ tenant: { rate_limits: { current_user: { burst: 10_000, per_minute: 1 } } } })
  kim = await tokenOf('kim@mail.test')
  lee = await tokenOf('lee@mail.test')
})
afterAll(() => server.close())

const tokenOf = async (email: string, scope = BOTH): Promise<string> =>
  String((await signInForTokens(server.browser(), email, { audience: AUDIENCE, scope })).access_token)
const send = (method: string, path: string, token: string, json?: unknown): Promise<TestResponse> =>
  server.browser().send(method, path, {
    ...(json === undefined ? {} : { json }),
    headers: { authorization: `Bearer ${token}` },
  })
const create = (body: unknown, token = kim) => send('POST', PATH, token, body)
const remove = (id: unknown, token = kim) => send('DELETE', `${PATH}/${id}`, token)
const outcome = (answer: TestResponse) => [answer.status, answer.json().errorCode]
const rows = async () => (await server.database.pool.query('SELECT * FROM device_credential ORDER BY id')).rows

it('keeps a public key for the application that registers it, and forgets it again', async () => {
  const answer = await create({ ...DEVICE, client_id: 'spa' })
  expect([answer.status, answer.json()]).toEqual([201, { id: expect.stringMatching(/^dcr_[A-Za-z0-9]{16}$/) }])
  const { id } = answer.json()
  expect(await rows()).toEqual([
    {
      tenant_id: expect.any(String),
      id,
      user_id: 'auth0|kim',
      client_id: 'spa',
      type: 'public_key',
      device_name: "Kim's phone",
      device_id: 'phone-1',
      value: DEVICE.value,
      created_at: server.clock.now(),
    },
  ])
  const removed = await remove(id)
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect(await rows()).toEqual([])
  expect(outcome(await remove(id))).toEqual([404, 'inexistent_credential'])
})

it.each<[string, unknown]>([
  ['nothing', {}],
  ['no name', { ...DEVICE, device_name: '' }],
  ['a name without end', { ...DEVICE, device_name: 'x'.repeat(256) }],
  ['a NUL', { ...DEVICE, device_id: 'a\0b' }],
  ['half a character', { ...DEVICE, device_name: '\ud800' }],
  ['a refresh token', { ...DEVICE, type: 'refresh_token' }],
  ['no base64', { ...DEVICE, value: '<script>' }],
  ['a value without end', { ...DEVICE, value: 'A'.repeat(8193) }],
  ['an object', { ...DEVICE, value: { a: 1 } }],
  ["another application's", { ...DEVICE, client_id: 'other' }],
  ["somebody else's", { ...DEVICE, user_id: 'auth0|lee' }],
  ['a prototype', `{"__proto__":{"a":1},${JSON.stringify(DEVICE).slice(1)}`],
])('refuses %s', async (_name, body) => {
  expect(outcome(await create(body))).toEqual([400, 'invalid_body'])
  expect(await rows()).toEqual([])
})

describe('a caller without permission (threat-model.md TK6)', () => {
  it('is another user: their key is answered as unknown', async () => {
    const { id } = (await create(DEVICE)).json()
    for (const other of [id, 'dcr_unknown', '%ff', '__proto__']) {
      expect(outcome(await remove(other, lee))).toEqual([404, 'inexistent_credential'])
    }
    expect(await rows()).toHaveLength(1)
    expect((await remove(id)).status).toBe(204)
  })

  it('is one without a token for it, or without the scope of the verb', async () => {
    expect(outcome(await server.browser().post(PATH, { json: DEVICE }))).toEqual([401, 'invalid_token'])
    const creating = await tokenOf('kim@mail.test', 'create:current_user_device_credentials')
    const removing = await tokenOf('kim@mail.test', 'delete:current_user_device_credentials')
    expect(outcome(await create(DEVICE, removing))).toEqual([403, 'insufficient_scope'])
    expect(outcome(await remove('x', creating))).toEqual([403, 'insufficient_scope'])
    const { access_token, id_token } = await signInForTokens(server.browser(), 'kim@mail.test')
    for (const other of [access_token, id_token]) {
      expect(outcome(await create(DEVICE, String(other)))).toEqual([401, 'invalid_token'])
    }
  })
})

it('keeps fifty and no more, however many come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => create(DEVICE, lee)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
  await server.database.pool.query(`DELETE FROM "user" WHERE id = 'auth0|lee'`)
  expect(await rows()).toEqual([])
})
