// The audit log on PostgreSQL: concurrent writers extend one chain, every tampering is detected, users are erased, old days are
// dropped (threat-model.md AU2, AU3).
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventFacts } from '../../data/audit/audit'
import type { EventName } from '../../data/audit/events'
import { createLogIds } from '../../data/audit/log-id'
import { type AuditRecord, composeRecord } from '../../data/audit/record'
import { peopleIn } from '../../data/audit/sketch'
import { verifyChain } from '../../data/audit/verify'
import { fixedClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { TEST_SECRET, type TestDatabase, testDatabase } from '../../testing/database'
import { auditStore, withSnapshot } from './sql/audit'
import { listRecords } from './sql/audit-read'
import { dropOldRecords, eraseUser } from './sql/audit-retention'

let database: TestDatabase
/** Behind the database's clock, so that retention uses this one. */
const clock = fixedClock('2025-06-01T08:00:00.000Z')
const vault = createVault(TEST_SECRET)
const nextId = createLogIds(systemRandom)
const KIM = { id: 'auth0|kim', email: 'kim@mail.test' }

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const storeOf = (secret = TEST_SECRET) =>
  auditStore({ pool: database.pool, vault: createVault(secret), clock, random: systemRandom })

const recordOf = (name: EventName = 'login', facts: EventFacts = {}): AuditRecord => {
  const source = { ip: '198.51.100.7', userAgent: 'Test', requestId: 'r' }
  const entry = { name, facts, tenantId: 't', hostname: 'id.test', at: clock.now(), source }
  return composeRecord(entry as Parameters<typeof composeRecord>[0], nextId(clock.now()))
}

const append = (count: number, facts: EventFacts = { user: KIM }): Promise<void> =>
  storeOf().append(
    't',
    Array.from({ length: count }, () => recordOf('login', facts)),
  )

const verify = (secret = TEST_SECRET, noted?: { seq: number; hash: string }) =>
  withSnapshot(database.pool, (reader) => verifyChain('t', reader, createVault(secret), noted))

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)

describe('one chain', () => {
  it('is whole after many batches, and an empty one too', async () => {
    expect(await verify()).toMatchObject({ records: 0, problem: null })
    for (let batch = 0; batch < 5; batch += 1) await append(3)
    expect(await verify()).toMatchObject({ records: 15, erased: 0, problem: null })
  })

  it('is written by several servers at once without a gap', async () => {
    const servers = Array.from({ length: 6 }, () => storeOf())
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => servers[i % 6]?.append('t', [recordOf(), recordOf(), recordOf()])),
    )
    expect(await verify()).toMatchObject({ records: 180, problem: null })
  })

  it('is continued by a sole writer without a read, until another one has written', async () => {
    const [one, other] = [storeOf(), storeOf()]
    for (const server of [one, one, one, other, one, one, one, other, other, other, one]) {
      await server.append('t', [recordOf(), recordOf()])
    }
    expect(await verify()).toMatchObject({ records: 22, problem: null })
  })

  it('costs a sole writer one statement', async () => {
    const server = storeOf()
    for (let batch = 0; batch < 2; batch += 1) await server.append('t', [recordOf()])
    const query = vi.spyOn(Client.prototype, 'query')
    try {
      await server.append('t', [recordOf()])
      expect(query).toHaveBeenCalledTimes(1)
    } finally {
      query.mockRestore()
    }
  })

  it('takes any text', async () => {
    const odd = { id: 'saml|line one\nline "two" \\ {,} NULL \u2028', email: 'kim\n@mail.test' }
    await storeOf().append('t', [recordOf('login', { user: odd, sentence: 'a\nb' }), recordOf('login', {})])
    expect(await verify()).toMatchObject({ records: 2, problem: null })
    expect(await listRecords(database.pool, 't', { limit: 9, userId: odd.id })).toHaveLength(1)
  })

  it('is waited for on disk with what an answer waits for, and not otherwise', async () => {
    await sql(`CREATE TABLE noted (type text, waits text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO noted VALUES (NEW.type, current_setting('synchronous_commit')); RETURN NEW;
END $$;
CREATE TRIGGER note BEFORE INSERT ON audit_record FOR EACH ROW EXECUTE FUNCTION note()`)
    const pool = new Pool({ connectionString: database.url, max: 1, options: '-c synchronous_commit=on' })
    const server = auditStore({ pool, vault, clock, random: systemRandom })
    try {
      for (const name of ['login', 'tokens_revoked', 'login', 'tokens_revoked', 'login'] as const) {
        await server.append('t', [recordOf(name)])
      }
      const { rows } = await pool.query("SELECT type, waits, current_setting('synchronous_commit') AS later FROM noted")
      const [login, revoked] = [
        { type: 's', waits: 'off' },
        { type: 'srrt', waits: 'on' },
      ]
      expect(rows).toMatchObject([login, revoked, login, revoked, login])
      expect(rows.every(({ later }) => later === 'on')).toBe(true)
    } finally {
      await pool.end()
    }
  })

  it('is one for each tenant', async () => {
    await Promise.all([append(4), storeOf().append('other', [recordOf()])])
    expect(await verify()).toMatchObject({ records: 4, problem: null })
  })

  it('goes over more than a page, and over midnight', async () => {
    await append(700)
    clock.advance(86_400)
    await append(700)
    expect(await verify()).toMatchObject({ records: 1400, problem: null })
  })
})

describe('tampering', () => {
  beforeEach(() => append(10))

  it.each([
    [
      'a changed content',
      "UPDATE audit_record SET content = replace(content, 'id.test', 'it.test') WHERE seq = 4",
      /^Record 4 \(/,
    ],
    ['a changed type', "UPDATE audit_record SET type = 's2' WHERE seq = 4", /^Record 4 \(/],
    ['a changed moment', "UPDATE audit_record SET at = at - interval '1 hour' WHERE seq = 4", /^Record 4 \(/],
    [
      'a changed personal part',
      "UPDATE audit_record SET personal = replace(personal, 'kim', 'lee') WHERE seq = 4",
      /^The personal part of record 4/,
    ],
    ['another user', "UPDATE audit_record SET user_id = 'auth0|lee' WHERE seq = 4", /^The personal part of record 4/],
    ['half an erasure', 'UPDATE audit_record SET personal = NULL WHERE seq = 4', /^The personal part of record 4/],
    ['a deleted record', 'DELETE FROM audit_record WHERE seq = 4', /^Record 4 is missing/],
    ['a deleted beginning', 'DELETE FROM audit_record WHERE seq <= 3', /^Record 1 is missing/],
    ['a cut end', 'DELETE FROM audit_record WHERE seq > 7', /^The records from 8 to 10 are missing/],
    [
      'two in the other order',
      'UPDATE audit_record SET seq = CASE seq WHEN 4 THEN 105 ELSE 4 END WHERE seq IN (4, 5); UPDATE audit_record SET seq = 5 WHERE seq = 105',
      /^Record 4 \(/,
    ],
    [
      'one inserted twice',
      "INSERT INTO audit_record SELECT tenant_id, seq, stored_at + interval '1 minute', log_id, type, at, content, personal, salt, personal_digest, user_id, hash FROM audit_record WHERE seq = 4",
      /^Record 4 is there twice/,
    ],
    [
      'one behind the end',
      'INSERT INTO audit_record SELECT tenant_id, 11, stored_at, log_id, type, at, content, personal, salt, personal_digest, user_id, hash FROM audit_record WHERE seq = 10',
      /^Record 11 \(/,
    ],
    [
      'an end that was moved',
      'UPDATE audit_chain SET seq = 7, hash = (SELECT hash FROM audit_record WHERE seq = 7); DELETE FROM audit_record WHERE seq > 7',
      /not written under this LATCHKEY_SECRET/,
    ],
    ['an end that is gone', 'DELETE FROM audit_chain', /no end of the chain/],
  ])('the verification finds %s', async (_what, text, problem) => {
    await sql(text)
    expect((await verify()).problem).toMatch(problem)
  })

  it('keeps the evidence of a moved head in the chain that continues from it', async () => {
    await sql('UPDATE audit_chain SET seq = 7, hash = (SELECT hash FROM audit_record WHERE seq = 7)')
    await sql('DELETE FROM audit_record WHERE seq > 7')
    await append(1)
    const [, unproven] = await listRecords(database.pool, 't', { limit: 2 })
    expect(unproven?.type).toBe('latchkey_chain_unproven')
  })

  it('is noticed by a server that knows the end it wrote', async () => {
    const server = storeOf()
    for (let batch = 0; batch < 3; batch += 1) await server.append('t', [recordOf()])
    await sql('UPDATE audit_chain SET seq = 7, hash = (SELECT hash FROM audit_record WHERE seq = 7)')
    await sql('DELETE FROM audit_record WHERE seq > 7')
    await server.append('t', [recordOf()])
    const [, unproven] = await listRecords(database.pool, 't', { limit: 2 })
    expect(unproven?.type).toBe('latchkey_chain_unproven')
  })

  it('knows a chain of another secret', async () => {
    expect((await verify('another secret of thirty-two characters')).problem).toMatch(/LATCHKEY_SECRET/)
  })

  it('finds a whole chain rolled back to an earlier end, by a head that was noted', async () => {
    const earlier = await sql('SELECT * FROM audit_chain')
    await append(2)
    const [seq, hash] = (await verify()).head.split(':')
    const noted = { seq: Number(seq), hash: String(hash) }
    expect((await verify(TEST_SECRET, noted)).problem).toBeNull()
    await sql('DELETE FROM audit_record WHERE seq > 10')
    const { seq: old, hash: oldHash, mac, stored_at } = earlier.rows[0]
    await sql('UPDATE audit_chain SET seq = $1, hash = $2, mac = $3, stored_at = $4', [old, oldHash, mac, stored_at])
    expect((await verify()).problem).toBeNull()
    expect((await verify(TEST_SECRET, noted)).problem).toMatch(/noted at record 12 is not part/)
  })
})

describe('forgetting', () => {
  it('removes a person from every record about them, and the chain remains valid', async () => {
    await append(3)
    await append(2, { typed: 'kim@mail.test' })
    await append(2, { user: { id: 'auth0|lee', email: 'lee@mail.test' } })
    expect(await eraseUser(database.pool, 't', KIM.id)).toBe(5)
    expect(await verify()).toMatchObject({ records: 7, erased: 5, problem: null })
    const { rows } = await sql('SELECT t::text AS row FROM audit_record t')
    expect(JSON.stringify(rows)).not.toContain('kim')
    expect(JSON.stringify(rows)).toContain('lee@mail.test')
  })

  it('drops whole days, once, and what is left can be verified', async () => {
    await append(3)
    clock.advance(40 * 86_400)
    await append(2)
    const drop = () => dropOldRecords(database.pool, vault, 30, clock.now())
    expect((await drop()).length).toBeGreaterThan(0)
    expect(await drop()).toEqual([])
    expect(await verify()).toMatchObject({ records: 2, problem: null })
    expect((await sql('SELECT min(seq)::int AS first FROM audit_record')).rows[0].first).toBe(4)
    await sql('DELETE FROM audit_record WHERE seq = 4')
    expect((await verify()).problem).toBe('Record 4 is missing.')
  })

  it('drops days while servers write', async () => {
    await append(3)
    clock.advance(40 * 86_400)
    const writer = async (): Promise<void> => {
      const server = storeOf()
      for (let batch = 0; batch < 20; batch += 1) await server.append('t', [recordOf()])
    }
    const drop = () => dropOldRecords(database.pool, vault, 30, clock.now())
    const [, , ...dropped] = await Promise.all([writer(), writer(), drop(), drop()])
    expect(dropped.flat()).not.toEqual([])
    expect(await verify()).toMatchObject({ records: 40, problem: null })
  })

  it('keeps on where a day cannot have a partition, and drops it all the same', async () => {
    const at = clock.now().toISOString()
    await sql(
      `INSERT INTO audit_record (tenant_id, seq, stored_at, log_id, type, at, content, personal_digest, hash)
VALUES ('x', 1, $1, '', '', $1, '', '', '')`,
      [at],
    )
    await append(3)
    expect((await sql('SELECT count(*)::int AS n FROM audit_record_default')).rows[0].n).toBe(4)
    expect(await verify()).toMatchObject({ records: 3, problem: null })
    clock.advance(40 * 86_400)
    await dropOldRecords(database.pool, vault, 30, clock.now())
    expect(await verify()).toMatchObject({ records: 0, problem: null })
  })
})

it('lists newest first, by user, type and time, each by an index', async () => {
  await append(2)
  clock.advance(60)
  const since = clock.now()
  await storeOf().append('t', [recordOf('password_wrong', { user: KIM }), recordOf('user_unknown')])
  const types = async (filter: object) =>
    (await listRecords(database.pool, 't', { limit: 10, ...filter })).map(({ type }) => type)
  expect(await types({})).toEqual(['fu', 'fp', 's', 's'])
  expect(await types({ userId: KIM.id })).toEqual(['fp', 's', 's'])
  expect(await types({ type: 's' })).toEqual(['s', 's'])
  expect(await types({ since })).toEqual(['fu', 'fp'])
  expect(await types({ since, type: 'fu', userId: 'nobody' })).toEqual([])
})

describe('the counts of the charts', () => {
  const USERS = { id: 'con', name: 'Users', strategy: 'auth0' } as const
  const counts = async (dimension: string, span: string) => {
    const { rows } = await sql(
      'SELECT key, logins, failures, people FROM activity WHERE dimension = $1 AND span = $2 AND tenant_id = $3',
      [dimension, span, 't'],
    )
    return rows.map(({ people, ...row }) => ({ ...row, people: people && peopleIn(people) }))
  }

  it('are added to by several servers, each record once, and know who came twice', async () => {
    const servers = Array.from({ length: 4 }, () => storeOf())
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        servers[n % 4]?.append('t', [
          recordOf('login', { user: { ...KIM, id: `auth0|${n % 10}` }, connection: USERS } as EventFacts),
          recordOf('login_refused', { connection: USERS } as EventFacts),
        ]),
      ),
    )
    expect(await counts('all', 'day')).toEqual([{ key: '', logins: 40, failures: 40, people: 10 }])
    expect(await counts('all', 'minute')).toEqual([{ key: '', logins: 40, failures: 40, people: null }])
    expect(await counts('connection', 'hour')).toEqual([{ key: 'Users', logins: 40, failures: 40, people: 10 }])
    expect(await counts('application', 'day')).toEqual([])
    expect(await verify()).toMatchObject({ records: 80, problem: null })
  })

  it('are no reason for a row where nothing counts', async () => {
    await storeOf().append('t', [recordOf('logout', { user: KIM })])
    expect(await counts('all', 'day')).toEqual([])
  })
})
