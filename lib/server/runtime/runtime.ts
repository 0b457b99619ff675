// The tenant runtime that an endpoint receives: one tenant's settings, keys, stores and protocols, and nothing of any other
// tenant. It is a list of areas (areas/). Stores are created once per tenant and keep their caches; the rest is rebuilt when settings or
// keys change.

import type { Metrics } from '../../adapters/metrics/metrics'
import type { Keyring } from '../../crypto/keys/keyring'
import type { PermissionPort } from '../../data/apis/permissions'
import type { EventName } from '../../data/audit/events'
import { serverTrail, type Trail } from '../../data/audit/trail'
import type { ClientKeySets } from '../../data/clients/key-sets'
import type { RegistrationPort } from '../../data/clients/registration'
import type { SharedLoginPort } from '../../data/login-tests/login-share'
import type { OutboxStore } from '../../data/outbox/outbox'
import type { LimitName } from '../../data/rate-limit/limits'
import type { SamlParticipantPort } from '../../data/sessions/saml-participant'
import type { TicketPort } from '../../data/tickets/ticket'
import type { AccountDeletionPort } from '../../data/users/account-deletion'
import type { DeviceCredentialPort } from '../../data/users/device-credential'
import type { LinkedAccountPort } from '../../data/users/linked-accounts'
import type { Portray } from '../../data/users/picture'
import type { ProfilePort } from '../../data/users/profile'
import type { UndoAddressPort } from '../../data/users/undo-address'
import type { EndpointRuntime } from '../../http/endpoint'
import type { HttpRequest } from '../../http/message'
import type { ResetDeps } from '../../identity/accounts/reset-password'
import type { UserPicturePort } from '../../identity/pictures/user-pictures'
import type { RoleNamePort } from '../../identity/tenant-code/claims/about'
import type { ClaimRules } from '../../identity/tenant-code/claims/compile'
import type { TriggerEngine } from '../../identity/tenant-code/trigger'
import { lazy } from '../../kernel/lazy'
import type { LoginDeps } from '../../login/deps'
import type { AccountJoinPort } from '../../login/flow/linking'
import type { AssertionClaimsReader } from '../../login/transaction'
import type { ManagementDeps } from '../../management/deps'
import type { AdministratorPort } from '../../management/operations/console-administrators'
import type { LoginRecordStore } from '../../management/resources/logins'
import type { RenderDeps } from '../../pages/respond'
import type { GrantDeps } from '../../protocols/oauth/grants/grant'
import type { IssueDeps } from '../../tokens/issue'
import type { Examiner } from '../doctor/finding'
import { openLimits } from './areas/limits'
import { openNotices, openSender } from './areas/notices'
import { openOrigins } from './areas/origins'
import { openLanguages, openPages } from './areas/pages'
import { openProcess } from './areas/process'
import { openProtocols } from './areas/protocols'
import { openRecords } from './areas/records'
import { openRecording, openReports } from './areas/reports'
import { openRequests } from './areas/requests'
import { openSite } from './areas/site'
import { openTokens } from './areas/tokens'
import { openTriggers } from './areas/triggers'
import type { ExplorerFiles } from './explorer'
import type { MessageTenant } from './mailer'
import type { Opening } from './opening'
import type { TenantFileView } from './tenant-file-view'

export type Runtime = EndpointRuntime<LimitName, EventName> &
  LoginDeps &
  GrantDeps &
  ResetDeps &
  RenderDeps & {
    tenantId: string
    /** Records the audit events of this request. */
    trail: Trail
    /** This runtime with an audit trail for the request. */
    within(request: HttpRequest, endpoint?: string): Runtime
    /** The base URL with a trailing slash. */
    issuer: string
    /** The tenant's own base URL, also where the request came to a custom domain. */
    canonicalUrl: string
    /** The addresses of its custom domains. */
    customUrls: readonly string[]
    /** What a custom domain names in place of its host. */
    relyingPartyId: string | undefined
    /** The request with the address that the proxy of a custom domain names. */
    received(request: HttpRequest): HttpRequest
    /** The same tenant at the address that the links of a manager's messages name (docs/custom-domains.md). */
    linking(header: string | undefined): Runtime
    /** The entity id in SAML and WS-Federation. */
    entityId: string
    keyring: Keyring
    vendorHost: string
    /** Whether this request may see the demo app, the front page of demo mode, and the doctor without a token. */
    demo: boolean
    /** Whether this request may see the outbox. */
    devOutbox: boolean
    outbox: OutboxStore
    metrics: Metrics | undefined
    examiner: Examiner | undefined
    /** Script and style sheet of the API explorer. */
    explorerFiles: ExplorerFiles
    profiles: ProfilePort
    /** Adds the picture of a user who has none. */
    portray: Portray
    isAdministrator(userId: string): Promise<boolean>
    deviceCredentials: DeviceCredentialPort
    linkedAccounts: LinkedAccountPort
    accountJoins: AccountJoinPort
    accountDeletions: AccountDeletionPort
    undoAddress: UndoAddressPort
    userPictures: UserPicturePort
    /** The people who may enter the console. */
    administrators: AdministratorPort
    registrations: RegistrationPort
    keySets: ClientKeySets
    tickets: TicketPort
    sharedLogins: SharedLoginPort
    loginRecords: Pick<LoginRecordStore, 'find'>
    /** Resolves when the steps of logins of this process are stored. */
    storeLogins(): Promise<void>
    samlParticipants: SamlParticipantPort
    roleNames: RoleNamePort
    permissions: PermissionPort
    claimRules: ClaimRules | null
    assertionClaims: AssertionClaimsReader
    /** Call after a commit that added to the outbox. */
    wakeDispatcher(): void
    /** What the operations of the Management API need; loaded with its first request. */
    management(): Promise<ManagementDeps>
    /** A section of the tenant file as an export writes it, and the text of sections; loaded with its first use. */
    tenantFile(): Promise<TenantFileView>
    /** The tenant as the sender of mails. */
    sender: MessageTenant
    /** The tenant's actions, by trigger. */
    triggers: TriggerEngine
    /** The current dependencies of issuing a token. */
    issuing(): IssueDeps
    /** Whether this process is ready, and the result of each check. */
    readiness(): Promise<{ ready: boolean; checks: Record<string, 'ok' | 'failed'> }>
  }

/** The areas of a tenant's runtime, each opened with what it needs of those before. */
export function createRuntime(opening: Opening): Runtime {
  const { keyring, stores, shared } = opening
  const site = openSite(opening)
  const records = openRecords(site, opening)
  const pages = openPages(opening)
  const tokens = openTokens({ ...site, ...records }, opening)
  const rules = openTriggers(opening)
  const recording = openRecording(opening)
  const runtime: Runtime = {
    ...pages,
    ...stores,
    ...openProcess(opening),
    ...site,
    ...records,
    ...tokens,
    ...rules.scripting,
    ...openNotices(openSender(records, opening), opening),
    ...openLimits(opening),
    ...openOrigins(opening),
    ...openLanguages(opening),
    ...openReports(pages, opening),
    ...openRequests(() => runtime, recording, rules, opening),
    keyring,
    trail: serverTrail(recording),
    protocols: openProtocols({ ...site, ...records, ...tokens }, opening),
    management: lazy(async () => (await import('./management')).openManagement(runtime, stores, shared)),
    tenantFile: lazy(async () => (await import('./tenant-file-view')).openTenantFileView(runtime.tenantId, shared)),
    exchangedUsers: lazy(async () => (await import('./exchanged-users')).createExchangedUsers(runtime)),
  }
  return runtime
}
