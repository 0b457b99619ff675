import { afterAll, beforeAll, expect, it } from 'vitest'
import { administratorStore } from '../../../adapters/store/prisma/console-administrators'
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

it.each([
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
