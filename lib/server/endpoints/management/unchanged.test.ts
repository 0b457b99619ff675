// A write that changes nothing is no act: tools send back all that they read, about what is above them too. The actor is a client with
// the vendor's scopes alone; what it writes to holds scopes over administrators, or is an owner of the console.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../../data/apis/management-scopes'
import { BASE_URL } from '../../../testing/database'
import { addManager, type Manager, VENDOR_SCOPES } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = managementAudience(BASE_URL)
const SECRET = 'the secret of the mighty client'
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }
const PEM = publicKey.export({ type: 'spki', format: 'pem' })

type Body = Record<string, unknown>

let server: TestServer
let manager: Manager
let vendor: Manager
/** Values of the path, by their names in it. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  vendor = await addManager(server, { clientId: 'vendor', granted: VENDOR_SCOPES })
  ids.owner = await server.addUser({
    email: 'owner@example.com',
    data: { emailVerified: true, userMetadata: { colour: 'blue', size: 2 }, appMetadata: { plan: 'gold' } },
  })
  const runtime = await server.runtime()
  await runtime.administrators.put(ids.owner, 'owner', server.clock.now())
  const settings = {
    app_type: 'non_interactive',
    grant_types: ['client_credentials'],
    client_metadata: { team: 'platform', tier: 'one' },
  }
  await server.addClient({ clientId: 'mighty', secret: SECRET, settings })
  ids.client = 'mighty'
  expect((await manager.patch('/clients/mighty', { client_secret: SECRET, jwks: { keys: [KEY] } })).status).toBe(200)
  const key = { credential_type: 'public_key', name: 'k', pem: PEM, expires_at: '2099-01-01T00:00:00.000Z' }
  const methods = { private_key_jwt: { credentials: [key] } }
  expect((await manager.patch('/clients/mighty', { client_authentication_methods: methods })).status).toBe(200)
  const [credential] = (await manager.get('/clients/mighty/credentials')).json() as unknown as { id: string }[]
  ids.credential = String(credential?.id)
  ids.grant = await server.addClientGrant('mighty', AUDIENCE, [...MANAGEMENT_SCOPES.keys()])
  ids.role = 'Mighty'
  await server.addRole('Mighty', { [AUDIENCE]: ['update:administrators', 'read:users'] })
  await server.giveRole(ids.owner, 'Mighty')
  ids.organization = await organizationsOf(server).add('org', {
    members: [ids.owner],
    roles: { [ids.owner]: ['Mighty'] },
  })
  expect((await manager.post(`/users/${ids.owner}/permissions`, giving('update:administrators'))).status).toBe(201)
  const { pool } = server.database
  const [at, until] = [server.clock.now(), new Date(server.clock.now().getTime() + 86_400_000)]
  ids.session = 'sid_owner'
  await pool.query(
    `INSERT INTO session (id_digest, tenant_id, sid, user_id, evidence, auth_time, participants, metadata, created_at, last_seen_at, idle_expires_at, expires_at)
     VALUES ('\\x01', 'default', 'sid_owner', $1, '[]', $2, '{}', '{"a":"1"}', $2, $2, $3, $3)`,
    [ids.owner, at, until],
  )
  ids.token = randomUUID()
  await pool.query(
    `INSERT INTO token_family (id, tenant_id, client_id, user_id, scopes, generation, metadata, created_at, expires_at)
     VALUES ($1, 'default', 'mighty', $2, '{}', 1, '{"a":"1"}', $3, $4)`,
    [ids.token, ids.owner, at, until],
  )
  ids.factor = 'totp|dev_owner'
  await pool.query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, name, active) VALUES ('default', $1, $2, 'otp', 'Phone', true)`,
    [ids.factor, ids.owner],
  )
})
afterAll(() => server.close())

const giving = (scope: string) => ({ permissions: [{ resource_server_identifier: AUDIENCE, permission_name: scope }] })

const at = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(ids[name] ?? name))

const asVendor = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  vendor.send(method, at(path), { headers, ...(json === undefined ? {} : { json }) })

/** All rows but the records of what happened. */
async function stored(): Promise<Record<string, unknown>> {
  const { pool } = server.database
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'
     AND table_name NOT LIKE 'audit%' AND table_name NOT IN ('rate_bucket', 'token_family')`,
  )
  const all = await Promise.all(
    rows.map(async ({ name }) => [name, (await pool.query(`SELECT t::text AS row FROM ${name} t ORDER BY 1`)).rows]),
  )
  return Object.fromEntries(all)
}

async function changesNothing(method: string, path: string, json?: unknown, headers?: Record<string, string>) {
  const before = await stored()
  const answer = await asVendor(method, path, json, headers)
  expect([answer.status, answer.text]).toEqual([
    expect.toSatisfy((status) => status >= 200 && status < 300),
    expect.anything(),
  ])
  expect(await stored()).toEqual(before)
  return answer
}

async function isRefused(method: string, path: string, json?: unknown) {
  const before = await stored()
  const { status, text } = await asVendor(method, path, json)
  expect([status, text]).toEqual([403, expect.stringContaining('insufficient_rank')])
  expect(await stored()).toEqual(before)
}

const without = (object: Body, ...names: string[]): Body =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** The members of a user that a PATCH takes; the vendor's refuses the others. */
const OF_USER = ['email', 'email_verified', 'name', 'nickname', 'picture', 'blocked', 'user_metadata', 'app_metadata']

/** A read, what a tool sends back of it, and a change of one member of that. */
const OBJECTS: [string, string, (read: Body) => Body, Body][] = [
  ['an application', '/clients/:client', (read) => read, { callbacks: ['https://other.example/cb'] }],
  [
    'an application without what the Deploy CLI takes out',
    '/clients/:client',
    ({ jwt_configuration, ...read }) => ({
      ...without(read, 'signing_keys', 'global', 'tenant', 'client_id'),
      jwt_configuration: without(jwt_configuration as Body, 'secret_encoded'),
    }),
    { jwt_configuration: { lifetime_in_seconds: 60 } },
  ],
  [
    'an application, in part',
    '/clients/:client',
    () => ({ client_metadata: { team: 'platform' } }),
    { client_metadata: { team: 'x' } },
  ],
  [
    'a client grant',
    '/client-grants/:grant',
    (read) => without(read, 'client_id', 'audience'),
    { scope: ['read:users'] },
  ],
  ['a role', '/roles/:role', (read) => read, { description: 'Other' }],
  [
    'a role with its marks',
    '/roles/:role',
    (read) => ({ ...read, administers_organization: false }),
    { administers_organization: true },
  ],
  [
    'an owner',
    '/users/:owner',
    (read) => Object.fromEntries(Object.entries(read).filter(([name]) => OF_USER.includes(name))),
    { email: 'other@example.com' },
  ],
  [
    'an owner, in part',
    '/users/:owner',
    () => ({ user_metadata: { colour: 'blue' }, blocked: false }),
    { blocked: true },
  ],
  [
    'what was never in metadata',
    '/users/:owner',
    () => ({ app_metadata: { role: null } }),
    { app_metadata: { plan: null } },
  ],
  [
    'a session',
    '/sessions/:session',
    ({ session_metadata }) => ({ session_metadata }),
    { session_metadata: { a: '2' } },
  ],
  [
    'a refresh token',
    '/refresh-tokens/:token',
    ({ refresh_token_metadata }) => ({ refresh_token_metadata }),
    { refresh_token_metadata: {} },
  ],
  [
    'a public key',
    '/clients/:client/credentials/:credential',
    ({ expires_at }) => ({ expires_at }),
    { expires_at: '2098-01-01T00:00:00.000Z' },
  ],
  ['a factor', '/users/:owner/authentication-methods/:factor', ({ name }) => ({ name }), { name: 'Other' }],
]

describe.each(OBJECTS)('%s', (_title, path, sent, change) => {
  it('is sent back as it was read', async () => {
    const read = (await asVendor('GET', path)).json() as Body
    const answer = await changesNothing('PATCH', path, sent(read))
    expect(answer.json()).toEqual(read)
  })

  it('is not changed, alone or beside what is unchanged', async () => {
    const read = (await asVendor('GET', path)).json() as Body
    await isRefused('PATCH', path, change)
    await isRefused('PATCH', path, { ...sent(read), ...change })
  })
})

it('is no act under the tag of what the actor sees, and 412 under another', async () => {
  const read = await asVendor('GET', '/clients/:client')
  const tag = String(read.header('etag'))
  expect(read.text).not.toContain(SECRET)
  await changesNothing('PATCH', '/clients/:client', read.json(), { 'if-match': tag })
  const whole = String((await manager.get(at('/clients/:client'))).header('etag'))
  expect(whole).not.toBe(tag)
  for (const other of [whole, '"other"'])
    expect((await asVendor('PATCH', '/clients/:client', read.json(), { 'if-match': other })).status).toBe(412)
})

describe('adding what is there already', () => {
  it.each([
    ['a permission of a role', 'POST', '/roles/:role/permissions', () => giving('update:administrators')],
    ['a holder of a role', 'POST', '/roles/:role/users', () => ({ users: [ids.owner] })],
    ['a role of a user', 'POST', '/users/:owner/roles', () => ({ roles: [ids.role] })],
    ['a permission of a user', 'POST', '/users/:owner/permissions', () => giving('update:administrators')],
    ['a member of an organization', 'POST', '/organizations/:organization/members', () => ({ members: [ids.owner] })],
    ['a role of a member', 'POST', '/organizations/:organization/members/:owner/roles', () => ({ roles: [ids.role] })],
  ])('changes nothing: %s', async (_title, method, path, body) => {
    await changesNothing(method, path, body())
  })

  it('does not pass for more than is there', async () => {
    const both = [giving('update:administrators'), giving('delete:administrators')].flatMap(
      ({ permissions }) => permissions,
    )
    await isRefused('POST', '/roles/:role/permissions', { permissions: both })
    await isRefused('POST', '/users/:owner/permissions', { permissions: both })
  })
})

it('hides no other refusal: what is invalid stays invalid for an actor with the rank', async () => {
  const { pool } = server.database
  const own = await server.addUser({ email: 'own@example.com' })
  for (const of of [manager, vendor]) expect((await of.patch(`/users/${own}`, { password: null })).status).toBe(400)
  for (const of of [manager, vendor])
    expect((await of.patch(`/users/${own}`, { blocked: false }, { 'if-match': '"other"' })).status).toBe(412)
  await pool.query('DELETE FROM "user" WHERE id = $1', [own])
})

describe('a guess', () => {
  it.each([SECRET, 'x'.repeat(SECRET.length)])(
    'of the secret of an application is refused: %s',
    async (client_secret) => {
      await isRefused('PATCH', '/clients/:client', { client_secret })
    },
  )

  it.each(['Lantern over the 7 harbours', 'x'])('of the password of an owner is refused: %s', async (password) => {
    await isRefused('PATCH', '/users/:owner', { password })
  })
})

it('mails nothing: verify_email and a request for nothing are two things', async () => {
  await isRefused('PATCH', '/users/:owner', { verify_email: true })
  await changesNothing('PATCH', '/users/:owner', { verify_email: false })
})

describe('a member with a scope of its own', () => {
  const SCOPES = ['read:clients', 'update:clients', 'read:client_keys']

  it('is sent back without the scope by a client that sees it, and is not changed', async () => {
    const secret = 'the secret of the shop, long enough'
    const { client_id } = (
      await manager.post('/clients', {
        name: 'Shop',
        app_type: 'regular_web',
        client_secret: secret,
        jwks: { keys: [KEY] },
      })
    ).json()
    const path = `/clients/${client_id}`
    const send = async (json: unknown, scopes = SCOPES) =>
      (await manager.send('PATCH', path, { json, token: await manager.token(scopes) })).status
    const read = (await manager.get(path)).json() as Body
    expect(read).toMatchObject({ client_secret: secret, jwks: { keys: [KEY] } })
    expect(await send({ ...read, description: 'Changed' })).toBe(200)
    expect((await manager.get(path)).json()).toEqual({ ...read, description: 'Changed' })
    expect(await send({ jwks: { keys: [] } })).toBe(403)
    expect(await send({ client_secret: `${secret}!` })).toBe(403)
    // What it does not see it could guess.
    for (const guess of [secret, `${secret}!`])
      expect(await send({ client_secret: guess }, ['read:clients', 'update:clients'])).toBe(403)
  })
})
