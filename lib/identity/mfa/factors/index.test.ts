import { describe, expect, it } from 'vitest'
import { ACTION_FACTORS, byRank, FACTOR_RECORDS, FACTORS, factorOf, factorOfKind, isKnown, storedKind } from './index'

const distinct = <T>(values: readonly T[]): boolean => new Set(values).size === values.length

describe('the list of factors', () => {
  it('has one factor for each name, stored kind, prefix and rank', () => {
    expect(distinct(FACTORS.map(({ id }) => id))).toBe(true)
    expect(distinct(FACTORS.map(({ names }) => storedKind(names)))).toBe(true)
    expect(distinct(FACTORS.map(({ names }) => names.idPrefix))).toBe(true)
    expect(distinct(FACTORS.map(({ rank }) => rank))).toBe(true)
  })

  it('offers them for enrolment in one order and asks for them in another, what replaces a factor last', () => {
    expect(FACTORS.map(({ id }) => id)).toEqual([
      'otp',
      'push',
      'sms',
      'voice',
      'email',
      'webauthn-roaming',
      'webauthn-platform',
      'recovery-code',
    ])
    const stored = FACTORS.map(({ names }) => ({ type: names.authenticatorType, channel: names.channel }))
    expect(stored.toSorted(byRank).map((each) => factorOf(each).id)).toEqual([
      'push',
      'webauthn-platform',
      'webauthn-roaming',
      'otp',
      'sms',
      'voice',
      'email',
      'recovery-code',
    ])
  })

  it('has a challenge for what is answered out of band, and a way to enrol all but what replaces a factor', () => {
    for (const { names, challenge, enroll, page, isFallback } of FACTORS) {
      expect(challenge !== null).toBe(names.authenticatorType === 'oob')
      expect([enroll === null, page.confirms === null]).toEqual([isFallback, isFallback])
    }
  })

  it("has the vendor's names", () => {
    expect(FACTOR_RECORDS).toEqual([
      'otp',
      'push-notification',
      'sms',
      'email',
      'webauthn-roaming',
      'webauthn-platform',
      'recovery-code',
    ])
    expect(ACTION_FACTORS.types).toEqual([
      'otp',
      'push-notification',
      'phone',
      'email',
      'webauthn-roaming',
      'webauthn-platform',
      'recovery-code',
    ])
    expect(Object.fromEntries(ACTION_FACTORS.providers)).toEqual({
      'google-authenticator': ['otp'],
      guardian: ['push-notification', 'phone'],
    })
  })

  it('knows no authenticator of another release', () => {
    const foreign = { type: 'telepathy', channel: null }
    expect(isKnown(foreign)).toBe(false)
    expect(factorOfKind('telepathy')).toBeUndefined()
    expect(() => factorOf(foreign)).toThrow('telepathy')
  })
})
