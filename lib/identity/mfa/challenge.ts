// An out-of-band challenge to an authenticator: a code that was sent, or a prompt on a device (threat-model.md MF7).
// - It belongs to one login and one authenticator; its `oob_code` and its code are stored as digests and can be used once.
// - It lives five minutes. Polling a prompt more often than every three seconds gets an error, but never loses an answer.
// - A prompt started by a page shows a number there. The device has to enter the number, so a tap alone approves nothing.
import type { OutboxRow } from '../../data/outbox/outbox'

export const CHALLENGE_SECONDS = 300
export const POLL_SECONDS = 3

export type ChallengeStatus = 'pending' | 'approved' | 'rejected'

/** What the prompt shows to the person before the answer. */
export type PromptFacts = { clientName: string; ip: string }

export type FactorChallenge = {
  /** Digest of the `oob_code`. */
  digest: Uint8Array
  transactionDigest: Uint8Array
  userId: string
  authenticatorId: string
  channel: string
  codeDigest: Uint8Array | null
  number: string | null
  about: PromptFacts
  status: ChallengeStatus
  createdAt: Date
  expiresAt: Date
}

/** Identifies a challenge of a login. */
export type ChallengeRef = { digest: Uint8Array; transactionDigest: Uint8Array }

export type PolledChallenge = Pick<FactorChallenge, 'authenticatorId' | 'channel' | 'status' | 'number'> & {
  early: boolean
}

export type ChallengePort = {
  /** In one transaction: ends the login's older challenges to the same authenticator, stores this one and writes its message. */
  insert(challenge: FactorChallenge, message: OutboxRow | null): Promise<void>
  find(ref: ChallengeRef, now: Date): Promise<FactorChallenge | null>
  /**
   * The state of a prompt; null if it does not exist, has expired or was used. Records the time of the poll, which decides
   * whether the next one is too early.
   */
  poll(ref: ChallengeRef, now: Date): Promise<PolledChallenge | null>
  /** Redeems a challenge by its code; of concurrent callers one succeeds. */
  takeCode(ref: ChallengeRef, codeDigest: Uint8Array, now: Date): Promise<boolean>
  /** Redeems an answered prompt. */
  takePrompt(ref: ChallengeRef, now: Date): Promise<boolean>
  /** Pending prompts of this device, newest first. */
  waiting(authenticatorId: string, now: Date): Promise<FactorChallenge[]>
  /** Records the device's answer, exactly once; false if the prompt is not pending or the number is wrong. */
  decide(
    prompt: { digest: Uint8Array; authenticatorId: string; approve: boolean; number: string | null },
    now: Date,
  ): Promise<boolean>
}
