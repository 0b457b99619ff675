// The stores of the Management API's operations for one tenant, one line each. A tenant file writes to them within its transaction.
import type { Database } from '../../database'
import { managedLinkStore } from '../../sql/linked-accounts'
import { executionStore } from '../../sql/management/action-executions'
import { idempotencyStore } from '../../sql/management/idempotency'
import { userFactorStore } from '../../sql/management/user-factors'
import { userLoginStore } from '../../sql/management/user-logins'
import { managedUsers } from '../../sql/management/users'
import { upkeepStore } from '../../sql/upkeep'
import { tenantJobStore } from '../jobs'
import { emailProviderStore, phoneProviderStore } from '../message-providers'
import { managedActions } from './actions'
import { managedClientGrants } from './client-grants'
import { managedClients } from './clients'
import { managedConnections } from './connections'
import { managedCustomDomains } from './custom-domains'
import { documentStore } from './documents'
import type { KeepManagingClient } from './last-managing-client'
import { managedLogStreams } from './log-streams'
import { logStore, statsStore } from './logs'
import { managedOrganizationClientGrants } from './organization-client-grants'
import { managedOrganizationConnections } from './organization-connections'
import { managedOrganizationDomains } from './organization-domains'
import { managedInvitations } from './organization-invitations'
import { managedOrganizationMembers } from './organization-members'
import { managedOrganizations } from './organizations'
import { managedApis } from './resource-servers'
import { managedRoles } from './roles'
import { tenantRecordStore } from './tenant-record'
import { managedTokenExchangeProfiles } from './token-exchange-profiles'
import { userAccessStore } from './user-access'
import { accountFinder } from './user-accounts'
import { userBlockStore } from './user-blocks'
import { userConsentStore } from './user-consents'

/** Evicts from the caches of this process what a store has changed. */
export type Forget = {
  client(clientId: string): void
  clientGrant(clientId: string, audience: string): void
  api(identifier: string): void
  connections(): void
  action(name: string): void
}

export const managementStores = (db: Database, tenantId: string, keep: KeepManagingClient, forget: Forget) => ({
  tenantRecord: tenantRecordStore(db, tenantId),
  customDomains: managedCustomDomains(db, tenantId),
  documents: documentStore(db, tenantId),
  idempotency: idempotencyStore(db, tenantId),
  managedClients: managedClients(db, tenantId, keep, forget.client),
  managedGrants: managedClientGrants(db, tenantId, keep, { forgetGrant: forget.clientGrant, forgetApi: forget.api }),
  resourceServers: managedApis(db, tenantId, forget.api),
  tokenExchangeProfiles: managedTokenExchangeProfiles(db, tenantId),
  managedConnections: managedConnections(db, tenantId, forget.connections),
  roles: managedRoles(db, tenantId),
  managedUsers: managedUsers(db, tenantId),
  managedLinks: managedLinkStore(db, tenantId),
  userAccess: userAccessStore(db, tenantId),
  userBlocks: userBlockStore(db, tenantId),
  userConsents: userConsentStore(db, tenantId),
  userFactors: userFactorStore(db, tenantId),
  userLogins: userLoginStore(db, tenantId),
  accountFinder: accountFinder(db, tenantId),
  organizations: managedOrganizations(db, tenantId),
  organizationMembers: managedOrganizationMembers(db, tenantId),
  organizationConnections: managedOrganizationConnections(db, tenantId),
  organizationClientGrants: managedOrganizationClientGrants(db, tenantId),
  organizationDomains: managedOrganizationDomains(db, tenantId),
  invitations: managedInvitations(db, tenantId),
  managedActions: managedActions(db, tenantId, forget.action),
  executions: executionStore(db, tenantId),
  emailProvider: emailProviderStore(db, tenantId),
  phoneProvider: phoneProviderStore(db, tenantId),
  logs: logStore(db, tenantId),
  logStreams: managedLogStreams(db, tenantId),
  stats: statsStore(db, tenantId),
  upkeep: upkeepStore(db, tenantId),
  jobs: tenantJobStore(db, tenantId),
})
