// The mails of a test house, newest first, as the outbox page would show them.
import { readInbox } from '../delivery/inbox'
import type { TestHouse } from './house'

export async function mailsTo(house: TestHouse, to: string) {
  const { outbox, vault, tenantId } = await house.runtime()
  return readInbox({ tenantId, to }, { outbox, vault })
}

/** The secret in the newest mail's link. */
export async function ticketIn(house: TestHouse, to: string): Promise<string> {
  const [mail] = await mailsTo(house, to)
  return new URL(mail?.link ?? 'https://no.link').searchParams.get('ticket') ?? ''
}
