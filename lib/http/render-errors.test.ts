import { describe, expect, it } from 'vitest'
import {
  DomainError,
  insufficientScope,
  invalidClient,
  invalidGrant,
  invalidToken,
  temporarilyUnavailable,
  unauthorizedClient,
  unknownClient,
} from '../kernel/errors'
import { bearerText, oauthJson, statusOf, tokenJson } from './render-errors'

const headerOf = (headers: [string, string][], name: string) => headers.find(([known]) => known === name)?.[1]

describe('the two published behaviours (docs/compat.md)', () => {
  it.each([
    [invalidGrant('x', { reason: 'code_used' }), 403, 400],
    [unauthorizedClient('x', { reason: 'grant_not_allowed' }), 403, 400],
    [new DomainError('unsupported_grant_type', 'x'), 403, 400],
    [new DomainError('invalid_request', 'x'), 400, 400],
    [new DomainError('invalid_scope', 'x'), 400, 400],
    [invalidClient('wrong_secret', 'x'), 401, 401],
    [new DomainError('access_denied', 'x'), 403, 400],
    [new DomainError('slow_down', 'x'), 429, 400],
    [new DomainError('authorization_pending', 'x'), 403, 400],
    [new DomainError('too_many_attempts', 'x'), 429, 429],
    [new DomainError('method_not_allowed', 'x'), 405, 405],
    [new DomainError('unsupported_media_type', 'x'), 415, 415],
    [new DomainError('payload_too_large', 'x'), 413, 413],
    [temporarilyUnavailable('x'), 503, 503],
    [new DomainError('server_error', 'x'), 500, 500],
  ])('an error has the status of each behaviour: %s', (error, vendor, rfc) => {
    expect([statusOf(error, 'vendor'), statusOf(error, 'rfc')]).toEqual([vendor, rfc])
  })

  it('answers a failed client authentication at the token endpoint as each would', () => {
    const refused = invalidClient('wrong_secret', 'wrong secret')
    const [vendor, rfc] = [tokenJson(refused, 'vendor'), tokenJson(refused, 'rfc')]
    expect([vendor.status, vendor.body]).toEqual([401, '{"error":"access_denied","error_description":"Unauthorized"}'])
    expect([rfc.status, rfc.body]).toEqual([401, '{"error":"invalid_client","error_description":"Unauthorized"}'])
    expect(headerOf(vendor.headers, 'www-authenticate')).toMatch(/^Basic /)
    expect(headerOf(rfc.headers, 'www-authenticate')).toMatch(/^Basic /)
  })

  it('answers an unknown client alike', () => {
    for (const compat of ['vendor', 'rfc'] as const) {
      const { status, body } = tokenJson(unknownClient('app'), compat)
      expect([status, body]).toEqual([401, '{"error":"invalid_client","error_description":"Unauthorized"}'])
    }
  })

  it('leaves every other refusal of the token endpoint as it is', () => {
    const refused = invalidGrant('x', { reason: 'code_used' })
    expect(tokenJson(refused, 'vendor')).toEqual(oauthJson(refused, 'vendor'))
  })
})

it('reveals neither reason, detail nor cause', () => {
  const options = { reason: 'code_used', detail: 'replayed', cause: new Error('at /srv') } as const
  const error = invalidGrant('Invalid authorization code', options)
  expect(oauthJson(error, 'vendor').body).toBe(
    '{"error":"invalid_grant","error_description":"Invalid authorization code"}',
  )
})

it('says when trying again makes sense, in whole seconds', () => {
  const { headers } = oauthJson(temporarilyUnavailable('x', { retryAfter: 1.2 }), 'vendor')
  expect(headerOf(headers, 'retry-after')).toBe('2')
})

describe("user-info (the contract's)", () => {
  it('answers a bad token with the plain word and the reason in the challenge', () => {
    const { status, body, headers } = bearerText(invalidToken('The token has expired'), 'vendor')
    expect([status, body, headerOf(headers, 'content-type')]).toEqual([
      401,
      'Unauthorized',
      'text/plain; charset=utf-8',
    ])
    expect(headerOf(headers, 'www-authenticate')).toBe(
      'Bearer realm="Users", error="invalid_token", error_description="The token has expired"',
    )
  })

  it('answers a token without the scope with 403 and the challenge', () => {
    const { status, headers } = bearerText(insufficientScope('openid'), 'vendor')
    expect(status).toBe(403)
    expect(headerOf(headers, 'www-authenticate')).toContain('error="insufficient_scope"')
  })
})
