// Text messages and calls to a phone number.
import { invalidRequest, missingParameter } from '../../kernel/errors'
import { readPhoneNumber } from '../../users/phone-number'
import { sendCode } from './coded'
import type { Factor } from './factor'

const byPhone = (channel: 'sms' | 'voice'): Factor => ({
  name: channel,
  type: 'oob',
  channel,
  idPrefix: channel,
  kind: 'phone',
  enroll({ phoneNumber }) {
    if (phoneNumber === undefined) throw missingParameter('phone_number')
    const number = readPhoneNumber(phoneNumber)
    if (number === null) throw invalidRequest('Invalid phone number')
    return { holds: { phoneNumber: number } }
  },
  challenge: ({ phoneNumber }, subject, deps) => sendCode({ channel, to: phoneNumber ?? '' }, subject, deps),
})

export const sms = byPhone('sms')
export const voice = byPhone('voice')
