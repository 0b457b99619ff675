// Sends a test message by the tenant's provider of mail, outside the outbox: the manager waits for the answer.
import { checkMessage, DeliveryError } from '../outbox/message'
import type { Runtime, Shared } from './runtime'

const SUBJECT = 'Test message'
const TEXT = 'This is a test message of your identity server. The provider of mail works.'

/** Returns the reason of a failure, or null. */
export async function sendTestMail(
  to: string,
  { tenantId, random }: Runtime,
  { tenantMail }: Shared,
): Promise<string | null> {
  try {
    const channel = await tenantMail(tenantId)
    if (!channel) return 'ENOPROVIDER'
    const message = checkMessage({ channel: 'email', to, subject: SUBJECT, text: TEXT, html: `<p>${TEXT}</p>` })
    await channel.send(message, random.uuid()).finally(() => channel.close())
    return null
  } catch (error) {
    if (error instanceof DeliveryError) return error.reason
    throw error
  }
}
