import { afterAll, beforeAll, expect, it } from 'vitest'
import { TEST_SECRET, type TestDatabase, testDatabase } from '../../../testing/database'
import { sessions } from './sessions'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
  const { pool } = database
  await pool.query(
    `INSERT INTO tenant (id, name, settings, created_at, updated_at) VALUES ('other', 'O', '{}', now(), now())`,
  )
  for (const tenant of ['default', 'other']) {
    // More users than one batch has.
    await pool.query(`INSERT INTO "user" (tenant_id, id) SELECT $1, 'u' || n FROM generate_series(1, 501) n`, [tenant])
    await pool.query(
      `INSERT INTO session (id_digest, tenant_id, sid, user_id, evidence, auth_time, participants, created_at, last_seen_at, idle_expires_at, expires_at)
       SELECT sha256(convert_to($1 || id, 'UTF8')), $1, $1 || id, id, '[]', now(), '{}', now(), now(), now() + interval '1 day', now() + interval '1 day'
       FROM "user" WHERE tenant_id = $1`,
      [tenant],
    )
    await pool.query(
      `INSERT INTO token_family (id, tenant_id, client_id, user_id, scopes, generation, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'app', id, '{}', 1, now(), now() + interval '1 day'
       FROM (SELECT id FROM "user" WHERE tenant_id = $1 UNION ALL SELECT NULL) AS users`,
      [tenant],
    )
    await pool.query(
      `INSERT INTO known_browser (tenant_id, user_id, digest, created_at, seen_at) SELECT $1, id, '\\x01', now(), now() FROM "user" WHERE tenant_id = $1`,
      [tenant],
    )
  }
})
afterAll(() => database.drop())

async function saying(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: TEST_SECRET }
  await sessions(args, { root: '.', source, say: (line) => lines.push(line) })
  return lines
}

/** What is left of a tenant. */
const left = async (tenant: string): Promise<number[]> => {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM session WHERE tenant_id = $1 AND ended_at IS NULL) AS sessions,
       (SELECT count(*)::int FROM token_family WHERE tenant_id = $1 AND revoked_at IS NULL) AS families,
       (SELECT count(*)::int FROM known_browser WHERE tenant_id = $1) AS browsers`,
    [tenant],
  )
  return Object.values<number>(rows[0])
}

it('signs the users of one tenant out, then those of all, and records it', async () => {
  expect(await left('default')).toEqual([501, 502, 501])
  expect(await saying('end-all', '--tenant', 'default')).toEqual([
    'default: the sessions, refresh tokens and remembered browsers of 501 users have ended.',
  ])
  expect(await left('default')).toEqual([0, 0, 0])
  expect(await left('other')).toEqual([501, 502, 501])
  expect(await saying('end-all')).toHaveLength(2)
  expect(await left('other')).toEqual([0, 0, 0])
  const { rows } = await database.pool.query('SELECT tenant_id FROM audit_record ORDER BY 1')
  expect(rows.map((row) => row.tenant_id)).toEqual(['default', 'default', 'other'])
})

it.each([[[]], [['end']], [['end-all', 'now']], [['end-all', '--user', 'u1']]])('refuses %j', async (args) => {
  await expect(saying(...args)).rejects.toThrow('Usage: `npm run sessions -- end-all`')
})

it('an unknown tenant is refused with the names of the tenants', async () => {
  await expect(saying('end-all', '--tenant', 'x')).rejects.toThrow('There is no tenant x: default, other.')
})
