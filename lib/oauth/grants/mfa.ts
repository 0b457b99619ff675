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

type Prove = (answer: string, subject: MfaSubject, deps: MfaDeps, bindingCode?: string) => Promise<MfaVerdict>

const byFactor = (type: string, parameter: string, wrong: string, prove: Prove): Grant => ({
  type,
  vendor: true,
  async authorize(parameters, client, deps, from) {
    const { mfa_token: token, binding_code: bindingCode, [parameter]: answer } = parameters
    if (!token) throw missingParameter('mfa_token')
    if (!answer) throw missingParameter(parameter)
    const login = await openGrantLogin(token, client, deps)
    const subject = subjectOfGrant(login, client, { ip: from.ip, locale: undefined })
    const verdict = await prove(answer, subject, deps, bindingCode)
    if (verdict.outcome !== 'passed') throw refusalOf(verdict, wrong)
    const { recoveryCode } = verdict
    const authorization = await finishGrantLogin(login, client, from, deps)
    return recoveryCode === undefined ? authorization : { ...authorization, recoveryCode }
  },
})

export const mfaOtp = byFactor('mfa-otp', 'otp', 'Invalid otp_code.', (code, subject, deps) =>
  proveByOtp(subject, code, deps),
)

export const mfaOob = byFactor('mfa-oob', 'oob_code', 'Invalid binding_code.', (oobCode, subject, deps, code) =>
  proveByOob(subject, { challenge: digest(oobCode), code }, deps),
)

export const mfaRecoveryCode = byFactor(
  'mfa-recovery-code',
  'recovery_code',
  'Invalid recovery_code.',
  (code, subject, deps) => proveByRecoveryCode(subject, code, deps),
)

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
    case 'code-missing':
      return missingParameter('binding_code')
  }
}

const stillPending = (): DomainError =>
  new DomainError('authorization_pending', 'Authorization pending: please repeat the request in a few seconds.', {
    polled: true,
  })
