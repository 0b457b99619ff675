// Every read of many things in a grown database (growth.ts), as requests make it: each GET of the Management API with each of its filters
// and orders, each page of the account portal, the pieces of exports and of the tenant file, and clean-up. An operation or a page that
// is added is called without a line here; a filter that is added needs a value in VALUES, and the test names it.
import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { ENDED, removeBatch } from '../adapters/store/clean-up'
import { jobStore } from '../adapters/store/prisma/jobs'
import { rankStore } from '../adapters/store/prisma/management/rank'
import { tenantFileStore } from '../adapters/store/prisma/tenant-file'
import { managementAudience } from '../data/apis/built-in'
import { OPERATIONS } from '../management'
import type { Operation } from '../management/operations/operation'
import { PORTAL_PAGES } from '../pages/view'
import { BASE_URL } from './database'
import { LARGE_ORGANIZATION, RARE_ROLE } from './growth'
import { addManager, type Manager } from './management'
import { enterPortal } from './portal'
import type { TestServer } from './server'

export type ListCall = {
  name: string
  /** It asks for a total, which counts all that is found. */
  counts?: true
  run(): Promise<unknown>
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** A user with one of everything that users have. */
const PERSON = `auth0|${md5('20')}`
/** Of the large organization, with a role there. */
const MEMBER = `auth0|${md5('2')}`
const SOME_API = 'https://api.test'
const SMALL_API = 'https://small.test'
const NONE = 'none'

type Values = Readonly<Record<string, readonly string[]>>

/** What stands in a path behind a segment. */
const IN_PATH: Readonly<Record<string, string>> = {
  users: PERSON,
  'user-blocks': PERSON,
  organizations: LARGE_ORGANIZATION,
  name: 'org-1',
  members: MEMBER,
  roles: 'rol_1',
  clients: 'registered1',
  connections: 'con_database',
  'client-grants': 'cgr_1',
  invitations: 'uinv_2',
  'discovery-domains': 'org_dom_1',
}

/** The same of what has little, among much of others. */
const WITH_LITTLE: Readonly<Record<string, string>> = {
  organizations: 'org_2',
  roles: RARE_ROLE,
  'client-grants': 'cgr_2',
}

const bothWays = (fields: readonly string[]): string[] => fields.flatMap((field) => [`${field}:1`, `${field}:-1`])

/** By the parameter, or the operation and the parameter: a value that few have, one that none has, and one that most have. */
const VALUES: Values = {
  user_id: [PERSON, NONE],
  client_id: ['registered7', NONE, 'app'],
  audience: [SOME_API, NONE, ''],
  email: ['person7@mail.test', NONE],
  identifier: ['person7@mail.test', NONE],
  connection: ['Users', NONE],
  name_filter: ['registered7', NONE],
  owner_id: ['org_1', NONE],
  'clients.list q': ['client_grant.organization_id:org_1', 'client_grant.allow_any_organization:true'],
  'clients.search q': ['name:registered7', 'client_id:none', 'client_grant.organization_id:org_1', 'name:*none*'],
  'clients.search sort': ['name', 'updated_at'],
  'organizations.search q': ['name:org-1', 'id:none', 'display_name:*none*'],
  'organizations.search sort': ['name', 'display_name', 'created_at'],
  parser: ['lucene', 'scim'],
  'roles.list type': ['tenant', 'organization'],
  is_enabled: ['true', 'false'],
  enabled: ['true', 'false'],
  disabled: ['true'],
  consider_brute_force_enablement: ['true'],
  'users.list sort': bothWays(['user_id', 'email', 'name', 'given_name', 'family_name', 'nickname', 'username']).concat(
    bothWays(['phone_number', 'created_at', 'updated_at', 'last_login', 'last_ip', 'logins_count', 'email_verified']),
    bothWays(['blocked']),
  ),
  'users.list q': [
    ...[
      'email:person7@mail.test',
      'email:none*',
      'name:"Person 7"',
      'nickname:person7',
      'given_name:none',
      'family_name:none',
    ],
    ...[
      'username:none',
      'phone_number:"+1"',
      `user_id:"${PERSON}"`,
      'user_metadata.theme:none',
      'app_metadata.plan:none',
    ],
    ...['created_at:[* TO 2020-01-01]', 'last_login:2020-01-01', 'identities.connection:none', 'person7'],
    ...[`identities.user_id:${md5('7')}`, 'identities.provider:none', 'email.domain:none.test'],
    ...['organization_id:org_2', 'nickname:none*', 'email:none OR NOT *', 'multifactor:none'],
  ],
  search_engine: ['v3'],
  primary_order: ['true'],
  is_global: ['true', 'false'],
  is_first_party: ['true', 'false'],
  app_type: ['native', 'non_interactive'],
  allow_any_organization: ['true', 'false'],
  subject_type: ['client', 'user'],
  grant_ids: ['cgr_1', NONE],
  identifiers: [SOME_API],
  include_system: ['true'],
  name: ['Users', NONE],
  strategy: ['auth0', 'samlp'],
  triggerId: ['post-change-password'],
  actionName: ['a'],
  deployed: ['true'],
  installed: ['false'],
  action_name: ['a', NONE],
  'logins.list outcome': ['failed', 'waiting'],
  'logins.list client_id': ['spa', NONE],
  'logins.list connection': ['Users', NONE],
  'logins.list user': [PERSON, NONE],
  'logins.list login_share': [NONE],
  'login_shares.list kind': ['report', 'test'],
  'login_shares.list login_id': [NONE],
  'login_shares.list client_id': ['spa', NONE],
  'login_shares.list connection': ['Users', NONE],
  'login_shares.list organization': [LARGE_ORGANIZATION, NONE],
  'users.sign_in_check client_id': ['registered7', NONE],
  'users.sign_in_check organization': [LARGE_ORGANIZATION, NONE],
  'users.sign_in_preview client_id': ['registered7', NONE],
  'users.sign_in_preview connection': ['Users', NONE],
  'users.sign_in_preview organization': [LARGE_ORGANIZATION, NONE],
  'users.sign_in_preview audience': [SOME_API, NONE],
  'users.sign_in_preview scope': ['openid'],
  'users.sign_in_preview ip': ['203.0.113.9'],
  'users.sign_in_preview browser': ['known'],
  'old_secrets.list days': ['0', '365'],
  'users.sign_in_preview protocol': ['samlp', 'wsfed'],
  type: ['public_key', 'refresh_token'],
  'organizations.list sort': bothWays(['name', 'created_at']),
  'organizations.invitations.list sort': bothWays(['created_at']),
  'logs.list sort': bothWays(['date']),
  'users.logs.list sort': bothWays(['date']),
  q: [
    `user_id:"${PERSON}"`,
    `user_id:${NONE}`,
    'type:fp',
    `type:${NONE}`,
    'date:[2020-01-01 TO *]',
    `type:fp AND user_id:"${PERSON}"`,
    `type:fp OR type:${NONE} OR user_id:"${PERSON}"`,
    'type:s AND NOT type:fp',
    `client_id:${NONE}`,
  ],
  search: ['type:s'],
  'stats.activity range': ['24h', '90d'],
  'stats.activity by': ['application', 'connection'],
  'stats.daily from': ['20270101'],
  'stats.daily to': ['20261101'],
}

/** What a filter needs beside it. */
const TOGETHER: Readonly<Record<string, Query>> = { 'roles.list owner_id': { type: 'organization' } }

const CHECKPOINT = ['from', 'take']
/** Shared by lists, or without an effect on what is read. */
const OF_LISTS = ['page', 'per_page', 'include_totals', 'take', 'fields', 'include_fields']

const filtersOf = ({ query }: Operation<never>): string[] => {
  const names = Object.keys(query?.shape ?? {})
  const paging = CHECKPOINT.every((name) => names.includes(name)) ? [...OF_LISTS, 'from'] : OF_LISTS
  return names.filter((name) => !paging.includes(name) && name !== 'sort')
}

const valuesOf = (operation: string, parameter: string): readonly string[] | undefined =>
  VALUES[`${operation} ${parameter}`] ?? VALUES[parameter]

/** Filters and orders that have no values here. */
export const withoutValues = (): string[] =>
  READS.flatMap((operation) => {
    const sorted = operation.query && 'sort' in operation.query.shape ? ['sort'] : []
    return [...filtersOf(operation), ...sorted]
      .filter((name) => valuesOf(operation.name, name) === undefined)
      .map((name) => `${operation.name} ${name}`)
  })

/** What this server lacks asks for nothing. */
const READS = OPERATIONS.filter(
  ({ method, name }) => method === 'GET' && !name.startsWith('absent.'),
) as unknown as Operation<never>[]

type Query = Readonly<Record<string, string>>

/** Each filter and each order alone, both together where they are few, and what a list may add to them. */
function queriesOf(operation: Operation<never>): Query[] {
  const names = Object.keys(operation.query?.shape ?? {})
  const each = (name: string): Query[] =>
    (valuesOf(operation.name, name) ?? []).map((value) => ({ ...TOGETHER[`${operation.name} ${name}`], [name]: value }))
  const needed = Object.assign({}, ...requiredOf(operation).map((name) => each(name)[0])) as Query
  const filters = filtersOf(operation).flatMap(each)
  const orders = names.includes('sort') ? each('sort') : []
  const withTake = operation.name === 'logs.list' ? [] : filters
  const both = filters.length * orders.length <= MAX_PAIRS ? filters : []
  const plain: Query[] = [
    ...[{}, ...filters, ...orders],
    ...both.flatMap((filter) => orders.map((order) => ({ ...filter, ...order }))),
  ].map((query) => ({ ...needed, ...query }))
  return [
    ...plain,
    ...(names.includes('page') ? [{ ...needed, page: '1' }] : []),
    ...(names.includes('include_totals')
      ? [{}, ...filters].map((query) => ({ ...needed, ...query, include_totals: 'true' }))
      : []),
    ...(names.includes('take') ? [{}, ...withTake].map((query) => ({ ...needed, ...query, take: '50' })) : []),
  ]
}

const MAX_PAIRS = 100

const requiredOf = ({ query }: Operation<never>): string[] =>
  Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => name)

/** Objects that the tenant lacks, or that have ended in it: the look-up is the whole of the call. */
const ABSENT = [
  ...[
    'sessions.read',
    'refresh_tokens.read',
    'organizations.discovery_domains.read_by_name',
    'branding_themes.default',
  ],
  ...['branding_template.read', 'email_provider.read'],
]

const pathOf = (path: string, values: Readonly<Record<string, string>>): string =>
  path
    .split('/')
    .map((segment, index, all) => {
      if (!segment.startsWith(':')) return segment
      const before = all[index - 1] ?? ''
      return encodeURIComponent(values[before] ?? NONE)
    })
    .join('/')

/** Whom the portal shows. Made before the database grows. */
const OWNER = 'owner@mail.test'

export async function prepareListCalls(server: TestServer): Promise<Manager> {
  await server.setTenant({
    tenant: { rate_limits: { management: { burst: 1_000_000, per_minute: 1_000_000 } } },
  })
  await server.addApi(SMALL_API, {})
  await server.addUser({ email: OWNER, data: { emailVerified: true } })
  return addManager(server)
}

/** After the database has grown. */
export async function listCalls(server: TestServer, manager: Manager): Promise<ListCall[]> {
  const { pool } = server.database
  const [found] = (
    await pool.query<{ log: string; token: string; run: string }>(
      `SELECT (SELECT log_id FROM audit_record WHERE seq = 5000 AND stored_at < now() LIMIT 1) AS log,
       (SELECT id::text FROM token_family LIMIT 1) AS token, (SELECT max(id)::text FROM action_run) AS run`,
    )
  ).rows
  const ids = {
    ...IN_PATH,
    ...{
      logs: found?.log ?? '',
      'refresh-tokens': found?.token ?? '',
      executions: found?.run ?? '',
      sessions: md5('sid20'),
    },
  }
  return [
    ...READS.flatMap((operation) => callsOf(operation, ids, manager)),
    ...(await portalCalls(server)),
    ...storeCalls(server, manager),
  ]
}

function callsOf(operation: Operation<never>, ids: Readonly<Record<string, string>>, manager: Manager): ListCall[] {
  const path = pathOf(operation.path, ids)
  const withLittle = pathOf(operation.path, { ...ids, ...WITH_LITTLE })
  const isAbsent = path.split('/').includes(NONE) || ABSENT.includes(operation.name)
  const paths = [[path, isAbsent] as const, ...(withLittle === path ? [] : [[withLittle, true] as const])]
  return paths.flatMap(([path, mayBeAbsent]) =>
    queriesOf(operation).map((query) => ({
      name: [operation.name, new URLSearchParams(query).toString()].filter((part) => part !== '').join(' '),
      ...(query.include_totals === undefined ? {} : { counts: true as const }),
      async run() {
        const answer = await manager.get(path, { query })
        const isExcused = mayBeAbsent || Object.values(query).includes(NONE)
        if (answer.status !== 200 && !(isExcused && answer.status < 500)) throw new Error(answer.text)
        const { next } = JSON.parse(answer.text) as { next?: string }
        if (next !== undefined) await manager.get(path, { query: { ...query, from: next } })
      },
    })),
  )
}

async function portalCalls(server: TestServer): Promise<ListCall[]> {
  const { pool } = server.database
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM "user" WHERE email = $1', [OWNER])
  const owner = rows[0]?.id
  await pool.query(`UPDATE role SET administers_organization = true WHERE id = 'rol_1'`)
  await pool.query(`INSERT INTO organization_member (tenant_id, organization_id, user_id) VALUES ('default', $1, $2)`, [
    LARGE_ORGANIZATION,
    owner,
  ])
  await pool.query(
    `INSERT INTO organization_member_role (tenant_id, organization_id, user_id, role_id) VALUES ('default', $1, $2, 'rol_1')`,
    [LARGE_ORGANIZATION, owner],
  )
  const browser = server.browser()
  await enterPortal(browser, OWNER)
  const paths = [...PORTAL_PAGES, `organizations?organization=${LARGE_ORGANIZATION}`]
  return paths.map((path) => ({
    name: `portal ${path}`,
    async run() {
      const answer = await browser.get(`/account/${path}`)
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.header('location')}`)
    },
  }))
}

function storeCalls({ db, database: { pool }, clock }: TestServer, manager: Manager): ListCall[] {
  const rank = rankStore(db, 'default', managementAudience(BASE_URL))
  const [jobs, file] = [jobStore(db), tenantFileStore(db)]
  const users = { ids: [PERSON], emailKeys: ['person7@mail.test', NONE], usernameKeys: [NONE] }
  const job = { tenantId: 'default', cursor: PERSON } as Parameters<typeof jobs.usersToExport>[0]
  return [
    { name: 'export of all users', run: () => jobs.usersToExport({ ...job, connectionId: null }, 50, true) },
    {
      name: 'export of a connection',
      run: () => jobs.usersToExport({ ...job, connectionId: 'con_database' }, 50, true),
    },
    { name: 'users of an import', run: () => jobs.users('default', users) },
    { name: 'users of the tenant file', run: () => file.usersAfter('default', PERSON, 50) },
    {
      name: 'rights of the users of a connection',
      run: () =>
        rank.guard(
          { connections: ['con_small'] },
          () => {},
          async () => {},
        ),
    },
    { name: 'removal of an API', run: () => manager.remove(`/resource-servers/${encodeURIComponent(SMALL_API)}`) },
    { name: 'configuration of the tenant file', run: () => file.configuration('default') },
    ...ENDED.map((ended) => ({
      name: `clean-up of ${ended.table}`,
      run: () => removeBatch(pool, ended, { now: clock.now(), keepDays: 30 }),
    })),
  ]
}
