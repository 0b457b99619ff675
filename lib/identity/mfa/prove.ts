// Verifies the proof of a factor, for pages and grants (threat-model.md MF1, MF4 to MF7). The caller records the evidence and
// continues the login.
// - A correct answer of a waiting factor confirms it: enrolment needs nothing else.
// - Where the login asks for a type of factor, others are refused before anything is counted or spent (MF8).
// - Every guess is counted on the user (failure-limit.ts) before it is evaluated. A code, a step and a recovery code can be used
//   once; one statement decides each.

import { addSeconds } from '../../kernel/clock'
import { digest } from '../../kernel/secret'
import { composeSignInMail } from '../accounts/sign-in-mail'
import { acceptedFactors } from './accepted'
import { factorSettings } from './administrator-factors'
import { recordVerdict } from './audit'
import type { Authenticator } from './authenticator'
import type { MfaDeps, MfaSubject } from './deps'
import { CONFIRM_SECONDS, listFactors } from './enrolled'
import type { Attempt, Factor } from './factors/factor'
import { FACTORS, type FactorName, factorOf } from './factors/index'
import { enrollableKinds } from './policy'

/** The vendor's type of the proven factor; with the next recovery code, if one was used. */
export type MfaVerdict = { outcome: 'passed'; factor: string; recoveryCode?: string } | MfaFailure

export type MfaFailure =
  | { outcome: 'wrong' }
  /** Too many wrong answers. */
  | { outcome: 'blocked' }
  /** The device has not answered; `early`: the poll came too soon. */
  | { outcome: 'pending'; early: boolean }
  | { outcome: 'rejected' }
  /** The challenge does not exist, has expired, was used, or belongs to another login. */
  | { outcome: 'gone' }
  /** The challenge needs the code that was sent. */
  | { outcome: 'code-missing' }
  /** The login asks for a factor of another type. */
  | { outcome: 'other-type' }

/** An answer, with the digest of the challenge that it is for; factors that are not challenged need none. */
export type FactorAnswer = { challenge?: Uint8Array | undefined; answer: string | undefined }

/** `type` is the `authenticator_type` of the factor. */
export async function prove(
  type: string,
  given: FactorAnswer,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const factor = FACTORS.find(({ names }) => names.authenticatorType === type)
  if (!factor) throw new Error(`there is no factor of type ${type}`)
  return factor.challenge ? proveChallenged(given, subject, deps) : proveUnchallenged(factor, given, subject, deps)
}

/** Confirms one waiting factor; the answer counts for no other. */
export async function proveEnrollment(
  id: string,
  { challenge: sent, answer }: FactorAnswer,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const authenticator = (await listFactors(subject.user, deps)).waiting.find((each) => each.id === id)
  if (!authenticator) return { outcome: 'gone' }
  const factor = factorOf(authenticator)
  const challenge = sent ? await findChallenge(subject, sent, deps) : null
  if (factor.challenge && challenge?.authenticatorId !== id) return { outcome: 'gone' }
  return judge(factor, { authenticators: [authenticator], challenge, answer }, subject, deps)
}

/** By a factor that needs no challenge. The answer may be of any of the user's authenticators of this type. */
async function proveUnchallenged(
  factor: Factor<FactorName>,
  { answer }: FactorAnswer,
  subject: MfaSubject,
  deps: MfaDeps,
) {
  const { usable, waiting } = await acceptedFactors(subject, deps)
  const authenticators = [...usable, ...waiting].filter(({ type }) => type === factor.names.authenticatorType)
  if (subject.typed && authenticators.length === 0) return { outcome: 'other-type' } as const
  return judge(factor, { authenticators, challenge: null, answer }, subject, deps)
}

async function proveChallenged(
  { challenge: sent, answer }: FactorAnswer,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const challenge = sent && (await findChallenge(subject, sent, deps))
  if (!challenge) return { outcome: 'gone' }
  const { usable, waiting } = await acceptedFactors(subject, deps)
  const authenticator = [...usable, ...waiting].find(({ id }) => id === challenge.authenticatorId)
  if (!authenticator) return { outcome: subject.typed ? 'other-type' : 'gone' }
  return judge(factorOf(authenticator), { authenticators: [authenticator], challenge, answer }, subject, deps)
}

async function judge(
  factor: Factor<FactorName>,
  attempt: Omit<Attempt, 'confirm'>,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const confirm: Attempt['confirm'] = (authenticator, step) => activate(authenticator, factor, step, subject, deps)
  const judged = await factor.prove({ ...attempt, confirm }, subject, deps)
  recordVerdict(judged, subject.user, factor, deps.trail)
  return judged.outcome === 'passed' ? { ...judged, factor: factor.names.type } : judged
}

async function activate(
  { id, userId }: Authenticator,
  factor: Factor<FactorName>,
  step: number | null,
  { user, locale, organization }: MfaSubject,
  deps: MfaDeps,
): Promise<boolean> {
  const { authenticators, clock, trail, mailer } = deps
  const at = clock.now()
  const mail = await composeSignInMail(user, { what: 'added', ways: [factor.id] }, deps, { locale, organization })
  const kinds = enrollableKinds(await factorSettings(user, deps))
  const createdAfter = addSeconds(at, -CONFIRM_SECONDS)
  const confirmed = await authenticators.confirm({ userId, id, step, kinds, at, createdAfter, mail })
  if (!confirmed) return false
  mailer.wake()
  trail.record('factor_enrolled', { factor: factor.id })
  return true
}

/** A challenge of this login, or of a factor that the user adds to another. */
async function findChallenge({ user, login }: MfaSubject, challenge: Uint8Array, { challenges, clock }: MfaDeps) {
  const now = clock.now()
  const own = await challenges.find({ digest: challenge, transactionDigest: login }, now)
  return own ?? challenges.find({ digest: challenge, transactionDigest: preverifiedLogin(user.id) }, now)
}

/** The login handle of challenges that an access token started: any login of the user accepts their answer. */
export const preverifiedLogin = (userId: string): Uint8Array => digest(`enrolling ${userId}`)
