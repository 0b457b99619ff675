// What the steps of a login read (flow/state.ts loads it).
import type { Api } from '../data/apis/api'
import type { Client } from '../data/clients/client'
import type {
  Connection,
  DatabaseConnection,
  PasswordlessConnection,
  UpstreamConnection,
} from '../data/connections/connection'
import type {
  Organization,
  OrganizationChoices,
  OrganizationInvitation,
  OrganizationProblem,
} from '../data/organizations/organization'
import type { Evidence } from '../data/sessions/session'
import type { User } from '../data/users/user'
import type { LinkState } from '../identity/one-time-codes/one-time-code'
import type { MfaState } from './flow/mfa'
import type { Membership } from './flow/organization'
import type { RememberedAccount } from './flow/remembered-accounts'
import type { Decisions, Wants } from './transaction'

export type LoginState = {
  wants: Wants
  client: Client
  api: Api | null
  /** The organization that the login is for. */
  organization: Organization | null
  /** Why the request's organization is refused; null if it is not. */
  organizationProblem: OrganizationProblem | null
  /** The application requires a class of authentication that no login can have. */
  acrUnattainable: boolean
  /** Null without an organization, and before the user has signed in. */
  membership: Membership | null
  /** The invitation of the request. */
  invitation: OrganizationInvitation | null
  /** The organizations that the user may choose from; null if there is nothing to choose. */
  choices: OrganizationChoices | null
  /** The connections that this client may use, for the organization if there is one. */
  connections: readonly Connection[]
  /** Those that this client may use, limited to the requested connection; the first is for sign-up (database.ts). */
  databases: readonly DatabaseConnection[]
  /** The passwordless connections that this client may use, limited to the requested connection. */
  passwordless: readonly PasswordlessConnection[]
  /** The state of the link mailed for this login; null if there is none. */
  link: LinkState | null
  /** The upstream providers that this client may use, limited to the requested connection. */
  federated: readonly UpstreamConnection[]
  /** The login page asks for the name before the password. */
  identifierFirst: boolean
  /** While linking is suggested: the connections that can prove the other account. */
  otherWays: readonly Connection[]
  /** The user who is signed in or has just signed in. */
  user: User | null
  evidence: Evidence[]
  decisions: Decisions
  /** The accounts that signed in with this browser before, the newest first. */
  remembered: readonly RememberedAccount[]
  /** Scopes consented to before; null if there is no consent or none is needed. */
  agreed: readonly string[] | null
  /** Null if no second factor is required, or if it was proven. */
  mfa: MfaState | null
  now: Date
}
