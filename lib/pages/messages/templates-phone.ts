// Text messages and calls in the user's language (threat-model.md DB7). A text message ends with the origin-bound code format, so
// that a phone offers the code on our origin only.
import type { OutgoingMessage } from '../../data/outbox/message'
import { type MailContext, oneLine } from './templates'

export type PhoneMessage =
  | { channel: 'sms' | 'voice'; to: string; code: string }
  | { channel: 'sms'; to: string; notice: 'number_changed' }

type PhoneContext = Pick<MailContext, 't' | 'baseUrl' | 'tenantName'>

export function renderPhoneMessage(message: PhoneMessage, context: PhoneContext): OutgoingMessage {
  const { t } = context
  const { channel, to } = message
  const tenant = oneLine(context.tenantName, 60)
  if ('notice' in message) {
    const text = t(`phone.${message.notice}`, { tenant })
    return { channel, to, subject: '', text, html: '' }
  }
  const { code } = message
  const text =
    channel === 'sms'
      ? `${t('phone.text_message', { code, tenant })}\n\n@${new URL(context.baseUrl).hostname} #${code}`
      : t('phone.call', { code: [...code].join(', '), tenant })
  return { channel, to, subject: '', text, html: '', code }
}
