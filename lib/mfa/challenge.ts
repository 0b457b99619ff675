// A question put to an authenticator out of band: a code that was sent, or a prompt on a device (threat-model.md MF7).
// - It belongs to one login and one authenticator; its `oob_code` and its code are stored as digests, and count once.
// - It lives five minutes. Polling a prompt faster than every three seconds is told so, and never loses an answer.
// - A prompt that a page began shows a number there; the device has to name it, so a tap alone approves nothing.
import type { OutboxRow } from '../outbox/outbox'

export const CHALLENGE_SECONDS = 300
export const POLL_SECONDS = 3

export type ChallengeStatus = 'pending' | 'approved' | 'rejected'

/** What the person reads before answering. */
export type PromptFacts = { clientName: string; ip: string }

export type Challenge = {
  /** Of the `oob_code`. */
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

/** Which challenge of which login. */
export type ChallengeRef = { digest: Uint8Array; transactionDigest: Uint8Array }

export type Polled = Pick<Challenge, 'authenticatorId' | 'channel' | 'status' | 'number'> & { early: boolean }

export type ChallengePort = {
  /** In one transaction: ends the login's older ones to the same authenticator, keeps this one and writes its message. */
  insert(challenge: Challenge, message: OutboxRow | null): Promise<void>
  find(ref: ChallengeRef, now: Date): Promise<Challenge | null>
  /** The state of a prompt; null when it is not there, over or used. Asking is what the next "too early" is measured by. */
  poll(ref: ChallengeRef, now: Date): Promise<Polled | null>
  /** Uses a challenge whose code this is; of any number of callers one. */
  takeCode(ref: ChallengeRef, codeDigest: Uint8Array, now: Date): Promise<boolean>
  /** Uses a prompt that has been answered. */
  takePrompt(ref: ChallengeRef, now: Date): Promise<boolean>
  /** Prompts that wait for this device, newest first. */
  waiting(authenticatorId: string, now: Date): Promise<Challenge[]>
  /** The device's answer, exactly once; false when there is nothing to answer or the number is not the one shown. */
  decide(
    prompt: { digest: Uint8Array; authenticatorId: string; approve: boolean; number: string | null },
    now: Date,
  ): Promise<boolean>
}
