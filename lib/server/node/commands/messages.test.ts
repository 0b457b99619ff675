import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { messages } from './messages'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function saying(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const source = { DATABASE_URL: database.url, LATCHKEY_SECRET: 'a secret of thirty-two characters' }
  await messages(args, { root: '.', source, say: (line) => lines.push(line) })
  return lines
}

it('shows what waits and what was given up, oldest first, and nothing that was sent', async () => {
  expect(await saying()).toEqual(['Every message was sent.'])
  await database.pool.query(
    `INSERT INTO outbox_message (id, tenant_id, channel, recipient, sealed_content, created_at, next_attempt_at, attempts, sent_at, failed_at, last_error)
     VALUES (gen_random_uuid(), 'default', 'email', 'waits@b.test', '\\x01', '2027-01-02', '2027-01-03', 2, NULL, NULL, 'HTTP 404' || chr(27)),
       (gen_random_uuid(), 'default', 'sms', '+1202', NULL, '2027-01-01', NULL, 9, NULL, '2027-01-02', 'OVER'),
       (gen_random_uuid(), 'default', 'email', 'sent@b.test', NULL, '2027-01-01', NULL, 1, '2027-01-01', NULL, NULL)`,
  )
  expect(await saying()).toEqual([
    '2027-01-01T00:00:00.000Z  default  sms  +1202  attempts 9, given up  OVER',
    '2027-01-02T00:00:00.000Z  default  email  waits@b.test  attempts 2, next attempt 2027-01-03T00:00:00.000Z  HTTP 404 ',
  ])
})

it('says where it shows the newest alone', async () => {
  await database.pool.query(
    `INSERT INTO outbox_message (id, tenant_id, channel, recipient, created_at, next_attempt_at)
     SELECT gen_random_uuid(), 'default', 'email', 'a@b.test', '2027-06-01', '2027-06-01' FROM generate_series(1, 100)`,
  )
  const lines = await saying()
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('These are the newest 100.')
  expect(lines.join()).not.toContain('+1202')
})

it('takes no arguments', async () => {
  await expect(saying('list')).rejects.toThrow('Usage: `npm run messages`.')
})
