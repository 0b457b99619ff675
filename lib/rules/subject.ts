// Whom rules are told of, and what they may change of them.
import type { Json } from '../kernel/json'
import type { Profile } from '../users/profile'
import type { User } from '../users/user'

export type RuleSubject = Profile & {
  /** Names of roles, in order. */
  roles: string[]
  /** Kinds of active second factors, by the vendor's names. */
  factors: string[]
  /** When a password was set that is not the first. */
  lastPasswordReset: Date | null
}

export type MetadataChanges = {
  /** To be merged at the first level; null removes a name. */
  userMetadata: Record<string, Json>
  appMetadata: Record<string, Json>
}

export type RuleSubjectPort = {
  find(userId: string): Promise<RuleSubject | null>
  /** The user with the changes; null for one who is gone. */
  change(userId: string, changes: MetadataChanges, at: Date): Promise<User | null>
}
