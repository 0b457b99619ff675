// What the operations need together. Each resource names its own part.

import type { JobDeps } from './jobs/resource'
import type { DocumentDeps } from './operations/documents'
import type { IdempotencyDeps } from './operations/idempotency'
import type { RankDeps } from './operations/rank'
import type { BindingDeps } from './resources/action-bindings'
import type { ExecutionDeps } from './resources/action-executions'
import type { AddressBlockDeps } from './resources/address-blocks'
import type { AdministratorDeps } from './resources/administrators'
import type { ClientGrantDeps } from './resources/client-grants'
import type { ClientDeps } from './resources/clients'
import type { ConnectionDeps } from './resources/connections'
import type { CustomDomainDeps } from './resources/custom-domains'
import type { EmailDeps } from './resources/email'
import type { EmailProviderDeps } from './resources/email-provider'
import type { GuardianDeps } from './resources/guardian'
import type { GuardianEnrollmentDeps } from './resources/guardian-enrollments'
import type { HookDeps } from './resources/hooks'
import type { LogStreamDeps } from './resources/log-streams'
import type { LogDeps } from './resources/logs'
import type { OrganizationClientGrantDeps } from './resources/organization-client-grants'
import type { OrganizationConnectionDeps } from './resources/organization-connections'
import type { OrganizationDomainDeps } from './resources/organization-domains'
import type { InvitationDeps } from './resources/organization-invitations'
import type { OrganizationMemberDeps } from './resources/organization-members'
import type { PhoneProviderDeps } from './resources/phone-providers'
import type { PhoneTemplateDeps } from './resources/phone-templates'
import type { PromptDeps } from './resources/prompts'
import type { ResourceServerDeps } from './resources/resource-servers'
import type { RoleDeps } from './resources/roles'
import type { RuleDeps } from './resources/rules'
import type { SigningKeyDeps } from './resources/signing-keys'
import type { StatsDeps } from './resources/stats'
import type { TicketDeps } from './resources/tickets'
import type { TokenExchangeProfileDeps } from './resources/token-exchange-profiles'
import type { UserAccessDeps } from './resources/user-access'
import type { UserBlockDeps } from './resources/user-blocks'
import type { UserConsentDeps } from './resources/user-consents'
import type { UserDeletionDeps } from './resources/user-deletion'
import type { UserFactorDeps } from './resources/user-factors'
import type { UserIdentityDeps } from './resources/user-identities'
import type { UserLoginDeps } from './resources/user-logins'
import type { UserLogDeps } from './resources/user-logs'
import type { UserDeps } from './resources/users'

export type ManagementDeps = ClientDeps &
  ResourceServerDeps &
  ClientGrantDeps &
  ConnectionDeps &
  RoleDeps &
  TokenExchangeProfileDeps &
  UserDeps &
  UserAccessDeps &
  UserBlockDeps &
  UserConsentDeps &
  UserDeletionDeps &
  UserFactorDeps &
  GuardianEnrollmentDeps &
  UserIdentityDeps &
  UserLoginDeps &
  UserLogDeps &
  AddressBlockDeps &
  AdministratorDeps &
  BindingDeps &
  ExecutionDeps &
  OrganizationMemberDeps &
  OrganizationConnectionDeps &
  InvitationDeps &
  OrganizationDomainDeps &
  OrganizationClientGrantDeps &
  GuardianDeps &
  DocumentDeps &
  HookDeps &
  RuleDeps &
  EmailDeps &
  PromptDeps &
  IdempotencyDeps &
  SigningKeyDeps &
  CustomDomainDeps &
  LogDeps &
  LogStreamDeps &
  StatsDeps &
  JobDeps &
  EmailProviderDeps &
  PhoneProviderDeps &
  PhoneTemplateDeps &
  TicketDeps &
  RankDeps
