// Sends a password reset link by mail, with a code where the connection resets passwords by code. The response is the same for every address (threat-model.md DB6). The login transaction
// stays open, so the user can continue it with the new password.

import { newResetCode, redeemResetCode, resetsByCode } from '../../accounts/reset-code'
import { RESET, requestReset } from '../../accounts/reset-password'
import { isMailAddress } from '../../outbox/message'
import type { NoticeCode } from '../../pages/view'
import { canonical } from '../../users/user'
import { draftOf } from '../steps/captcha'
import { databaseOf } from '../steps/database'
import type { FormAction, Progress } from './action'
import { MAX_IDENTIFIER } from './password'

export const requestResetLink: FormAction = {
  name: 'request-reset',
  on: ['forgot-password'],
  guard: { use: 'password_reset', draft: draftOf('email') },
  async run(state, input, { ip, browsers, locale, login }, deps): Promise<Progress> {
    const email = (input.email ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const decisions = { ...state.decisions, identifier: email }
    if (!isMailAddress(canonical(email))) return { kind: 'again', notice: 'invalid_email', decisions }
    const { client, organization } = state
    const context = { clientId: client.clientId, organization, ip, browsers, locale }
    const connection = databaseOf(state)
    const made = resetsByCode(connection) ? newResetCode(connection, email, login, deps) : null
    await requestReset(connection, email, context, deps, made?.code)
    return {
      kind: 'again',
      notice: 'reset_sent',
      decisions: made ? { ...decisions, resetCode: made.draft } : decisions,
    }
  },
}

/** The code in place of the link. The page of a wrong one is the same for every address. */
export const checkResetCode: FormAction = {
  name: 'check-reset-code',
  on: ['forgot-password'],
  async run(state, input, { login }, deps): Promise<Progress> {
    const { decisions, client } = state
    const again = (notice?: NoticeCode): Progress => ({ kind: 'again', decisions, ...(notice && { notice }) })
    if (!decisions.resetCode) return again()
    const result = await redeemResetCode(decisions.resetCode, input.code ?? '', login, client.clientId, deps)
    if (result.outcome === 'right') return { kind: 'leave', to: `${deps.baseUrl}${RESET.path}?ticket=${result.ticket}` }
    deps.trail.record('password_change_refused', { reason: 'the code for a new password was wrong' })
    return again(result.outcome === 'wrong' ? 'wrong_code' : 'too_many_codes')
  },
}
