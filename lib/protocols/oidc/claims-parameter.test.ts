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
      expect(nothing).toEqual({ named: null, scopes: [], subject: null, acr: null, authTime: false })
    }
  })

  it('reads the required subject, wherever it stands', () => {
    expect(parse({ id_token: { sub: { value: 'auth0|kim' } } }).subject).toBe('auth0|kim')
    expect(
      parse({ userinfo: { sub: { values: ['auth0|kim'] } }, id_token: { sub: { value: 'auth0|kim' } } }).subject,
    ).toBe('auth0|kim')
  })

  it('reads the context classes in their order, and whether one of them is essential', () => {
    const read = (acr: unknown) => parse({ id_token: { acr } }).acr
    expect(read({ essential: true, values: ['urn:a', 'urn:b'] })).toEqual({
      essential: true,
      values: ['urn:a', 'urn:b'],
    })
    expect(read({ value: 'urn:a' })).toEqual({ essential: false, values: ['urn:a'] })
    expect(read({ essential: true, values: [] })).toEqual({ essential: true, values: [] })
    expect(read({ essential: true })).toEqual({ essential: true, values: undefined })
    expect(read(null)).toEqual({ essential: false, values: undefined })
    expect(parse({ userinfo: { acr: { essential: true, value: 'urn:a' } } }).acr).toBeNull()
  })

  it.each(['', '{', '[]', '"x"', 'null', '7'])('the claims parameter %j is refused', (sent) => {
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
  ])('a wrong member is refused: %j', (value) => {
    expect(() => parse(value)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('takes no name of every object for a claim', () => {
    expect(parse({ id_token: { constructor: null, toString: null } }).named).toBeNull()
  })
})
