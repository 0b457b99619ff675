// Who may act on whom, over every operation that changes something: × every lower role and set of scopes × every name of an owner's
// object. The list of operations is the product's own, so a new operation is judged here, or fails here until its names are known.
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../../data/apis/management-scopes'
import { UPSTREAM_TOKENS } from '../../../data/connections/upstream/upstream-account'
import { OPERATIONS } from '../../../management'
import { type ConsoleCall, callOperation, operationNamed } from '../../../management/console-call'
import type { ManagementDeps } from '../../../management/deps'
import { CONSOLE_ROLES, EQUAL_TO_OWNERSHIP, rightsOfRole } from '../../../management/operations/console-roles'
import { execute } from '../../../management/operations/execute'
import type { Actor, Operation } from '../../../management/operations/operation'
import { BASE_URL } from '../../../testing/database'
import { organizationsOf } from '../../../testing/organizations'
import { CONNECTION_ID } from '../../../testing/seed'
import { type TestServer, testServer } from '../../../testing/server'
import type { Runtime } from '../../runtime/runtime'

const AUDIENCE = managementAudience(BASE_URL)
const SECOND = 'con_second'
const NAMING = ['create:administrators', 'update:administrators', 'delete:administrators']

/** About settings of the tenant: no account, application or role is in the call. Their scopes are equal to ownership or lead to nothing more. */
const HARMLESS = new Set(
  [
    'clients.create resource_servers.create resource_servers.update resource_servers.delete roles.create users.create',
    'organizations.create organizations.update',
    'organizations.connections.create organizations.connections.update organizations.connections.delete',
    'organizations.enabled_connections.create organizations.enabled_connections.update organizations.enabled_connections.delete',
    'organizations.discovery_domains.create organizations.discovery_domains.update organizations.discovery_domains.delete',
    'anomaly.blocked_ips.delete jobs.users_exports jobs.users_imports_check',
    'brute_force_protection.update suspicious_ip_throttling.update breached_password_detection.update bot_detection.update',
    'captcha.update guardian.policies.update guardian.factors.update guardian.message_types.update',
    'guardian.webauthn_roaming.update guardian.webauthn_platform.update guardian.push_notification_selected_provider.update',
    'guardian.sns.update guardian.sns.change guardian.apns.update guardian.apns.change guardian.fcm.update guardian.fcm.change',
    'guardian.fcmv1.update guardian.fcmv1.change guardian.duo.update guardian.duo.change',
    'branding.update branding_themes.make branding_themes.change branding_themes.remove branding_template.replace',
    'branding_template.remove prompts.update prompts.custom_text.replace prompts.partials.replace email_templates.preview',
    // The action judges, and holders of its scopes alone change that; no token is one of an administrator.
    'token_exchange_profiles.create token_exchange_profiles.update token_exchange_profiles.delete',
    'login_shares.create login_shares.create_test login_shares.delete login_tests.create login_tests.read',
    'log_streams.create log_streams.update log_streams.delete custom_domains.test',
  ].flatMap((line) => line.split(' ')),
)

let server: TestServer
let runtime: Runtime
let world: World
beforeAll(async () => {
  server = await testServer()
  world = await makeWorld()
  runtime = await server.runtime()
})
afterAll(() => server.close())

/** An owner of the console and all that is the owner's, and what holds rights over administrators. */
type World = {
  owner: string
  /** Every id of the owner that a path may have. */
  email: string
  username: string
  federated: { provider: string; id: string }
  session: string
  token: string
  factor: string
  device: string
  grant: string
  mighty: { client: string; grant: string; role: string; member: string; user: string }
  organization: string
  invitation: string
  own: string
  ownClient: string
  ownGrant: string
}

/** A user of the SAML connection. */
async function addFederated(pool: Pool, name: string, email: string): Promise<string> {
  const id = `samlp|Provider|${name}`
  await pool.query(`INSERT INTO "user" (tenant_id, id, email) VALUES ('default', $1, $2)`, [id, email])
  await pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', 'con_samlp', $1, 'samlp', $2)`,
    [`Provider|${name}`, id],
  )
  return id
}

async function makeWorld(): Promise<World> {
  const { pool } = server.database
  const email = 'owner@bücher.example'.replace('ü', 'u')
  const username = 'the-owner'
  const owner = await server.addUser({ email, username, data: { emailVerified: true } })
  await server.addConnection('Second', {}, SECOND)
  await server.addConnection('Provider', {}, 'con_samlp', 'samlp')
  await pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key) VALUES
     ('default', $1, 'second', 'auth0', $2, 'linked@example.com'), ('default', 'con_samlp', 'Provider|owner', 'samlp', $2, NULL)`,
    [SECOND, owner],
  )
  await (await server.runtime()).administrators.put(owner, 'owner', server.clock.now())
  const federated = await addFederated(pool, 'boss', 'boss@example.com')
  const numbered = 'github|42'
  await pool.query(`INSERT INTO "user" (tenant_id, id) VALUES ('default', $1)`, [numbered])
  await pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', 'con_samlp', '42', 'github', $1)`,
    [numbered],
  )
  for (const id of [federated, numbered])
    await (await server.runtime()).administrators.put(id, 'owner', server.clock.now())
  const [token, at] = [randomUUID(), server.clock.now()]
  const until = new Date(at.getTime() + 86_400_000)
  await pool.query(
    `INSERT INTO session (id_digest, tenant_id, sid, user_id, evidence, auth_time, participants, created_at, last_seen_at, idle_expires_at, expires_at)
     VALUES ('\\x01', 'default', 'sid_owner', $1, '[]', $2, '{}', $2, $2, $3, $3)`,
    [owner, at, until],
  )
  await pool.query(
    `INSERT INTO token_family (id, tenant_id, client_id, user_id, scopes, generation, created_at, expires_at)
     VALUES ($1, 'default', 'app', $2, '{}', 1, $3, $4)`,
    [token, owner, at, until],
  )
  await pool.query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, active) VALUES ('default', 'totp|dev_owner', $1, 'otp', true)`,
    [owner],
  )
  await pool.query(
    `INSERT INTO device_credential (tenant_id, id, user_id, client_id, type, device_name, device_id, value, created_at)
     VALUES ('default', 'dcr_owner', $1, 'app', 'public_key', 'Phone', 'd', 'v', $2)`,
    [owner, at],
  )
  await server.addClient({
    clientId: 'app',
    secret: 'x'.repeat(20),
    settings: { organization_usage: 'allow', initiate_login_uri: 'https://app.example/login' },
  })
  await pool.query(
    `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at) VALUES ('default', $1, 'app', '', '{openid}', $2)`,
    [owner, at],
  )
  await server.addClient({
    clientId: 'mighty',
    secret: 'x'.repeat(20),
    settings: { app_type: 'non_interactive', grant_types: ['client_credentials'] },
  })
  const mightyGrant = await server.addClientGrant('mighty', AUDIENCE, [...MANAGEMENT_SCOPES.keys()])
  await server.addRole('Mighty', { [AUDIENCE]: NAMING })
  const mightyUser = await server.addUser({ email: 'mighty@example.com' })
  await server.giveRole(mightyUser, 'Mighty')
  const member = await server.addUser({ email: 'member@example.com' })
  const organization = await organizationsOf(server).add('org', {
    members: [owner, member],
    roles: { [member]: ['Mighty'] },
  })
  await pool.query(
    `INSERT INTO organization_invitation (id, tenant_id, organization_id, ticket_digest, sealed_link, client_id, inviter_name, email, roles,
       user_metadata, app_metadata, created_at, expires_at)
     VALUES ('uinv_mighty', 'default', $1, '\\x02', '\\x02', 'app', 'O', 'new@example.com', '{Mighty}', '{}', '{}', $2, $3)`,
    [organization, at, until],
  )
  return {
    owner,
    email,
    username,
    federated: { provider: 'samlp', id: federated },
    session: 'sid_owner',
    token,
    factor: 'totp|dev_owner',
    device: 'dcr_owner',
    grant: Buffer.from(JSON.stringify([owner, 'app', ''])).toString('base64url'),
    mighty: { client: 'mighty', grant: mightyGrant, role: 'Mighty', member, user: mightyUser },
    organization,
    invitation: 'uinv_mighty',
    own: await server.addUser({ email: 'own@example.com' }),
    ownClient: 'app',
    ownGrant: await server.addClientGrant('app', AUDIENCE, ['read:users']),
  }
}

type Naming = (world: World) => ConsoleCall[]

const above = ({ owner, federated, mighty }: World): string[] => [owner, federated.id, mighty.user, mighty.member]
/** Calls about each of them; `more` is the rest of the call. */
const ofEach =
  (param: string, more: ConsoleCall = {}): Naming =>
  (named) =>
    above(named).map((id) => ({ ...more, params: { ...more.params, [param]: id } }))
const ofOne =
  (pick: (world: World) => string, param: string, more: ConsoleCall = {}): Naming =>
  (named) => [{ ...more, params: { ...more.params, [param]: pick(named) } }]
const giving = (scope: string) => ({ permissions: [{ resource_server_identifier: AUDIENCE, permission_name: scope }] })
const MIGHTIEST = 'update:administrators'

/** How a call of each operation names what is above others. */
const NAMINGS: Readonly<Record<string, Naming>> = {
  'clients.rotate_secret': ofOne(({ mighty }) => mighty.client, 'id'),
  'resource_servers.test_token': ({ mighty }) => [
    { params: { id: 'https://other.example' }, body: { client_id: mighty.client } },
  ],
  'clients.earlier_secret.delete': ofOne(({ mighty }) => mighty.client, 'id'),
  'clients.credentials.create': ofOne(({ mighty }) => mighty.client, 'id', {
    body: { credential_type: 'public_key', pem: 'x' },
  }),
  'clients.credentials.update': ofOne(({ mighty }) => mighty.client, 'id', {
    params: { credential_id: 'cred' },
    body: {},
  }),
  'clients.credentials.delete': ofOne(({ mighty }) => mighty.client, 'id', { params: { credential_id: 'cred' } }),
  'clients.update': ofOne(({ mighty }) => mighty.client, 'id', { body: { callbacks: ['https://evil.example/cb'] } }),
  'clients.delete': ofOne(({ mighty }) => mighty.client, 'id'),
  'clients.refresh_tokens.delete': ofOne(({ mighty }) => mighty.client, 'id'),
  'client_grants.create': ({ mighty, ownClient }) => [
    { body: { client_id: ownClient, audience: AUDIENCE, scope: [MIGHTIEST] } },
    { body: { client_id: mighty.client, audience: 'https://other.example', scope: [] } },
  ],
  'client_grants.update': ({ mighty, ownGrant }) => [
    { params: { id: mighty.grant }, body: { scope: [] } },
    { params: { id: ownGrant }, body: { scope: ['read:users', MIGHTIEST] } },
  ],
  'client_grants.delete': ofOne(({ mighty }) => mighty.grant, 'id'),
  'connections.delete': () => [CONNECTION_ID, SECOND].map((id) => ({ params: { id } })),
  'connections.users.delete': ({ email }) => [
    ...[email, ` ${email}`, email.toUpperCase()].map((each) => ({
      params: { id: CONNECTION_ID },
      query: { email: each },
    })),
    { params: { id: SECOND }, query: { email: 'Linked@Example.com ' } },
  ],
  'roles.update': ofOne(({ mighty }) => mighty.role, 'id', { body: { assignable_by_organization: true } }),
  'roles.delete': ofOne(({ mighty }) => mighty.role, 'id'),
  'roles.permissions.add': ({ mighty }) => [
    { params: { id: 'Plain' }, body: giving(MIGHTIEST) },
    { params: { id: mighty.role }, body: giving('read:administrators') },
  ],
  'roles.permissions.remove': ofOne(({ mighty }) => mighty.role, 'id', { body: giving(MIGHTIEST) }),
  'roles.users.add': ({ mighty, own, owner }) => [
    { params: { id: mighty.role }, body: { users: [own] } },
    { params: { id: 'Plain' }, body: { users: [own, owner] } },
  ],
  'jobs.verification_email': (named) => above(named).map((user_id) => ({ body: { user_id } })),
  'tickets.password_change': (named) => [
    ...above(named).map((user_id) => ({ body: { user_id } })),
    ...[named.email, ` ${named.email}`, `${named.email.toUpperCase()}\t`].map((email) => ({
      body: { email, connection_id: CONNECTION_ID },
    })),
    { body: { email: 'linked@example.com', connection_id: SECOND } },
    { body: { user_id: named.owner, identity: { user_id: 'second', provider: 'auth0', connection_id: SECOND } } },
  ],
  'tickets.email_verification': (named) => above(named).map((user_id) => ({ body: { user_id } })),
  'organizations.delete': ofOne(({ organization }) => organization, 'id'),
  'organizations.members.add': (named) =>
    above(named).map((id) => ({ params: { id: named.organization }, body: { members: [named.own, id] } })),
  'organizations.members.remove': (named) =>
    above(named).map((id) => ({ params: { id: named.organization }, body: { members: [id] } })),
  'organizations.members.roles.add': (named) => [
    { params: { id: named.organization, user_id: named.own }, body: { roles: [named.mighty.role] } },
    ...above(named).map((user_id) => ({ params: { id: named.organization, user_id }, body: { roles: ['Plain'] } })),
  ],
  'organizations.members.roles.remove': (named) => [
    { params: { id: named.organization, user_id: named.mighty.member }, body: { roles: [named.mighty.role] } },
  ],
  'organizations.invitations.create': (named) => [
    {
      params: { id: named.organization },
      body: {
        inviter: { name: 'I' },
        invitee: { email: 'i@example.com' },
        client_id: named.ownClient,
        roles: [named.mighty.role],
      },
    },
  ],
  'organizations.invitations.delete': (named) => [
    { params: { id: named.organization, invitation_id: named.invitation } },
  ],
  'organizations.client_grants.add': (named) => [
    { params: { id: named.organization }, body: { grant_id: named.mighty.grant } },
  ],
  'organizations.client_grants.remove': (named) => [
    { params: { id: named.organization, grant_id: named.mighty.grant } },
  ],
  'users.update': (named) =>
    above(named).flatMap((id) =>
      [
        { password: 'a quiet harbour in winter' },
        { blocked: true },
        { email: 'evil@example.com' },
        { app_metadata: { plan: 'any' } },
      ].map((body) => ({
        params: { id },
        body,
      })),
    ),
  'users.delete': ofEach('id'),
  'users.roles.add': (named) => [
    { params: { id: named.own }, body: { roles: [named.mighty.role] } },
    ...above(named).map((id) => ({ params: { id }, body: { roles: ['Plain'] } })),
  ],
  'users.roles.remove': ofOne(({ mighty }) => mighty.user, 'id', { body: { roles: ['Mighty'] } }),
  'users.permissions.add': (named) => [
    { params: { id: named.own }, body: giving(MIGHTIEST) },
    ...above(named).map((id) => ({ params: { id }, body: giving('read:users') })),
  ],
  'users.permissions.remove': ofEach('id', { body: giving('read:users') }),
  'user_blocks.lift': ({ email, username }) =>
    [email, ` ${email.toUpperCase()}`, username, 'linked@example.com'].map((identifier) => ({ query: { identifier } })),
  'user_blocks.lift_of_user': ofEach('id'),
  'users.deletion.approve': ofEach('id'),
  'users.deletion.refuse': ofEach('id'),
  'grants.delete': ({ grant, owner }) => [
    { params: { id: grant } },
    { params: { id: Buffer.from(JSON.stringify([owner, 'app', ''], null, 1)).toString('base64') } },
  ],
  'grants.delete_of_user': (named) => above(named).map((user_id) => ({ query: { user_id } })),
  'device_credentials.delete': ofOne(({ device }) => device, 'id'),
  'users.authenticators.delete': ofEach('id'),
  'users.multifactor.delete': ofEach('id', { params: { provider: 'google-authenticator' } }),
  'users.multifactor.invalidate_remember_browser': ofEach('id'),
  'users.recovery_code.regenerate': ofEach('id'),
  'users.authentication_methods.add': ofEach('id', {
    body: { type: 'phone', phone_number: '+4915112349167', name: 'M' },
  }),
  'users.authentication_methods.replace': ofEach('id', { body: [] }),
  'users.authentication_methods.delete_all': ofEach('id'),
  'users.authentication_methods.update': ofEach('id', {
    params: { authentication_method_id: 'totp|dev_owner' },
    body: { name: 'N' },
  }),
  'users.authentication_methods.delete': ofEach('id', { params: { authentication_method_id: 'totp|dev_owner' } }),
  'users.identities.link': (named) => [
    ...[
      { provider: 'auth0', user_id: named.owner },
      { provider: 'auth0', user_id: named.owner.split('|')[1] },
      { provider: 'samlp', user_id: 'Provider|boss' },
      { provider: 'samlp', user_id: named.federated.id },
      { provider: 'samlp|Provider', user_id: 'boss' },
      { provider: 'github', user_id: 42 },
    ].map((body) => ({ params: { id: named.own }, body })),
    ...above(named).map((id) => ({ params: { id }, body: { provider: 'auth0', user_id: named.own } })),
  ],
  'users.identities.unlink': (named) => [{ params: { id: named.owner, provider: 'auth0', user_id: 'second' } }],
  'users.sessions.delete': ofEach('user_id'),
  'users.refresh_tokens.delete': ofEach('user_id'),
  'users.revoke_access': ofEach('id', { body: {} }),
  'sessions.update': ofOne(({ session }) => session, 'id', { body: { session_metadata: { a: 'b' } } }),
  'sessions.delete': ofOne(({ session }) => session, 'id'),
  'sessions.revoke': ofOne(({ session }) => session, 'id'),
  'refresh_tokens.revoke': ({ token, owner }) => [
    { body: { ids: [token] } },
    { body: { ids: [token.toUpperCase()] } },
    { body: { user_id: owner } },
    { body: { user_id: owner, client_id: 'app' } },
  ],
  'refresh_tokens.update': ({ token }) =>
    [token, token.toUpperCase()].map((id) => ({ params: { id }, body: { refresh_token_metadata: { a: 'b' } } })),
  'refresh_tokens.delete': ({ token }) => [token, token.toUpperCase()].map((id) => ({ params: { id } })),
  'guardian.enrollments.create_ticket': (named) => above(named).map((user_id) => ({ body: { user_id } })),
  'guardian.enrollments.delete': ofOne(({ factor }) => factor, 'id'),
  'tenant_settings.update': () => [
    { body: { console_second_factor: false } },
    { body: { console_second_factor: null } },
  ],
  'administrators.invite': () => [{ body: { role: 'owner' } }, { body: { role: 'owner', email: 'own@example.com' } }],
  'administrators.update': ({ owner, federated }) =>
    [owner, federated.id].map((id) => ({ params: { id }, body: { role: 'auditor' } })),
  'administrators.delete': ({ owner, federated }) => [owner, federated.id].map((id) => ({ params: { id } })),
}

const CHANGING = OPERATIONS.filter(({ method, name }) => method !== 'GET' && !name.startsWith('absent.'))
const JUDGED = CHANGING.filter(({ target }) => typeof target === 'function')

/** Every lower role, a client with all scopes but those over administrators, and one with those that the operation asks for. */
const actorsFor = ({ scopes }: Operation<ManagementDeps>): [string, Pick<Actor, 'scopes' | 'givesRights'>][] => [
  ...CONSOLE_ROLES.filter((role) => role !== 'owner').map((role) => [role, rightsOfRole(role)] as [string, Actor]),
  [
    'a client with the vendor’s scopes',
    { scopes: new Set([...MANAGEMENT_SCOPES.keys()].filter((scope) => !NAMING.includes(scope))) },
  ],
  [
    'a client with the scopes of the operation',
    { scopes: new Set(scopes.flatMap((scope) => (typeof scope === 'string' ? [scope] : Object.keys(scope)))) },
  ],
]

const contextOf = async (actor: Pick<Actor, 'scopes' | 'givesRights'>) => ({
  actor: { clientId: 'app', userId: null, ...actor },
  deps: await runtime.management(),
  trail: runtime.trail,
  ip: '198.51.100.7',
})

async function codeOf(name: string, input: ConsoleCall, actor: Pick<Actor, 'scopes' | 'givesRights'>): Promise<string> {
  try {
    await callOperation(operationNamed(name), input, await contextOf(actor))
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** All rows by which people have power or sign in. */
async function stateOf(): Promise<unknown> {
  const tables = [
    'user',
    'identity',
    'administrator',
    'authenticator',
    'session',
    'token_family',
    'device_credential',
    'consent',
    'ticket',
  ]
  const more = [
    'client',
    'client_grant',
    'role',
    'role_permission',
    'user_role',
    'user_permission',
    'organization_member',
    'connection',
  ]
  const rows = [
    ...tables,
    ...more,
    'organization_member_role',
    'organization_invitation',
    'organization_client_grant',
    'job',
  ].map(async (table) => {
    const { rows: found } = await server.database.pool.query(
      `SELECT to_jsonb(t)::text AS row FROM "${table}" t ORDER BY 1`,
    )
    return [table, found.map(({ row }) => row)]
  })
  return Object.fromEntries(await Promise.all(rows))
}

describe('every operation that changes something', () => {
  it('says whom it acts on, or that it is about settings of the tenant', () => {
    expect(CHANGING.filter(({ target }) => target === undefined).map(({ name }) => name)).toEqual([])
  })

  it('is known here by every name of what it acts on', () => {
    const byRows = ['jobs.users_imports']
    expect(JUDGED.map(({ name }) => name).filter((name) => !NAMINGS[name] && !byRows.includes(name))).toEqual([])
  })

  it('is equal to ownership or leads to nothing more, where it is about settings', () => {
    const open = CHANGING.filter(({ target }) => target === 'tenant')
      .filter(({ scopes, needs }) => !(needs ?? scopes).every((scope) => EQUAL_TO_OWNERSHIP.includes(scope as never)))
      .map(({ name }) => name)
    expect(open.filter((name) => !HARMLESS.has(name))).toEqual([])
    expect([...HARMLESS].filter((name) => !open.includes(name))).toEqual([])
  })
})

describe('what is above an actor', () => {
  it.each(JUDGED.filter(({ name }) => NAMINGS[name]).map((operation) => [operation.name, operation] as const))(
    'is out of reach of %s, by whatever name, for every lower role and set of scopes',
    async (name, operation) => {
      const before = await stateOf()
      const offences: string[] = []
      for (const [who, actor] of actorsFor(operation))
        for (const input of NAMINGS[name]?.(world) ?? []) {
          const code = await codeOf(name, input, actor)
          if (code !== 'access_denied' && code !== 'insufficient_scope')
            offences.push(`${who}: ${JSON.stringify(input)} → ${code}`)
        }
      expect(offences).toEqual([])
      expect(await stateOf()).toEqual(before)
    },
  )
})

describe('this enumeration', () => {
  it.each(JUDGED.filter(({ name }) => NAMINGS[name]).map((operation) => [operation.name, operation] as const))(
    'fails for %s if that operation forgets whom it acts on',
    async (name, operation) => {
      const forgetful: Operation<ManagementDeps> = { ...operation, target: () => ({}), handle: () => ({}) }
      const [, actor] = actorsFor(operation).at(-1) as [string, Pick<Actor, 'scopes'>]
      const inputs = NAMINGS[name]?.(world) ?? []
      const passes = await Promise.all(
        inputs.map(async (input) => {
          const call = {
            ...(await contextOf(actor)),
            params: input.params ?? {},
            query: input.query ?? {},
            body: input.body,
            ifMatch: null,
          }
          return execute(forgetful, call, runtime.trail).then(
            () => true,
            (error: { code?: string }) => error.code !== 'access_denied',
          )
        }),
      )
      expect(passes).toContain(true)
    },
  )
})

describe('a write that changes nothing', () => {
  const vendor = { scopes: new Set([...MANAGEMENT_SCOPES.keys()].filter((scope) => !NAMING.includes(scope))) }
  const again: [string, (named: World) => ConsoleCall][] = [
    [
      'clients.update',
      ({ mighty }) => ({
        params: { id: mighty.client },
        body: { app_type: 'non_interactive', grant_types: ['client_credentials'] },
      }),
    ],
    [
      'client_grants.update',
      ({ mighty }) => ({ params: { id: mighty.grant }, body: { scope: [...MANAGEMENT_SCOPES.keys()] } }),
    ],
    ['roles.update', ({ mighty }) => ({ params: { id: mighty.role }, body: { name: 'Mighty' } })],
    ['roles.permissions.add', ({ mighty }) => ({ params: { id: mighty.role }, body: giving(MIGHTIEST) })],
    ['roles.users.add', ({ mighty }) => ({ params: { id: mighty.role }, body: { users: [mighty.user] } })],
    ['users.roles.add', ({ mighty }) => ({ params: { id: mighty.user }, body: { roles: [mighty.role] } })],
    [
      'organizations.members.add',
      ({ organization, owner }) => ({ params: { id: organization }, body: { members: [owner] } }),
    ],
    [
      'organizations.members.roles.add',
      ({ organization, mighty }) => ({
        params: { id: organization, user_id: mighty.member },
        body: { roles: [mighty.role] },
      }),
    ],
    ['tenant_settings.update', () => ({ body: { console_second_factor: true } })],
  ]
  it.each(again)('is no act: %s passes with the vendor’s scopes', async (name, callOf) => {
    const before = await stateOf()
    expect(await codeOf(name, callOf(world), vendor)).toBe('done')
    expect(await stateOf()).toEqual(before)
  })
})

describe('a secret of what is above an actor', () => {
  const reading = { scopes: new Set(['read:clients', 'read:client_keys', 'read:users', 'read:user_idp_tokens']) }
  const read = async (name: string, input: ConsoleCall, actor: Pick<Actor, 'scopes'> = reading) =>
    (await callOperation(operationNamed(name), input, await contextOf(actor))).body

  it('is not read: the secret of a mighty client, alone, in a list and by its member', async () => {
    const { client_secret, client_id } = (await read(
      'clients.create',
      { body: { name: 'Mighty too', app_type: 'non_interactive' } },
      rightsOfRole('owner'),
    )) as Record<string, string>
    const id = String(client_id)
    expect(await read('clients.read', { params: { id } })).toMatchObject({ client_secret })
    await server.addClientGrant(id, AUDIENCE, ['update:administrators'])
    for (const query of [{}, { fields: 'client_secret' }, { fields: 'client_id,client_secret' }]) {
      expect(JSON.stringify(await read('clients.read', { params: { id }, query }))).not.toContain(client_secret)
      expect(JSON.stringify(await read('clients.list', { query }))).not.toContain(client_secret)
    }
    expect(JSON.stringify(await read('clients.list', {}, rightsOfRole('owner')))).toContain(client_secret)
  })

  it('is not read: the provider’s tokens of an owner', async () => {
    const { vault, random, database } = server
    const sealed = vault.seal(
      UPSTREAM_TOKENS,
      JSON.stringify({ accessToken: 'the token of the provider', refreshToken: null }),
      random,
    )
    const ownUser = await addFederated(database.pool, 'own', 'own-provider@example.com')
    await database.pool.query('UPDATE identity SET sealed_tokens = $1 WHERE user_id = ANY($2)', [
      sealed,
      [world.federated.id, ownUser],
    ])
    expect(JSON.stringify(await read('users.read', { params: { id: ownUser } }))).toContain('the token of the provider')
    for (const query of [{}, { fields: 'identities' }])
      expect(JSON.stringify(await read('users.read', { params: { id: world.federated.id }, query }))).not.toContain(
        'the token of the provider',
      )
    const listed = (await read('users.list', {
      query: { fields: 'identities', q: 'email:boss@example.com' },
    })) as unknown[]
    expect(listed).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain('the token of the provider')
  })

  it('is not read: the link of an invitation that gives mighty roles', async () => {
    const params = { id: world.organization }
    const body = {
      inviter: { name: 'I' },
      invitee: { email: 'i@example.com' },
      client_id: 'app',
      send_invitation_email: false,
    }
    const make = async (roles: string[]) =>
      (await read(
        'organizations.invitations.create',
        { params, body: { ...body, roles } },
        rightsOfRole('owner'),
      )) as Record<string, string>
    const [mighty, plain] = [await make(['Mighty']), await make([])]
    const actor = { scopes: new Set(['read:organization_invitations', 'create:organization_invitations']) }
    const list = JSON.stringify(await read('organizations.invitations.list', { params }, actor))
    expect([list.includes(String(plain.ticket_id)), list.includes(String(mighty.ticket_id))]).toEqual([true, false])
  })
})
