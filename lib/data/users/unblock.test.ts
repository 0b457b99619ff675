import { expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { readUnblockTicket, writeUnblockTicket } from './unblock'

const subject = { connectionId: 'con_database', identifier: 'kim', ip: '198.51.100.7' }
const deps = () => ({
  vault: createVault('a secret of at least thirty-two characters'),
  random: systemRandom,
  clock: fixedClock(),
})

it('names the block that it lifts, and only for a day', () => {
  const at = deps()
  const ticket = writeUnblockTicket(subject, at)
  expect(readUnblockTicket(ticket, at)).toMatchObject(subject)
  at.clock.advance(86399)
  expect(readUnblockTicket(ticket, at)).toMatchObject(subject)
  at.clock.advance(1)
  expect(readUnblockTicket(ticket, at)).toBeNull()
})

it('lives, and leads, as the template of its mail says', () => {
  const at = deps()
  const ticket = writeUnblockTicket(subject, at, { lifetimeSeconds: 60, resultUrl: 'https://app.test/' })
  expect(readUnblockTicket(ticket, at)).toMatchObject({ ...subject, resultUrl: 'https://app.test/' })
  at.clock.advance(60)
  expect(readUnblockTicket(ticket, at)).toBeNull()
})

it('reveals nothing of the account to a reader of the link', () => {
  const text = Buffer.from(writeUnblockTicket(subject, deps()), 'base64url').toString('latin1')
  expect(text).not.toContain('kim')
  expect(text).not.toContain('198.51')
})

it.each([
  ['nothing', ''],
  ['rubbish', 'not-a-ticket'],
  [
    'what was sealed under another secret',
    () => writeUnblockTicket(subject, { ...deps(), vault: createVault('x'.repeat(32)) }),
  ],
  [
    'what was sealed for another purpose',
    () => deps().vault.sealText('access-token', JSON.stringify({ ...subject, until: '9999-01-01' }), systemRandom),
  ],
  ['a ticket in another spelling, which would count as unused', () => `${writeUnblockTicket(subject, deps())}=`],
])('is not %s', (_name, ticket) => {
  expect(readUnblockTicket(typeof ticket === 'string' ? ticket : ticket(), deps())).toBeNull()
})
