import { describe, expect, it } from 'vitest'
import { epochSeconds } from '../kernel/clock'
import { leftHalfHash } from '../kernel/secret'
import { NOW, sampleClient, sampleUser } from '../testing/samples'
import { type IdTokenSubject, idTokenClaims, type ScopeClaims } from './id-token'

const iat = epochSeconds(NOW)
const context = { issuer: 'https://id.test/', now: NOW, updatedAt: 'iso8601' as const }
const claims = (over: Partial<IdTokenSubject> = {}, scopeClaims: ScopeClaims = 'contract') =>
  idTokenClaims(
    {
      client: sampleClient(),
      user: sampleUser(),
      scopes: ['openid'],
      authentication: { time: iat - 60, methods: ['pwd'], tell: false },
      sid: 'the-sid',
      nonce: 'n1',
      accessToken: 'the-access-token',
      ...over,
    },
    { ...context, scopeClaims },
  )

it('contains user, audience, time and session, and nothing more with openid alone', () => {
  expect(claims()).toEqual({
    iss: 'https://id.test/',
    sub: 'auth0|kim',
    aud: 'app',
    iat,
    exp: iat + 36000,
    sid: 'the-sid',
    nonce: 'n1',
    at_hash: leftHalfHash('the-access-token'),
  })
})

it('carries no nonce that was not sent: a client that announced none would refuse it', () => {
  expect(claims({ nonce: null })).not.toHaveProperty('nonce')
})

it('lives as long as the client says', () => {
  const client = sampleClient({ jwt_configuration: { lifetime_in_seconds: 60 } })
  expect(claims({ client }).exp).toBe(iat + 60)
})

it('contains the authentication time only if it was requested', () => {
  const authentication = { time: iat - 60, methods: ['pwd' as const], tell: true }
  expect(claims({ authentication }).auth_time).toBe(iat - 60)
  expect(claims()).not.toHaveProperty('auth_time')
})

describe('claims by scope', () => {
  it('has the profile in the form of ID tokens', () => {
    expect(claims({ scopes: ['openid', 'profile'] })).toMatchObject({ name: 'Kim', updated_at: NOW.toISOString() })
  })

  it('has the address with email alone', () => {
    expect(claims({ scopes: ['openid', 'email'] })).toMatchObject({ email: 'kim@mail.test', email_verified: true })
    expect(claims({ scopes: ['openid', 'profile'] })).not.toHaveProperty('email')
  })

  it('has them, as OIDC Core says, only where no access token is issued', () => {
    const scopes = ['openid', 'email', 'profile']
    expect(claims({ scopes, accessToken: null }, 'core')).toMatchObject({ email: 'kim@mail.test', name: 'Kim' })
    for (const beside of [{}, { accessToken: null, code: 'the-code' }]) {
      const less = claims({ scopes, ...beside }, 'core')
      for (const name of ['email', 'email_verified', 'name', 'updated_at']) expect(less).not.toHaveProperty(name)
      expect(less).toMatchObject({ sub: 'auth0|kim', sid: 'the-sid' })
    }
  })

  it('has those requested by name regardless', () => {
    const authentication = { time: iat, methods: [], tell: false, claims: { idToken: ['email'], userinfo: [] } }
    const named = claims({ scopes: ['openid', 'profile'], authentication }, 'core')
    expect(named).toMatchObject({ email: 'kim@mail.test' })
    expect(named).not.toHaveProperty('name')
  })

  it('lets no profile field take the place of a claim of the token', () => {
    const user = sampleUser({ profile: { sub: 'auth0|lee', iss: 'https://evil.test/', locale: 'de' } })
    expect(claims({ user, scopes: ['openid', 'profile'] })).toMatchObject({
      sub: 'auth0|kim',
      iss: 'https://id.test/',
      locale: 'de',
    })
  })
})
