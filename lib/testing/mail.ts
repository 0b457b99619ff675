// The mails that a test server would have sent.
import { type InboxMessage, readInbox } from '../data/outbox/inbox'
import type { TestServer } from './server'

/** Newest first. */
export async function mailsTo(server: TestServer, address: string): Promise<InboxMessage[]> {
  const { outbox, tenantId } = await server.runtime()
  return readInbox({ tenantId, to: address, channel: undefined }, { outbox, vault: server.vault })
}

/** The ticket in the link of the newest mail. */
export async function ticketTo(server: TestServer, address: string): Promise<string> {
  const [mail] = await mailsTo(server, address)
  return new URL(mail?.link ?? 'https://no.mail').searchParams.get('ticket') ?? ''
}
