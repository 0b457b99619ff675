// The three MFA grants (the contract's "MFA verify"): an OTP, an out-of-band answer, a recovery code. They share token, limits and
// outcome (threat-model.md MF1, MF2, MF5).
// - A wrong answer leaves the `mfa_token` valid. A right one consumes it and issues what the first request asked for.
// - With the vendor's error format, polling a prompt answers 200, as the contract specifies.

import { optional, text } from '../../../http/description'
import { SERVER } from '../../../http/examples'
import { tooManyWrong } from '../../../identity/mfa/failure-limit'
import { type MfaFailure, prove } from '../../../identity/mfa/prove'
import { DomainError, invalidGrant, missingParameter } from '../../../kernel/errors'
import { digest } from '../../../kernel/secret'
import { finishGrantLogin } from '../../../login/browserless/finish-grant'
import { openGrantLogin, subjectOfGrant } from '../../../login/browserless/grant-login'
import type { Grant } from './grant'

type FactorGrant = Pick<Grant, 'events'> & {
  /** The `authenticator_type` of the factors. */
  factors: string
  /** The parameter with the answer, or with the challenge, whose answer `binding_code` is; and the refusal of a wrong answer. */
  parameter: string
  challenged: boolean
  wrong: string
}

const byFactor = ({ factors, events, parameter, challenged, wrong }: FactorGrant): Grant => ({
  type: `mfa-${factors}`,
  vendor: true,
  events,
  describe: () => ({
    parameters: {
      mfa_token: text('The token of the answer `mfa_required`'),
      [parameter]: text(challenged ? 'The challenge' : 'The answer'),
      ...(challenged ? { binding_code: optional('The code that was sent') } : {}),
    },
    example: {
      ...SERVER,
      mfa_token: '<mfa_token>',
      [parameter]: `<${parameter}>`,
      ...(challenged ? { binding_code: '<binding_code>' } : {}),
    },
  }),
  async authorize(parameters, client, deps, from) {
    const { mfa_token: token, binding_code: bindingCode, [parameter]: sent } = parameters
    if (!token) throw missingParameter('mfa_token')
    if (!sent) throw missingParameter(parameter)
    const login = await openGrantLogin(token, client, deps)
    const subject = subjectOfGrant(login, client, { ip: from.ip, locale: undefined })
    const answer = challenged ? { challenge: digest(sent), answer: bindingCode } : { answer: sent }
    const verdict = await prove(factors, answer, subject, deps)
    if (verdict.outcome !== 'passed') throw refusalOf(verdict, wrong)
    const { factor, recoveryCode } = verdict
    const authorization = await finishGrantLogin(login, factor, client, from, deps).catch((error: unknown) => {
      throw recoveryCode === undefined ? error : withRecoveryCode(error, recoveryCode)
    })
    return recoveryCode === undefined ? authorization : { ...authorization, recoveryCode }
  },
})

export const mfaOtp = byFactor({
  factors: 'otp',
  events: { done: 'otp_exchanged', refused: 'otp_exchange_refused' },
  parameter: 'otp',
  challenged: false,
  wrong: 'Invalid otp_code.',
})

export const mfaOob = byFactor({
  factors: 'oob',
  events: { done: 'oob_exchanged', refused: 'oob_exchange_refused' },
  parameter: 'oob_code',
  challenged: true,
  wrong: 'Invalid binding_code.',
})

export const mfaRecoveryCode = byFactor({
  factors: 'recovery-code',
  events: { done: 'recovery_exchanged', refused: 'recovery_exchange_refused' },
  parameter: 'recovery_code',
  challenged: false,
  wrong: 'Invalid recovery_code.',
})

/** The code that replaces the used one is returned even if the login needs another factor; otherwise it would be lost. */
function withRecoveryCode(error: unknown, recoveryCode: string): unknown {
  if (!(error instanceof DomainError) || error.code !== 'mfa_required') return error
  return new DomainError(error.code, error.description, { members: { ...error.members, recovery_code: recoveryCode } })
}

function refusalOf(verdict: MfaFailure, wrong: string): DomainError {
  switch (verdict.outcome) {
    case 'wrong':
      return invalidGrant(wrong, { reason: 'factor_wrong' })
    case 'blocked':
      return tooManyWrong()
    case 'pending':
      return verdict.early ? new DomainError('slow_down', 'You are polling too fast.') : stillPending()
    case 'rejected':
      return invalidGrant('MFA Authorization rejected', { reason: 'factor_rejected', polled: true })
    case 'gone':
      return invalidGrant('Invalid oob_code.', {
        reason: 'oob_code_invalid',
        detail: 'unknown, over, used, or of another login',
      })
    case 'other-type':
      return invalidGrant('This login requires a factor of another type.', { reason: 'factor_other_type' })
    case 'code-missing':
      return missingParameter('binding_code')
  }
}

const stillPending = (): DomainError =>
  new DomainError('authorization_pending', 'Authorization pending: please repeat the request in a few seconds.', {
    polled: true,
  })
