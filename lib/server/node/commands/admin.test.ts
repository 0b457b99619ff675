import { afterAll, beforeAll, expect, it } from 'vitest'
import { administratorStore } from '../../../adapters/store/prisma/console-administrators'
import { authenticatorStore } from '../../../adapters/store/sql/mfa'
import { userStore } from '../../../adapters/store/sql/users'
import { systemClock } from '../../../kernel/clock'
import { digest } from '../../../kernel/secret'
import { TEST_SECRET } from '../../../testing/database'
import { type TestServer, testServer } from '../../../testing/server'
import { admin } from './admin'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

/** An authenticator app that is not confirmed yet counts too. */
async function addApp(userId: string): Promise<void> {
  const app = { type: 'otp', channel: null, name: null, active: false, phoneNumber: null, email: null }
  const secret = { sealed: new Uint8Array([1]), secretDigest: null, vouched: false, createdAt: systemClock.now() }
  const user = await userStore(server.db, 'default').find(userId)
  const id = `totp|dev_${server.random.hex(8)}`
  if (user) await authenticatorStore(server.db, 'default').insert({ id, userId, ...app, ...secret }, user)
}

async function changes(): Promise<unknown[]> {
  const { rows } = await server.database.pool.query(
    "SELECT content FROM audit_record WHERE content LIKE '%second factors removed%'",
  )
  return rows.map(({ content }) => JSON.parse(content).details.change)
}

async function say(...args: string[]): Promise<string> {
  const lines: string[] = []
  const source = { DATABASE_URL: server.database.url, LATCHKEY_SECRET: TEST_SECRET, APP_URL: 'https://id.test' }
  await admin(args, { root: '.', source, say: (line) => lines.push(line) })
  return lines.join('\n')
}

it('invites, lists and removes administrators, and prints a link for the next owner where none is left', async () => {
  expect(await say('list')).toContain('There are no administrators')
  const invited = await say('invite', '--role', 'owner')
  const ticket = /https:\/\/id\.test\/console\/join\?ticket=([\w-]+)/.exec(invited)?.[1] ?? ''
  const store = administratorStore(server.db, 'default')
  const id = await server.addUser({ email: 'kim@example.com' })
  expect(await store.accept(digest(ticket), id, systemClock.now())).toBe('owner')
  expect(await say()).toMatch(/^owner +\S+ {2}kim@example\.com/)
  const other = await server.addUser({ email: 'lee@example.com' })
  await store.put(other, 'owner', systemClock.now())
  expect(await say('revoke', id)).toContain('no administrator any more')
  await expect(say('revoke', id)).rejects.toThrow('no administrator')
  const revoked = await say('revoke', other)
  expect(revoked).toContain('No owner is left who can sign in')
  const next = /https:\/\/id\.test\/console\/join\?ticket=([\w-]+)/.exec(revoked)?.[1] ?? ''
  expect(await store.accept(digest(next), id, systemClock.now())).toBe('owner')
})

it('removes the second factors of an administrator, who is named by id or address, and of no other user', async () => {
  const store = administratorStore(server.db, 'default')
  const factors = authenticatorStore(server.db, 'default')
  const [id, other] = [
    await server.addUser({ email: 'ruth@example.com' }),
    await server.addUser({ email: 'ann@example.com' }),
  ]
  await store.put(id, 'owner', systemClock.now())
  for (const name of [id, 'Ruth@example.com']) {
    await addApp(id)
    expect(await say('reset-factor', name)).toContain('https://id.test/console')
    expect(await factors.list(id)).toEqual([])
  }
  expect(await changes()).toEqual(Array(2).fill(`second factors removed: ${id}`))
  await expect(say('reset-factor', id)).rejects.toThrow('has no second factor')
  await addApp(other)
  await expect(say('reset-factor', 'ann@example.com')).rejects.toThrow('no administrator')
  expect(await factors.list(other)).toHaveLength(1)
})

it.each([
  ['reset-factor'],
  ['invite'],
  ['invite', '--role', 'emperor'],
  ['invite', 'no address', '--role', 'auditor'],
  ['revoke'],
  ['list', 'more'],
  ['list', '--tenant', 'nowhere'],
])('refuses %s %s %s', async (...args) => {
  await expect(say(...args)).rejects.toThrow(/Usage|no role|no e-mail address|no tenant/)
})

it('names a role that does not exist, and those that do', async () => {
  await expect(say('invite', '--role', 'support')).rejects.toThrow(
    'There is no role support: owner, admin, application_editor, user_support, auditor.',
  )
  await expect(say('invite')).rejects.toThrow('Usage:')
})
