// How text messages and calls go out, whatever they are for, a login or a second factor (threat-model.md PW2, MF7): the
// tenant's oldest `sms` connection says which countries are served, how many a day may go out, by whom and from whom.
// - One count a day for both uses. Without such a connection its defaults hold: every country, ten thousand.
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

/** To be asked last: what may not be sent for another reason does not use it up. */
export const dailyBudget = ({ id, options }: MessageLine): Bound => ({
  name: 'code-message-budget',
  of: [id],
  most: options.message_limits.per_day,
  seconds: DAY,
})
