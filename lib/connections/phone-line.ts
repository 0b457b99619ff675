// The message line for text messages and calls, for logins and second factors (threat-model.md PW2, MF7): the tenant's oldest
// `sms` connection defines the countries served, the daily limit, the gateway and the sender.
// - Both uses share one daily count. Without such a connection its defaults apply: every country, ten thousand messages.
import type { Bound } from '../users/allowance'
import { type Connection, type ConnectionPort, type ConnectionSettings, passwordlessSettings } from './connection'

type LineOptions = Pick<ConnectionSettings['options'], 'countries' | 'from' | 'gateway_url' | 'message_limits'>

export type MessageLine = { id: string; options: LineOptions }

export const lineOf = ({ id, settings }: Connection): MessageLine => ({ id, options: settings.options })

export async function phoneLine(connections: ConnectionPort): Promise<MessageLine> {
  const connection = (await connections.all()).find(({ strategy }) => strategy === 'sms')
  return connection ? lineOf(connection) : { id: 'phone', options: passwordlessSettings.parse({}).options }
}

const DAY = 86_400

/** To be checked last, so that a message refused for another reason does not use it up. */
export const dailyBudget = ({ id, options }: MessageLine): Bound => ({
  name: 'code-message-budget',
  of: [id],
  most: options.message_limits.per_day,
  seconds: DAY,
})
