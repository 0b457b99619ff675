// Decides whether a password may be set: first the connection's policy (pure), then the more expensive checks: the breach file,
// and for a change the password history. The errors have the vendor's wording, which its SDKs compare.
import { DomainError } from '../../kernel/errors'
import type { TenantSettings } from '../tenants/settings'
import { type BreachedPasswords, type BreachStage, isRefusedAsBreached } from './breached-passwords'
import { loadCommonPasswords } from './common-passwords'
import type { PasswordHasher } from './password'
import { judgePassword, type PasswordPolicy, type PasswordRefusal, type PersonalData } from './password-policy'

export type NewPasswordDeps = {
  settings: TenantSettings
  breached: BreachedPasswords
  passwords: Pick<PasswordHasher, 'hash' | 'verify'>
}

export async function refusalOfPassword(
  password: string,
  { policy, person, stage }: { policy: PasswordPolicy; person: PersonalData; stage: BreachStage },
  deps: NewPasswordDeps,
): Promise<PasswordRefusal | null> {
  const refusal = judgePassword(policy, password, person, await loadCommonPasswords())
  return refusal ?? ((await isRefusedAsBreached(password, stage, deps)) ? { kind: 'breached' } : null)
}

/** Whether it is one of the last `size` passwords, newest first; each comparison costs a hash. */
export async function wasUsed(
  password: string,
  history: readonly string[],
  size: number,
  { passwords }: NewPasswordDeps,
): Promise<boolean> {
  for (const hash of history.slice(0, size)) if ((await passwords.verify(hash, password)).ok) return true
  return false
}

type Face = { name: string; message: string; description: string | object; members?: Record<string, unknown> }

function faceOf(refusal: PasswordRefusal): Face {
  switch (refusal.kind) {
    case 'strength': {
      const { rules, policy } = refusal
      const description = { rules, verified: false }
      return { name: 'PasswordStrengthError', message: 'Password is too weak', description, members: { policy } }
    }
    case 'dictionary':
      return {
        name: 'PasswordDictionaryError',
        message: 'Password is too common',
        description: 'Password is not allowed, it might be too common.',
      }
    case 'personal':
      return {
        name: 'PasswordNoUserInfoError',
        message: 'Password contains user information',
        description: 'Password is based on user information',
      }
    case 'history':
      return {
        name: 'PasswordHistoryError',
        message: 'Password has previously been used',
        description: `The password must differ from the last ${refusal.size} passwords of this account.`,
      }
    case 'breached':
      return {
        name: 'PasswordLeakedError',
        message: 'Password has been leaked',
        description: 'This password is known from a data breach at another site and cannot be used.',
      }
  }
}

export function passwordError(refusal: PasswordRefusal): DomainError {
  const { name, message, description, members } = faceOf(refusal)
  const code = refusal.kind === 'breached' ? 'password_leaked' : 'invalid_password'
  return new DomainError(code, message, { members: { name, message, description, ...members } })
}
