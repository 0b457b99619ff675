// The user saves the recovery code: once that is confirmed, it is removed from the transaction and not shown again (threat-model.md
// MF6).
import { displayNameOf } from '../../data/users/user'
import { openDraftText } from '../flow/mfa-draft'
import { userOf } from '../flow/mfa-subject'
import type { FormAction } from '../forms/action'
import type { LoginPage, LoginStep } from './step'

const savedRecoveryCode: FormAction = {
  name: 'mfa-saved',
  run({ decisions }) {
    const { recoveryCode: _shown, ...mfa } = decisions.mfa ?? {}
    return { kind: 'progress', decisions: { ...decisions, mfa } }
  },
}

const page: LoginPage<'mfa-recovery-code'> = {
  screen: 'mfa-recovery-code',
  view({ state, shared: { notice: _none, ...form }, deps }) {
    const code = openDraftText(state.decisions.mfa?.recoveryCode ?? '', deps) ?? ''
    const user = userOf(state)
    return { ...form, screen: 'mfa-recovery-code', code, user: user.email ?? displayNameOf(user) }
  },
  actions: [savedRecoveryCode],
}

export const recoveryCodeSaved: LoginStep = {
  name: 'recovery-code-kept',
  unmet: ({ decisions }) => decisions.mfa?.recoveryCode !== undefined,
  pages: [page],
  refusal: { code: 'interaction_required', description: 'A recovery code has to be kept' },
}
