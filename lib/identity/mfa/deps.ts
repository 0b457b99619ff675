// What second factors need of the runtime, and the login they are for.

import type { Trail } from '../../data/audit/trail'
import type { ConnectionPort } from '../../data/connections/connection'
import type { MailedOrganization } from '../../data/outbox/message'
import type { TicketPort } from '../../data/tickets/ticket'
import type { AllowanceDeps } from '../../data/users/allowance'
import type { CodeMessenger } from '../../data/users/code-message'
import type { User } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { SignInMailDeps } from '../accounts/sign-in-mail'
import type { PasskeySite } from '../passkeys/relying-party'
import type { EventSubjectPort } from '../tenant-code/subject'
import type { TriggerEngine } from '../tenant-code/trigger'
import type { TypeDemand } from './accepted'
import type { AdministratorFactorDeps } from './administrator-factors'
import type { AuthenticatorPort } from './authenticator'
import type { ChallengePort } from './challenge'
import type { FactorKeyPort } from './factor-key'
import type { BucketPort } from './failure-limit'
import type { KnownBrowserPort } from './known-browser'

export type MfaDeps = AllowanceDeps &
  PasskeySite &
  AdministratorFactorDeps & {
    connections: ConnectionPort
    authenticators: AuthenticatorPort
    factorKeys: FactorKeyPort
    challenges: ChallengePort
    knownBrowsers: KnownBrowserPort
    buckets: BucketPort
    tickets: TicketPort
    messenger: CodeMessenger
    mailer: SignInMailDeps['mailer']
    undoAddress: SignInMailDeps['undoAddress']
    trail: Trail
    triggers: TriggerEngine
    eventSubjects: EventSubjectPort
    tenantId: string
    tenantName: string
    vault: Vault
    random: Random
    clock: Clock
  }

/** A user in the middle of a login. */
export type MfaSubject = {
  user: User
  /** Digest of the handle of the login to continue (`mfa_token`, `state`). */
  login: Uint8Array
  /** The types of factor that the login has to prove; null for any. */
  typed: TypeDemand | null
  /** The application's name, shown in a prompt on a device. */
  clientName: string
  ip: string
  locale: string | undefined
  /** The registered application; absent where the tenant itself asks. */
  clientId?: string
  /** The name of the connection at which the user signed in. */
  connection?: string | undefined
  organization?: MailedOrganization | null
}
