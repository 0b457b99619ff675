import { describe, expect, it } from 'vitest'
import { invalidBody, placeOf } from './errors'

describe('the place of a problem', () => {
  it.each([
    ["must be a number' on property 'max_attempts", 'must be a number', 'max_attempts'],
    ['Missing required property: name', 'This is needed.', 'name'],
    ["must be a host name' on property 'smtp_host' in 'credentials", 'must be a host name', 'credentials.smtp_host'],
    ["Missing required property: smtp_host' in 'credentials", 'This is needed.', 'credentials.smtp_host'],
    ["Additional properties not allowed: x' in 'settings", 'Additional properties not allowed: x', 'settings'],
    ['PasswordHistoryError: Password has previously been used', 'Password has previously been used', null],
    ['The destination changes: send api_key again', 'The destination changes: send api_key again', null],
  ])('of %s', (problem, message, place) => {
    expect(placeOf(invalidBody(problem))).toEqual({ message, place })
  })
})
