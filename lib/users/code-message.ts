// The messages that carry a code or a link to an address, as what they are about: how they read is the templates'
// business (lib/delivery). Where the address is nobody's, the same row is written and goes nowhere.
import type { OutboxRow } from '../outbox/outbox'

export type CodeMessage = {
  to: string
  /** The language of the request. */
  locale: string | undefined
  /** When what it carries is worth nothing any more: it is not sent afterwards. */
  until: Date
} /** `path` is under the base URL. */ & (
  | { channel: 'email'; code: string; path?: string; ip: string }
  | { channel: 'email'; path: string; ip: string }
  | { channel: 'sms' | 'voice'; code: string; sender?: string | undefined; gateway?: string | undefined }
)

export type CodeMessenger = {
  /** Rendered and sealed: ready to be written in the transaction of its cause. */
  compose(message: CodeMessage): OutboxRow
  /** To call after that transaction. */
  wake(): void
}
