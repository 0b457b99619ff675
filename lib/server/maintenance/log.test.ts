import { expect, it } from 'vitest'
import { createLogger } from './log'

function logged(fields: Record<string, unknown>): Record<string, unknown> {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).info(fields, 'It happened.')
  return JSON.parse(lines.join(''))
}

it('cuts out what is named as a secret, and keeps what says why something was refused', () => {
  const line = logged({
    code: 'invalid_grant',
    password: 's3cret',
    nested: { token: 's3cret', code: 's3cret', ip: 'x' },
  })
  expect(line).toMatchObject({ code: 'invalid_grant', nested: { ip: 'x' } })
  expect(JSON.stringify(line)).not.toContain('s3cret')
})

it('contains a driver’s error code, and none of the values in its message', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@example.com)' })
  const line = logged({ err: error })
  expect(line.err).toMatchObject({ type: 'Error', message: 'duplicate key', reason: '23505' })
  expect(JSON.stringify(line)).not.toContain('ada@')
})
