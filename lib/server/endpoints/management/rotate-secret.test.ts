// A new client secret, with or without a time in which the one before still authenticates.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let id: string
let first: string

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  const made = await manager.post('/clients', {
    ...{ name: 'Machine', app_type: 'non_interactive', grant_types: ['client_credentials'] },
    token_endpoint_auth_method: 'client_secret_post',
  })
  id = String(made.json().client_id)
  first = String(made.json().client_secret)
})

/** Whether a token request with this secret is authenticated: the missing API is named only to a client that proved itself. */
async function authenticates(secret: string): Promise<boolean> {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret, audience: 'urn:none' }
  const answer = await server.browser().post('/oauth/token', { form })
  return answer.status !== 401
}

const rotate = async (body?: object) => manager.send('POST', `/clients/${id}/rotate-secret`, body ? { json: body } : {})
const secretIn = (answer: Awaited<ReturnType<typeof rotate>>) => String(answer.json().client_secret)

it('without an overlap, as at the vendor, the secret before ends at once', async () => {
  const answer = await rotate()
  expect(answer.status).toBe(200)
  expect(answer.json()).not.toHaveProperty('earlier_secret_expires_at')
  expect(await authenticates(secretIn(answer))).toBe(true)
  expect(await authenticates(first)).toBe(false)
})

it('both secrets authenticate during the overlap, and the earlier one no longer than that', async () => {
  const answer = await rotate({ overlap_seconds: 3600 })
  const ends = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
  expect(answer.json().earlier_secret_expires_at).toBe(ends)
  expect((await manager.get(`/clients/${id}`)).json().earlier_secret_expires_at).toBe(ends)
  expect(await authenticates(first)).toBe(true)
  expect(await authenticates(secretIn(answer))).toBe(true)
  expect(await authenticates('another secret')).toBe(false)
  server.clock.advance(3600)
  expect(await authenticates(first)).toBe(false)
  expect(await authenticates(secretIn(answer))).toBe(true)
  expect((await manager.get(`/clients/${id}`)).json()).not.toHaveProperty('earlier_secret_expires_at')
})

it('the earlier secret is ended at once, and by the next rotation', async () => {
  const second = secretIn(await rotate({ overlap_seconds: 3600 }))
  expect((await manager.remove(`/clients/${id}/earlier-secret`)).status).toBe(204)
  expect(await authenticates(first)).toBe(false)
  expect(await authenticates(second)).toBe(true)
  await rotate({ overlap_seconds: 3600 })
  expect(await authenticates(second)).toBe(true)
  expect(await authenticates(first)).toBe(false)
  await rotate()
  expect(await authenticates(second)).toBe(false)
  expect((await manager.remove('/clients/nothing/earlier-secret')).status).toBe(404)
})

it('a secret that an update sets ends both before it', async () => {
  const second = secretIn(await rotate({ overlap_seconds: 3600 }))
  const own = 'a-secret-of-the-operator-that-is-long-enough-for-every-algorithm-0123456789'
  expect((await manager.patch(`/clients/${id}`, { client_secret: own })).status).toBe(200)
  expect(await authenticates(own)).toBe(true)
  for (const before of [first, second]) expect(await authenticates(before)).toBe(false)
})

it.each([[{ overlap_seconds: -1 }], [{ overlap_seconds: 31 * 86_400 }], [{ overlap_seconds: 1.5 }], [{ until: 1 }]])(
  'a rotation with %j is refused, and changes nothing',
  async (body) => {
    expect((await rotate(body)).status).toBe(400)
    expect(await authenticates(first)).toBe(true)
  },
)

it('a body cannot bring an earlier secret, or move its end', async () => {
  await rotate({ overlap_seconds: 60 })
  await manager.patch(`/clients/${id}`, {
    earlier_secret_expires_at: '2999-01-01T00:00:00.000Z',
    earlierSecretExpiresAt: '2999-01-01T00:00:00.000Z',
  })
  server.clock.advance(60)
  expect(await authenticates(first)).toBe(false)
})

it('a manager without the scope for client keys ends no secret', async () => {
  await rotate({ overlap_seconds: 3600 })
  const token = await manager.token(['read:clients', 'update:clients'])
  expect((await manager.send('DELETE', `/clients/${id}/earlier-secret`, { token })).status).toBe(403)
  expect(await authenticates(first)).toBe(true)
})
