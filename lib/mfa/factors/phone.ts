// Text messages and calls to a phone number, within the countries and the daily limit of the tenant's message line (PW2). An
// enrolled number gets no more messages once its country is no longer served.
import { dailyBudget, type MessageLine, phoneLine } from '../../connections/phone-line'
import { invalidRequest, missingParameter } from '../../kernel/errors'
import { isAllowed } from '../../users/allowance'
import { isServed, readPhoneNumber } from '../../users/phone-number'
import { mayMessage } from '../phone-rules'
import { newCode, sendCode } from './coded'
import type { Factor } from './factor'

const byPhone = (channel: 'sms' | 'voice'): Factor => ({
  name: channel,
  type: 'oob',
  channel,
  idPrefix: channel,
  kind: 'phone',
  async enroll({ phoneNumber }, _subject, { connections }) {
    if (phoneNumber === undefined) throw missingParameter('phone_number')
    const number = await readPhoneNumber(phoneNumber)
    if (number === null) throw invalidRequest('Invalid phone number')
    await checkServed(number, await phoneLine(connections))
    return { holds: { phoneNumber: number } }
  },
  async challenge({ phoneNumber, active }, subject, deps) {
    const to = phoneNumber ?? ''
    const line = await phoneLine(deps.connections)
    await checkServed(to, line)
    if (!(await isAllowed([dailyBudget(line)], deps))) return null
    const code = newCode(deps.random)
    const about = { channel, to, code, isNew: !active }
    if (deps.rules.isBound('send-phone-message') && !(await mayMessage(about, subject, deps))) throw unsent()
    const { from: sender, gateway_url: gateway } = line.options
    return sendCode(channel === 'sms' ? { channel, to, sender, gateway } : { channel, to }, subject, deps, code)
  },
})

/** The same error as when the daily limit is reached. */
const unsent = () => invalidRequest('The message could not be sent')

async function checkServed(number: string, { options }: MessageLine): Promise<void> {
  if (!(await isServed(number, options.countries))) throw invalidRequest('Numbers of this country are not served')
}

export const sms = byPhone('sms')
export const voice = byPhone('voice')
