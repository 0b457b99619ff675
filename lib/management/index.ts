// Every operation of the Management API. A new resource is a file and a line here, and its store with a line in
// lib/adapters/store/prisma/management/index.ts.
import type { ManagementDeps } from './deps'
import { jobs } from './jobs/resource'
import { type Operation, operationsIn } from './operations/operation'
import { absent } from './resources/absent'
import { actionBindings } from './resources/action-bindings'
import { actionExecutions } from './resources/action-executions'
import { actionModules } from './resources/action-modules'
import { actions } from './resources/actions'
import { addressBlocks } from './resources/address-blocks'
import { administrators } from './resources/administrators'
import { attackProtection } from './resources/attack-protection'
import { branding } from './resources/branding'
import { clientGrants } from './resources/client-grants'
import { clientTokens } from './resources/client-tokens'
import { clients } from './resources/clients'
import { connections } from './resources/connections'
import { customDomains } from './resources/custom-domains'
import { email } from './resources/email'
import { emailProvider } from './resources/email-provider'
import { guardian } from './resources/guardian'
import { guardianEnrollments } from './resources/guardian-enrollments'
import { hooks } from './resources/hooks'
import { logStreams } from './resources/log-streams'
import { loginShares } from './resources/login-shares'
import { loginTests } from './resources/login-tests'
import { logins } from './resources/logins'
import { logs } from './resources/logs'
import { organizationClientGrants } from './resources/organization-client-grants'
import { organizationConnections } from './resources/organization-connections'
import { organizationDomains } from './resources/organization-domains'
import { organizationInvitations } from './resources/organization-invitations'
import { organizationMembers } from './resources/organization-members'
import { organizations } from './resources/organizations'
import { phoneProviders } from './resources/phone-providers'
import { phoneTemplates } from './resources/phone-templates'
import { prompts } from './resources/prompts'
import { resourceServers } from './resources/resource-servers'
import { roles } from './resources/roles'
import { legacyRules } from './resources/rules'
import { signingKeys } from './resources/signing-keys'
import { stats } from './resources/stats'
import { tenantSettings } from './resources/tenant-settings'
import { tickets } from './resources/tickets'
import { tokenExchangeProfiles } from './resources/token-exchange-profiles'
import { upkeep } from './resources/upkeep'
import { userAccess } from './resources/user-access'
import { userBlocks } from './resources/user-blocks'
import { userConsents } from './resources/user-consents'
import { userDeletion } from './resources/user-deletion'
import { userFactors } from './resources/user-factors'
import { userIdentities } from './resources/user-identities'
import { userLogins } from './resources/user-logins'
import { userLogs } from './resources/user-logs'
import { userSignInCheck } from './resources/user-sign-in-check'
import { userSignInPreview } from './resources/user-sign-in-preview'
import { users } from './resources/users'

export const AREAS = [
  clients,
  clientGrants,
  resourceServers,
  connections,
  roles,
  legacyRules,
  hooks,
  actionModules,
  actions,
  actionBindings,
  actionExecutions,
  tokenExchangeProfiles,
  jobs,
  tickets,
  organizations,
  organizationMembers,
  organizationConnections,
  organizationInvitations,
  organizationDomains,
  organizationClientGrants,
  users,
  userAccess,
  userBlocks,
  userDeletion,
  userConsents,
  userFactors,
  userIdentities,
  userLogins,
  clientTokens,
  userLogs,
  userSignInCheck,
  userSignInPreview,
  addressBlocks,
  tenantSettings,
  attackProtection,
  guardianEnrollments,
  guardian,
  branding,
  prompts,
  email,
  emailProvider,
  phoneProviders,
  phoneTemplates,
  signingKeys,
  customDomains,
  administrators,
  logs,
  logins,
  loginShares,
  loginTests,
  logStreams,
  stats,
  upkeep,
  absent,
] as const

export const OPERATIONS: readonly Operation<ManagementDeps>[] = operationsIn<ManagementDeps>(AREAS)
