// The tenant runtime that an endpoint receives: one tenant's settings, keys, stores and protocols, and nothing of any other
// tenant. Stores are created once per tenant and keep their caches; the rest is rebuilt when settings or keys change.

import { isOfAction, OF_ACTION } from '../../adapters/channels/action-reach'
import type { Metrics } from '../../adapters/metrics/metrics'
import type { Announcements } from '../../adapters/store/announcements'
import type { Database } from '../../adapters/store/database'
import type { NewTransactionCache } from '../../adapters/store/new-transaction-cache'
import { accountDeletionStore } from '../../adapters/store/prisma/account-deletions'
import { accountJoinStore } from '../../adapters/store/prisma/account-joins'
import { accountStore } from '../../adapters/store/prisma/accounts'
import { actionStore } from '../../adapters/store/prisma/actions'
import { attemptStore } from '../../adapters/store/prisma/attempts'
import { clientGrantStore } from '../../adapters/store/prisma/client-grants'
import { apiStore, clientStore, connectionStore } from '../../adapters/store/prisma/configuration'
import { connectedAccountStore } from '../../adapters/store/prisma/connected-accounts'
import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { deviceCredentialStore } from '../../adapters/store/prisma/device-credentials'
import { deviceStore } from '../../adapters/store/prisma/devices'
import { factorKeyStore } from '../../adapters/store/prisma/factor-keys'
import { signingKeyStore } from '../../adapters/store/prisma/keys'
import { linkedAccountStore } from '../../adapters/store/prisma/linked-accounts'
import { consentStore, sessionStore, transactionStore } from '../../adapters/store/prisma/login'
import { authenticatorStore } from '../../adapters/store/prisma/mfa'
import { bucketStore, challengeStore, knownBrowserStore } from '../../adapters/store/prisma/mfa-challenges'
import { oneTimeCodeStore } from '../../adapters/store/prisma/one-time-codes'
import { organizationStore } from '../../adapters/store/prisma/organizations'
import { outboxWriter } from '../../adapters/store/prisma/outbox'
import { passkeyStore } from '../../adapters/store/prisma/passkeys'
import { permissionStore } from '../../adapters/store/prisma/permissions'
import { profileStore } from '../../adapters/store/prisma/profiles'
import { registrationStore } from '../../adapters/store/prisma/registrations'
import { roleNameStore, ruleSubjectStore } from '../../adapters/store/prisma/rule-users'
import { samlParticipantStore } from '../../adapters/store/prisma/saml-participants'
import { scriptBuilds } from '../../adapters/store/prisma/script-builds'
import { scriptedAccountStore } from '../../adapters/store/prisma/scripted-accounts'
import { ticketStore } from '../../adapters/store/prisma/tickets'
import { tokenExchangeStore } from '../../adapters/store/prisma/token-exchange'
import { familyStore } from '../../adapters/store/prisma/tokens'
import { undoAddressStore } from '../../adapters/store/prisma/undo-address'
import { upstreamAccountStore } from '../../adapters/store/prisma/upstream-accounts'
import { userPictureStore } from '../../adapters/store/prisma/user-pictures'
import { userStore } from '../../adapters/store/prisma/users'
import { wordingStore } from '../../adapters/store/prisma/wording'
import type { RedisClient } from '../../adapters/store/redis/client'
import type { Keyring } from '../../crypto/keys/keyring'
import { createXmlReader, type XmlThreads } from '../../crypto/saml/xml-reader'
import { withBuiltIn } from '../../data/apis/built-in'
import type { PermissionPort } from '../../data/apis/permissions'
import type { AuditLog } from '../../data/audit/audit'
import type { EventName } from '../../data/audit/events'
import { createOncePerMinute } from '../../data/audit/once-per-minute'
import { openTrail, refusalFields, serverTrail, type Trail } from '../../data/audit/trail'
import { withConsole } from '../../data/clients/console'
import { withProfile } from '../../data/clients/fapi2'
import { type ClientKeySets, createClientKeySets } from '../../data/clients/key-sets'
import { admitsOrigin, loginOrigins, refusedOrigin } from '../../data/clients/origins'
import { withPortal } from '../../data/clients/portal'
import type { RegistrationPort } from '../../data/clients/registration'
import { unregistered } from '../../data/clients/unregistered'
import type { DatabaseConnection } from '../../data/connections/connection'
import type { UpstreamServers } from '../../data/connections/upstream/upstream'
import type { Channel, ChannelName, MessageCause } from '../../data/outbox/message'
import { enqueue, type OutboxStore } from '../../data/outbox/outbox'
import { createLimiter, type Stores } from '../../data/rate-limit/limiter'
import type { LimitName } from '../../data/rate-limit/limits'
import { openMeter } from '../../data/rate-limit/meter'
import type { SamlParticipantPort } from '../../data/sessions/saml-participant'
import type { Site } from '../../data/tenants/custom-domain'
import { sessionPolicy, type Tenant } from '../../data/tenants/settings'
import type { TicketPort } from '../../data/tickets/ticket'
import type { AccountDeletionPort } from '../../data/users/account-deletion'
import { createAttemptGuard } from '../../data/users/attempts'
import type { BreachedPasswords } from '../../data/users/breached-passwords'
import type { DeviceCredentialPort } from '../../data/users/device-credential'
import type { LinkedAccountPort } from '../../data/users/linked-accounts'
import type { PasswordHasher } from '../../data/users/password'
import { createPortray, type Portray, withPictures } from '../../data/users/picture'
import type { ProfilePort } from '../../data/users/profile'
import { writeUnblockTicket } from '../../data/users/unblock'
import type { UndoAddressPort } from '../../data/users/undo-address'
import { type Account, guessedOf, type User } from '../../data/users/user'
import type { Admit } from '../../http/admission'
import type { EndpointRuntime } from '../../http/endpoint'
import { transportSecurity } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { createReceiver } from '../../http/proxied'
import { requestLink } from '../../identity/accounts/account-link'
import { mayNotify } from '../../identity/accounts/account-mail'
import { LEAKED, type ResetDeps } from '../../identity/accounts/reset-password'
import { ACTION_FACTORS } from '../../identity/mfa/factors/index'
import type { UserPicturePort } from '../../identity/pictures/user-pictures'
import { createEngine } from '../../identity/rules/actions/engine'
import type { RunLog } from '../../identity/rules/actions/runs'
import type { RoleNamePort } from '../../identity/rules/claims/about'
import type { ClaimRules } from '../../identity/rules/claims/compile'
import type { PlaceOf } from '../../identity/rules/geoip'
import type { Bundler } from '../../identity/rules/packages/bundle'
import type { Sandbox } from '../../identity/rules/sandbox/sandbox'
import { createScriptRunner, type ScriptRunner } from '../../identity/rules/scripts/run-script'
import type { AdmitWait } from '../../identity/rules/scripts/script-build'
import type { RulesEngine } from '../../identity/rules/trigger'
import type { LoginPlace } from '../../identity/strategies/database'
import { profileByScript } from '../../identity/strategies/script-profile'
import type { CallOut } from '../../kernel/call-out'
import type { Clock } from '../../kernel/clock'
import type { TextLookup } from '../../kernel/domain'
import { invalidRequest } from '../../kernel/errors'
import { lazy, once } from '../../kernel/lazy'
import type { Observe } from '../../kernel/observe'
import type { Random } from '../../kernel/random'
import { hintOf } from '../../kernel/reasons'
import type { Vault } from '../../kernel/secret'
import type { LoginDeps } from '../../login/deps'
import type { AccountJoinPort } from '../../login/steps/linking'
import type { AssertionClaimsReader } from '../../login/transaction'
import type { ManagementDeps } from '../../management/deps'
import type { AdministratorPort } from '../../management/operations/console-administrators'
import { errorPage } from '../../pages/error-page'
import type { PageDeps, PageRenderer } from '../../pages/respond'
import { openTheme } from '../../pages/themed-look'
import type { PageAssets } from '../../pages/view'
import { deviceProtocol } from '../../protocols/device/device'
import type { GrantDeps } from '../../protocols/oauth/grants/grant'
import { oidcProtocol } from '../../protocols/oidc/response'
import { portalProtocol } from '../../protocols/portal/portal'
import { resetProtocol } from '../../protocols/reset/reset'
import { samlProtocol } from '../../protocols/saml/response'
import { wsfedProtocol } from '../../protocols/wsfed/response'
import { createLocalAccess } from '../../settings/local-access'
import { pickLocale } from '../../text/locale'
import { customClaims } from '../../tokens/custom-claims'
import type { IssueDeps } from '../../tokens/issue'
import { organizationClaims } from '../../tokens/organization-claims'
import type { Examiner } from '../doctor/finding'
import type { Logger } from '../maintenance/log'
import type { Outages } from '../maintenance/outages'
import type { ExplorerFiles } from './explorer'
import {
  applyTemplate,
  causeFor,
  createMailer,
  createMessenger,
  linkSettings,
  mailContext,
  nameIn,
  renderMail,
  type Sender,
} from './mailer'
import type { OpenedWording } from './wording'

export type Runtime = EndpointRuntime<LimitName, EventName> &
  LoginDeps &
  GrantDeps &
  ResetDeps &
  PageDeps & {
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
    samlParticipants: SamlParticipantPort
    roleNames: RoleNamePort
    permissions: PermissionPort
    claimRules: ClaimRules | null
    assertionClaims: AssertionClaimsReader
    /** Call after a commit that added to the outbox. */
    wakeDispatcher(): void
    /** What the operations of the Management API need; loaded with its first request. */
    management(): Promise<ManagementDeps>
    /** The tenant as the sender of mails. */
    sender: Sender
    /** The tenant's actions, by trigger. */
    rules: RulesEngine
    /** The current dependencies of issuing a token. */
    issuing(): IssueDeps
    /** Whether this process is ready, and the result of each check. */
    readiness(): Promise<{ ready: boolean; checks: Record<string, 'ok' | 'failed'> }>
  }

/** What all tenants of a process share. */
export type Shared = {
  baseUrl: string
  /** Whether HSTS includes subdomains; never on custom domains. */
  hstsSubdomains?: boolean | undefined
  port: number
  vendorHost: string
  demo: boolean
  devOutbox: boolean
  db: Database
  /** Load shedding: whether one more request is accepted; undefined for no limit. */
  admit?: Admit | undefined
  /** Announcements of configuration changes; without them caches are read again each second. */
  announced?: Announcements | undefined
  clock: Clock
  random: Random
  vault: Vault
  log: Logger
  outages: Outages
  passwords: PasswordHasher
  breached: BreachedPasswords
  /** Where addresses are. */
  placeOf: PlaceOf
  /** Whether requests of actions have the id of the request that caused them. */
  passesRequestIds: boolean
  /** Where limits are counted. */
  buckets: Stores
  /** Optional; everything works without Redis. */
  redis: RedisClient | undefined
  outbox: OutboxStore
  audit: AuditLog
  /** Undefined where metrics are off. */
  metrics?: Metrics | undefined
  examiner?: Examiner | undefined
  observe?: Observe | undefined
  /** The HTTP client for calls to other servers. */
  callOut: CallOut
  /** Looks up TXT records. */
  findTexts: TextLookup
  /** The threads that read XML of other parties. */
  xmlThreads: XmlThreads
  explorerFiles: ExplorerFiles
  /** The sandbox that runs actions, and the log of their runs. */
  sandbox: Sandbox
  actionRuns: RunLog
  /** The channel of a tenant with a provider of its own. */
  tenantChannel(channel: ChannelName, tenantId: string, cause?: MessageCause): Promise<Channel | null>
  /** Called after a commit that added to the outbox. */
  wakeDispatcher(): void
  /** Called after a commit that made a job, or something to build. */
  wakeJobs(): void
  /** Null where nothing is built in the background. */
  admitWait: AdmitWait | null
  /** Bundles the packages of actions. */
  bundler: Bundler
  /** The largest import of users. */
  maxImportBytes: number
  /** Called after a commit that changed a log stream. */
  wakeStreams(): void
  renderPage: PageRenderer
  assets: PageAssets
  readiness: Runtime['readiness']
}

export type TenantStores = ReturnType<typeof createStores>

export const createStores = (
  { db, clock, announced, callOut }: Shared,
  tenantId: string,
  newTransactions: NewTransactionCache,
) => {
  const clients = clientStore(db, tenantId, clock, announced)
  return {
    clients,
    keySets: createClientKeySets({ callOut, clock }),
    registrations: registrationStore(db, tenantId, clients.forget),
    apis: apiStore(db, tenantId, clock, announced),
    clientGrants: clientGrantStore(db, tenantId, clock, announced),
    actions: actionStore(db, tenantId, clock, announced),
    permissions: permissionStore(db, tenantId),
    roleNames: roleNameStore(db, tenantId),
    ruleSubjects: ruleSubjectStore(db, tenantId),
    connections: connectionStore(db, tenantId, clock, announced),
    organizations: organizationStore(db, tenantId, clock, announced),
    users: userStore(db, tenantId),
    scriptedAccounts: scriptedAccountStore(db, tenantId),
    scriptBuilds: scriptBuilds(db, tenantId),
    accounts: accountStore(db, tenantId),
    accountDeletions: accountDeletionStore(db, tenantId),
    undoAddress: undoAddressStore(db, tenantId),
    userPictures: userPictureStore(db, tenantId),
    administrators: administratorStore(db, tenantId),
    profiles: profileStore(db, tenantId),
    deviceCredentials: deviceCredentialStore(db, tenantId),
    linkedAccounts: linkedAccountStore(db, tenantId),
    accountJoins: accountJoinStore(db, tenantId),
    upstreamAccounts: upstreamAccountStore(db, tenantId),
    connectedAccounts: connectedAccountStore(db, tenantId),
    upstreamServers: new Map() as UpstreamServers,
    sessions: sessionStore(db, tenantId),
    samlParticipants: samlParticipantStore(db, tenantId),
    transactions: transactionStore(db, tenantId, newTransactions),
    consents: consentStore(db, tenantId),
    attemptCounters: attemptStore(db, tenantId),
    authenticators: authenticatorStore(db, tenantId),
    factorKeys: factorKeyStore(db, tenantId),
    challenges: challengeStore(db, tenantId),
    knownBrowsers: knownBrowserStore(db, tenantId),
    passkeys: passkeyStore(db, tenantId),
    buckets: bucketStore(db, tenantId),
    families: familyStore(db, tenantId),
    devices: deviceStore(db, tenantId),
    tickets: ticketStore(db, tenantId),
    tokenExchange: tokenExchangeStore(db, tenantId),
    codes: oneTimeCodeStore(db, tenantId),
    keys: signingKeyStore(db, tenantId),
    wording: wordingStore(db, tenantId),
    outboxWriter: outboxWriter(db.pool),
  }
}

/** The parts of a tenant's records that must be opened before a runtime can be created. */
export type Opened = { keyring: Keyring; claimRules: ClaimRules | null } & OpenedWording

/** The addresses of a tenant, and the runtime at each. The first one is its base URL. */
export type Sites = { all: readonly [Site, ...Site[]]; at(baseUrl: string): Runtime }

export function createRuntime(
  tenant: Tenant,
  { baseUrl, custom }: Site,
  sites: Sites,
  { keyring, claimRules, customTexts, mailTemplates, verificationOff, phoneTemplates, legacy }: Opened,
  stores: TenantStores,
  shared: Shared,
): Runtime {
  const { settings } = tenant
  const { clock, random, vault, log } = shared
  const canonicalUrl = sites.all[0].baseUrl
  const issuer = `${baseUrl}/`
  const addresses = sites.all.map((site) => site.baseUrl)
  const otherIssuers = addresses.map((address) => `${address}/`).filter((each) => each !== issuer)
  const entityId = `urn:${new URL(canonicalUrl).host}`
  const { compat } = settings.tenant
  const sessionSeconds = sessionPolicy(settings).absoluteSeconds
  const pages: PageDeps = {
    settings,
    tenantName: tenant.name,
    assets: shared.assets,
    random,
    renderPage: shared.renderPage,
    customTexts,
    theme: tenant.theme === null ? undefined : openTheme(tenant.theme),
  }
  const limiter = createLimiter(tenant.id, settings.tenant.rate_limits, shared.buckets)
  const apis = withBuiltIn(stores.apis, baseUrl, canonicalUrl, addresses)
  const portray = createPortray({ vault, baseUrl, canonicalUrl, source: settings.tenant.default_picture })
  const sender: Sender = {
    ...stores,
    tenant,
    baseUrl,
    templates: mailTemplates,
    verificationOff,
    phoneTemplates,
    portray,
    findRecord: async (id) => (await loadManagedUsers()).managedUsers(shared.db, tenant.id).find(id),
  }
  const shown = {
    profiles: withPictures(stores.profiles, portray),
    ruleSubjects: withPictures(stores.ruleSubjects, portray),
  }
  const issuing = (): IssueDeps => ({
    issuer,
    otherIssuers,
    baseUrl,
    keyring,
    vault,
    random,
    now: clock.now(),
    updatedAt: compat.updated_at === 'epoch' ? 'epoch' : 'iso8601',
    scopeClaims: compat.id_token_claims,
    portray,
    permissions: stores.permissions,
    roleNames: stores.roleNames,
    claimRules,
    organizations: stores.organizations,
    organizationNames: settings.tenant.allow_organization_name_in_authentication_api,
  })
  const assertionClaims: AssertionClaimsReader = async (
    { user, client, organization = null, custom, ip, scopes, evidence },
    protocol,
  ) => {
    const request = { ip, protocol, audience: null, scopes, methods: evidence.map(({ method }) => method) }
    const deps = issuing()
    const { assertion } = await customClaims({ user: portray(user), client, organization, request }, custom, deps)
    return organization === null ? assertion : { ...assertion, ...organizationClaims(organization, deps) }
  }
  const { audit } = shared
  const recording = {
    tenantId: tenant.id,
    hostname: new URL(baseUrl).host,
    audit,
    clock,
    oncePerMinute: createOncePerMinute(clock),
    note: (fields: Record<string, unknown>, says: string) => log.info(fields, says),
  }
  /** Of preflights, which no limit counts. */
  const oncePerMinute = createOncePerMinute(clock)
  const isLocal = createLocalAccess(canonicalUrl, shared.port)
  const opensLocally = shared.demo || shared.devOutbox
  const registered = withProfile(stores.clients, settings.tenant.security_profile)
  const clients = withConsole(withPortal(registered), {
    tenantId: tenant.id,
    baseUrl,
    vault,
    secondFactor: settings.tenant.console_second_factor,
  })
  const engineOf = ({ nested, fingerprint, requestId }: Cause): RulesEngine =>
    createEngine({
      ...{
        tenantId: tenant.id,
        nested,
        requestId,
        triggers: settings.triggers,
        factors: ACTION_FACTORS,
        actions: stores.actions,
      },
      legacy,
      scriptBuilds: stores.scriptBuilds,
      ...{
        sandbox: shared.sandbox,
        runs: shared.actionRuns,
        placeOf: shared.placeOf,
        fingerprint,
        vault,
        clock,
        random,
      },
    })
  const nestedRules = once(() => engineOf({ nested: true }))
  const scriptsOf = ({ nested, requestId }: Cause): ScriptRunner =>
    createScriptRunner({
      ...{ tenantId: tenant.id, nested, requestId, bundles: stores.actions },
      ...{ sandbox: shared.sandbox, runs: shared.actionRuns, clock, random },
    })
  const runtime: Runtime = {
    ...pages,
    ...stores,
    apis,
    clients,
    portray,
    ...shown,
    tenantId: tenant.id,
    trail: serverTrail(recording),
    // Not a copy: the object inherits everything but the members that depend on the request.
    within(request, endpoint) {
      const own: Runtime = Object.create(runtime)
      own.trail = openTrail(sourceOf(request), recording, endpoint)
      const mark = request.headers[OF_ACTION]
      const nested = mark !== undefined && isOfAction(mark, tenant.id, clock.now(), vault)
      const requestId = shared.passesRequestIds ? request.id : undefined
      if (request.fingerprint || requestId)
        own.rules = engineOf({ nested, fingerprint: request.fingerprint, requestId })
      else if (nested) own.rules = nestedRules()
      if (nested || requestId) own.scripts = scriptsOf({ nested, requestId })
      if (opensLocally && isLocal(request)) {
        own.demo = shared.demo
        own.devOutbox = shared.devOutbox
      }
      return own
    },
    baseUrl,
    canonicalUrl,
    customUrls: addresses.slice(1),
    relyingPartyId: custom?.relyingPartyId ?? undefined,
    received: createReceiver(custom),
    linking: (header) => sites.at(linkedUrl(header, sites.all)),
    issuer,
    entityId,
    secure: baseUrl.startsWith('https:'),
    transportSecurity: transportSecurity(baseUrl, custom === null && shared.hstsSubdomains === true),
    compat: compat.errors,
    clock,
    vault,
    keyring,
    admit: shared.admit,
    vendorHost: shared.vendorHost,
    demo: false,
    devOutbox: false,
    callOut: shared.callOut,
    readXml: createXmlReader(shared.xmlThreads, tenant.id),
    explorerFiles: shared.explorerFiles,
    wakeDispatcher: shared.wakeDispatcher,
    outbox: shared.outbox,
    metrics: shared.metrics,
    observe: shared.observe,
    examiner: shared.examiner,
    passwords: shared.passwords,
    breached: shared.breached,
    placeOf: shared.placeOf,
    sender,
    mailer: createMailer(sender, shared),
    messenger: createMessenger(sender, shared),
    attempts: createAttemptGuard(stores.attemptCounters, settings.attackProtection, limiter, clock),
    protocols: {
      oidc: oidcProtocol({ ...stores, apis, issuer, baseUrl, clock, random, vault, issuing }),
      device: deviceProtocol({ ...stores, baseUrl, clock }),
      saml: samlProtocol({
        ...stores,
        ...shown,
        assertionClaims,
        entityId,
        baseUrl,
        keyring,
        clock,
        random,
        sessionSeconds,
      }),
      reset: resetProtocol(),
      portal: portalProtocol({ tickets: stores.tickets, baseUrl, clock, random }),
      wsfed: wsfedProtocol({ ...stores, ...shown, assertionClaims, entityId, baseUrl, keyring, clock, random }),
    },
    readiness: shared.readiness,
    management: lazy(async () => (await import('./management')).openManagement(runtime, stores, shared)),
    exchangedUsers: lazy(async () => (await import('./exchanged-users')).createExchangedUsers(runtime)),
    issuing,
    claimRules,
    assertionClaims,
    afterwards(work) {
      work.catch((error: unknown) => log.error({ err: error }, 'A background task failed.'))
    },
    rules: engineOf({ nested: false }),
    scripts: scriptsOf({ nested: false }),
    noteScript({ name: connection }, script, problem) {
      log.warn(
        { tenant: tenant.id, connection, script, problem },
        'A script of a connection gave an answer that cannot be used.',
      )
    },
    profileByScript(this: Runtime, connection, accessToken, context) {
      return profileByScript(connection, accessToken, context, this)
    },
    noteUpstream(this: Runtime, connection, { failure, reason, message }) {
      this.trail.record('login_refused', { connection, reason, sentence: message })
      const fields = { connection: connection.name, failure, reason, hint: hintOf(reason), detail: message }
      log.warn(fields, 'A login at an identity provider failed.')
    },
    noteMissed({ name }, reason) {
      log.warn({ connection: name, reason }, 'An identity provider signed a user in, but did not say everything.')
    },
    notifyBlocked(account, ip, place) {
      notifyBlocked(account, { ...place, ip }, sender, { ...stores, clock }, shared).catch((error: unknown) =>
        log.error({ err: error }, 'The owner of a blocked account could not be notified.'),
      )
    },
    notifyLeaked(this: Runtime, connection, user, ip, place) {
      this.afterwards(notifyLeaked(connection, user, { ...place, ip }, this))
    },
    async allowsOrigin(this: Runtime, origin, clientId) {
      const client = clientId === undefined ? null : await stores.clients.find(clientId)
      if (client) this.trail.context({ client })
      else if (clientId !== undefined) return { reason: 'unknown_client', detail: `unknown client: ${clientId}` }
      const origins = client ? loginOrigins(client) : await stores.clients.loginOrigins()
      if (await admitsOrigin(origins, origin, stores)) return true
      return client ? refusedOrigin(client, origin) : unregistered('origin_not_allowed', origin, origins)
    },
    meter: (limit, ip) => openMeter(limit, ip, limiter),
    isRegisteredOrigin: async (origin) => admitsOrigin(await stores.clients.registeredOrigins(), origin, stores),
    localeOf: (visitor, uiLocales) =>
      pickLocale({
        uiLocales: uiLocales ?? visitor.uiLocales,
        acceptLanguage: visitor.acceptLanguage,
        enabled: settings.tenant.enabled_locales,
      }),
    errorPage(this: Runtime, error, request) {
      return errorPage(error, request, { compat: compat.errors, explains: this.demo || this.devOutbox }, pages)
    },
    report(this: Runtime, error, request, endpoint) {
      this.trail.refused(error, endpoint)
      shared.metrics?.refused(endpoint.name, error.code)
      const about = refusalFields(error.reason, { ...this.trail.known, parameter: error.parameter }, sourceOf(request))
      const fields = { ...about, endpoint: endpoint.name, code: error.code, detail: error.detail }
      if (error.code === 'server_error') log.error({ ...fields, err: error.cause }, 'A request failed.')
      else log.info(fields, error.description)
      if (error.code === 'temporarily_unavailable')
        shared.outages.report(error, { request: request.id, endpoint: endpoint.name })
    },
    reportPreflight(error, request, { name: endpoint }) {
      if (error.code !== 'access_denied' || !oncePerMinute(`${endpoint} ${request.ip}`)) return
      const fields = { ...refusalFields(error.reason, {}, sourceOf(request)), endpoint, code: error.code }
      log.info({ ...fields, detail: error.detail }, 'The browser was refused a request from a page of another origin.')
    },
  }
  return runtime
}

/** The named address of the tenant, else its default domain, else its base URL. */
function linkedUrl(header: string | undefined, [canonical, ...custom]: Sites['all']): string {
  if (header === undefined) return (custom.find((site) => site.custom?.isDefault) ?? canonical).baseUrl
  const named = [canonical, ...custom].find(({ baseUrl }) => new URL(baseUrl).host === header.toLowerCase())
  if (!named) throw invalidRequest('The header auth0-custom-domain names no verified domain of this tenant.')
  return named.baseUrl
}

/** What of a request concerns the actions that it causes. */
type Cause = { nested: boolean; fingerprint?: HttpRequest['fingerprint']; requestId?: string | undefined }

const sourceOf = ({ id, ip, headers }: HttpRequest) => ({
  requestId: id,
  ip,
  userAgent: headers['user-agent'],
  language: headers['accept-language'],
})

const loadManagedUsers = lazy(() => import('../../adapters/store/prisma/management/users'))

async function notifyBlocked(
  account: Account,
  { ip, clientId = null, organization }: LoginPlace & { ip: string },
  sender: Sender,
  stores: Pick<TenantStores, 'outboxWriter' | 'attemptCounters'> & { clock: Clock },
  shared: Shared,
): Promise<void> {
  const { user, connectionId, providerUserId: accountId } = account
  const { tenant, baseUrl } = sender
  if (!tenant.settings.attackProtection.bruteForceProtection.shields.includes('user_notification')) return
  if (user.email === null || !(await mayNotify('blocked_account', { connectionId, accountId }, stores))) return
  const to = user.email
  const context = await mailContext({ tenant, baseUrl, to, user, organization })
  const about = { to, user, ip, clientId, organization, connectionId, language: context.locale }
  const blocked = { connectionId, identifier: guessedOf(account), ip, userId: user.id }
  const ticket = writeUnblockTicket(blocked, shared, await linkSettings('blocked_account', about, sender, shared))
  const unblockUrl = `${baseUrl}/u/unblock?ticket=${ticket}`
  const plain = await renderMail({ kind: 'blocked_account', userName: nameIn(user), ip, unblockUrl }, context)
  const mail = await applyTemplate('blocked_account', plain, about, sender, shared)
  const cause = causeFor('blocked_account', about)
  await enqueue({ ...mail, cause }, stores.outboxWriter, { ...shared, tenantId: tenant.id })
  shared.wakeDispatcher()
}

async function notifyLeaked(
  connection: DatabaseConnection,
  { id, email }: User,
  { ip, clientId = null, organization = null }: LoginPlace & { ip: string },
  runtime: Runtime,
): Promise<void> {
  const { shields } = runtime.settings.attackProtection.breachedPasswordDetection
  if (email === null || !shields.includes('user_notification')) return
  if (!(await mayNotify('stolen_credentials', { connectionId: connection.id, accountId: id }, runtime))) return
  await requestLink(LEAKED, connection, email, { clientId, organization, ip, locale: undefined }, runtime)
}
