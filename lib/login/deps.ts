// The dependencies of the login pipeline. The tenant runtime provides them; tests pass their own.

import type { ResetDeps } from '../accounts/reset-password'
import type { SignUpDeps } from '../accounts/sign-up'
import type { ApiPort } from '../apis/api'
import type { CaptchaDeps } from '../captcha/demand'
import type { ClientPort } from '../clients/client'
import type { Connection, ConnectionPort } from '../connections/connection'
import type { ConnectedAccountPort } from '../connections/upstream/connected-account'
import type { SamlUpstreamDeps, UpstreamError } from '../connections/upstream/upstream'
import type { UpstreamAccountPort } from '../connections/upstream/upstream-account'
import type { ConsentPort } from '../consent/consent'
import type { Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { MfaDeps } from '../mfa/deps'
import type { OrganizationPort } from '../organizations/organization'
import type { PasskeyDeps } from '../passkeys/passkeys'
import type { PlaceOf } from '../rules/geoip'
import type { RuleSubjectPort } from '../rules/subject'
import type { RulesEngine } from '../rules/trigger'
import type { SessionPort } from '../sessions/session'
import type { DatabaseDeps } from '../strategies/database'
import type { PasswordlessDeps } from '../strategies/passwordless'
import type { TenantSettings } from '../tenants/settings'
import type { TicketPort } from '../tickets/ticket'
import type { AccountJoinPort } from './steps/linking'
import type { LoginProtocol, ProtocolName, TransactionPort } from './transaction'
import type { Visitor } from './visitor'

export type LoginDeps = DatabaseDeps &
  SignUpDeps &
  ResetDeps &
  PasswordlessDeps &
  SamlUpstreamDeps &
  PasskeyDeps &
  CaptchaDeps &
  MfaDeps & {
    baseUrl: string
    issuer: string
    secure: boolean
    settings: TenantSettings
    clock: Clock
    random: Random
    clients: ClientPort
    apis: ApiPort
    connections: ConnectionPort
    organizations: OrganizationPort
    upstreamAccounts: UpstreamAccountPort
    connectedAccounts: ConnectedAccountPort
    accountJoins: AccountJoinPort
    /** Reports the cause of an upstream failure to the operator; the user only sees that the login failed. */
    noteUpstream(connection: Connection, error: UpstreamError): void
    /** Reports what a provider failed to say in a login that succeeded. */
    noteMissed(connection: Connection, reason: string): void
    /** The tenant's actions and the user data of their events. */
    rules: RulesEngine
    placeOf: PlaceOf
    ruleSubjects: RuleSubjectPort
    tenantId: string
    sessions: SessionPort
    transactions: TransactionPort
    consents: ConsentPort
    tickets: TicketPort
    protocols: Record<ProtocolName, LoginProtocol>
    /** The user's language. */
    localeOf(visitor: Pick<Visitor, 'uiLocales' | 'acceptLanguage'>, uiLocales: string | null): string
  }
