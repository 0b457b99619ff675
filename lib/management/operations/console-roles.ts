// What each role of an administrator allows in the console: scopes of the Management API, because the console calls its operations.
// Whom an administrator may act on is limited further by rank.ts.
import * as z from 'zod'
import { MANAGEMENT_SCOPES, type ManagementScope, SECRET_SCOPES } from '../../data/apis/management-scopes'
import type { Actor } from './operation'

export const CONSOLE_ROLES = ['owner', 'admin', 'application_editor', 'user_support', 'auditor'] as const
export type ConsoleRole = (typeof CONSOLE_ROLES)[number]

export const consoleRole = z.enum(CONSOLE_ROLES).meta({
  title: 'Role',
  options: {
    owner: 'Owner',
    admin: 'Admin',
    application_editor: 'Application editor',
    user_support: 'User support',
    auditor: 'Auditor',
  },
})

export const isConsoleRole = (text: string): text is ConsoleRole => (CONSOLE_ROLES as readonly string[]).includes(text)

const EVERY_SCOPE = [...MANAGEMENT_SCOPES.keys()] as ManagementScope[]

/**
 * Each of these is equal to ownership, because its holder could sign in as an owner (docs/console.md): code that runs in every login,
 * the providers that say who a person is, those that carry links and codes, the words around a link, the hosts under which people
 * enter passwords, the keys that sign tokens, and the hashes of passwords. So owners alone have them in the console, and a client with
 * one of them is as powerful as an owner.
 */
export const EQUAL_TO_OWNERSHIP: readonly ManagementScope[] = [
  ...writing('administrators', 'actions', 'connections', 'custom_domains', 'email_provider', 'phone_providers'),
  ...writing('rules', 'rules_configs', 'hooks'),
  ...writing('signing_keys', 'phone_templates'),
  'create:email_templates',
  'update:email_templates',
  'update:connections_options',
  'read:password_hashes',
]

function writing(...nouns: string[]): ManagementScope[] {
  return EVERY_SCOPE.filter((scope) => {
    const [verb, noun = ''] = scope.split(':')
    return verb !== 'read' && nouns.includes(noun)
  })
}

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
  'create:login_tests',
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
  'read:logins',
  'create:login_shares',
  'delete:login_shares',
  'create:login_tests',
  'read:logs',
  'read:logs_users',
  'read:stats',
]

const SCOPES: Readonly<Record<ConsoleRole, readonly ManagementScope[]>> = {
  owner: EVERY_SCOPE,
  admin: EVERY_SCOPE.filter((scope) => !EQUAL_TO_OWNERSHIP.includes(scope)),
  application_editor: APPLICATIONS,
  user_support: SUPPORT,
  auditor: EVERY_SCOPE.filter((scope) => scope.startsWith('read:') && !SECRET_SCOPES.has(scope)),
}

export const scopesOfRole = (role: ConsoleRole): readonly ManagementScope[] => SCOPES[role]

/** As members of an actor. User support helps people with their accounts; what they may do at applications is for others to say. */
export const rightsOfRole = (role: ConsoleRole): Pick<Actor, 'scopes' | 'givesRights'> => ({
  scopes: new Set<string>(SCOPES[role]),
  ...(role === 'user_support' ? { givesRights: false } : {}),
})
