// The deletion of an account that its owner asked for. It happens some days later, and until then the owner can keep the account.
import type { OutboxRow } from '../outbox/outbox'

export type AccountDeletionPort = {
  /** When the account will be deleted; null if nothing is planned. */
  dueAt(userId: string): Promise<Date | null>
  /** Plans the deletion and writes the mail about it. False if one is planned already; an earlier date stays. */
  schedule(userId: string, due: Date, mail: OutboxRow | null): Promise<boolean>
  /** False if nothing was planned, or the account is gone. */
  keep(userId: string): Promise<boolean>
}
