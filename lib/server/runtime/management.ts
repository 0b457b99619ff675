// What the Management API's operations need, for one tenant. Loaded with its first request.

import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tenantStore } from '../../adapters/store/prisma/configuration'
import { tenantJobStore } from '../../adapters/store/prisma/jobs'
import { managedLinkStore } from '../../adapters/store/prisma/linked-accounts'
import { executionStore } from '../../adapters/store/prisma/management/action-executions'
import { managedActions, triggerBindings } from '../../adapters/store/prisma/management/actions'
import { keepAdministrator } from '../../adapters/store/prisma/management/administrators'
import { managedClientGrants } from '../../adapters/store/prisma/management/client-grants'
import { managedClients } from '../../adapters/store/prisma/management/clients'
import { managedConnections } from '../../adapters/store/prisma/management/connections'
import { managedCustomDomains } from '../../adapters/store/prisma/management/custom-domains'
import { documentStore } from '../../adapters/store/prisma/management/documents'
import { idempotencyStore } from '../../adapters/store/prisma/management/idempotency'
import { managedLogStreams } from '../../adapters/store/prisma/management/log-streams'
import { logStore, statsStore } from '../../adapters/store/prisma/management/logs'
import { managedOrganizationClientGrants } from '../../adapters/store/prisma/management/organization-client-grants'
import { managedOrganizationConnections } from '../../adapters/store/prisma/management/organization-connections'
import { managedOrganizationDomains } from '../../adapters/store/prisma/management/organization-domains'
import { managedInvitations } from '../../adapters/store/prisma/management/organization-invitations'
import { managedOrganizationMembers } from '../../adapters/store/prisma/management/organization-members'
import { managedOrganizations } from '../../adapters/store/prisma/management/organizations'
import { rankStore } from '../../adapters/store/prisma/management/rank'
import { managedApis } from '../../adapters/store/prisma/management/resource-servers'
import { managedRoles } from '../../adapters/store/prisma/management/roles'
import { tenantRecordStore } from '../../adapters/store/prisma/management/tenant-record'
import { managedTokenExchangeProfiles } from '../../adapters/store/prisma/management/token-exchange-profiles'
import { userAccessStore } from '../../adapters/store/prisma/management/user-access'
import { accountFinder } from '../../adapters/store/prisma/management/user-accounts'
import { userBlockStore } from '../../adapters/store/prisma/management/user-blocks'
import { userConsentStore } from '../../adapters/store/prisma/management/user-consents'
import { userFactorStore } from '../../adapters/store/prisma/management/user-factors'
import { userLoginStore } from '../../adapters/store/prisma/management/user-logins'
import { managedUsers } from '../../adapters/store/prisma/management/users'
import { emailProviderStore, phoneProviderStore } from '../../adapters/store/prisma/message-providers'
import { writePkcs7 } from '../../crypto/keys/pkcs7'
import { pemOf } from '../../crypto/saml/certificate'
import { managementAudience } from '../../data/apis/built-in'
import { proofMissing } from '../../data/tenants/domain-proof'
import { ACTION_FACTORS } from '../../identity/mfa/factors/index'
import { tryAction } from '../../identity/rules/actions/engine'
import { HANDLERS } from '../../identity/rules/actions/methods'
import { createMemo } from '../../kernel/memo'
import type { ManagementDeps } from '../../management/deps'
import { exportedFile } from '../../management/jobs/exported-file'
import { unusedTexts } from '../../text/custom'
import { LOCALES } from '../../text/locale'
import { invitationMailer, templateTenant } from './mailer'
import type { Runtime, Shared, TenantStores } from './runtime'
import { sendTest } from './test-message'

export function openManagement(runtime: Runtime, stores: TenantStores, shared: Shared): ManagementDeps {
  const { db } = shared
  const { tenantId } = runtime
  const keep = keepAdministrator(tenantId, managementAudience(runtime.canonicalUrl))
  return {
    tenantId,
    baseUrl: runtime.baseUrl,
    canonicalUrl: runtime.canonicalUrl,
    entityId: runtime.entityId,
    clock: runtime.clock,
    random: runtime.random,
    vault: runtime.vault,
    apis: runtime.apis,
    portray: runtime.portray,
    clients: stores.clients,
    securityProfile: runtime.settings.tenant.security_profile,
    certificate() {
      const { cert, pkcs7, subject } = describeCertificate(runtime.keyring.current.certificate)
      return { cert, pkcs7, subject }
    },
    managedClients: managedClients(db, tenantId, keep, stores.clients.forget),
    managedGrants: managedClientGrants(db, tenantId, keep, {
      forgetGrant: stores.clientGrants.forget,
      forgetApi: stores.apis.forget,
    }),
    resourceServers: managedApis(db, tenantId, stores.apis.forget),
    managedConnections: managedConnections(db, tenantId, stores.connections.forget),
    rank: rankStore(db, tenantId, managementAudience(runtime.canonicalUrl)),
    roles: managedRoles(db, tenantId),
    managedActions: managedActions(db, tenantId, stores.actions.find.forget),
    executions: executionStore(db, tenantId),
    tokenExchangeProfiles: managedTokenExchangeProfiles(db, tenantId),
    async tryAction(action, event) {
      const { sandbox } = shared
      const { vault, clock, random } = runtime
      return tryAction(action, event, HANDLERS[action.trigger], {
        tenantId,
        actions: stores.actions,
        factors: ACTION_FACTORS,
        sandbox,
        vault,
        clock,
        random,
      })
    },
    triggerBindings: triggerBindings(db, tenantId),
    organizations: managedOrganizations(db, tenantId),
    organizationMembers: managedOrganizationMembers(db, tenantId),
    organizationConnections: managedOrganizationConnections(db, tenantId),
    organizationClientGrants: managedOrganizationClientGrants(db, tenantId),
    organizationDomains: managedOrganizationDomains(db, tenantId),
    findTexts: shared.findTexts,
    invitations: managedInvitations(db, tenantId),
    invitationMailer: invitationMailer(runtime.sender, shared),
    jobs: tenantJobStore(db, tenantId),
    wakeJobs: shared.wakeJobs,
    admitWait: shared.admitWait,
    pause: sleep,
    maxImportBytes: shared.maxImportBytes,
    exportedFile: (jobId) => exportedFile(jobId, tenantJobStore(db, tenantId), runtime.vault),
    administrators: stores.administrators,
    accountFinder: accountFinder(db, tenantId),
    tickets: stores.tickets,
    defaultRedirectionUri: runtime.settings.tenant.default_redirection_uri,
    settings: runtime.settings,
    connections: stores.connections,
    accounts: stores.accounts,
    users: stores.users,
    scriptedAccounts: stores.scriptedAccounts,
    scriptBuilds: stores.scriptBuilds,
    scripts: runtime.scripts,
    noteScript: runtime.noteScript,
    accountDeletions: stores.accountDeletions,
    undoAddress: stores.undoAddress,
    passwords: runtime.passwords,
    breached: runtime.breached,
    mailer: runtime.mailer,
    rules: runtime.rules,
    ruleSubjects: runtime.ruleSubjects,
    afterwards: runtime.afterwards,
    wakeDispatcher: runtime.wakeDispatcher,
    managedUsers: managedUsers(db, tenantId),
    managedLinks: managedLinkStore(db, tenantId),
    userAccess: userAccessStore(db, tenantId),
    userBlocks: userBlockStore(db, tenantId),
    userConsents: userConsentStore(db, tenantId),
    userFactors: userFactorStore(db, tenantId),
    userLogins: userLoginStore(db, tenantId),
    attempts: runtime.attempts,
    authenticators: stores.authenticators,
    passkeys: stores.passkeys,
    knownBrowsers: stores.knownBrowsers,
    signingKeys: stores.keys,
    prepareKeys: runtime.keyring.prepare,
    describeCertificate,
    idempotency: idempotencyStore(db, tenantId),
    documents: documentStore(db, tenantId),
    emailProvider: emailProviderStore(db, tenantId),
    sendTestMail: (to) => sendTest({ channel: 'email', to }, runtime, shared),
    phoneProvider: phoneProviderStore(db, tenantId),
    sendTestCall: (to, channel, text) => sendTest({ channel, to }, runtime, shared, text),
    async phoneTemplateWords(source, channel) {
      const { testWords } = await import('../../pages/messages/phone-templates')
      return testWords(source, channel, templateTenant(runtime.sender.tenant))
    },
    customDomains: managedCustomDomains(db, tenantId),
    async isOwnHost(host) {
      const tenants = await tenantStore(db).list()
      return [shared.baseUrl, ...tenants.flatMap(({ baseUrl }) => baseUrl ?? [])].some(
        (each) => new URL(each).hostname === host,
      )
    },
    proofMissing: (domain, challenge) => proofMissing(domain, challenge, shared),
    logStreams: managedLogStreams(db, tenantId),
    wakeStreams: shared.wakeStreams,
    async previewMail(template) {
      const { previewMail } = await import('../../pages/messages/mail-templates')
      return previewMail(template, { tenant: templateTenant(runtime.sender.tenant), baseUrl: runtime.baseUrl })
    },
    templateFault: async (source) => (await import('../../pages/messages/liquid')).faultOf(source),
    unusedTexts,
    logs: logStore(db, tenantId),
    stats: statsStore(db, tenantId),
    tenantRecord: tenantRecordStore(db, tenantId),
    languages: LOCALES,
  }
}

const MAX_DESCRIBED = 100
const described = createMemo<ReturnType<typeof readCertificate>>(MAX_DESCRIBED)

/** Kept, because parsing a certificate costs more than the rest of reading a client. */
const describeCertificate = (certificate: string) => described(certificate, () => readCertificate(certificate))

/** `certificate` is base64 DER. */
function readCertificate(certificate: string) {
  const der = Buffer.from(certificate, 'base64')
  const { subject, fingerprint } = new X509Certificate(der)
  return {
    cert: pemOf(certificate),
    pkcs7: pemOf(writePkcs7(der).toString('base64')).replaceAll('CERTIFICATE', 'PKCS7'),
    subject,
    fingerprint,
  }
}
