// An owner who can sign in remains, whatever changes it and however many do so at once (threat-model.md MG58).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../testing/management'
import { CONNECTION_ID } from '../../testing/seed'
import { type TestServer, testServer } from '../../testing/server'
import { administratorStore } from './prisma/console-administrators'
import { deleteDueAccounts } from './sql/account-deletions'
import { blockUsers } from './sql/block-users'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addConnection('Second', {}, 'con_second')
  await server.addConnection('Theirs', { organization_id: 'org_theirs' }, 'con_theirs')
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
})
afterAll(() => server.close())

const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)
const store = () => administratorStore(server.db, 'default')

/** Without their owners. */
beforeEach(async () => {
  await sql("BEGIN; SELECT set_config('latchkey.operator', 'on', true); DELETE FROM administrator; COMMIT")
})

async function addOwner(change: { blocked?: boolean } = {}): Promise<string> {
  const id = await server.addUser({ email: `${randomUUID()}@example.com`, data: { emailVerified: true }, ...change })
  await store().put(id, 'owner', server.clock.now())
  return id
}
const uuidOf = (id: string): string => id.split('|')[1] ?? ''
const emailOf = async (id: string): Promise<string> =>
  (await sql('SELECT email FROM "user" WHERE id = $1', [id])).rows[0]?.email

type Change = (id: string) => Promise<{ status: number; text: string }>

/** Each takes from an owner the way into the console. */
const CHANGES: [string, Change][] = [
  ['a block', (id) => manager.patch(`/users/${encodeURIComponent(id)}`, { blocked: true })],
  ['a deletion', (id) => manager.remove(`/users/${encodeURIComponent(id)}`)],
  ['a lower role', (id) => manager.patch(`/administrators/${encodeURIComponent(id)}`, { role: 'admin' })],
  ['no role', (id) => manager.remove(`/administrators/${encodeURIComponent(id)}`)],
  [
    'an absorption by another user',
    async (id) => {
      const other = await server.addUser({ email: `${randomUUID()}@example.com`, data: { emailVerified: true } })
      return manager.post(`/users/${encodeURIComponent(other)}/identities`, { provider: 'auth0', user_id: uuidOf(id) })
    },
  ],
  [
    'a deletion by the address at the database',
    async (id) =>
      manager.send('DELETE', `/connections/${CONNECTION_ID}/users`, { query: { email: await emailOf(id) } }),
  ],
  [
    'an approved deletion',
    async (id) => {
      await sql('UPDATE "user" SET deletion_requested_at = now() WHERE id = $1', [id])
      return manager.post(`/users/${encodeURIComponent(id)}/deletion/approve`, {})
    },
  ],
]

describe.each(CHANGES)('%s', (_what, change) => {
  it('is refused for the last owner, and changes nothing', async () => {
    const last = await addOwner()
    const answer = await change(last)
    expect([answer.status, JSON.parse(answer.text).errorCode]).toEqual([409, 'last_owner'])
    expect((await store().find(last))?.role).toBe('owner')
    expect(await store().hasOwner()).toBe(true)
  })

  it('is done while another owner can sign in', async () => {
    const [first, second] = [await addOwner(), await addOwner()]
    expect((await change(first)).status).toBeLessThan(300)
    expect((await change(second)).status).toBe(409)
  })

  it.each([
    ['is blocked', (id: string) => sql('UPDATE "user" SET blocked = true WHERE id = $1', [id])],
    [
      'has a deletion planned',
      (id: string) => sql('UPDATE "user" SET delete_at = now() + interval \'7 days\' WHERE id = $1', [id]),
    ],
    ['has no account', (id: string) => sql('DELETE FROM identity WHERE user_id = $1', [id])],
    [
      'has only an account at the connection of an organization',
      (id: string) => sql(`UPDATE identity SET connection_id = 'con_theirs' WHERE user_id = $1`, [id]),
    ],
  ])('is refused where the other owner %s', async (_how, spoil) => {
    const [last, other] = [await addOwner(), await addOwner()]
    await spoil(other)
    expect((await change(last)).status).toBe(409)
  })

  it('is done for one of two owners at the same moment', async () => {
    const two = [await addOwner(), await addOwner()]
    const answers = await Promise.all(two.map(change))
    expect(answers.map(({ status }) => status === 409).toSorted()).toEqual([false, true])
    expect(await store().hasOwner()).toBe(true)
  })

  it('is done in a tenant that has no owner who can sign in', async () => {
    const blocked = await addOwner({ blocked: true })
    const answer = await change(blocked)
    expect(answer.status).not.toBe(409)
  })
})

it('changes of different kinds at the same moment leave an owner', async () => {
  for (const [, change] of CHANGES) {
    const [first, second] = [await addOwner(), await addOwner()]
    const answers = await Promise.all([change(first), manager.remove(`/users/${encodeURIComponent(second)}`)])
    expect(answers.map(({ status }) => status === 409).toSorted()).toEqual([false, true])
    await sql("BEGIN; SELECT set_config('latchkey.operator', 'on', true); DELETE FROM administrator; COMMIT")
  }
})

describe('the connection of the last owner', () => {
  it.each([
    ['is not closed to all applications', () => manager.patch('/connections/con_own', { enabled_clients: [] })],
    ['is not deleted', () => manager.remove('/connections/con_own')],
    [
      'is not given to an organization',
      async () => {
        const give = `UPDATE connection SET settings = settings || '{"organization_id": "org_theirs"}' WHERE id = 'con_own'`
        const given = sql(give).then(() => 200)
        return { status: await given.catch(({ code }) => (code === 'LK001' ? 409 : 500)) }
      },
    ],
  ])('the connection of the last owner %s', async (_what, change) => {
    await sql('DELETE FROM connection WHERE id = $1', ['con_own'])
    await server.addConnection('Own', { enabled_clients: ['manager'] }, 'con_own')
    const id = await addOwner()
    await sql(`UPDATE identity SET connection_id = 'con_own' WHERE user_id = $1`, [id])
    expect([(await change()).status, await store().hasOwner()]).toEqual([409, true])
    await addOwner()
    expect([(await change()).status < 300, await store().hasOwner()]).toEqual([true, true])
  })
})

it('the last account of the last owner is not unlinked', async () => {
  const last = await addOwner()
  await sql(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', 'con_second', $1, 'auth0', $2)`,
    [`second-${uuidOf(last)}`, last],
  )
  await sql('DELETE FROM identity WHERE user_id = $1 AND connection_id = $2', [last, CONNECTION_ID])
  const path = `/users/${encodeURIComponent(last)}/identities/auth0/second-${uuidOf(last)}`
  expect((await manager.remove(path)).status).toBe(409)
  expect(await store().hasOwner()).toBe(true)
})

it('a planned deletion is carried out, because it was planned beside another owner', async () => {
  const [first] = [await addOwner(), await addOwner()]
  await sql('UPDATE "user" SET delete_at = now() WHERE id = $1', [first])
  expect(await deleteDueAccounts(server.database.pool, new Date(Date.now() + 60_000))).toBe(1)
  expect(await store().hasOwner()).toBe(true)
})

it('the operator removes and blocks the last owner', async () => {
  const last = await addOwner()
  const db = server.db
  expect(await blockUsers(db, { tenantId: 'default', ids: [last], whereTenant: 'default' })).toEqual({
    count: 1,
    blocked: 1,
  })
  const next = await addOwner()
  expect(await store().change(next, null, 'operator')).toBe('done')
  expect(await store().hasOwner()).toBe(false)
})
