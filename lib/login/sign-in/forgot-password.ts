// Sends a password reset link by mail, with a code where the connection resets passwords by code: one for each account that the address
// has in the databases of the login. The response is the same for every address (threat-model.md DB6). The login transaction stays
// open, so the user can continue it with the new password.

import { connectionLabel } from '../../data/connections/connection'
import { resetsPasswords } from '../../data/connections/custom-database'
import { isMailAddress } from '../../data/outbox/message'
import { canonical } from '../../data/users/user'
import { newResetCode, type ResetCode, redeemResetCode, resetsByCode } from '../../identity/accounts/reset-code'
import { RESET, requestReset } from '../../identity/accounts/reset-password'
import type { ViewOf } from '../../pages/screens'
import type { NoticeCode } from '../../pages/view'
import { draftOf } from '../flow/captcha'
import { chosenDatabase, databaseChoices, databasesFor } from '../flow/database'
import { databaseView } from '../flow/ways-in'
import type { FormAction, FormResult, GuardedAction } from '../forms/action'
import { withCodeByMail } from '../forms/captcha'
import { MAX_IDENTIFIER } from '../forms/password'
import type { LoginPage, PageContext } from '../steps/step'

const requestResetLink: GuardedAction = {
  name: 'request-reset',
  guard: { use: 'password_reset', draft: draftOf('email') },
  async run(state, input, { ip, browsers, locale, login }, deps): Promise<FormResult> {
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
const checkResetCode: FormAction = {
  name: 'check-reset-code',
  async run(state, input, { login }, deps): Promise<FormResult> {
    const { decisions, client } = state
    const again = (notice?: NoticeCode): FormResult => ({ kind: 'again', decisions, ...(notice && { notice }) })
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

export const forgotPasswordPage: LoginPage<'forgot-password'> = {
  screen: 'forgot-password',
  view: viewOf,
  actions: [...withCodeByMail(requestResetLink), checkResetCode],
}

function viewOf({ state, shared: { notice, ...shared }, captchaOf, urlOf }: PageContext): ViewOf<'forgot-password'> {
  const urls = { loginUrl: urlOf('login'), againUrl: urlOf('forgot-password') }
  const { identifier, resetCodes = [] } = state.decisions
  const choices = databaseChoices(state)
  const shown = { screen: 'forgot-password' as const, action: shared.action, state: shared.state, ...urls }
  const typed = identifier === undefined ? {} : { email: identifier }
  const isAboutCode = notice === 'wrong_code' || notice === 'too_many_codes'
  if (resetCodes.length > 0 && (notice === 'reset_sent' || isAboutCode))
    return { ...shown, ...typed, phase: 'code', ...(isAboutCode ? { notice } : {}) }
  if (notice === 'reset_sent') return { ...shown, ...typed, phase: 'sent' }
  return {
    ...shown,
    ...typed,
    phase: 'ask',
    ...(choices.length > 0 ? { databases: choices.map((each) => databaseView(each, state)) } : {}),
    ...(notice === undefined ? {} : { notice }),
    ...captchaOf('password_reset'),
  }
}
