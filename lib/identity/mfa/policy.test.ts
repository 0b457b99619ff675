import { describe, expect, it } from 'vitest'
import { type TenantSettings, tenantSettings } from '../../data/tenants/settings'
import { sampleClient } from '../../testing/samples'
import { MULTI_FACTOR_ACR } from './acr'
import { enrollableFactors, factorOccasion, isEnabled, isRequired, type MfaDemand, mfaDemand } from './policy'

const settings = (policies: string[] = [], factors: string[] = ['otp'], more: object = {}): TenantSettings =>
  tenantSettings.parse({
    guardianPolicies: { policies },
    guardianFactors: factors.map((name) => ({ name, enabled: true })),
    ...more,
  })
const nothing = { acrValues: [], forFactors: false, wanted: false }

describe('what asks for a factor', () => {
  it.each([
    [[], 'none'],
    [['all-applications'], 'always'],
    [['confidence-score'], 'risky'],
    [['confidence-score', 'all-applications'], 'always'],
    [['enrolled'], 'enrolled'],
  ])('the tenant’s %j means %s', (policies, demand) => {
    expect(mfaDemand(settings(policies), sampleClient(), nothing)).toBe(demand)
  })

  it.each(['never', 'always', 'risky', 'enrolled'] as const)(
    'the client’s policy %s takes precedence over the tenant’s',
    (mfa_policy) => {
      const expected = mfa_policy === 'never' ? 'none' : mfa_policy
      for (const policies of [[], ['all-applications'], ['confidence-score'], ['enrolled']]) {
        expect(mfaDemand(settings(policies), sampleClient({ mfa_policy }), nothing)).toBe(expected)
      }
    },
  )

  it('a factor that the user turned on means `enrolled` where the tenant says never, and changes no other policy', () => {
    const wanted = { ...nothing, wanted: true }
    expect(mfaDemand(settings(), sampleClient(), wanted)).toBe('enrolled')
    expect(mfaDemand(settings(['all-applications']), sampleClient(), wanted)).toBe('always')
    expect(mfaDemand(settings(['confidence-score']), sampleClient(), wanted)).toBe('risky')
    expect(mfaDemand(settings(), sampleClient({ mfa_policy: 'never' }), wanted)).toBe('none')
    expect(mfaDemand(settings([], []), sampleClient(), wanted)).toBe('none')
    const off = { tenant: { ask_for_own_factors: false } }
    expect(mfaDemand(settings([], ['otp'], off), sampleClient(), wanted)).toBe('none')
  })

  it.each([
    [[], 'never', 'each'],
    [['all-applications'], 'each', 'each'],
    [['confidence-score'], 'risky', 'risky'],
    [['enrolled'], 'each', 'each'],
  ])('the pages say of %j that it asks %s, and with a wish %s', (policies, without, withWish) => {
    expect([factorOccasion(settings(policies), false), factorOccasion(settings(policies), true)]).toEqual([
      without,
      withWish,
    ])
  })

  it('no policy stands beside `enrolled`', () => {
    for (const other of ['all-applications', 'confidence-score']) {
      expect(() => settings(['enrolled', other])).toThrow('enrolled must be the only policy')
    }
  })

  it('the application’s own request takes precedence over both', () => {
    const parameters = { ...nothing, acrValues: ['urn:other', MULTI_FACTOR_ACR] }
    expect(mfaDemand(settings(), sampleClient({ mfa_policy: 'never' }), parameters)).toBe('step-up')
    expect(mfaDemand(settings(), sampleClient(), { ...parameters, acrValues: ['urn:other'] })).toBe('none')
  })

  it('managing factors requires a factor of a user who has one', () => {
    expect(mfaDemand(settings(), sampleClient(), { ...nothing, forFactors: true })).toBe('if-enrolled')
    expect(mfaDemand(settings(['all-applications']), sampleClient(), { ...nothing, forFactors: true })).toBe('step-up')
  })

  it('nothing does where no factor is switched on, or a recovery code alone', () => {
    for (const factors of [[], ['recovery-code']]) {
      const parameters = { ...nothing, acrValues: [MULTI_FACTOR_ACR], forFactors: true }
      expect(mfaDemand(settings(['all-applications'], factors), sampleClient(), parameters)).toBe('none')
    }
  })
})

describe('whether this login needs it', () => {
  const circumstances = { browser: 'unknown', busyNetwork: false, enrolled: true, chosen: true } as const
  const required = (demand: MfaDemand, over: object = {}) => isRequired({ demand, ...circumstances, ...over })

  it('the policy "always" requires a factor, except in a remembered browser', () => {
    expect(required('always')).toBe(true)
    expect(required('always', { browser: 'known' })).toBe(true)
    expect(required('always', { browser: 'remembered' })).toBe(false)
  })

  it('the policy "risky" requires a factor in an unknown browser, and from a network with many failures', () => {
    expect(required('risky')).toBe(true)
    expect(required('risky', { browser: 'known' })).toBe(false)
    expect(required('risky', { browser: 'known', busyNetwork: true })).toBe(true)
    expect(required('risky', { browser: 'remembered', busyNetwork: true })).toBe(false)
  })

  it('the policy "enrolled" requires a factor of a user who has one, except in a remembered browser', () => {
    expect(required('enrolled', { browser: 'known' })).toBe(true)
    expect(required('enrolled', { browser: 'remembered' })).toBe(false)
    expect(required('enrolled', { chosen: false })).toBe(false)
  })

  it('a request of the application requires a factor in any browser', () => {
    expect(required('step-up', { browser: 'remembered' })).toBe(true)
    expect(required('if-enrolled', { browser: 'remembered' })).toBe(true)
    expect(required('if-enrolled', { enrolled: false })).toBe(false)
    expect(required('none')).toBe(false)
  })
})

describe('which factors there are', () => {
  it('a call is a kind of message of the factor sms', () => {
    expect(enrollableFactors(settings([], ['sms', 'recovery-code']))).toEqual(['sms'])
    const calls = { guardianPhoneFactorMessageTypes: { message_types: ['voice'] } }
    expect(enrollableFactors(settings([], ['sms', 'push-notification'], calls))).toEqual(['push', 'voice'])
    expect(isEnabled('recovery-code', settings([], ['otp']))).toBe(false)
  })
})
