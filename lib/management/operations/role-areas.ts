// What the roles of administrators allow, by area, for people who compare them. It derives from the scopes of each role.
import { MANAGEMENT_SCOPES, type ManagementScope } from '../../data/apis/management-scopes'
import { type ConsoleRole, scopesOfRole } from './console-roles'

/** The nouns of the scopes of each area. */
const AREAS = {
  users: ['users'],
  factors: ['authentication_methods', 'guardian_enrollments'],
  sessions: ['sessions', 'refresh_tokens', 'grants'],
  blocks: ['anomaly_blocks'],
  roles: ['roles', 'role_members'],
  organizations: ['organizations', 'organization_members', 'organization_connections'],
  applications: ['clients', 'client_credentials'],
  apis: ['resource_servers'],
  grants: ['client_grants'],
  connections: ['connections'],
  providers: ['email_provider', 'phone_providers'],
  security: ['attack_protection', 'guardian_factors', 'mfa_policies'],
  keys: ['signing_keys'],
  logs: ['logs', 'logs_users'],
  streams: ['log_streams'],
  settings: ['tenant_settings'],
  domains: ['custom_domains'],
  administrators: ['administrators'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type RoleArea = keyof typeof AREAS

export const ROLE_AREAS = Object.keys(AREAS) as RoleArea[]

export type AreaRight = 'all' | 'some' | 'read' | 'none'

const isRead = (scope: ManagementScope): boolean => scope.startsWith('read:')

export function rightIn(area: RoleArea, role: ConsoleRole): AreaRight {
  const nouns: readonly string[] = AREAS[area]
  const scopes = ([...MANAGEMENT_SCOPES.keys()] as ManagementScope[]).filter((scope) =>
    nouns.includes(scope.slice(scope.indexOf(':') + 1)),
  )
  const held = scopesOfRole(role).filter((scope) => scopes.includes(scope))
  const writes = held.filter((scope) => !isRead(scope))
  if (writes.length === scopes.filter((scope) => !isRead(scope)).length && writes.length > 0) return 'all'
  if (writes.length > 0) return 'some'
  return held.length > 0 ? 'read' : 'none'
}
