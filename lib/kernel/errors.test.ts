import { expect, it } from 'vitest'
import { asDomainError, DomainError, invalidClient, invalidGrant, unknownClient, untrustedRedirect } from './errors'

it('hides an error that is not a refusal, keeps it as the cause and never redirects it', () => {
  const thrown = new TypeError('password=hunter2 at /srv/app.ts')
  const error = asDomainError(thrown)
  expect(error).toMatchObject({ code: 'server_error', redirectable: false, cause: thrown })
  expect(error.description).not.toContain('hunter2')
  expect(error.message).not.toContain('hunter2')
})

it.each([null, undefined, 'a string', 42])('takes %s for an internal error to hide', (thrown) => {
  expect(asDomainError(thrown).code).toBe('server_error')
})

it('passes a refusal on as it is', () => {
  const refusal = invalidGrant('Invalid authorization code', { reason: 'code_used' })
  expect(asDomainError(refusal)).toBe(refusal)
})

it('has the same description for every client authentication failure', () => {
  expect(unknownClient('app').description).toBe(invalidClient('wrong_secret', 'wrong secret').description)
})

it('never redirects to a target that is not proven', () => {
  const error = untrustedRedirect('callback_mismatch', 'Callback URL mismatch', {}, { reason: 'callback_missing' })
  expect(error).toBeInstanceOf(DomainError)
  expect(error.redirectable).toBe(false)
})

it('a DomainError without a reason has its code as the reason', () => {
  expect(new DomainError('login_required', 'Login required').reason).toBe('login_required')
  expect(invalidGrant('user is blocked', { reason: 'user_blocked' })).toMatchObject({
    code: 'invalid_grant',
    reason: 'user_blocked',
  })
})
