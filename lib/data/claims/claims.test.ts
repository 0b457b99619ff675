import { describe, expect, it } from 'vitest'
import { sampleUser } from '../../testing/samples'
import { claimsFor, OIDC_SCOPES } from './claims'

const user = sampleUser({
  givenName: 'Kim',
  familyName: 'Lee',
  nickname: 'kimmy',
  picture: 'https://id.test/k.png',
  phoneNumber: '+4912345',
  phoneVerified: true,
  profile: {
    middle_name: 'Q',
    website: 'https://kim.test',
    locale: 'de',
    birthdate: '1990-01-01',
    address: { country: 'DE' },
    secret_note: 'not a claim',
  },
  userMetadata: { hobby: 'chess' },
  appMetadata: { plan: 'gold' },
})

describe('claims by scope (contract "User profile", OIDC Core 5.4)', () => {
  it.each([
    [['openid'], []],
    [['openid', 'offline_access', 'read:things'], []],
    [['email'], ['email', 'email_verified']],
    [['phone'], ['phone_number', 'phone_number_verified']],
    [['address'], ['address']],
    [
      ['profile'],
      [
        'birthdate',
        'family_name',
        'given_name',
        'locale',
        'middle_name',
        'name',
        'nickname',
        'picture',
        'updated_at',
        'website',
      ],
    ],
  ])('the scopes %j give the claims %j', (scopes, names) => {
    expect(Object.keys(claimsFor(user, scopes, 'iso8601')).sort()).toEqual(names)
  })

  it('never gives metadata or a field that is no claim', () => {
    const text = JSON.stringify(claimsFor(user, OIDC_SCOPES, 'iso8601'))
    for (const hidden of ['chess', 'gold', 'not a claim']) expect(text).not.toContain(hidden)
  })

  it.each(['__proto__', 'constructor', 'toString'])('takes the scope %s for one that gives nothing', (scope) => {
    expect(claimsFor(user, [scope], 'iso8601')).toEqual({})
  })
})

it('leaves out what is not known instead of sending null', () => {
  const bare = sampleUser({ name: null, email: null, phoneNumber: null })
  expect(claimsFor(bare, ['profile', 'email', 'phone', 'address'], 'iso8601')).toEqual({
    updated_at: bare.updatedAt.toISOString(),
  })
})

it('uses the address, then the username, as the name of a user without one', () => {
  expect(claimsFor(sampleUser({ name: null }), ['profile'], 'iso8601').name).toBe('kim@mail.test')
  expect(claimsFor(sampleUser({ name: null, email: null, username: 'kim' }), ['profile'], 'iso8601').name).toBe('kim')
})

it('derives a nickname as the vendor does, where none is given', () => {
  const nickname = (over: Parameters<typeof sampleUser>[0]) =>
    claimsFor(sampleUser(over), ['profile'], 'iso8601').nickname
  expect(nickname({ nickname: 'kimmy' })).toBe('kimmy')
  expect(nickname({ email: 'k.lee@mail.test' })).toBe('k.lee')
  expect(nickname({ email: null, username: 'kim' })).toBe('kim')
})

it('formats the update time as each endpoint requires', () => {
  expect(claimsFor(user, ['profile'], 'iso8601').updated_at).toBe('2027-01-15T08:00:00.000Z')
  expect(claimsFor(user, ['profile'], 'epoch-string').updated_at).toBe('1800000000')
  expect(claimsFor(user, ['profile'], 'epoch').updated_at).toBe(1_800_000_000)
})
