import { describe, expect, it } from 'vitest'
import { changesOf, claimsOf, scopesOf, wantsFactor } from './effects'
import { eventRequest, withoutSecrets } from './event-request'
import { eventMethods, eventTransaction } from './events'
import { noEffects } from './trigger'

describe('the request in the event of a rule', () => {
  it('is where it comes from, and what was sent without secrets', () => {
    const headers = {
      host: 'staff.test',
      'accept-language': 'de-DE,de;q=0.9',
      'user-agent': 'App/1',
      cookie: 'secret',
    }
    const asking = { baseUrl: 'https://id.test:3000', ip: '192.0.2.1', method: 'POST' }
    expect(eventRequest({ ...asking, headers }, { a: '1' }, { b: '2' })).toEqual({
      ip: '192.0.2.1',
      method: 'POST',
      hostname: 'id.test',
      language: 'de-DE',
      user_agent: 'App/1',
      query: { a: '1' },
      body: { b: '2' },
      geoip: {},
    })
  })

  it.each([
    'password',
    'new_password',
    'client_secret',
    'code',
    'device_code',
    'user_code',
    'oob_code',
    'binding_code',
    'recovery_code',
    'code_verifier',
    'otp',
    'refresh_token',
    'id_token_hint',
    'mfa_token',
    'subject_token',
    'login_ticket',
    'client_assertion',
    'SAMLRequest',
    'SAMLResponse',
    'wresult',
    'Signature',
  ])('holds no %s', (name) => {
    expect(withoutSecrets({ [name]: 'hidden', scope: 'openid' })).toEqual({ scope: 'openid' })
  })

  it('is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, 'x'.repeat(5000)]))
    const expected = withoutSecrets(many)
    expect(Object.keys(expected)).toHaveLength(50)
    expect(String(expected.p0)).toHaveLength(2000)
  })
})

describe('what effects mean', () => {
  it('the claims of an action are those that may be set, and undefined without any', () => {
    expect(claimsOf(noEffects())).toBeUndefined()
    const effects = { ...noEffects(), idTokenClaims: { a: 1, sub: 'x', none: null }, accessTokenClaims: { scope: 'x' } }
    expect(claimsOf(effects)).toEqual({ idToken: { a: 1 } })
  })

  it('for scopes: what is removed wins', () => {
    const effects = { ...noEffects(), addScopes: ['write', 'read'], removeScopes: ['read', 'admin'] }
    expect(scopesOf(['openid', 'read'], effects)).toEqual(['openid', 'write'])
  })

  it('an action without a change of metadata or factors changes nothing', () => {
    expect(changesOf(noEffects())).toBeNull()
    expect(changesOf({ ...noEffects(), userMetadata: { a: null } })).toEqual({
      userMetadata: { a: null },
      appMetadata: {},
    })
    expect(wantsFactor(noEffects())).toBe(false)
    expect(wantsFactor({ ...noEffects(), multifactor: { kind: 'none' } })).toBe(false)
    const enable = { kind: 'enable' as const, factors: [], allowRememberBrowser: false }
    expect(wantsFactor({ ...noEffects(), multifactor: enable })).toBe(true)
  })
})

describe('an event', () => {
  it('names methods as the vendor does', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const evidence = [
      { method: 'pwd' as const, at, connection: 'Users' },
      { method: 'fed' as const, at, connection: 'google' },
      { method: 'otp' as const, at, connection: 'email' },
      { method: 'mfa' as const, at, connection: 'Users' },
    ]
    expect(eventMethods(evidence).map(({ name }) => name)).toEqual(['pwd', 'federated', 'email', 'mfa'])
  })

  it('has lists for space-separated parameters, and omits absent ones', () => {
    const parameters = { acrValues: [], loginHint: null, prompt: [], scopes: ['openid'], uiLocales: ' de  en ' }
    expect(eventTransaction(parameters, { protocol: 'samlp' }, 'de')).toEqual({
      acr_values: [],
      locale: 'de',
      requested_scopes: ['openid'],
      ui_locales: ['de', 'en'],
      prompt: [],
      protocol: 'samlp',
    })
  })
})
