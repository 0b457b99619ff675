// The channel of a tenant whose provider is `custom`: an action delivers (docs/actions.md, "Messages").
import { type Channel, DeliveryError, type OutgoingMessage, type StoredMessageCause } from '../../data/outbox/message'
import { chosenSender, mailboxOf } from '../../data/outbox/sender'
import { isPhoneMessageHook } from '../../data/tenants/settings'
import { present } from '../../identity/tenant-code/events'
import { factorEvent, type MessageFacts, mailEvent, phoneEvent } from '../../identity/tenant-code/message-event'
import type { Effects } from '../../identity/tenant-code/trigger'
import { templateTenant } from './mailer'
import type { Runtime } from './runtime'

type Find = (tenantId: string) => Promise<Runtime | null>

/** Null where there is no action. Rejects where too many runs wait: the message is tried again. */
type Deliver = (message: OutgoingMessage, runtime: Runtime) => Promise<Effects | null>

/** `from` is the default sender of mails. */
export const createActionChannel =
  (runtimeOf: Find) =>
  (name: 'email' | 'sms' | 'voice', tenantId: string, from = ''): Channel =>
    channelBy(
      name,
      () => runtimeOf(tenantId),
      async (message, runtime) => {
        const facts = await factsOf(message.cause, runtime)
        if (name !== 'email') return runtime.triggers.deliver('custom-phone-provider', phoneEvent(message, facts))
        const sender = mailboxOf(chosenSender(message.from, from, 'any'))
        return runtime.triggers.deliver('custom-email-provider', mailEvent(message, sender, facts))
      },
    )

/** The channel of codes for second factors where `phone-message-hook` is selected; null elsewhere. */
export const createFactorChannel =
  (runtimeOf: Find) =>
  async (name: 'sms' | 'voice', tenantId: string, cause: StoredMessageCause | undefined): Promise<Channel | null> => {
    if (!cause?.factor) return null
    const runtime = await runtimeOf(tenantId)
    if (!runtime || !isPhoneMessageHook(runtime.settings)) return null
    return channelBy(
      name,
      async () => runtime,
      async (message) => {
        const event = factorEvent(message, await factsOf(message.cause, runtime))
        if (!event) throw new DeliveryError('OVER', true)
        return runtime.triggers.deliver('send-phone-message', event)
      },
    )
  }

const channelBy = (name: Channel['name'], find: () => Promise<Runtime | null>, deliver: Deliver): Channel => ({
  name,
  async send(message) {
    const runtime = await find()
    if (!runtime) throw new DeliveryError('UNEXPECTED', false)
    const effects = await deliver(message, runtime)
    if (effects === null) throw new DeliveryError('ENOACTION', false)
    if (effects.denied) throw new DeliveryError('EACTION', false)
    if (effects.undelivered) throw new DeliveryError('EUNDELIVERED', effects.undelivered.kind === 'drop')
  },
  close: () => {},
})

async function factsOf(cause: StoredMessageCause | undefined, runtime: Runtime): Promise<MessageFacts> {
  const { userId, clientId, connection, organizationId } = cause ?? {}
  const { clients, connections, organizations, eventSubjects, sender } = runtime
  const { name, friendlyName, homeUrl, logoUrl, supportEmail, supportUrl } = templateTenant(sender.tenant)
  const subject = userId === undefined ? null : await eventSubjects.find(userId, organizationId)
  const account = connection ?? subject?.identities[0]?.connection
  return {
    tenant: {
      id: runtime.tenantId,
      ...present({
        friendly_name: friendlyName === name ? undefined : friendlyName,
        home_url: homeUrl,
        logo_url: logoUrl,
        support_email: supportEmail,
        support_url: supportUrl,
      }),
    },
    client: clientId === undefined ? null : await clients.find(clientId),
    connection: (await connections.all()).find((each) => each.id === account || each.name === account) ?? null,
    organization: organizationId === undefined ? null : await organizations.find(organizationId),
    subject,
  }
}
