// Every member of every body of the Management API, of the options of every connection and of every section of a tenant file is
// proven by a test: one of those that its group names has it in its text. A member that is added later has none, and fails.
// Members of the vendor's that no schema here knows are in lib/server/endpoints/management/vendor-members.test.ts.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { isStrategy, type Strategy, settingsOf } from '../../data/connections/connection'
import type { Json } from '../../kernel/json'
import { seededRandom } from '../../kernel/random'
import { unwrapped } from '../../kernel/schema'
import { createVault } from '../../kernel/secret'
import { OPERATIONS } from '..'
import { firstName } from '../operations/effects'
import { NOTHING } from './configuration'
import * as context from './context'
import { planTenant } from './plan'
import { SECTIONS } from './sections'

const ENDPOINTS = 'lib/server/endpoints'
const API = `${ENDPOINTS}/management`

const CLIENTS = [
  `${API}/clients.test.ts`,
  `${API}/contract.test.ts`,
  `${API}/secrets.test.ts`,
  `${API}/rotate-secret.test.ts`,
  'lib/server/endpoints/oauth/token-exchange.test.ts',
  'lib/data/clients/registration.test.ts',
  'lib/data/clients/client.test.ts',
  'lib/data/clients/fapi2.test.ts',
  'lib/data/clients/saml.test.ts',
  `${ENDPOINTS}/saml/samlp.test.ts`,
  `${ENDPOINTS}/saml/certificates.test.ts`,
  `${ENDPOINTS}/wsfed/wsfed.test.ts`,
  `${ENDPOINTS}/oauth/organizations.test.ts`,
  `${ENDPOINTS}/oauth/mobile-apps.test.ts`,
  `${ENDPOINTS}/oauth/conformance-logout.test.ts`,
  `${ENDPOINTS}/oauth/single-logout.test.ts`,
  `${ENDPOINTS}/oauth/refresh.test.ts`,
  `${ENDPOINTS}/oauth/par.test.ts`,
  `${ENDPOINTS}/oauth/client-organizations.test.ts`,
  `${ENDPOINTS}/database/cross-origin-login.test.ts`,
  `${ENDPOINTS}/limits.test.ts`,
  `${ENDPOINTS}/hosted/post-login.test.ts`,
  `${ENDPOINTS}/oauth/introspect.test.ts`,
  `${ENDPOINTS}/oauth/consent.test.ts`,
  'lib/identity/mfa/policy.test.ts',
]
const APIS = [
  `${API}/contract.test.ts`,
  `${API}/terraform.test.ts`,
  `${ENDPOINTS}/oauth/consent.test.ts`,
  `${ENDPOINTS}/oauth/dpop.test.ts`,
  `${ENDPOINTS}/oauth/client-credentials.test.ts`,
  `${API}/grants-of-users.test.ts`,
  'lib/data/apis/built-in.test.ts',
  `${ENDPOINTS}/oauth/signing-algorithms.test.ts`,
  'e2e/interop/management.test.ts',
]
const CONNECTIONS = [
  'lib/data/connections/connection.test.ts',
  `${API}/contract.test.ts`,
  `${API}/clients.test.ts`,
  `${API}/vendor-members.test.ts`,
  `${ENDPOINTS}/database/cross-origin-login.test.ts`,
  `${ENDPOINTS}/hosted/linking.test.ts`,
]
const DATABASES = [
  ...CONNECTIONS,
  `${API}/custom-databases.test.ts`,
  `${ENDPOINTS}/database/signup.test.ts`,
  `${ENDPOINTS}/database/change-password.test.ts`,
  'lib/login/flow/password-hints.test.ts',
  'lib/identity/passkeys/passkeys.test.ts',
  `${ENDPOINTS}/hosted/passkey.test.ts`,
  `${ENDPOINTS}/hosted/sign-up-page.test.ts`,
  `${ENDPOINTS}/hosted/reset-code.test.ts`,
  'lib/data/users/username.test.ts',
]
const PASSWORDLESS = [
  ...CONNECTIONS,
  `${ENDPOINTS}/passwordless/passwordless.test.ts`,
  `${ENDPOINTS}/mfa/mfa-phone.test.ts`,
  `${ENDPOINTS}/hosted/passwordless-link.test.ts`,
]
const UPSTREAM = [
  ...CONNECTIONS,
  'lib/identity/strategies/federated.test.ts',
  'lib/identity/strategies/odd-answers.test.ts',
  'lib/data/connections/upstream/unused-options.test.ts',
  'lib/identity/strategies/script-profile.test.ts',
  `${ENDPOINTS}/hosted/upstream.test.ts`,
  `${ENDPOINTS}/hosted/home-realm.test.ts`,
  `${ENDPOINTS}/portal/organization-connection.test.ts`,
  `${ENDPOINTS}/saml/samlp-connection.test.ts`,
  `${ENDPOINTS}/saml/session-end.test.ts`,
  'lib/management/tenant-file/saml-connections.test.ts',
  `${ENDPOINTS}/wsfed/wsfed-connection.test.ts`,
]
const TENANT = [
  `${API}/tenant-settings.test.ts`,
  `${API}/organizations.test.ts`,
  `${ENDPOINTS}/oauth/conformance.test.ts`,
  `${ENDPOINTS}/oauth/client-organizations.test.ts`,
  `${ENDPOINTS}/portal/deletion.test.ts`,
  `${ENDPOINTS}/portal/organization-connection.test.ts`,
  `${ENDPOINTS}/portal/own-factors.test.ts`,
  `${ENDPOINTS}/hosted/remembered-accounts.test.ts`,
  `${ENDPOINTS}/oauth/changing-scopes.test.ts`,
  `${ENDPOINTS}/oauth/mcp-clients.test.ts`,
  'lib/data/clients/fapi2.test.ts',
  'lib/server/next/console/console.test.ts',
]
const ATTACKS = [
  `${API}/attack-protection.test.ts`,
  `${API}/vendor-members.test.ts`,
  `${ENDPOINTS}/hosted/captcha.test.ts`,
]
const BRANDING = [`${API}/branding.test.ts`, 'lib/pages/themed-look.test.ts', 'e2e/flows/screens.spec.ts']
const GUARDIAN = [
  `${API}/guardian.test.ts`,
  `${ENDPOINTS}/hosted/enroll.test.ts`,
  `${ENDPOINTS}/hosted/mfa-key.test.ts`,
]
const ORGANIZATIONS = [`${API}/organizations.test.ts`, `${API}/vendor-members.test.ts`]
const USERS = [`${API}/users.test.ts`, `${API}/jobs.test.ts`, `${API}/user-parts.test.ts`, `${API}/contract.test.ts`]

/** Groups of members, by the beginning of their names; the longest that fits counts. */
const PROVEN: Readonly<Record<string, readonly string[]>> = {
  clients: CLIENTS,
  client_grants: [`${API}/clients.test.ts`, `${API}/contract.test.ts`, `${API}/grants-of-users.test.ts`],
  resource_servers: APIS,
  connections: CONNECTIONS,
  'options of auth0': DATABASES,
  'options of email': PASSWORDLESS,
  'options of sms': PASSWORDLESS,
  'options of': UPSTREAM,
  roles: [
    `${API}/contract.test.ts`,
    `${API}/unchanged.test.ts`,
    `${ENDPOINTS}/portal/organization-administration.test.ts`,
  ],
  actions: [`${API}/actions.test.ts`, `${API}/action-modules.test.ts`],
  action_modules: [`${API}/action-modules.test.ts`],
  hooks: [`${API}/hooks.test.ts`],
  rules: [`${API}/rules.test.ts`],
  rules_configs: [`${API}/rules.test.ts`],
  jobs: [`${API}/jobs.test.ts`, `${API}/mail-sources.test.ts`],
  tickets: [`${API}/tickets.test.ts`],
  organizations: ORGANIZATIONS,
  'organizations.discovery_domains': [`${API}/organization-domains.test.ts`],
  'organizations.client_grants': [`${API}/clients.test.ts`],
  users: USERS,
  'users.permissions': [`${API}/user-parts.test.ts`, `${API}/unchanged.test.ts`],
  'users.identities': [`${API}/user-parts.test.ts`, `${ENDPOINTS}/account/current-user-identities.test.ts`],
  sessions: [`${API}/unchanged.test.ts`],
  refresh_tokens: [`${API}/unchanged.test.ts`],
  tenant_settings: TENANT,
  brute_force_protection: ATTACKS,
  suspicious_ip_throttling: ATTACKS,
  breached_password_detection: ATTACKS,
  bot_detection: ATTACKS,
  captcha: ATTACKS,
  guardian: GUARDIAN,
  branding: BRANDING,
  branding_themes: BRANDING,
  prompts: BRANDING,
  email_templates: [`${API}/email-templates.test.ts`],
  email_provider: [`${API}/email-provider.test.ts`, 'lib/data/outbox/mail-providers.test.ts'],
  phone_providers: [`${API}/phone-providers.test.ts`],
  phone_templates: [`${API}/phone-templates.test.ts`],
  custom_domains: [`${API}/custom-domains.test.ts`, `${API}/contract.test.ts`],
  administrators: [`${API}/administrators.test.ts`, `${API}/rank.test.ts`],
  token_exchange_profiles: ['lib/server/endpoints/oauth/token-exchange.test.ts'],
  login_tests: [`${ENDPOINTS}/hosted/login-test.test.ts`, `${ENDPOINTS}/hosted/answer-test.test.ts`],
  login_shares: [`${API}/login-shares.test.ts`, `${ENDPOINTS}/hosted/shared-test.test.ts`],
  log_streams: [`${API}/log-streams.test.ts`, `${API}/contract.test.ts`],
  'file tenant': TENANT,
  'file branding': BRANDING,
  'file themes': BRANDING,
  'file prompts': BRANDING,
  'file emailTemplates': [`${API}/email-templates.test.ts`],
  'file phoneProviders': [`${API}/phone-providers.test.ts`],
  'file hooks': ['lib/management/tenant-file/hooks.test.ts'],
  'file rules': [`${API}/rules.test.ts`],
  'file rulesConfigs': [`${API}/rules.test.ts`],
  'file phoneTemplates': [`${API}/phone-templates.test.ts`],
  'file attackProtection': ATTACKS,
  'file guardianPhoneFactorMessageTypes': GUARDIAN,
  'file guardianPhoneFactorSelectedProvider': GUARDIAN,
  'file guardianWebauthnRoaming': GUARDIAN,
  'file guardianFactors': ['lib/management/tenant-file/plan.test.ts'],
  'file guardianPolicies': ['lib/management/tenant-file/plan.test.ts'],
  'file claimRules': ['lib/management/tenant-file/claim-rules.test.ts'],
  'file clients': CLIENTS,
  'file resourceServers': APIS,
  'file clientGrants': [`${API}/clients.test.ts`, `${API}/contract.test.ts`, `${API}/grants-of-users.test.ts`],
  'file databases': DATABASES,
  'file connections': [...UPSTREAM, ...PASSWORDLESS],
  'file organizations': ORGANIZATIONS,
  'file actions': [
    `${API}/actions.test.ts`,
    'lib/management/tenant-file/actions.test.ts',
    'lib/management/tenant-file/packages.test.ts',
    'lib/management/tenant-file/action-modules.test.ts',
    `${API}/action-modules.test.ts`,
  ],
  'file actionModules': ['lib/management/tenant-file/action-modules.test.ts'],
  'file tokenExchangeProfiles': ['lib/management/tenant-file/token-exchange-profiles.test.ts'],
  'file roles': ['lib/management/tenant-file/plan.test.ts'],
  'file logStreams': [`${API}/log-streams.test.ts`, `${API}/contract.test.ts`],
  'file users': [...USERS, 'lib/data/users/custom-password-hash.test.ts'],
}

/** The members within these are named by a test that walks its schema itself. */
const WALKED: Readonly<Record<string, string>> = { 'branding_themes: colors': 'lib/pages/themed-look.test.ts' }

/** Their values have members of every name, or go through the operation of the same name. */
const WITHOUT_FIELDS = ['emailProvider', 'triggers']

/** The paths of the members without members of their own. */
function leavesOf(schema: z.ZodType, path = ''): string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodPipe) return leavesOf(inner.in as z.ZodType, path)
  if (inner instanceof z.ZodArray) return leavesOf(inner.element as z.ZodType, path)
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => leavesOf(option as z.ZodType, path))
  if (!(inner instanceof z.ZodObject)) return path === '' ? [] : [path]
  return Object.entries(inner.shape).flatMap(([name, member]) =>
    leavesOf(member as z.ZodType, path === '' ? name : `${path}.${name}`),
  )
}

const STRATEGIES = ['auth0', 'email', 'sms', 'samlp', 'adfs', 'waad', 'oidc'].filter(isStrategy)

const ofOperations = OPERATIONS.filter(({ body, method }) => body && method !== 'GET' && method !== 'DELETE').map(
  ({ name, body, describedBody = body }) => [name.replace(/\.\w+$/, ''), describedBody as z.ZodType] as const,
)
const ofConnections = STRATEGIES.map((strategy) => [`options of ${strategy}`, settingsOf(strategy)] as const)

/** What a section reads of an entry, which decides which kind of entry it is. */
const ENTRIES: Readonly<Record<string, Json[]>> = {
  connections: STRATEGIES.filter((strategy) => strategy !== 'auth0').map(entryOf),
}

function entryOf(strategy: Strategy): Json {
  const address = 'https://idp.example.com'
  const options = { client_id: 'x', issuer: address, tenant_domain: 'a.example.com', metadataUrl: address }
  return { name: `of-${strategy}`, strategy, options: { ...options, adfs_server: 'a.example.com' } }
}

/** The sections that read their entries by a schema, with the schemas. */
async function ofFile(): Promise<(readonly [section: string, schema: z.ZodType])[]> {
  const reading = vi.spyOn(context, 'readFields')
  for (const { name } of SECTIONS)
    for (const given of [{}, [{}], ENTRIES[name]]) if (given !== undefined) await tryPlan({ [name]: given })
  const read = reading.mock.calls.map(([schema, , path]) => [firstName(path), schema] as const)
  reading.mockRestore()
  return read
}

async function tryPlan(document: Record<string, Json>): Promise<void> {
  const stored = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }
  const place = { file: 'tenant.yaml', tenantId: 'main', baseUrl: 'https://id.test' }
  const deps = { vault: createVault('a secret of thirty-two characters'), random: seededRandom('members') }
  try {
    await planTenant({
      ...place,
      ...deps,
      document,
      stored,
      users: [],
      templateFault: () => null,
      unusedTexts: () => [],
    })
  } catch {
    // An empty entry lacks what it must have.
  }
}

const sections = await ofFile()
const groups = [
  ...ofOperations,
  ...ofConnections,
  ...sections.map(([name, schema]) => [`file ${name}`, schema] as const),
]
const members = [...new Set(groups.flatMap(([group, schema]) => leavesOf(schema).map((path) => `${group}: ${path}`)))]

function filesOf(group: string): readonly string[] {
  const fitting = Object.keys(PROVEN).filter(
    (name) => group === name || group.startsWith(`${name}.`) || group.startsWith(`${name} `),
  )
  return PROVEN[fitting.sort((a, b) => b.length - a.length)[0] ?? ''] ?? []
}

const texts = new Map<string, string>()
function textOf(file: string): string {
  const text = texts.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  texts.set(file, text)
  return text
}

function isProven(member: string): boolean {
  if (Object.keys(WALKED).some((outer) => member.startsWith(`${outer}.`))) return true
  const [, group = '', name = ''] = /^(.*): (?:.*\.)?([^.]+)$/.exec(member) ?? []
  const word = new RegExp(`(?<![\\w-])${name}(?![\\w-])`)
  return filesOf(group).some((file) => word.test(textOf(file)))
}

it('every section of a tenant file reads its entries by a schema, or is named', () => {
  const seen = new Set(sections.map(([name]) => name))
  expect(SECTIONS.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual(WITHOUT_FIELDS)
})

it('every member is in a test that its group names', () => {
  expect(members.length).toBeGreaterThan(700)
  expect(members.filter((member) => !isProven(member))).toEqual([])
})

it('every group and every file that is named exists', () => {
  const all = groups.map(([group]) => group)
  const isUsed = (name: string): boolean =>
    all.some((group) => group === name || group.startsWith(`${name}.`) || group.startsWith(`${name} `))
  expect(Object.keys(PROVEN).filter((name) => !isUsed(name))).toEqual([])
  const files = new Set([...Object.values(PROVEN).flat(), ...Object.values(WALKED)])
  expect([...files].filter((file) => !existsSync(file))).toEqual([])
})
