import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { cleanUpOnce } from './clean-up'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
})
afterAll(() => database.drop())

async function saying(): Promise<string[]> {
  const lines: string[] = []
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters' }
  await cleanUpOnce([], { root: '.', source, say: (line) => lines.push(line) })
  return lines
}

it('says how many rows of which table it removed, and when there was nothing to remove', async () => {
  await database.pool.query(
    `INSERT INTO ticket (digest, tenant_id, kind, payload, created_at, expires_at)
     VALUES ('\\x01', 'default', 'login', '{}', '2020-01-01', '2020-01-01')`,
  )
  expect(await saying()).toEqual(['ticket                1 removed'])
  expect(await saying()).toEqual(['Nothing to remove, or a server is removing it.'])
})

it('takes no arguments', async () => {
  await expect(cleanUpOnce(['now'], { root: '.', source: {}, say: () => {} })).rejects.toThrow(
    'Usage: `npm run clean-up`.',
  )
})
