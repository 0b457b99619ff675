// The mails that a test house would have sent.
import { type InboxMessage, readInbox } from '../delivery/inbox'
import type { TestHouse } from './house'

/** Newest first. */
export async function mailsTo(house: TestHouse, address: string): Promise<InboxMessage[]> {
  const { outbox, tenantId } = await house.runtime()
  return readInbox({ tenantId, to: address, channel: undefined }, { outbox, vault: house.vault })
}

/** The ticket in the link of the newest mail. */
export async function ticketTo(house: TestHouse, address: string): Promise<string> {
  const [mail] = await mailsTo(house, address)
  return new URL(mail?.link ?? 'https://no.mail').searchParams.get('ticket') ?? ''
}
