// Sends a test message by the tenant's own provider, outside the outbox: the manager waits for the answer.
import { checkMessage, DeliveryError, type OutgoingMessage } from '../../data/outbox/message'
import type { Runtime } from './runtime'
import type { Shared } from './shared'

const SUBJECT = 'Test message'
const TEXT = 'This is a test message of your identity server. The provider works.'

/** Returns the reason of a failure, or null. */
export async function sendTest(
  addressed: Pick<OutgoingMessage, 'channel' | 'to'>,
  { tenantId, random }: Runtime,
  { tenantChannel }: Shared,
  text = TEXT,
): Promise<string | null> {
  try {
    const channel = await tenantChannel(addressed.channel, tenantId)
    if (!channel) return 'ENOPROVIDER'
    const message = checkMessage({ ...addressed, subject: SUBJECT, text, html: `<p>${TEXT}</p>` })
    await channel.send(message, random.uuid()).finally(() => channel.close())
    return null
  } catch (error) {
    if (error instanceof DeliveryError) return error.reason
    throw error
  }
}
