// Sends a password reset link by mail, with a code where the connection resets passwords by code: one for each account that the address
// has in the databases of the login. The response is the same for every address (threat-model.md DB6). The login transaction stays
// open, so the user can continue it with the new password.

import { connectionLabel } from '../../data/connections/connection'
import { resetsPasswords } from '../../data/connections/custom-database'
import { isMailAddress } from '../../data/outbox/message'
import { canonical } from '../../data/users/user'
import { newResetCode, type ResetCode, redeemResetCode, resetsByCode } from '../../identity/accounts/reset-code'
import { RESET, requestReset } from '../../identity/accounts/reset-password'
import type { NoticeCode } from '../../pages/view'
import { draftOf } from '../steps/captcha'
import { chosenDatabase, databasesFor } from '../steps/database'
import type { FormAction, Progress } from './action'
import { MAX_IDENTIFIER } from './password'

export const requestResetLink: FormAction = {
  name: 'request-reset',
  on: ['forgot-password'],
  guard: { use: 'password_reset', draft: draftOf('email') },
  async run(state, input, { ip, browsers, locale, login }, deps): Promise<Progress> {
    const email = (input.email ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const decisions = { ...state.decisions, identifier: email, ...chosenDatabase(input) }
    if (!isMailAddress(canonical(email))) return { kind: 'again', notice: 'invalid_email', decisions }
    const { client, organization } = state
    const context = { clientId: client.clientId, organization, ip, browsers, locale }
    const databases = databasesFor({ ...state, decisions })
    if (databases.length === 0) return { kind: 'again', notice: 'missing_database', decisions }
    const resetCodes: ResetCode[] = []
    for (const database of databases.filter(resetsPasswords)) {
      const made = resetsByCode(database) ? newResetCode(database, email, login, deps) : null
      await requestReset(database, email, context, deps, {
        ...(made && { code: made.code }),
        ...(state.databases.length > 1 && { directory: connectionLabel(database) }),
      })
      if (made) resetCodes.push(made.draft)
    }
    return { kind: 'again', notice: 'reset_sent', decisions: { ...decisions, resetCodes } }
  },
}

/** The code in place of the link. The page of a wrong one is the same for every address. */
export const checkResetCode: FormAction = {
  name: 'check-reset-code',
  on: ['forgot-password'],
  async run(state, input, { login }, deps): Promise<Progress> {
    const { decisions, client } = state
    const again = (notice?: NoticeCode): Progress => ({ kind: 'again', decisions, ...(notice && { notice }) })
    const { resetCodes = [] } = decisions
    if (resetCodes.length === 0) return again()
    const result = await redeemResetCode(resetCodes, input.code ?? '', login, client.clientId, deps)
    if (result.outcome === 'right') return { kind: 'leave', to: `${deps.baseUrl}${RESET.path}?ticket=${result.ticket}` }
    deps.trail.record('password_change_refused', {
      reason: 'one_time_code_wrong',
      sentence: 'the code for a new password was wrong',
    })
    return again(result.outcome === 'wrong' ? 'wrong_code' : 'too_many_codes')
  },
}
