// The user of an event, and the changes that actions may make to the user.

import type { Profile } from '../../data/users/profile'
import type { User } from '../../data/users/user'
import type { Json } from '../../kernel/json'

export type EventSubject = Profile & {
  /** Role names, in order. */
  roles: string[]
  /** Kinds of active second factors, under the vendor's names. */
  factors: string[]
  /** When the password was last changed; the first password does not count. */
  lastPasswordReset: Date | null
}

export type MetadataChanges = {
  /** Merged at the first level; null removes a name. */
  userMetadata: Record<string, Json>
  appMetadata: Record<string, Json>
}

export type EventSubjectPort = {
  /** With an organization the roles are those in it. */
  find(userId: string, organizationId?: string | null): Promise<EventSubject | null>
  /** The changed user; null if the user no longer exists. */
  change(userId: string, changes: MetadataChanges, at: Date): Promise<User | null>
}
