// The last client that can manage a tenant stays, whatever is asked of the API, and by however many at once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { BASE_URL } from '../../../testing/database'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = managementAudience(BASE_URL)
const SECRET = 'the secret of an administrator'
const MACHINE = { app_type: 'non_interactive', grant_types: ['client_credentials'] }

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  // It keeps the token that it has, and is no administrator: it could not get another.
  expect((await manager.get('/clients')).status).toBe(200)
  await server.database.pool.query(
    `UPDATE client SET settings = settings || '{"grant_types": []}' WHERE client_id = $1`,
    [MANAGER],
  )
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.pool.query('DELETE FROM client_grant WHERE client_id <> $1', [MANAGER])
})

async function addClient(scopes = ['create:client_grants'], settings: object = MACHINE, secret = SECRET) {
  const clientId = `client-${server.random.hex(12)}`
  await server.addClient({ clientId, ...(secret === '' ? {} : { secret }), settings: { ...settings } })
  await server.addClientGrant(clientId, AUDIENCE, scopes)
  return clientId
}
const grantOf = async (clientId: string): Promise<string> => {
  const query = { client_id: clientId, audience: AUDIENCE }
  const [grant] = JSON.parse((await manager.get('/client-grants', { query })).text) as { id: string }[]
  return String(grant?.id)
}
const stored = async (clientId: string) =>
  (
    await server.database.pool.query(
      `SELECT settings, scopes FROM client JOIN client_grant USING (tenant_id, client_id) WHERE client_id = $1`,
      [clientId],
    )
  ).rows

type Change = (clientId: string) => Promise<{ status: number; text: string }>

/** Each takes a way to manage the tenant. */
const CHANGES: [string, Change][] = [
  ['deleting the client', (id) => manager.remove(`/clients/${id}`)],
  ['deleting its grant', async (id) => manager.remove(`/client-grants/${await grantOf(id)}`)],
  [
    'leaving its grant without the right to give grants',
    async (id) => manager.patch(`/client-grants/${await grantOf(id)}`, { scope: ['update:clients'] }),
  ],
  ['taking its grant type', (id) => manager.patch(`/clients/${id}`, { grant_types: ['authorization_code'] })],
  ['taking its authentication', (id) => manager.patch(`/clients/${id}`, { token_endpoint_auth_method: 'none' })],
]

describe.each(CHANGES)('%s', (_what, change) => {
  it('is refused for the last administrator, and changes nothing', async () => {
    const last = await addClient()
    const before = await stored(last)
    const answer = await change(last)
    expect([answer.status, JSON.parse(answer.text).errorCode]).toEqual([409, 'last_administrator'])
    expect(await stored(last)).toEqual(before)
  })

  it('is done while there is another', async () => {
    const [first, second] = [await addClient(), await addClient()]
    expect((await change(first)).status).toBeLessThan(300)
    expect((await change(second)).status).toBe(409)
  })

  it('is done for one of two at the same moment', async () => {
    const two = [await addClient(), await addClient(['update:client_grants'])]
    const answers = await Promise.all(two.map(change))
    expect(answers.map(({ status }) => status === 409).toSorted()).toEqual([false, true])
  })

  it('is done in a tenant that has no administrator', async () => {
    expect((await change(await addClient(['read:clients']))).status).toBeLessThan(300)
  })
})

it('two changes of different kinds at the same moment leave an administrator', async () => {
  for (const [, change] of CHANGES) {
    const [first, second] = [await addClient(), await addClient()]
    const answers = await Promise.all([change(first), manager.remove(`/clients/${second}`)])
    expect(answers.map(({ status }) => status === 409).toSorted()).toEqual([false, true])
    await server.database.pool.query('DELETE FROM client_grant WHERE client_id <> $1', [MANAGER])
  }
})

describe('an administrator', () => {
  it.each([
    ['a public client', () => addClient(undefined, { app_type: 'spa', grant_types: ['client_credentials'] })],
    ['a client without client credentials', () => addClient(undefined, { app_type: 'regular_web' })],
    ['a client without a secret', () => addClient(undefined, MACHINE, '')],
    ['a client with other scopes', () => addClient(['read:client_grants', 'update:clients'])],
    [
      'a client with the scope of another API',
      async () => {
        const identifier = `https://${server.random.hex(8)}.test`
        await server.addApi(identifier, {})
        const id = await addClient([])
        await server.addClientGrant(id, identifier, ['create:client_grants'])
      },
    ],
  ])('is not %s', async (_what, add) => {
    const last = await addClient()
    await add()
    expect((await manager.remove(`/clients/${last}`)).status).toBe(409)
  })

  it('changes in all that keeps it one', async () => {
    const last = await addClient()
    expect((await manager.patch(`/clients/${last}`, { description: 'Still here' })).status).toBe(200)
    const scope = ['update:client_grants']
    expect((await manager.patch(`/client-grants/${await grantOf(last)}`, { scope })).status).toBe(200)
  })
})
