import { describe, expect, it } from 'vitest'
import { sampleApi, sampleClient } from '../../testing/samples'
import { grantableScopes, narrowScopes, parseScope } from './scope'

describe('reading (RFC 6749 3.3)', () => {
  it.each([
    ['openid email', ['openid', 'email']],
    ['  openid   email ', ['openid', 'email']],
    ['email openid email', ['email', 'openid']],
    ['read:things https://x.test/a!#', ['read:things', 'https://x.test/a!#']],
    ['', []],
    [undefined, []],
  ])('the scope %j is read', (value, expected) => {
    expect(parseScope(value)).toEqual(expected)
  })

  it.each(['open"id', 'open\\id', 'a\tb', 'a\nb', 'é', 'a\u00a0b', '\0'])('the scope %j is refused', (value) => {
    expect(() => parseScope(value)).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
  })

  it('refuses more scopes than can exist', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`).join(' ')
    expect(parseScope(many(200))).toHaveLength(200)
    expect(() => parseScope(many(201))).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
  })
})

describe('granting (threat-model.md AZ11)', () => {
  const api = sampleApi({ scopes: [{ value: 'read:things' }], allow_offline_access: true })
  const client = sampleClient()

  it('drops what neither OpenID nor the API defines, without a word', () => {
    expect(grantableScopes(['openid', 'read:things', 'write:things', 'toString', '__proto__'], client, api)).toEqual([
      'openid',
      'read:things',
    ])
  })

  it('drops the scopes of an API that was not requested', () => {
    expect(grantableScopes(['openid', 'read:things'], client, null)).toEqual(['openid'])
  })

  it.each([
    ['kept without an API', client, null, true],
    ['kept where the API allows it', client, api, true],
    ['dropped where the API does not', client, sampleApi(), false],
    ['dropped for a client that may not refresh', sampleClient({ grant_types: ['authorization_code'] }), null, false],
  ])('offline_access is %s', (_name, asking, of, kept) => {
    expect(grantableScopes(['offline_access'], asking, of)).toEqual(kept ? ['offline_access'] : [])
  })

  it('drops offline_access even where an API defines a scope of that name', () => {
    const trick = sampleApi({ scopes: [{ value: 'offline_access' }] })
    expect(grantableScopes(['offline_access'], client, trick)).toEqual([])
  })
})

describe('narrowing at refresh (RFC 6749 6)', () => {
  const api = sampleApi({ scopes: [{ value: 'read:things' }, { value: 'write:things' }] })

  it.each<[string[], string[]]>([
    [[], []],
    [['openid'], ['openid']],
    [
      ['email', 'openid'],
      ['email', 'openid'],
    ],
    [['openid', 'no:such'], ['openid']],
    [['no:such'], []],
    [['constructor', 'email'], ['email']],
  ])('may ask for %j', (requested, scopes) => {
    expect(narrowScopes(['openid', 'email'], requested, api)).toEqual(scopes)
  })

  it.each([
    ['a scope of OpenID Connect', 'email'],
    ['a scope of the API', 'write:things'],
    ['a refresh token', 'offline_access'],
  ])('may not ask for more: %s', (_name, scope) => {
    expect(() => narrowScopes(['openid', 'read:things'], ['openid', 'no:such', scope], api)).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    )
  })

  it('drops a scope of an API that the tokens are not for', () => {
    expect(narrowScopes(['openid'], ['openid', 'read:things'], null)).toEqual(['openid'])
  })
})
