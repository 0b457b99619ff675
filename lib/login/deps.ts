// The dependencies of the login pipeline. The tenant runtime provides them; tests pass their own.

import type { ApiPort } from '../data/apis/api'
import type { ClientPort } from '../data/clients/client'
import type { Connection, ConnectionPort } from '../data/connections/connection'
import type { ConnectedAccountPort } from '../data/connections/upstream/connected-account'
import type { SamlUpstreamDeps, UpstreamError } from '../data/connections/upstream/upstream'
import type { UpstreamAccountPort } from '../data/connections/upstream/upstream-account'
import type { ConsentPort } from '../data/consent/consent'
import type { OrganizationPort } from '../data/organizations/organization'
import type { SessionPort } from '../data/sessions/session'
import type { TenantSettings } from '../data/tenants/settings'
import type { TicketPort } from '../data/tickets/ticket'
import type { ResetDeps } from '../identity/accounts/reset-password'
import type { SignUpDeps } from '../identity/accounts/sign-up'
import type { CaptchaDeps } from '../identity/captcha/demand'
import type { MfaDeps } from '../identity/mfa/deps'
import type { PasskeyDeps } from '../identity/passkeys/passkeys'
import type { DatabaseDeps } from '../identity/strategies/database'
import type { PasswordlessDeps } from '../identity/strategies/passwordless'
import type { PlaceOf } from '../identity/tenant-code/geoip'
import type { EventSubjectPort } from '../identity/tenant-code/subject'
import type { TriggerEngine } from '../identity/tenant-code/trigger'
import type { Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { AccountJoinPort } from './flow/linking'
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
    triggers: TriggerEngine
    placeOf: PlaceOf
    eventSubjects: EventSubjectPort
    tenantId: string
    sessions: SessionPort
    transactions: TransactionPort
    consents: ConsentPort
    tickets: TicketPort
    protocols: Record<ProtocolName, LoginProtocol>
    /** The user's language. */
    localeOf(visitor: Pick<Visitor, 'uiLocales' | 'acceptLanguage'>, uiLocales: string | null): string
  }
