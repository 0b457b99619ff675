import { hashSync } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDatabase } from '../../data/connections/connection'
import { PASSWORD, type TestServer, testServer } from '../../testing/server'
import { authenticateByPassword } from './database'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

async function attempt(password: string, ip: string): Promise<string> {
  const runtime = await server.runtime()
  const connection = (await runtime.connections.all()).find(isDatabase)
  if (!connection) throw new Error('the house has a connection')
  return (await authenticateByPassword([connection], { identifier: 'kim@mail.test', password, ip }, runtime)).outcome
}

const storedHash = async (): Promise<string> =>
  (await server.database.pool.query('SELECT password_hash FROM identity')).rows[0].password_hash

it('a right guess while blocked leaves no trace, not even the re-hash that an older hash is due', async () => {
  const older = hashSync(PASSWORD, { memoryCost: 16, timeCost: 1, parallelism: 1 })
  await server.database.pool.query('UPDATE identity SET password_hash = $1', [older])
  for (let i = 0; i < 10; i++) expect(await attempt('wrong', '192.0.2.1')).toBe('wrong')
  expect(await attempt(PASSWORD, '192.0.2.1')).toBe('blocked')
  expect(await storedHash()).toBe(older)
  expect(await attempt(PASSWORD, '192.0.2.2')).toBe('proven')
  expect(await storedHash()).not.toBe(older)
})
