import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../../../adapters/store/prisma/client'
import { tenantStore } from '../../../adapters/store/sql/configuration'
import { fixedClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { createVault } from '../../../kernel/secret'
import { BASE_URL, TEST_SECRET, type TestDatabase, testDatabase } from '../../../testing/database'
import { bootstrapTenants } from '../../runtime/tenant-registry'
import { keys } from './keys'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
  const db = createDatabase(database.pool)
  await tenantStore(db).place('second', 'Second', 'https://second.test')
  const vault = createVault(TEST_SECRET)
  await bootstrapTenants({ db, clock: fixedClock(), random: systemRandom, vault, baseUrl: BASE_URL })
  await (await db.prisma()).$disconnect()
})
afterAll(() => database.drop())

type Shown = { state: string; kid: string; tenant: string | undefined }

async function say(...args: string[]): Promise<Shown[]> {
  const lines: string[] = []
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: TEST_SECRET }
  await keys(args, { root: '.', source, say: (line) => lines.push(line) })
  return lines.map((line) => {
    const [state = '', kid = '', , , , tenant] = line.split(/\s+/)
    return { state, kid, tenant }
  })
}

const kidOf = (shown: Shown[], tenant: string, state: string): string | undefined =>
  shown.find((key) => key.tenant === tenant && key.state === state)?.kid

const changes = async (tenant: string): Promise<number> => {
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM audit_record WHERE tenant_id = $1', [
    tenant,
  ])
  return rows[0].count
}

describe('npm run keys', () => {
  it('shows the keys of every tenant, or of one', async () => {
    const all = await say()
    expect(all.map(({ tenant, state }) => `${tenant} ${state}`).toSorted()).toEqual([
      'default current',
      'default next',
      'second current',
      'second next',
    ])
    expect((await say('--tenant', 'second')).map(({ tenant }) => tenant)).toEqual(['second', 'second'])
  })

  it.each([21, 42])('takes an id of %i characters after a hyphen, which begins like an option', async (length) => {
    const id = `-${'v'.repeat(length)}`
    await expect(say('revoke', id, '--tenant', 'second')).rejects.toThrow(`No signing key has the id ${id}`)
  })

  it('rotates one tenant, and no other', async () => {
    const before = await say()
    const after = await say('rotate', '--tenant', 'second')
    expect(kidOf(after, 'second', 'current')).toBe(kidOf(before, 'second', 'next'))
    const all = await say()
    expect(kidOf(all, 'default', 'current')).toBe(kidOf(before, 'default', 'current'))
    expect([await changes('second'), await changes('default')]).toEqual([1, 0])
  })

  it('rotates every tenant, and makes the certificate of each for its own host', async () => {
    const before = await say()
    const after = await say('rotate')
    for (const tenant of ['default', 'second'])
      expect(kidOf(after, tenant, 'current')).toBe(kidOf(before, tenant, 'next'))
    expect([await changes('second'), await changes('default')]).toEqual([2, 1])
    const { rows } = await database.pool.query(
      `SELECT public_jwk AS jwk FROM signing_key WHERE tenant_id = 'second' ORDER BY created_at DESC LIMIT 1`,
    )
    const [certificate] = rows[0].jwk.x5c
    expect(new X509Certificate(Buffer.from(certificate, 'base64')).subject).toBe('CN=second.test')
  })

  it("revokes another tenant's key by its id", async () => {
    const before = await say()
    const kid = kidOf(before, 'second', 'current') ?? ''
    const after = await say('revoke', kid)
    expect(kidOf(after, 'second', 'revoked')).toBe(kid)
    expect(kidOf(after, 'default', 'current')).toBe(kidOf(before, 'default', 'current'))
  })

  it('revokes no key of another tenant than the one that is named', async () => {
    const kid = kidOf(await say(), 'second', 'current') ?? ''
    await expect(say('revoke', kid, '--tenant', 'default')).rejects.toThrow(`No signing key has the id ${kid}`)
    expect(kidOf(await say(), 'second', 'current')).toBe(kid)
  })

  it('names the tenants where one does not exist', async () => {
    await expect(say('rotate', '--tenant', 'third')).rejects.toThrow('There is no tenant third: default, second.')
  })

  it.each([['turn'], ['rotate', 'now'], ['revoke'], ['revoke', 'a', 'b'], ['--all']])(
    'refuses %s %s',
    async (...args) => {
      await expect(say(...args.filter((arg) => arg !== undefined))).rejects.toThrow('Usage: `npm run keys`')
    },
  )
})
