import { describe, expect, it } from 'vitest'
import { sampleUser } from '../../testing/samples'
import { samlSettings } from '../clients/saml'
import type { Profile } from '../users/profile'
import { mapClaims, nameIdentifierOf, withCustom } from './attributes'

const mapping = (over: object = {}) => ({ ...samlSettings.parse({}), ...over })
const NAME = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name'
const BEFORE = new Map([[NAME, ['Kim']]])

describe('what rules have an assertion say besides', () => {
  it('has its own name where that is an address, else the vendor’s before it', () => {
    const custom = { 'https://acme.example/roles': ['a', 'b'], team: 'blue' }
    expect([...withCustom(BEFORE, custom, sampleUser(), mapping())]).toEqual([
      [NAME, ['Kim']],
      ['https://acme.example/roles', ['a', 'b']],
      ['http://schemas.auth0.com/team', ['blue']],
    ])
  })

  it('goes where the client’s mappings say, and nowhere where only mapped claims pass', () => {
    const settings = mapping({ mappings: { team: 'urn:team' }, passthroughClaimsWithNoMapping: false })
    expect([...withCustom(BEFORE, { team: 'blue', other: 'x' }, sampleUser(), settings)]).toEqual([
      [NAME, ['Kim']],
      ['urn:team', ['blue']],
    ])
  })

  it('replaces nothing that the profile says, and leaves out what is no text, number or flag', () => {
    const custom = { [NAME]: 'Eve', 'urn:x': { deep: true }, 'urn:y': null }
    expect([...withCustom(BEFORE, custom, sampleUser(), mapping())]).toEqual([[NAME, ['Kim']]])
  })
})

describe('an address that its account has not proven', () => {
  const TYPED = 'Eve@Mail.test'
  const profileOf = (emailVerified: boolean): Profile => ({
    user: sampleUser({
      id: 'samlp|corp|eve@mail.test',
      email: 'eve@mail.test',
      emailVerified,
      name: `Eve <${TYPED}>`,
      username: TYPED,
      nickname: 'eve',
      givenName: TYPED,
      profile: { upn: TYPED, mails: ['else@mail.test', TYPED] },
      userMetadata: { contact: { mail: TYPED } },
      appMetadata: { login: `mailto:${TYPED}` },
    }),
    identities: [
      { connection: 'corp', provider: 'samlp', providerUserId: 'corp|eve', isSocial: false, profile: { email: TYPED } },
    ],
    createdAt: new Date(0),
    lastLoginAt: null,
    lastIp: null,
    loginsCount: 1,
  })
  const mappings = {
    user_id: 'id',
    email: ['mail', 'urn:mail'],
    name: 'name',
    upn: 'upn',
    'user_metadata.contact.mail': 'contact',
    'app_metadata.login': 'login',
  }
  const PROBES = { nameIdentifierProbes: ['mail', 'upn', 'name', 'login', 'contact'] }
  const claimsOf = (verified: boolean, over: object = {}): Record<string, unknown> => {
    const settings = mapping({ mappings, mapUnknownClaimsAsIs: true, ...over })
    const { user } = profileOf(verified)
    const claims = mapClaims(profileOf(verified), 'sp', settings)
    return Object.fromEntries(withCustom(claims, { 'urn:custom': [TYPED, 'blue'], 'urn:only': TYPED }, user, settings))
  }

  it('is in no attribute, whatever field, mapping or rule has it', () => {
    const { id, ...claims } = claimsOf(false)
    expect(JSON.stringify(claims)).not.toMatch(/eve@mail/i)
    expect(id).toEqual(['samlp|corp|eve@mail.test'])
    expect(claims).toMatchObject({ nickname: ['eve'], email_verified: [false], mails: ['else@mail.test'] })
    expect(claims['urn:custom']).toEqual(['blue'])
  })

  it.each([
    ['it is verified', true, {}],
    ['the add-on includes unverified ones', false, { includeUnverifiedEmail: true }],
  ])('is asserted where %s', (_, verified, over) => {
    expect(claimsOf(verified, over)).toMatchObject({
      mail: ['eve@mail.test'],
      'urn:mail': ['eve@mail.test'],
      upn: [TYPED],
      contact: [TYPED],
      login: [`mailto:${TYPED}`],
      name: [`Eve <${TYPED}>`],
      'urn:only': [TYPED],
    })
  })

  it('is not used as a name identifier', () => {
    const nameIdOf = (verified: boolean, over: object = {}): string => {
      const settings = mapping({ ...PROBES, mappings, ...over })
      return nameIdentifierOf(mapClaims(profileOf(verified), 'sp', settings), profileOf(verified), settings)
    }
    expect(nameIdOf(false)).toBe('samlp|corp|eve@mail.test')
    expect(nameIdOf(true)).toBe('eve@mail.test')
    const standard = {
      mappings: {},
      nameIdentifierProbes: Object.values(samlSettings.parse({}).mappings).flat().slice(1),
    }
    expect(nameIdOf(false, standard)).toBe('samlp|corp|eve@mail.test')
    expect(nameIdOf(true, standard)).toBe('eve@mail.test')
  })
})
