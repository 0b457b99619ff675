// The three MFA grants (the contract's "MFA verify"): an OTP, an out-of-band answer, a recovery code. They share token, limits and
// outcome (threat-model.md MF1, MF2, MF5).
// - A wrong answer leaves the `mfa_token` valid. A right one consumes it and issues what the first request asked for.
// - With the vendor's error format, polling a prompt answers 200, as the contract specifies.
import { DomainError, invalidGrant, missingParameter } from '../../kernel/errors'
import { digest } from '../../kernel/secret'
import { finishGrantLogin } from '../../login/browserless/finish-grant'
import { openGrantLogin, subjectOfGrant } from '../../login/browserless/grant-login'
import type { MfaDeps, MfaSubject } from '../../mfa/deps'
import { tooManyWrong } from '../../mfa/failure-limit'
import { type MfaFailure, type MfaVerdict, proveByOob, proveByOtp, proveByRecoveryCode } from '../../mfa/prove'
import type { Grant } from './grant'

type FactorGrant = Pick<Grant, 'type' | 'events'> & {
  /** The parameter with the answer, and the refusal of a wrong one. */
  parameter: string
  wrong: string
  prove(answer: string, subject: MfaSubject, deps: MfaDeps, bindingCode?: string): Promise<MfaVerdict>
}

const byFactor = ({ type, events, parameter, wrong, prove }: FactorGrant): Grant => ({
  type,
  vendor: true,
  events,
  async authorize(parameters, client, deps, from) {
    const { mfa_token: token, binding_code: bindingCode, [parameter]: answer } = parameters
    if (!token) throw missingParameter('mfa_token')
    if (!answer) throw missingParameter(parameter)
    const login = await openGrantLogin(token, client, deps)
    const subject = subjectOfGrant(login, client, { ip: from.ip, locale: undefined })
    const verdict = await prove(answer, subject, deps, bindingCode)
    if (verdict.outcome !== 'passed') throw refusalOf(verdict, wrong)
    const { factor, recoveryCode } = verdict
    const authorization = await finishGrantLogin(login, factor, client, from, deps).catch((error: unknown) => {
      throw recoveryCode === undefined ? error : withRecoveryCode(error, recoveryCode)
    })
    return recoveryCode === undefined ? authorization : { ...authorization, recoveryCode }
  },
})

export const mfaOtp = byFactor({
  type: 'mfa-otp',
  events: { done: 'otp_exchanged', refused: 'otp_exchange_refused' },
  parameter: 'otp',
  wrong: 'Invalid otp_code.',
  prove: (code, subject, deps) => proveByOtp(subject, code, deps),
})

export const mfaOob = byFactor({
  type: 'mfa-oob',
  events: { done: 'oob_exchanged', refused: 'oob_exchange_refused' },
  parameter: 'oob_code',
  wrong: 'Invalid binding_code.',
  prove: (oobCode, subject, deps, code) => proveByOob(subject, { challenge: digest(oobCode), code }, deps),
})

export const mfaRecoveryCode = byFactor({
  type: 'mfa-recovery-code',
  events: { done: 'recovery_exchanged', refused: 'recovery_exchange_refused' },
  parameter: 'recovery_code',
  wrong: 'Invalid recovery_code.',
  prove: (code, subject, deps) => proveByRecoveryCode(subject, code, deps),
})

/** The code that replaces the used one is returned even if the login needs another factor; otherwise it would be lost. */
function withRecoveryCode(error: unknown, recoveryCode: string): unknown {
  if (!(error instanceof DomainError) || error.code !== 'mfa_required') return error
  return new DomainError(error.code, error.description, { members: { ...error.members, recovery_code: recoveryCode } })
}

function refusalOf(verdict: MfaFailure, wrong: string): DomainError {
  switch (verdict.outcome) {
    case 'wrong':
      return invalidGrant(wrong)
    case 'blocked':
      return tooManyWrong()
    case 'pending':
      return verdict.early ? new DomainError('slow_down', 'You are polling too fast.') : stillPending()
    case 'rejected':
      return invalidGrant('MFA Authorization rejected', { polled: true })
    case 'gone':
      return invalidGrant('Invalid oob_code.', { detail: 'unknown, over, used, or of another login' })
    case 'other-type':
      return invalidGrant('This login requires a factor of another type.')
    case 'code-missing':
      return missingParameter('binding_code')
  }
}

const stillPending = (): DomainError =>
  new DomainError('authorization_pending', 'Authorization pending: please repeat the request in a few seconds.', {
    polled: true,
  })
