import { describe, expect, it } from 'vitest'
import { presentIdentities } from './profile'

describe('a linked identity as records and actions show it', () => {
  const identity = { connection: 'Users', provider: 'auth0', providerUserId: '1', isSocial: false }
  const shown = { connection: 'Users', provider: 'auth0', user_id: '1', isSocial: false }

  it('has what is known of its owner, and no internal member (threat-model.md BF9)', () => {
    const profile = { email: 'kim@mail.test', locale: 'de', tenant_file_credential: 'x', toString: 'y' }
    expect(presentIdentities([{ ...identity, profile }])).toEqual([
      { ...shown, profileData: { email: 'kim@mail.test', locale: 'de' } },
    ])
  })

  it('has no profile where there is nothing to show', () => {
    expect(presentIdentities([{ ...identity, profile: { tenant_file_credential: 'x' } }])).toEqual([shown])
  })
})
