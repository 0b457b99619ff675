// docs/audit-log.md names every code there is, and no other.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EVENTS } from './events'
import { refusalEvent } from './outcomes'

it('is documented event by event', () => {
  const text = readFileSync(new URL('../../docs/audit-log.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| `(\w+)`( ●)? \| (.*) \|$/gm)]
  expect(rows.map(([, code, name, kept, says]) => [name, code, says, kept !== undefined])).toEqual(
    Object.entries(EVENTS).map(([name, row]) => [name, row.code, row.says, 'kept' in row]),
  )
})

it('gives a code to no ordinary turn of a conversation, nor to what an object inherits', () => {
  const token = { name: 'oauth.token', refused: 'login_refused' } as const
  expect(refusalEvent('authorization_pending', token, 'refresh_token')).toBeNull()
  expect(refusalEvent('server_error', token, undefined)).toBeNull()
  expect(refusalEvent('invalid_request', { name: 'discovery', refused: null }, undefined)).toBeNull()
  expect(refusalEvent('invalid_grant', token, 'constructor')).toBe('login_refused')
})
