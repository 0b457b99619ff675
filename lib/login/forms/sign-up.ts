// Creates an account at a database connection and continues signed in: choosing the password counts as proof of it.
// - A refusal names the invalid fields and keeps the typed values, never the password.
// - A taken address gets the same response as other refusals, unless the tenant enables a specific one (threat-model.md D6). If
//   the connection hides existing accounts, a taken address gets the response of a new account, and only the mail says which
//   case it was.

import { type SignUpResult, signUp } from '../../identity/accounts/sign-up'
import { DomainError } from '../../kernel/errors'
import type { NoticeCode } from '../../pages/view'
import { databaseOf } from '../flow/database'
import { brokenRules } from '../flow/password-hints'
import { readSignUpForm, type SignUpForm } from '../flow/sign-up-form'
import type { LoginState } from '../login-state'
import type { CaptchaGuard, FormActionContext, FormResult, GuardedAction } from './action'

/** Of both ways to sign up. */
export const signUpGuard: CaptchaGuard = {
  use: 'sign_up',
  draft(state, input) {
    const { email, username, extra } = readSignUpForm(input, databaseOf(state), state.invitation?.email)
    return { ...state.decisions, identifier: email, signUp: { username, extra, invalid: [], broken: [] } }
  },
}

export const createAccount: GuardedAction = {
  name: 'sign-up',
  guard: signUpGuard,
  async run(state, input, { ip, locale }, deps): Promise<FormResult> {
    const database = databaseOf(state)
    const form = readSignUpForm(input, database, state.invitation?.email)
    const again = againWith(state, form)
    if (form.missing.length > 0) return again('missing_fields', form.missing)
    const { email, password, username, extra } = form
    const { requires_username, require_verified_email, hide_existing_accounts } = database.settings.options
    const result = await signUp(
      database,
      { email, password, user_metadata: extra, ...(requires_username ? { username } : {}) },
      signUpContext(state, { ip, locale }),
      deps,
    )
    const decisions = { identifier: email, account: 'selected' as const }
    const toVerify: FormResult = { kind: 'again', screen: 'login', notice: 'verify_first', decisions }
    if (result.outcome === 'refused')
      return result.reason === 'exists' && hide_existing_accounts
        ? toVerify
        : refuse(result, again, deps.settings.tenant.flags)
    if (require_verified_email || hide_existing_accounts) return toVerify
    const proof = { method: 'pwd' as const, at: deps.clock.now().toISOString(), connection: database.name }
    return { kind: 'progress', user: result.user, evidence: [proof], decisions }
  },
}

export const signUpContext = (
  { client, organization, invitation }: LoginState,
  from: Pick<FormActionContext, 'ip' | 'locale'>,
) => ({ ...from, clientId: client.clientId, organization, invited: invitation?.givesPower === false })

type Again = (notice: NoticeCode, invalid: string[], broken?: string[], words?: string | null) => FormResult

export const againWith =
  ({ decisions }: LoginState, { email, username, extra }: SignUpForm): Again =>
  (notice, invalid, broken = [], words = null) => ({
    kind: 'again',
    notice,
    decisions: {
      ...decisions,
      identifier: email,
      signUp: { username, extra, invalid, broken, ...(words === null ? {} : { words }) },
    },
  })

type Refused = Extract<SignUpResult, { outcome: 'refused' }>
type Flags = { enable_public_signup_user_exists_error: boolean }

export function refuse(refused: Refused, again: Again, flags: Flags): FormResult {
  switch (refused.reason) {
    case 'password':
      return again('weak_password', ['password'], brokenRules(refused.refusal))
    case 'invalid':
      return refused.field === 'username' ? again('invalid_username', ['username']) : again('invalid_email', ['email'])
    case 'username_taken':
      return again('username_taken', ['username'])
    case 'too_many':
      throw new DomainError('too_many_requests', 'Too many sign-ups from this network', { retryAfter: 60 })
    case 'denied':
      return again('invalid_signup', [], [], refused.denied.userMessage)
    case 'passkey_taken':
      return again('passkey_failed', [])
    case 'exists':
      return flags.enable_public_signup_user_exists_error
        ? again('user_exists', ['email'])
        : again('invalid_signup', [])
    case 'disabled':
      return again('invalid_signup', [])
  }
}
