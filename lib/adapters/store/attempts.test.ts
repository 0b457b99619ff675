// Counting a guess in the statement that finds its account, on PostgreSQL: the counter is the one that other code derives by
// `guessedOf`, whatever name the account was found by (threat-model.md RL1, RL2).
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimiter } from '../../data/rate-limit/limiter'
import { attackProtectionSection } from '../../data/tenants/settings'
import { createAttemptGuard } from '../../data/users/attempts'
import { guessedOf } from '../../data/users/user'
import { addSeconds } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import { CONNECTION_ID } from '../../testing/seed'
import { inProcess, type TestServer, testServer } from '../../testing/server'
import type { Database } from './database'
import { attemptStore } from './sql/attempts'
import { userStore } from './sql/users'

const IP = '198.51.100.7'
const AROUND = ['["account","c",', `,"${IP}"]`] as const
const ADDRESS = digest('an address')

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const db = (): Database => ({ pool: server.database.pool, prisma: () => Promise.reject(new Error('not asked')) })

const count = (name: string) =>
  attemptStore(db(), 'default').countGuess(
    {
      connectionId: CONNECTION_ID,
      name,
      network: AROUND,
      stranger: AROUND,
      ceiling: ['["ceiling","c",', ']'],
      browsers: [],
      most: 100,
      until: addSeconds(server.clock.now(), 60),
    },
    [ADDRESS],
    server.clock.now(),
  )
const counterOf = (guessed: string) => Buffer.from(digest(JSON.stringify(['account', 'c', guessed, IP])))

describe('a guess of an account', () => {
  it.each([
    ['as ours', '5f7c8ec7c33c6c004bbafe82', null],
    ['with a password that was set at some moment', 'set-at', '2026-02-28T23:59:59.999Z'],
    ['as another system called it', 'a "quoted" \\ b/c\té\u{1f511}\u007f\u2028', '2026-11-22T00:00:00Z'],
  ])('called %s is counted on what the server knows it by', async (_what, id, changedAt) => {
    const email = `${Buffer.from(id).toString('hex').slice(0, 20)}@mail.test`
    await server.addUser({ id, email })
    await server.database.pool.query('UPDATE identity SET password_changed_at = $2 WHERE email_key = $1', [
      email,
      changedAt,
    ])
    const { account, sourceKey } = await count(email)
    expect(account).toEqual(await userStore(db(), 'default').findAccount(CONNECTION_ID, email))
    expect(Buffer.from(sourceKey)).toEqual(counterOf(account ? guessedOf(account) : ''))
  })

  it('is one of theirs by either of its names', async () => {
    await server.addUser({ id: 'lee', email: 'lee@mail.test', username: 'lee' })
    const counted = [await count('lee@mail.test'), await count('lee'), await count('lee@mail.test')]
    expect(counted.map(({ guesses }) => guesses)).toEqual([1, 2, 3])
    expect(counted.map(({ account }) => account?.providerUserId)).toEqual(['lee', 'lee', 'lee'])
  })

  it('is counted by name for an unknown account', async () => {
    const name = 'no"body\\@mail.test'
    expect(await count(name)).toMatchObject({ account: null, guesses: 1 })
    expect(await count(name)).toMatchObject({ account: null, guesses: 2, sourceKey: counterOf(name) })
  })

  it('restarts once the counter has lapsed, and reports the address’s count', async () => {
    await count('later@mail.test')
    await attemptStore(db(), 'default').reserve(
      [{ key: ADDRESS, until: addSeconds(server.clock.now(), 3600) }],
      server.clock.now(),
    )
    expect(await count('later@mail.test')).toMatchObject({ guesses: 2, failures: [1] })
    server.clock.advance(61)
    expect(await count('later@mail.test')).toMatchObject({ guesses: 1, failures: [1] })
  })

  it('is exact however many are made at once', async () => {
    const counted = await Promise.all(Array.from({ length: 20 }, () => count('burst@mail.test')))
    expect(counted.map(({ guesses }) => guesses ?? 0).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })
})

it('waits for the disk before the response to a wrong password, and not before', async () => {
  await server.database.pool.query(`CREATE TABLE noted (place serial, key bytea, waits text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO noted (key, waits) VALUES (NEW.key, current_setting('synchronous_commit')); RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON attempt_counter
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note()`)
  const pool = new Pool({ connectionString: server.database.url, options: '-c synchronous_commit=on' })
  const store = attemptStore({ ...db(), pool }, 'default')
  const limiter = createLimiter('t', { login: false }, inProcess(server.clock))
  const guard = createAttemptGuard(store, attackProtectionSection.parse({}), limiter, server.clock)
  await guard.run({ connectionIds: [CONNECTION_ID], name: 'disk@mail.test', ip: IP }, async () => null)
  const { rows } = await pool.query('SELECT waits FROM noted ORDER BY place')
  expect(rows).toEqual([{ waits: 'off' }, { waits: 'off' }, { waits: 'on' }])
  await pool.end()
})

it('a block is lifted by what the mail names the account by', async () => {
  await server.addUser({ id: 'mo', email: 'mo@mail.test' })
  const limiter = createLimiter('t', { login: false }, inProcess(server.clock))
  const store = attemptStore(db(), 'default')
  const guard = createAttemptGuard(store, attackProtectionSection.parse({}), limiter, server.clock)
  const guess = { connectionIds: [CONNECTION_ID], name: 'mo@mail.test', ip: IP }
  for (let i = 0; i < 11; i++) await guard.run(guess, async () => null)
  expect(await guard.run(guess, async () => true)).toMatchObject({ verdict: 'blocked' })
  await guard.unblock({ connectionId: CONNECTION_ID, identifier: 'mo', ip: IP }, IP)
  expect(await guard.run(guess, async () => true)).toMatchObject({ verdict: 'passed' })
})
