// Text messages and calls to a phone number, within the countries and the daily limit of the tenant's message line (PW2). An
// enrolled number gets no more messages once its country is no longer served.

import type { EventName } from '../../../data/audit/events'
import { dailyBudget, type MessageLine, phoneLine } from '../../../data/connections/phone-line'
import { isPhoneMessageHook } from '../../../data/tenants/settings'
import { takeAllowance } from '../../../data/users/allowance'
import { isServed, readPhoneNumber } from '../../../data/users/phone-number'
import { invalidRequest, malformedParameter, missingParameter } from '../../../kernel/errors'
import { maskPhone } from '../authenticator'
import { mayMessage } from '../phone-rules'
import { newCode, proveByCode, sendCode } from './coded'
import { ANSWERED, type Factor } from './factor'

/** In the vendor's records, a call is a message type of the factor `sms`. */
const byPhone = <Id extends 'sms' | 'voice'>(channel: Id, rank: number, sent: EventName): Factor<Id> => ({
  id: channel,
  names: {
    authenticatorType: 'oob',
    channel,
    idPrefix: channel,
    type: 'phone',
    method: 'phone',
    record: 'sms',
    messageType: channel,
    enrollment: { type: channel, method: 'sms' },
    removedBy: 'guardian',
    enabledBy: 'guardian',
  },
  rank,
  isFallback: false,
  async enroll({ phoneNumber }, _subject, { connections }) {
    if (phoneNumber === undefined) throw missingParameter('phone_number')
    const number = await readPhoneNumber(phoneNumber)
    if (number === null) throw malformedParameter('phone_number', 'Invalid phone number')
    await checkServed(number, await phoneLine(connections))
    return { holds: { phoneNumber: number } }
  },
  async challenge({ phoneNumber, active }, subject, deps) {
    const to = phoneNumber ?? ''
    const line = await phoneLine(deps.connections)
    await checkServed(to, line)
    if (!(await takeAllowance([dailyBudget(line.id, line.options)], deps))) return null
    const code = newCode(deps.random)
    const about = { channel, to, code, isNew: !active }
    const byAction = isPhoneMessageHook(deps.settings)
    const isJudged = deps.triggers.isBound('send-phone-message') && !byAction
    if (isJudged && !(await mayMessage(about, subject, deps))) throw unsent()
    const { from: sender, gateway_url } = line.options
    const gateway = byAction ? undefined : gateway_url
    const shared = { to, enrolls: !active }
    const addressed =
      channel === 'sms'
        ? { channel: 'sms' as const, ...shared, sender, gateway }
        : { channel: 'voice' as const, ...shared }
    return sendCode(addressed, subject, deps, code)
  },
  prove: proveByCode,
  mask: ({ phoneNumber }) => phoneNumber && maskPhone(phoneNumber),
  page: { confirms: 'code', asksFor: 'phone' },
  audit: { sent, answered: ANSWERED },
})

/** The same error as when the daily limit is reached. */
const unsent = () => invalidRequest('The message could not be sent', { reason: 'message_unsent' })

async function checkServed(number: string, { options }: MessageLine): Promise<void> {
  if (!(await isServed(number, options.countries)))
    throw malformedParameter('phone_number', 'Numbers of this country are not served')
}

export const sms = byPhone('sms', 5, 'factor_text_sent')
export const voice = byPhone('voice', 6, 'factor_call_made')
