// The tenant's rules about a text message or call of a second factor: they are told before it is sent, and may keep it from
// being sent. Sending is ours: a rule reaches no network (docs/actions.md).

import { eventRequest } from '../rules/event-request'
import { eventUser } from '../rules/events'
import type { MfaDeps, MfaSubject } from './deps'

type Message = { channel: 'sms' | 'voice'; to: string; code: string; isNew: boolean }

/** To be asked only where something is bound. */
export async function mayMessage(
  { channel, to, code, isNew }: Message,
  { user, ip }: MfaSubject,
  deps: MfaDeps,
): Promise<boolean> {
  const subject = await deps.ruleSubjects.find(user.id)
  if (!subject) return false
  const effects = await deps.rules.run('send-phone-message', {
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
