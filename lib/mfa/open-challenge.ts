// Asking an authenticator out of band: at most ten times an hour for one person and for one address, whoever enrols it, and
// two hundred times for one network (threat-model.md MF7, PW2). A newer question of the same login ends the older one.
import { addSeconds } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { digest } from '../kernel/secret'
import { type Bound, isAllowed, networkBounds } from '../users/allowance'
import { recordChallenge } from './audit'
import type { Authenticator } from './authenticator'
import { CHALLENGE_SECONDS, type Challenge } from './challenge'
import type { MfaDeps, MfaSubject } from './deps'
import { factorOf } from './factors/index'
import { factorNameOf } from './policy'

export type OpenedChallenge = {
  /** The `oob_code`: handed to the application, or not at all where a page keeps the challenge by its digest. */
  oobCode: string
  digest: Uint8Array
  /** Whether a code has to be typed. */
  prompt: boolean
  /** To show beside a prompt; null where whoever shows it could not. */
  number: string | null
}

/** `showsNumber`: whoever asks shows the number that the device must be told. */
export async function openChallenge(
  authenticator: Authenticator,
  subject: MfaSubject,
  { showsNumber }: { showsNumber: boolean },
  deps: MfaDeps,
): Promise<OpenedChallenge | null> {
  const ask = factorOf(authenticator).challenge
  if (!ask) return null
  if (!(await isAllowed(questionBounds(authenticator, subject), deps))) throw tooManyQuestions()
  const asked = await ask(authenticator, subject, deps)
  if (!asked) throw tooManyQuestions()
  const { codeDigest, message } = asked
  const oobCode = deps.random.token()
  const number = codeDigest === null && showsNumber ? deps.random.digits(2) : null
  const challenge = challengeOf(authenticator, subject, { digest: digest(oobCode), codeDigest, number }, deps)
  await deps.challenges.insert(challenge, message)
  if (message) deps.messenger.wake()
  recordChallenge(subject.user, factorNameOf(authenticator), authenticator.active, deps.trail)
  return { oobCode, digest: challenge.digest, prompt: codeDigest !== null, number }
}

function challengeOf(
  { id, userId, channel }: Authenticator,
  { login, clientName, ip }: MfaSubject,
  secrets: Pick<Challenge, 'digest' | 'codeDigest' | 'number'>,
  { clock }: MfaDeps,
): Challenge {
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

/** What strangers begin with somebody's address, and cannot confirm, does not use up what its owner needs to sign in. */
const questionBounds = ({ id, phoneNumber, email, active }: Authenticator, { user, ip }: MfaSubject): Bound[] => [
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
  new DomainError('too_many_requests', 'Too many codes or prompts were sent. Try again later.', { retryAfter: HOUR })
