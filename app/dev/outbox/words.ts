// The outbox's names of channels, format of times, and addresses.
import type { InboxMessage } from '../../../lib/data/outbox/inbox'

export const CHANNEL_NAMES: Record<InboxMessage['channel'], string> = {
  email: 'Email',
  sms: 'Text message',
  voice: 'Call',
  push: 'Push',
}

/** Text messages, calls and prompts have no subject, so their first line is the title. */
export const titleOf = ({ subject, text, channel }: InboxMessage): string =>
  subject || text.split('\n', 1)[0] || CHANNEL_NAMES[channel]

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

export const timeOf = (iso: string): string => TIME.format(new Date(iso))

export function hrefOf(query: { id?: string | undefined; to?: string | undefined }): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '/dev/outbox' : `/dev/outbox?${new URLSearchParams(given)}`
}
