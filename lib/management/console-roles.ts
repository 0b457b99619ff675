// What each role of an administrator allows in the console: scopes of the Management API, because the console calls its operations.
import { MANAGEMENT_SCOPES, type ManagementScope, SECRET_SCOPES } from '../apis/management-scopes'

export const CONSOLE_ROLES = ['owner', 'admin', 'application_editor', 'user_support', 'auditor'] as const
export type ConsoleRole = (typeof CONSOLE_ROLES)[number]

const EVERY_SCOPE = [...MANAGEMENT_SCOPES.keys()] as ManagementScope[]

const APPLICATIONS: readonly ManagementScope[] = [
  'read:clients',
  'create:clients',
  'update:clients',
  'delete:clients',
  'update:client_keys',
  'read:client_credentials',
  'create:client_credentials',
  'update:client_credentials',
  'delete:client_credentials',
  'read:resource_servers',
  'create:resource_servers',
  'update:resource_servers',
  'delete:resource_servers',
  'read:client_grants',
  'read:connections',
  'read:branding',
  'read:custom_domains',
]

const SUPPORT: readonly ManagementScope[] = [
  'read:users',
  'update:users',
  'create:user_tickets',
  'read:authentication_methods',
  'delete:authentication_methods',
  'read:guardian_enrollments',
  'delete:guardian_enrollments',
  'create:guardian_enrollment_tickets',
  'read:sessions',
  'delete:sessions',
  'read:refresh_tokens',
  'delete:refresh_tokens',
  'read:device_credentials',
  'delete:device_credentials',
  'read:grants',
  'delete:grants',
  'read:anomaly_blocks',
  'delete:anomaly_blocks',
  'read:roles',
  'read:role_members',
  'read:organizations',
  'read:organization_members',
  'read:connections',
  'read:client_summary',
  'read:logs',
  'read:logs_users',
  'read:stats',
]

const SCOPES: Readonly<Record<ConsoleRole, readonly ManagementScope[]>> = {
  owner: EVERY_SCOPE,
  admin: EVERY_SCOPE.filter((scope) => !scope.endsWith(':administrators') || scope.startsWith('read:')),
  application_editor: APPLICATIONS,
  user_support: SUPPORT,
  auditor: EVERY_SCOPE.filter((scope) => scope.startsWith('read:') && !SECRET_SCOPES.has(scope)),
}

export const scopesOfRole = (role: ConsoleRole): readonly ManagementScope[] => SCOPES[role]
