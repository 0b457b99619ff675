import { expect, it } from 'vitest'
import type { Evidence } from '../../data/sessions/session'
import { seededRandom } from '../../kernel/random'
import { NOW, sampleUser } from '../../testing/samples'
import { passwordStep } from './password-step'

const user = sampleUser()
const account = { userId: user.id, connectionId: 'c', providerUserId: 'p', email: 'kim@mail.test' }

const after = (method: Evidence['method'], seconds: number, of = user) => {
  const at = new Date(NOW.getTime() + seconds * 1000).toISOString()
  const outcome = { user: of, sid: 's', evidence: [{ method, at, connection: 'Users' }] }
  const deps = {
    tickets: { insert: async () => {} } as never,
    clock: { now: () => NOW },
    random: seededRandom(),
  }
  return passwordStep({ ...account, since: NOW.toISOString() }, outcome, 'https://id.test/account', deps)
}

it.each(['pwd', 'hwk', 'swk', 'mfa'] as const)('follows a login by %s that began after the wish', async (method) => {
  expect(await after(method, 0)).toMatch(/^\/u\/reset-password\?ticket=/)
  expect(await after(method, -1)).toBeNull()
})

it.each(['fed', 'otp', 'sms'] as const)('does not follow a login by %s alone', async (method) => {
  expect(await after(method, 5)).toBeNull()
})

it('does not follow a login of another user', async () => {
  expect(await after('pwd', 5, sampleUser({ id: 'auth0|lee' }))).toBeNull()
})
