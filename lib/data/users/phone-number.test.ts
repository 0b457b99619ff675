import { describe, expect, it } from 'vitest'
import { isServed, readPhoneNumber } from './phone-number'

describe('a phone number', () => {
  it.each([
    ['+4912345678', '+4912345678'],
    ['+49 (0)170 1234567', '+491701234567'],
    [' +1 (202) 555-0123 ', '+12025550123'],
    ['+491701234567', '+491701234567'],
    ['\u202a+49\u00a0170\u202f123\u20114567\u202c', '+491701234567'],
    ['＋４９ー１７０ー１２３４５６７', '+491701234567'],
    ['+٤٩ ١٧٠ ١٢٣٤٥٦٧', '+491701234567'],
    ['+४९१७०१२३४५६७', '+491701234567'],
    [`+49${'\u200b'.repeat(40)}1701234567`, '+491701234567'],
  ])('%s is one, whatever its spelling', async (typed, e164) => {
    expect(await readPhoneNumber(typed)).toBe(e164)
  })

  it.each(['', '+', 'abc', '01701234567', '+49', '+8100', '+4917012345678901234', '９', `+49${'1'.repeat(100)}`])(
    'the text %j is not a phone number',
    async (typed) => {
      expect(await readPhoneNumber(typed)).toBeNull()
    },
  )

  it.each(['+19005551234', '+499001234567', '+448712345678'])('%s is a premium-rate number', async (typed) => {
    expect(await readPhoneNumber(typed)).toBeNull()
  })

  it('is served by its country', async () => {
    expect(await isServed('+491701234567', undefined)).toBe(true)
    expect(await isServed('+491701234567', ['DE'])).toBe(true)
    expect(await isServed('+33612345678', ['DE'])).toBe(false)
    expect(await isServed('+12025550123', ['US'])).toBe(true)
    expect(await isServed('+18765551234', ['US'])).toBe(false)
    expect(await isServed('+4912345678', [])).toBe(false)
  })
})
