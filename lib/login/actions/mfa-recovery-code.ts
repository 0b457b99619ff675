// The user confirms that the recovery code is saved: it is removed from the transaction and not shown again (threat-model.md
// MF6).
import type { FormAction } from './action'

export const savedRecoveryCode: FormAction = {
  name: 'mfa-saved',
  on: ['mfa-recovery-code'],
  run({ decisions }) {
    const { recoveryCode: _shown, ...mfa } = decisions.mfa ?? {}
    return { kind: 'progress', decisions: { ...decisions, mfa } }
  },
}
