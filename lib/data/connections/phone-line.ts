// The message line for text messages and calls, for logins and second factors (threat-model.md PW2, MF7): the tenant's oldest
// `sms` connection defines the countries served, the daily limit, the gateway and the sender.
// - Both uses share one daily count. Without such a connection its defaults apply: every country, ten thousand messages.
import type { CountLimit } from '../users/allowance'
import type { ConnectionPort } from './connection'
import { type SmsOptions, smsOptions } from './passwordless-options'

export type MessageLine = {
  id: string
  options: Pick<SmsOptions, 'countries' | 'from' | 'gateway_url' | 'message_limits'>
}

export async function phoneLine(connections: ConnectionPort): Promise<MessageLine> {
  const connection = (await connections.all()).find((each) => each.strategy === 'sms')
  return connection
    ? { id: connection.id, options: connection.settings.options }
    : { id: 'phone', options: smsOptions.parse({}) }
}

const DAY = 86_400

/** To be checked last, so that a message refused for another reason does not use it up. */
export const dailyBudget = (id: string, { message_limits }: Pick<SmsOptions, 'message_limits'>): CountLimit => ({
  name: 'code-message-budget',
  of: [id],
  most: message_limits.per_day,
  seconds: DAY,
})
