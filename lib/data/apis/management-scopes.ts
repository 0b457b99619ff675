// The scopes of the Management API that an application gets by a client grant, as the vendor names them. Tools create grants that
// name any of them, so the list is complete, also where an operation does not exist here.

const ACTIONS = { c: 'create', r: 'read', u: 'update', d: 'delete' } as const
type Letter = keyof typeof ACTIONS

/** What can be done with each noun, by the first letters of create, read, update and delete. */
const NOUNS = {
  actions: 'crud',
  /** Ours: of people who may enter the console. */
  administrators: 'crud',
  agents: 'crud',
  anomaly_blocks: 'rd',
  attack_protection: 'ru',
  authentication_methods: 'crud',
  branding: 'rud',
  client_credentials: 'crud',
  client_grants: 'crud',
  client_keys: 'ru',
  client_summary: 'r',
  client_token_vault_privileged_access: 'u',
  clients: 'crud',
  connection_profiles: 'crud',
  connections: 'crud',
  connections_keys: 'cru',
  connections_options: 'ru',
  custom_domains: 'crud',
  custom_signing_keys: 'crud',
  device_credentials: 'rd',
  directory_provisionings: 'crud',
  email_provider: 'crud',
  email_templates: 'cru',
  encryption_keys: 'crud',
  event_deliveries: 'ru',
  event_streams: 'crud',
  events: 'r',
  experimentation: 'u',
  flows: 'crud',
  flows_executions: 'rd',
  flows_vault_connections: 'crud',
  forms: 'crud',
  grants: 'rd',
  group_members: 'r',
  group_roles: 'crd',
  groups: 'rd',
  guardian_enrollment_tickets: 'c',
  guardian_enrollments: 'rd',
  guardian_factors: 'ru',
  hooks: 'crud',
  log_streams: 'crud',
  /** Ours: of links to a copy of a login, and to a try of one. */
  login_shares: 'cd',
  /** Ours: of tests of logins. */
  login_tests: 'c',
  /** Ours: of the steps of logins. */
  logins: 'r',
  logs: 'r',
  logs_users: 'r',
  mfa_policies: 'ru',
  network_acl_keys: 'crd',
  network_acls: 'crud',
  organization_client_grants: 'crd',
  organization_clients: 'crud',
  organization_connections: 'crud',
  organization_discovery_domains: 'crud',
  organization_group_roles: 'crd',
  organization_groups: 'r',
  organization_invitations: 'crd',
  organization_member_effective_roles: 'r',
  organization_member_role_source_groups: 'r',
  organization_member_roles: 'crd',
  organization_members: 'crd',
  organization_templates: 'r',
  organizations: 'crud',
  organizations_summary: 'r',
  phone_providers: 'crud',
  phone_templates: 'crud',
  /** Ours: of exports of users. */
  password_hashes: 'r',
  prompts: 'ru',
  rate_limit_policies: 'crud',
  refresh_tokens: 'rud',
  resource_servers: 'crud',
  role_members: 'crd',
  roles: 'crud',
  rules: 'crud',
  rules_configs: 'rud',
  scim_config: 'crud',
  scim_token: 'crd',
  self_service_profile_custom_texts: 'ru',
  self_service_profiles: 'crud',
  sessions: 'rud',
  signing_keys: 'cru',
  sso_access_tickets: 'cd',
  stats: 'r',
  tenant_settings: 'ru',
  token_exchange_profiles: 'crud',
  user_attribute_profiles: 'crud',
  user_effective_permissions: 'r',
  user_effective_roles: 'r',
  user_idp_tokens: 'r',
  user_permission_source_roles: 'r',
  user_role_source_groups: 'r',
  user_tickets: 'c',
  users: 'crud',
  users_app_metadata: 'u',
  vdcs_templates: 'crud',
} as const

type Noun = keyof typeof NOUNS
type LetterOf<Letters extends string> = Letters extends `${infer First}${infer Rest}` ? First | LetterOf<Rest> : never
export type ManagementScope = {
  [N in Noun]: `${(typeof ACTIONS)[Extract<LetterOf<(typeof NOUNS)[N]>, Letter>]}:${N}`
}[Noun]

const actionsOf = (letters: string): string[] => [...letters].map((letter) => ACTIONS[letter as Letter])

/** Reading these shows secrets. */
export const SECRET_SCOPES: ReadonlySet<string> = new Set<ManagementScope>([
  'read:client_keys',
  'read:connections_options',
  'read:encryption_keys',
  'read:password_hashes',
  'read:user_idp_tokens',
])

/** By scope, what it allows. */
export const MANAGEMENT_SCOPES: ReadonlyMap<string, string> = new Map(
  Object.entries(NOUNS).flatMap(([noun, letters]) =>
    actionsOf(letters).map((action): [string, string] => {
      const verb = `${action.charAt(0).toUpperCase()}${action.slice(1)}`
      return [`${action}:${noun}`, `${verb} ${noun.replaceAll('_', ' ')}`]
    }),
  ),
)

/**
 * The scopes that may change how people sign in. Every change of the tenant can, by an account, a role, a connection, an application or
 * a message; so can a secret.
 */
export const CHANGING_MANAGEMENT_SCOPES: readonly string[] = [...MANAGEMENT_SCOPES.keys()].filter(
  (scope) => !scope.startsWith('read:') || SECRET_SCOPES.has(scope),
)
