// The deletion of an account that its owner asked for. It happens some days later, and until then the owner can keep the account. A tenant may
// require that an administrator approves it first.
import type { ChangeMail } from '../outbox/outbox'

/** What is planned. */
export type AccountDeletion =
  | { status: 'none' }
  | { status: 'requested'; requestedAt: Date }
  | { status: 'scheduled'; dueAt: Date }

export type DeletionRequest = { userId: string; email: string | null; requestedAt: Date }

/** Every change writes the mail about it in its transaction. False if the state is another one, or the account is gone. */
export type AccountDeletionPort = {
  /** Null if there is no such user. */
  find(userId: string): Promise<AccountDeletion | null>
  /** Asks for the approval of a deletion; with `epoch`, only if the account was not recovered since (User.recoveryEpoch). */
  request(userId: string, at: Date, mail: ChangeMail | null, epoch?: string): Promise<boolean>
  /** Plans a deletion that nothing was planned for. */
  schedule(userId: string, due: Date, mail: ChangeMail | null, epoch?: string): Promise<boolean>
  /** Plans a requested deletion. */
  approve(userId: string, due: Date, mail: ChangeMail | null): Promise<boolean>
  /** Ends a request. */
  refuse(userId: string, mail: ChangeMail | null): Promise<boolean>
  /** Ends a request, or what was planned. */
  keep(userId: string): Promise<boolean>
  /** The requests, oldest first. */
  requests(window: {
    offset: number
    limit: number
    counted?: boolean
  }): Promise<{ rows: DeletionRequest[]; total: number }>
}
