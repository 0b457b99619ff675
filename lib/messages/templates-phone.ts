// Text messages and calls in the user's language (threat-model.md DB7). A text message ends with the origin-bound code format, so
// that a phone offers the code on our origin only.
import type { OutgoingMessage } from '../outbox/message'
import { type MailContext, oneLine } from './templates'
import { MAIL_TEXTS } from './texts'

export type PhoneMessage = { channel: 'sms' | 'voice'; to: string; code: string }

type PhoneContext = Pick<MailContext, 'locale' | 'baseUrl' | 'tenantName'>

export function renderPhoneMessage({ channel, to, code }: PhoneMessage, context: PhoneContext): OutgoingMessage {
  const words = MAIL_TEXTS[context.locale]
  const tenant = oneLine(context.tenantName, 60)
  const text =
    channel === 'sms'
      ? `${words.text_message(code, tenant)}\n\n@${new URL(context.baseUrl).hostname} #${code}`
      : words.call([...code].join(', '), tenant)
  return { channel, to, subject: '', text, html: '', code }
}
