// People who may enter the console. An administrator is a user of the tenant with a role; an invitation is a link that makes one of
// the user who signs in with it, once.

import { ticketKind } from '../../data/tickets/ticket'
import { DomainError } from '../../kernel/errors'
import type { ConsoleRole } from './console-roles'
import { conflict } from './errors'

/** `email`: the invitation is for the user with this verified address alone. */
export type AdministratorInvitation = { role: ConsoleRole; email?: string }

export const INVITATION = ticketKind<AdministratorInvitation>('administrator-invitation', 7 * 24 * 3600)

/** The subject of the first owner's link: a new link ends the one before. */
export const FIRST_OWNER = 'first-owner'

export const invitationUrl = (baseUrl: string, ticket: string): string => `${baseUrl}/console/join?ticket=${ticket}`

const LAST_OWNER = 'last_owner'

/** A change after which no owner could sign in. */
export const lastOwner = (): DomainError =>
  conflict(
    'This would leave no owner of the console who can sign in. Make another administrator an owner first.',
    LAST_OWNER,
  )

export const isLastOwner = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.members.errorCode === LAST_OWNER

export type Administrator = {
  userId: string
  role: ConsoleRole
  email: string | null
  name: string | null
  since: Date
}

export type AdministratorPort = {
  /** Null if the user is not an administrator, or is blocked. */
  find(userId: string): Promise<Administrator | null>
  /** Oldest first. */
  list(): Promise<Administrator[]>
  /** Whether there is an owner who can sign in. */
  hasOwner(): Promise<boolean>
  put(userId: string, role: ConsoleRole, at: Date): Promise<void>
  /** Uses the invitation and makes the user an administrator, in one statement. An owner stays one. Null if the invitation is void. */
  accept(digest: Uint8Array, userId: string, at: Date): Promise<ConsoleRole | null>
  /** Null if the user is no administrator. No role removes. Rejects with `lastOwner`, unless it is the operator who asks. */
  change(userId: string, role: ConsoleRole | null, by?: 'operator'): Promise<'done' | null>
}
