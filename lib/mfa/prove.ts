// Verifies the proof of a factor, for pages and grants (threat-model.md MF1, MF4 to MF7). The caller records the evidence and
// continues the login.
// - A correct answer of a waiting factor confirms it: enrolment needs nothing else.
// - Where the login asks for a type of factor, others are refused before anything is counted or spent (MF8).
// - Every guess is counted on the user (failure-limit.ts) before it is evaluated. A code, a step and a recovery code can be used
//   once; one statement decides each.

import { addSeconds } from '../kernel/clock'
import { digest } from '../kernel/secret'
import { acceptedFactors } from './accepted'
import { recordVerdict } from './audit'
import type { Authenticator } from './authenticator'
import { isRecovery } from './authenticator'
import type { ChallengeRef } from './challenge'
import type { MfaDeps, MfaSubject } from './deps'
import { CONFIRM_SECONDS, type Enrolments } from './enrolled'
import { digestOfCode } from './factors/coded'
import type { FactorType } from './factors/factor'
import { factorOf } from './factors/index'
import { stepOf } from './factors/otp'
import { digestOfRecoveryCode, newRecoveryCode } from './factors/recovery-code'
import { checkWithinLimit } from './failure-limit'
import { enrollableKinds, factorNameOf } from './policy'

/** The type of the proven factor; with the next recovery code, if one was used. */
type Proven = { factor: FactorType; recoveryCode?: string }

export type MfaVerdict = ({ outcome: 'passed' } & Proven) | MfaFailure

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

export async function proveByOtp(subject: MfaSubject, code: string, deps: MfaDeps): Promise<MfaVerdict> {
  const { user, typed } = subject
  const { usable, waiting } = await acceptedFactors(subject, deps)
  const candidates = [...usable, ...waiting].filter(({ type }) => type === 'otp')
  if (typed && candidates.length === 0) return { outcome: 'other-type' }
  const digits = code.slice(0, 40).replace(/[\s-]/g, '')
  return recordVerdict(
    await withinFailureLimit(user.id, () => firstAccepted(candidates, digits, deps), deps),
    user,
    'otp',
    deps.trail,
  )
}

async function firstAccepted(candidates: readonly Authenticator[], code: string, deps: MfaDeps) {
  for (const candidate of candidates) {
    const step = stepOf(candidate, code, deps)
    if (step !== null && (await acceptStep(candidate, step, deps))) return provenBy(candidate)
  }
  return null
}

const provenBy = (authenticator: Authenticator): Proven => ({ factor: factorOf(authenticator).kind })

const acceptStep = (authenticator: Authenticator, step: number, deps: MfaDeps): Promise<boolean> =>
  authenticator.active ? deps.authenticators.takeStep(authenticator.id, step) : confirm(authenticator, step, deps)

async function confirm(authenticator: Authenticator, step: number | null, deps: MfaDeps): Promise<boolean> {
  const { authenticators, settings, clock, trail } = deps
  const { id, userId } = authenticator
  const at = clock.now()
  const kinds = enrollableKinds(settings)
  const createdAfter = addSeconds(at, -CONFIRM_SECONDS)
  const confirmed = await authenticators.confirm({ userId, id, step, kinds, at, createdAfter })
  if (confirmed) trail.record('factor_enrolled', { factor: factorNameOf(authenticator) })
  return confirmed
}

/** By the code that was sent, or by the device's answer. */
export async function proveByOob(
  subject: MfaSubject,
  { challenge, code }: { challenge: Uint8Array; code: string | undefined },
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const open = await findQuestion(subject, challenge, deps)
  if (!open) return { outcome: 'gone' }
  const authenticator = answering(open.authenticatorId, await acceptedFactors(subject, deps))
  if (!authenticator) return { outcome: subject.typed ? 'other-type' : 'gone' }
  const ref = { digest: open.digest, transactionDigest: open.transactionDigest }
  const { user } = subject
  const recorded = (verdict: MfaVerdict) => recordVerdict(verdict, user, factorNameOf(authenticator), deps.trail)
  if (open.codeDigest === null) return recorded(await proveByPrompt(ref, authenticator, deps))
  if (!code) return { outcome: 'code-missing' }
  return recorded(await withinFailureLimit(user.id, () => takeCode(ref, authenticator, code, deps), deps))
}

/** A challenge of this login, or of a factor that the user adds to another. */
async function findQuestion({ user, login }: MfaSubject, challenge: Uint8Array, { challenges, clock }: MfaDeps) {
  const now = clock.now()
  const own = await challenges.find({ digest: challenge, transactionDigest: login }, now)
  return own ?? challenges.find({ digest: challenge, transactionDigest: preverifiedLogin(user.id) }, now)
}

/** The login handle of challenges that an access token started: any login of the user accepts their answer. */
export const preverifiedLogin = (userId: string): Uint8Array => digest(`enrolling ${userId}`)

const answering = (id: string, { usable, waiting }: Enrolments): Authenticator | undefined =>
  [...usable, ...waiting].find((each) => each.id === id)

async function takeCode(ref: ChallengeRef, authenticator: Authenticator, code: string, deps: MfaDeps) {
  const used = await deps.challenges.takeCode(ref, digestOfCode(code, deps.vault), deps.clock.now())
  const isProven = used && (authenticator.active || (await confirm(authenticator, null, deps)))
  return isProven ? provenBy(authenticator) : null
}

async function proveByPrompt(ref: ChallengeRef, authenticator: Authenticator, deps: MfaDeps): Promise<MfaVerdict> {
  const now = deps.clock.now()
  const polled = await deps.challenges.poll(ref, now)
  if (!polled) return { outcome: 'gone' }
  if (polled.status === 'pending') return { outcome: 'pending', early: polled.early }
  if (!(await deps.challenges.takePrompt(ref, now))) return { outcome: 'gone' }
  if (polled.status === 'rejected') return { outcome: 'rejected' }
  return authenticator.active || (await confirm(authenticator, null, deps))
    ? { outcome: 'passed', ...provenBy(authenticator) }
    : { outcome: 'gone' }
}

export async function proveByRecoveryCode(subject: MfaSubject, code: string, deps: MfaDeps): Promise<MfaVerdict> {
  const { user, typed } = subject
  const { usable } = await acceptedFactors(subject, deps)
  const current = usable.find(isRecovery)
  if (typed && !current) return { outcome: 'other-type' }
  const next = newRecoveryCode(deps.random)
  const [from, to] = [code, next].map((each) => digestOfRecoveryCode(each, deps.vault))
  const check = async () =>
    from && to && current && (await deps.authenticators.replaceRecoveryCode(user.id, from, to))
      ? { ...provenBy(current), recoveryCode: next }
      : null
  return recordVerdict(await withinFailureLimit(user.id, check, deps), user, 'recovery-code', deps.trail)
}

async function withinFailureLimit(
  userId: string,
  check: () => Promise<Proven | null>,
  deps: MfaDeps,
): Promise<MfaVerdict> {
  const checked = await checkWithinLimit(userId, check, deps)
  return checked.verdict === 'passed' ? { outcome: 'passed', ...checked.value } : { outcome: checked.verdict }
}
