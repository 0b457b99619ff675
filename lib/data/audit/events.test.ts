// docs/audit-log.md names every code there is, and no other.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { token } from '../../server/endpoints/oauth/token'
import { EVENTS, type EventName, replacedBy } from './events'
import { refusalEvent } from './outcomes'

it('is documented event by event', () => {
  const text = readFileSync(new URL('../../../docs/audit-log.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| `(\w+)`( ●)? \| (.*) \|$/gm)]
  expect(rows.map(([, code, name, kept, says]) => [name, code, says, kept !== undefined])).toEqual(
    Object.entries(EVENTS).map(([name, row]) => [name, row.code, row.says, 'kept' in row]),
  )
})

it('gives a code to no ordinary turn of a conversation, nor to what an object inherits', () => {
  expect(refusalEvent('authorization_pending', token, { grant: 'refresh_token' })).toBeNull()
  expect(refusalEvent('server_error', token, {})).toBeNull()
  expect(refusalEvent('invalid_request', { name: 'discovery', refused: null }, {})).toBeNull()
  expect(refusalEvent('invalid_grant', token, { grant: 'refresh_token' })).toBe('refresh_exchange_refused')
  expect(refusalEvent('invalid_grant', token, { grant: 'constructor' })).toBe('login_refused')
})

it('replaces nothing but a refusal, for one reason of it', () => {
  const pairs = Object.keys(EVENTS).flatMap((name) => {
    const replaced = replacedBy(name as EventName)
    return replaced === undefined ? [] : [{ name, row: EVENTS[name as EventName], of: EVENTS[replaced as EventName] }]
  })
  expect(pairs.map(({ name }) => name)).toEqual(['sign_up_password_leaked'])
  for (const { row, of } of pairs) expect([row, of]).toMatchObject([{ reason: expect.any(String) }, { refusal: true }])
})
