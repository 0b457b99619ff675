// Sends a password reset link by mail. The response is the same for every address (threat-model.md DB6). The login transaction
// stays open, so the user can continue it with the new password.

import { requestReset } from '../../accounts/reset-password'
import { isMailAddress } from '../../outbox/message'
import { canonical } from '../../users/user'
import { draftOf } from '../steps/captcha'
import { databaseOf } from '../steps/database'
import type { FormAction, Progress } from './action'
import { MAX_IDENTIFIER } from './password'

export const requestResetLink: FormAction = {
  name: 'request-reset',
  on: ['forgot-password'],
  guard: { use: 'password_reset', draft: draftOf('email') },
  async run(state, input, { ip, browsers, locale }, deps): Promise<Progress> {
    const email = (input.email ?? '').slice(0, MAX_IDENTIFIER).toWellFormed()
    const decisions = { ...state.decisions, identifier: email }
    if (!isMailAddress(canonical(email))) return { kind: 'again', notice: 'invalid_email', decisions }
    const { client, organization } = state
    const context = { clientId: client.clientId, organization, ip, browsers, locale }
    await requestReset(databaseOf(state), email, context, deps)
    return { kind: 'again', notice: 'reset_sent', decisions }
  },
}
