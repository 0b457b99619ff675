// Starts an out-of-band challenge: at most ten an hour per user and per address, for all users who enrol the address, and two
// hundred per network (threat-model.md MF7, PW2). A newer challenge of the same login ends the older one.

import { type CountLimit, networkBounds, takeAllowance } from '../../data/users/allowance'
import { addSeconds } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { digest } from '../../kernel/secret'
import { recordChallenge } from './audit'
import type { Authenticator } from './authenticator'
import { CHALLENGE_SECONDS, type FactorChallenge } from './challenge'
import type { MfaDeps, MfaSubject } from './deps'
import { factorOf } from './factors/index'

export type OpenedChallenge = {
  /** The `oob_code` for the application; unused where a page keeps the challenge by its digest. */
  oobCode: string
  digest: Uint8Array
  /** Whether a code has to be typed. */
  prompt: boolean
  /** The number to show with a prompt; null if the caller cannot show one. */
  number: string | null
}

/** `showsNumber`: the caller shows the number that has to be entered on the device. */
export async function openChallenge(
  authenticator: Authenticator,
  subject: MfaSubject,
  { showsNumber }: { showsNumber: boolean },
  deps: MfaDeps,
): Promise<OpenedChallenge | null> {
  const factor = factorOf(authenticator)
  if (!factor.challenge) return null
  if (!(await takeAllowance(questionBounds(authenticator, subject), deps))) throw tooManyQuestions()
  const secrets = await factor.challenge(authenticator, subject, deps)
  if (!secrets) throw tooManyQuestions()
  const { codeDigest, message } = secrets
  const oobCode = deps.random.token()
  const number = codeDigest === null && showsNumber ? deps.random.digits(2) : null
  const challenge = challengeOf(authenticator, subject, { digest: digest(oobCode), codeDigest, number }, deps)
  await deps.challenges.insert(challenge, message)
  if (message) deps.messenger.wake()
  recordChallenge(subject.user, factor, authenticator.active, deps.trail)
  return { oobCode, digest: challenge.digest, prompt: codeDigest !== null, number }
}

function challengeOf(
  { id, userId, channel }: Authenticator,
  { login, clientName, ip }: MfaSubject,
  secrets: Pick<FactorChallenge, 'digest' | 'codeDigest' | 'number'>,
  { clock }: MfaDeps,
): FactorChallenge {
  const createdAt = clock.now()
  return {
    ...secrets,
    transactionDigest: login,
    userId,
    authenticatorId: id,
    channel: channel ?? '',
    about: { clientName, ip },
    status: 'pending',
    createdAt,
    expiresAt: addSeconds(createdAt, CHALLENGE_SECONDS),
  }
}

const HOUR = 3600

/**
 * Unconfirmed enrolments have their own limit, so that a stranger who tries to enrol another person's address does not use up the
 * challenges that its owner needs to log in.
 */
const questionBounds = ({ id, phoneNumber, email, active }: Authenticator, { user, ip }: MfaSubject): CountLimit[] => [
  { name: 'mfa-question', of: [user.id], most: 10, seconds: HOUR },
  {
    name: active ? 'mfa-question-address' : 'mfa-question-new-address',
    of: [phoneNumber ?? email ?? id],
    most: 10,
    seconds: HOUR,
  },
  ...networkBounds('mfa-question-network', ip, 200, HOUR),
]

const tooManyQuestions = (): DomainError =>
  new DomainError('too_many_requests', 'Too many codes or prompts were sent. Try again later.', {
    reason: 'too_many_messages',
    retryAfter: HOUR,
  })
