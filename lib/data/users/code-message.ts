// The content of messages that carry a code or a link, and of notices to telephones; templates (lib/pages/messages) render the text. If no account has the address,
// the same row is written but not sent.
import type { MailedOrganization } from '../outbox/message'
import type { OutboxRow } from '../outbox/outbox'
import type { User } from './user'

/** What a template may name of the cause of a message, where it is known. */
export type MessageContext = {
  user?: User | null | undefined
  clientId?: string | null | undefined
  /** The connection of the account, by its id, or by its name. */
  connectionId?: string | undefined
  connection?: string | undefined
  /** The organization of the login that caused it. */
  organization?: MailedOrganization | null | undefined
  ip?: string
}

/** `path` is relative to the base URL; `enrolls` where the code confirms a new factor. */
export type CodeMessage = {
  to: string
  /** The language of the request. */
  locale: string | undefined
  /** When the code or link expires; the message is not sent afterwards. */
  until: Date
} & MessageContext &
  (
    | { channel: 'email'; code: string; path?: string; ip: string; confirms?: 'address' | 'factor' }
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
