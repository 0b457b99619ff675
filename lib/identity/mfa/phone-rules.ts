// The tenant's actions for a text message or call of a second factor: they run before the server sends it, and may prevent it. Where
// `phone-message-hook` is selected, the action delivers it instead (lib/server/runtime/action-channel.ts).

import { eventRequest } from '../tenant-code/event-request'
import { eventUser } from '../tenant-code/events'
import type { MfaDeps, MfaSubject } from './deps'

type Message = { channel: 'sms' | 'voice'; to: string; code: string; isNew: boolean }

/** To be called only if an action is bound. */
export async function mayMessage(
  { channel, to, code, isNew }: Message,
  { user, ip }: MfaSubject,
  deps: MfaDeps,
): Promise<boolean> {
  const subject = await deps.eventSubjects.find(user.id)
  if (!subject) return false
  const effects = await deps.triggers.run('send-phone-message', {
    tenant: { id: deps.tenantId },
    message_options: {
      action: isNew ? 'enrollment' : 'second-factor-authentication',
      code,
      message_type: channel,
      recipient: to,
      text: `${deps.tenantName}: ${code}`,
    },
    request: eventRequest({ ip, method: 'POST', headers: {} }, {}),
    user: eventUser(subject),
  })
  return effects.denied === null
}
