// The data of the outbox page and its JSON: the messages that this server would have sent, newest first.
// For development only (threat-model.md SC3): the caller must check that the outbox page is on.
import type { Vault } from '../../kernel/secret'
import type { ChannelName } from './message'
import { type OutboxFilter, type OutboxStore, openContent, type StoredMessage } from './outbox'

export type InboxMessage = {
  id: string
  channel: ChannelName
  to: string
  subject: string
  text: string
  html: string
  link: string | null
  code: string | null
  created_at: string
}

export const INBOX_LIMIT = 100

export type InboxDeps = { outbox: Pick<OutboxStore, 'list'>; vault: Vault }

/** Omits messages that were sealed with another LATCHKEY_SECRET. */
export async function readInbox(
  filter: Omit<OutboxFilter, 'limit'>,
  { outbox, vault }: InboxDeps,
): Promise<InboxMessage[]> {
  const rows = await outbox.list({ ...filter, limit: INBOX_LIMIT })
  return rows.flatMap((row) => asInboxMessage(row, vault) ?? [])
}

function asInboxMessage({ id, createdAt, sealedContent }: StoredMessage, vault: Vault): InboxMessage | null {
  const content = openContent(sealedContent, vault)
  if (!content) return null
  const { channel, to, subject, text, html, link = null, code = null } = content
  return { id, channel, to, subject, text, html, link, code, created_at: createdAt.toISOString() }
}
