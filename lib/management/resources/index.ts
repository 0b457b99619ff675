// Every operation of the Management API. A new resource is a file and a line here, its store, and a line in deps.ts and in
// lib/runtime/management.ts.
import type { ManagementDeps } from '../deps'
import type { Operation } from '../operation'
import { absent } from './absent'
import { actionBindings } from './action-bindings'
import { actionExecutions } from './action-executions'
import { actionModules } from './action-modules'
import { actions } from './actions'
import { addressBlocks } from './address-blocks'
import { administrators } from './administrators'
import { attackProtection } from './attack-protection'
import { branding } from './branding'
import { clientGrants } from './client-grants'
import { clients } from './clients'
import { connections } from './connections'
import { customDomains } from './custom-domains'
import { email } from './email'
import { emailProvider } from './email-provider'
import { guardian } from './guardian'
import { guardianEnrollments } from './guardian-enrollments'
import { hooks } from './hooks'
import { jobs } from './jobs'
import { logStreams } from './log-streams'
import { logs } from './logs'
import { organizationClientGrants } from './organization-client-grants'
import { organizationConnections } from './organization-connections'
import { organizationDomains } from './organization-domains'
import { organizationInvitations } from './organization-invitations'
import { organizationMembers } from './organization-members'
import { organizations } from './organizations'
import { phoneProviders } from './phone-providers'
import { phoneTemplates } from './phone-templates'
import { prompts } from './prompts'
import { resourceServers } from './resource-servers'
import { roles } from './roles'
import { legacyRules } from './rules'
import { signingKeys } from './signing-keys'
import { stats } from './stats'
import { tenantSettings } from './tenant-settings'
import { tickets } from './tickets'
import { tokenExchangeProfiles } from './token-exchange-profiles'
import { userAccess } from './user-access'
import { userBlocks } from './user-blocks'
import { userConsents } from './user-consents'
import { userDeletion } from './user-deletion'
import { userFactors } from './user-factors'
import { userIdentities } from './user-identities'
import { userLogins } from './user-logins'
import { userLogs } from './user-logs'
import { users } from './users'

export const OPERATIONS: readonly Operation<ManagementDeps>[] = [
  ...clients,
  ...clientGrants,
  ...resourceServers,
  ...connections,
  ...roles,
  ...legacyRules,
  ...hooks,
  ...actionModules,
  ...actions,
  ...actionBindings,
  ...actionExecutions,
  ...tokenExchangeProfiles,
  ...jobs,
  ...tickets,
  ...organizations,
  ...organizationMembers,
  ...organizationConnections,
  ...organizationInvitations,
  ...organizationDomains,
  ...organizationClientGrants,
  ...users,
  ...userAccess,
  ...userBlocks,
  ...userDeletion,
  ...userConsents,
  ...userFactors,
  ...userIdentities,
  ...userLogins,
  ...userLogs,
  ...addressBlocks,
  ...tenantSettings,
  ...attackProtection,
  ...guardianEnrollments,
  ...guardian,
  ...branding,
  ...prompts,
  ...email,
  ...emailProvider,
  ...phoneProviders,
  ...phoneTemplates,
  ...signingKeys,
  ...customDomains,
  ...administrators,
  ...logs,
  ...logStreams,
  ...stats,
  ...absent,
]
