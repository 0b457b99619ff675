// The person has kept the recovery code: it is forgotten here and shown no more (threat-model.md MF6).
import type { Action } from './action'

export const savedRecoveryCode: Action = {
  name: 'mfa-saved',
  on: ['mfa-recovery-code'],
  run({ decisions }) {
    const { recoveryCode: _shown, ...mfa } = decisions.mfa ?? {}
    return { kind: 'progress', decisions: { ...decisions, mfa } }
  },
}
