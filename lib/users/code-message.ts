// The content of messages that carry a code or a link, and of notices to telephones; templates (lib/messages) render the text. If no account has the address,
// the same row is written but not sent.
import type { MailBrand } from '../outbox/message'
import type { OutboxRow } from '../outbox/outbox'
import type { User } from './user'

/** `path` is relative to the base URL; `factor` is there for the code of a second factor, whose user and application are known;
 * `enrolls` where the code confirms a new one. */
export type CodeMessage = {
  to: string
  /** The language of the request. */
  locale: string | undefined
  /** When the code or link expires; the message is not sent afterwards. */
  until: Date
  /** Of mails: the organization of the login that caused it. */
  brand?: MailBrand | undefined
} & (
  | { channel: 'email'; code: string; path?: string; ip: string; factor?: { user: User; clientName: string } }
  | { channel: 'email'; code: string; confirms: 'address'; ip: string }
  | { channel: 'email'; path: string; ip: string }
  | { channel: 'sms'; notice: 'number_changed'; sender?: string | undefined; gateway?: string | undefined }
  | {
      channel: 'sms' | 'voice'
      code: string
      enrolls?: boolean
      sender?: string | undefined
      gateway?: string | undefined
    }
)

export type CodeMessenger = {
  /** Renders and seals the message, to be written in the transaction of its cause. */
  compose(message: CodeMessage): Promise<OutboxRow>
  /** Wakes the dispatcher; to call after that transaction. */
  wake(): void
}
