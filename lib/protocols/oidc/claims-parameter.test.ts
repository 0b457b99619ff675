import { describe, expect, it } from 'vitest'
import { parseClaims } from './claims-parameter'

const parse = (value: unknown) => parseClaims(JSON.stringify(value))

describe('the claims parameter (OIDC Core 5.5)', () => {
  it('names claims for each destination, essential or not', () => {
    const requested = parse({
      userinfo: { name: { essential: true }, email: null, unknown_claim: null },
      id_token: { auth_time: { essential: true }, phone_number: { value: '+49' }, 'https://claims.test/x': null },
      elsewhere: 7,
    })
    expect(requested.named).toEqual({ userinfo: ['name', 'email'], idToken: ['phone_number'] })
    expect(requested.scopes.sort()).toEqual(['email', 'phone', 'profile'])
    expect(requested.authTime).toBe(true)
  })

  it('asks for nothing where nothing is named', () => {
    for (const nothing of [parseClaims(undefined), parse({}), parse({ id_token: {}, userinfo: { sub: null } })]) {
      expect(nothing).toEqual({ named: null, scopes: [], subject: null, acrValues: [], authTime: false })
    }
  })

  it('reads the required subject, wherever it stands', () => {
    expect(parse({ id_token: { sub: { value: 'auth0|kim' } } }).subject).toBe('auth0|kim')
    expect(
      parse({ userinfo: { sub: { values: ['auth0|kim'] } }, id_token: { sub: { value: 'auth0|kim' } } }).subject,
    ).toBe('auth0|kim')
  })

  it('reads the context classes in their order', () => {
    const acr = { essential: true, values: ['urn:a', 'urn:b'] }
    expect(parse({ id_token: { acr } }).acrValues).toEqual(['urn:a', 'urn:b'])
  })

  it.each(['', '{', '[]', '"x"', 'null', '7'])('refuses %j', (sent) => {
    expect(() => parseClaims(sent)).toThrow(expect.objectContaining({ code: 'invalid_request', redirectable: true }))
  })

  it.each<[unknown]>([
    [{ id_token: [] }],
    [{ userinfo: 'email' }],
    [{ id_token: { email: true } }],
    [{ id_token: { email: { essential: 'yes' } } }],
    [{ id_token: { email: { values: 'x' } } }],
    [{ id_token: { sub: { value: 7 } } }],
    [{ id_token: { sub: { values: ['auth0|kim', 'auth0|lee'] } } }],
    [{ id_token: { acr: { values: [null] } } }],
  ])('refuses %j', (value) => {
    expect(() => parse(value)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('takes no name of every object for a claim', () => {
    expect(parse({ id_token: { constructor: null, toString: null } }).named).toBeNull()
  })
})
