import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { ENDLESS_SECONDS } from '../../../tokens/family'
import { cleanUpOnce } from './clean-up'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
})
afterAll(() => database.drop())

async function saying(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters' }
  await cleanUpOnce(args, { root: '.', source, say: (line) => lines.push(line) })
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

it('removes refresh tokens without an end that were unused for the given days, and no others', async () => {
  const days = (count: number): string => `interval '${count} days'`
  const endless = `created + interval '1 second' * ${ENDLESS_SECONDS}`
  await database.pool.query(
    `INSERT INTO token_family (id, tenant_id, client_id, scopes, generation, created_at, rotated_at, expires_at)
     SELECT gen_random_uuid(), 'default', name, '{}', 1, created, rotated, ends FROM
       (SELECT now() - ${days(400)} AS created) AS begin,
       LATERAL (VALUES ('unused', now() - ${days(380)}, ${endless}), ('never used', NULL, ${endless}),
         ('used', now() - ${days(2)}, ${endless}), ('ending', now() - ${days(380)}, now() + ${days(20)}))
         AS families (name, rotated, ends)`,
  )
  const left = async (): Promise<string[]> =>
    (await database.pool.query('SELECT client_id FROM token_family ORDER BY 1')).rows.map((row) => row.client_id)
  await saying()
  expect(await left()).toHaveLength(4)
  expect(await saying('--unused-tokens', '365')).toEqual(['unused tokens         2 removed'])
  expect(await left()).toEqual(['ending', 'used'])
})

it.each([['now'], ['--unused-tokens'], ['--unused-tokens', '0'], ['--unused-tokens', 'all']])(
  'takes no other arguments: %s',
  async (...args) => {
    await expect(cleanUpOnce(args, { root: '.', source: {}, say: () => {} })).rejects.toThrow(
      'Usage: `npm run clean-up`, with `--unused-tokens DAYS`',
    )
  },
)
