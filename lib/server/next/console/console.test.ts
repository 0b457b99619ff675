// The console without a page: the sign-in with next-auth on a whole server, and what each role may call.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../../../adapters/store/prisma/client'
import { managementAudience } from '../../../data/apis/built-in'
import { CONSOLE_CLIENT, consoleCallback, consoleSecret } from '../../../data/clients/console'
import { isEnabledFor } from '../../../data/connections/connection'
import { issueTicket } from '../../../data/tickets/ticket'
import { digest } from '../../../kernel/secret'
import { type ConsoleCall, callOperation, operationNamed, type Reference } from '../../../management/console-call'
import { FIRST_OWNER, INVITATION } from '../../../management/operations/console-administrators'
import { CONSOLE_ROLES, type ConsoleRole } from '../../../management/operations/console-roles'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { logs } from '../../../management/resources/logs'
import { organizations } from '../../../management/resources/organizations'
import { resourceServers } from '../../../management/resources/resource-servers'
import { roles } from '../../../management/resources/roles'
import { tenantSettings } from '../../../management/resources/tenant-settings'
import { users } from '../../../management/resources/users'
import { keep, requestTo, signInToConsole } from '../../../testing/console-sign-in'
import { BASE_URL } from '../../../testing/database'
import { locationOf } from '../../../testing/journey'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { firstOwnerLink } from '../../runtime/first-owner'
import type { Runtime } from '../../runtime/runtime'
import { enter } from './entry'
import { makeFirstAccount } from './first-account'
import { offerTo } from './join'
import { type Console, consoleOf } from './page'
import { beginSignIn, cookiesIn, placeInConsole, signOut } from './sign-in'

process.env.AUTH_TRUST_HOST = '1'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { console_second_factor: false } })
})
afterAll(() => server.close())

const entryWith = (jar: ReadonlyMap<string, string>, runtime: Runtime) =>
  enter({ runtime, request: requestTo('/console', jar) })

const signIn = (email: string, to?: string) => signInToConsole(server, email, to)

async function addAdministrator(role: ConsoleRole): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@example.com`
  const id = await server.addUser({ email, data: { emailVerified: true } })
  await (await server.runtime()).administrators.put(id, role, server.clock.now())
  return { id, email }
}

describe('the sign-in', () => {
  it('opens the console for an administrator, at the page that was asked for', async () => {
    const { id, email } = await addAdministrator('auditor')
    const { runtime, jar, finish } = await signIn(email, '/console/users?q=kim')
    const done = await finish()
    expect(done.to).toBe(`${BASE_URL}/console/users?q=kim`)
    keep(jar, done.cookies)
    const entry = await entryWith(jar, runtime)
    expect(entry).toMatchObject({ state: 'in', session: { administrator: { userId: id, role: 'auditor' } } })
    expect(done.cookies.join()).toMatch(/HttpOnly; Secure; SameSite=Lax/)
  })

  it('is by the connection that is named, or by any', async () => {
    const runtime = (await server.runtime()).within(requestTo('/console'))
    for (const connection of ['Users', null, '']) {
      const { to } = await beginSignIn('/console', { fresh: false, connection }, requestTo('/console'), runtime)
      expect(new URL(to).searchParams.get('connection'), `${connection}`).toBe(connection || null)
    }
  })

  it('opens nothing for a user without a role', async () => {
    const email = `${randomUUID()}@example.com`
    const id = await server.addUser({ email })
    const { runtime, jar, finish } = await signIn(email)
    keep(jar, (await finish()).cookies)
    expect(await entryWith(jar, runtime)).toMatchObject({ state: 'stranger', userId: id })
  })

  it('refuses an answer to another browser, and a second use', async () => {
    const { email } = await addAdministrator('auditor')
    const { runtime, jar, callback, finish } = await signIn(email)
    const other = new Map<string, string>()
    keep(
      other,
      (await beginSignIn('/console', { fresh: false, connection: null }, requestTo('/console'), runtime)).cookies,
    )
    for (const [held, url] of [
      [new Map(), callback],
      [other, callback],
      [jar, `${BASE_URL}/console/auth/callback/latchkey?code=c&state=s`],
      [jar, `${BASE_URL}/console/auth/callback/latchkey?error=access_denied`],
    ] as const) {
      const refused = await finish(held, url)
      expect(refused.to).toBe('/console/sign-in-failed')
      expect(refused.cookies.join()).not.toContain('.session=ey')
    }
    keep(jar, (await finish()).cookies)
    expect((await finish(jar)).to).toBe('/console/sign-in-failed')
  })

  it('a sign-in of another tenant and a forged cookie are refused', async () => {
    const { email } = await addAdministrator('auditor')
    const { jar, finish } = await signIn(email)
    keep(jar, (await finish()).cookies)
    await server.addTenant('other', 'https://other.test')
    const other = (await server.runtime('other.test')).within(requestTo('/console'))
    expect(await entryWith(jar, other)).toEqual({ state: 'signed-out' })
    const [[name = '', value = ''] = []] = [...jar].filter(([each]) => each.includes('.session'))
    const runtime = await server.runtime()
    expect(await entryWith(new Map([[name, `${value.slice(0, -4)}AAAA`]]), runtime)).toEqual({ state: 'signed-out' })
  })

  it.each([
    'https://evil.test/console',
    '//evil.test',
    '/authorize',
    '/console/auth/sign-out',
    'javascript:1',
    '/consolex',
  ])('does not lead to %s', (to) => expect(placeInConsole(to, BASE_URL)).toBe(`${BASE_URL}/console`))

  it('ends with the session of the server, a block and a removed role', async () => {
    const { id, email } = await addAdministrator('auditor')
    const { runtime, browser, jar, finish } = await signIn(email)
    keep(jar, (await finish()).cookies)
    await runtime.administrators.change(id, null)
    expect((await entryWith(jar, runtime)).state).toBe('stranger')
    await addAdministrator('owner')
    await runtime.administrators.put(id, 'owner', server.clock.now())
    expect((await entryWith(jar, runtime)).state).toBe('in')
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [id])
    expect((await entryWith(jar, runtime)).state).toBe('stranger')
    await server.database.pool.query('UPDATE "user" SET blocked = false WHERE id = $1', [id])
    const { to } = signOut(null, runtime)
    await browser.get('/v2/logout', { query: { client_id: CONSOLE_CLIENT } })
    expect(to).toContain('/oidc/logout?')
    expect(await entryWith(jar, runtime)).toEqual({ state: 'signed-out' })
  })

  it('signs out by the product’s own logout, with the ID token as the hint', async () => {
    const { email } = await addAdministrator('auditor')
    const { runtime, browser, jar, finish } = await signIn(email)
    keep(jar, (await finish()).cookies)
    const { readToken } = await import('./sign-in')
    const held = await readToken(cookiesIn(requestTo('/console', jar).headers.cookie), runtime)
    const { to, cookies } = signOut(held?.idToken ?? null, runtime)
    const answer = await browser.get(to.slice(BASE_URL.length))
    expect(locationOf(answer).href).toBe(`${BASE_URL}/console/signed-out`)
    expect(await entryWith(jar, runtime)).toEqual({ state: 'signed-out' })
    keep(jar, cookies)
    expect([...jar.keys()].filter((name) => name.includes('.session'))).toEqual([])
  })
})

describe('the client of the console', () => {
  const exchange = (secret: string, extra: Record<string, string>) =>
    server.browser().post('/oauth/token', { form: { client_id: CONSOLE_CLIENT, client_secret: secret, ...extra } })

  it('is of no use to others', async () => {
    const runtime = await server.runtime()
    const secret = consoleSecret(runtime.tenantId, runtime.vault)
    const code = { grant_type: 'authorization_code', code: 'c', redirect_uri: consoleCallback(BASE_URL) }
    expect((await exchange('a guess of the secret', code)).status).toBe(401)
    const audience = managementAudience(BASE_URL)
    for (const grant of ['client_credentials', 'password', 'refresh_token'])
      expect((await exchange(secret, { grant_type: grant, audience })).status).toBeGreaterThanOrEqual(400)
    const query = { client_id: CONSOLE_CLIENT, response_type: 'code', redirect_uri: 'https://evil.test/cb' }
    expect((await server.browser().get('/authorize', { query })).status).toBe(400)
  })

  it('is not in the list of clients, and a client of its name does not replace it', async () => {
    expect((await manager.get(`/clients/${CONSOLE_CLIENT}`)).status).toBe(404)
    expect((await manager.patch(`/clients/${CONSOLE_CLIENT}`, { callbacks: ['https://evil.test'] })).status).toBe(404)
    await server.addClient({
      clientId: CONSOLE_CLIENT,
      secret: 'x'.repeat(20),
      settings: { callbacks: ['https://evil.test/cb'] },
    })
    const runtime = await server.runtime()
    expect((await runtime.clients.find(CONSOLE_CLIENT))?.settings.callbacks).toEqual([consoleCallback(BASE_URL)])
  })
})

describe('a role', () => {
  const AUDIENCE = managementAudience(BASE_URL)
  const ids = {} as Record<ConsoleRole, string>
  beforeAll(async () => {
    await server.addRole('Managers', { [AUDIENCE]: ['create:clients'] })
    for (const role of CONSOLE_ROLES) ids[role] = (await addAdministrator(role)).id
  })

  async function call(role: ConsoleRole, operation: string, input: ConsoleCall = {}): Promise<unknown> {
    const runtime = (await server.runtime()).within(requestTo('/console'))
    const administrator = await runtime.administrators.find(ids[role])
    if (!administrator) throw new Error(`no ${role}`)
    const { contextFor } = await import('./entry')
    try {
      return (
        await callOperation(operationNamed(operation), input, await contextFor(administrator, runtime, '198.51.100.7'))
      ).body
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  async function pageOf(role: ConsoleRole): Promise<Console> {
    const request = requestTo('/console')
    const runtime = (await server.runtime()).within(request)
    const administrator = await runtime.administrators.find(ids[role])
    if (!administrator) throw new Error(`no ${role}`)
    return consoleOf({ runtime, request, administrator, authenticatedAt: server.clock.now() })
  }

  it.each([
    ['application_editor', 'users.list'],
    ['application_editor', 'users.read'],
    ['application_editor', 'logs.list'],
    ['application_editor', 'client_grants.create'],
    ['user_support', 'clients.create'],
    ['user_support', 'users.delete'],
    ['user_support', 'users.create'],
    ['user_support', 'actions.list'],
    ['admin', 'administrators.invite'],
    ['auditor', 'users.update'],
    ['auditor', 'clients.rotate_secret'],
  ] as const)('%s may not call %s', async (role, operation) => {
    expect(await call(role, operation, { body: {} })).toBe('insufficient_scope')
  })

  it('reads what is its own', async () => {
    expect(await call('application_editor', 'clients.list')).toEqual(expect.any(Array))
    expect(await call('user_support', 'users.list')).toEqual(expect.any(Array))
    expect(await call('auditor', 'users.list')).toEqual(expect.any(Array))
  })

  it('cannot raise itself: accounts, applications and permissions above it are out of reach', async () => {
    const { rows } = await server.database.pool.query('SELECT id FROM role WHERE name = $1', ['Managers'])
    const managers = String(rows[0].id)
    const victim = ids.owner
    const { rows: found } = await server.database.pool.query('SELECT email FROM "user" WHERE id = $1', [victim])
    const email = String(found[0].email)
    const own = await server.addUser({ email: `${randomUUID()}@example.com` })
    const attempts: [ConsoleRole, string, ConsoleCall][] = [
      ['user_support', 'users.update', { params: { id: victim }, body: { password: 'a quiet harbour in winter' } }],
      ['user_support', 'tickets.password_change', { body: { user_id: victim } }],
      [
        'user_support',
        'tickets.password_change',
        { body: { email: email.toUpperCase(), connection_id: 'con_database' } },
      ],
      [
        'user_support',
        'users.identities.link',
        { params: { id: own }, body: { provider: 'auth0', user_id: victim.split('|')[1] } },
      ],
      ['user_support', 'users.roles.add', { params: { id: own }, body: { roles: [managers] } }],
      [
        'user_support',
        'users.permissions.add',
        {
          params: { id: own },
          body: { permissions: [{ resource_server_identifier: AUDIENCE, permission_name: 'create:clients' }] },
        },
      ],
      ['user_support', 'users.update', { params: { id: ids.user_support }, body: { app_metadata: {} } }],
      ['application_editor', 'clients.rotate_secret', { params: { id: MANAGER } }],
      ['application_editor', 'clients.update', { params: { id: MANAGER }, body: { callbacks: ['https://evil.test'] } }],
      [
        'admin',
        'client_grants.create',
        { body: { client_id: 'c', audience: AUDIENCE, scope: ['create:administrators'] } },
      ],
      ['admin', 'clients.rotate_secret', { params: { id: MANAGER } }],
      ['admin', 'users.update', { params: { id: victim }, body: { blocked: true } }],
    ]
    for (const [role, operation, input] of attempts)
      expect([operation, await call(role, operation, input)]).toEqual([operation, 'access_denied'])
    expect(await call('user_support', 'users.update', { params: { id: own }, body: { blocked: true } })).toMatchObject({
      blocked: true,
    })
  })

  it.each([
    ['user_support', 'users.update', undefined, true],
    ['user_support', 'users.update', 'user_metadata', true],
    ['user_support', 'users.update', 'app_metadata', false],
    ['user_support', 'users.roles.add', 'roles', false],
    ['user_support', 'users.roles.remove', undefined, false],
    ['user_support', 'clients.list', 'is_global', false],
    ['application_editor', 'clients.list', 'is_global', true],
    ['auditor', 'clients.list', 'is_global', true],
    ['admin', 'users.update', 'app_metadata', true],
    ['admin', 'users.roles.add', 'roles', true],
    ['admin', 'connections.update', undefined, false],
    ['admin', 'email_provider.change', undefined, false],
    ['admin', 'email_provider.try', undefined, false],
    ['admin', 'custom_domains.verify', undefined, false],
    ['admin', 'signing_keys.rotate', undefined, false],
    ['admin', 'administrators.update', undefined, false],
    ['auditor', 'users.update', 'app_metadata', false],
    ['owner', 'users.update', 'app_metadata', true],
  ] as const)('in the hands of %s, a page offers %s of %s: %s', async (role, operation, member, offered) => {
    expect((await pageOf(role)).may(operationNamed(operation), member)).toBe(offered)
  })

  it.each([
    clients.list,
    connections.list,
    logs.list,
    organizations.list,
    resourceServers.list,
    roles.list,
    users.list,
  ])('reads a page of $name, with the number of all entries', async (operation: Reference) => {
    await manager.post('/organizations', { name: `org-${randomUUID().slice(0, 8)}` })
    const { rows, total } = await (await pageOf('owner')).list(operation, { query: { per_page: '1' } })
    expect(rows).toHaveLength(1)
    expect(total).toBeGreaterThanOrEqual(1)
  })

  it('reads no page of what is no list', async () => {
    await expect((await pageOf('owner')).list(tenantSettings.read)).rejects.toThrow('tenant_settings.read is no list')
  })

  it('reads an object with its members without effect', async () => {
    const { client_id: id } = (await manager.post('/clients', { name: 'Kept', allowed_clients: ['x'] })).json()
    const params = { id: String(id) }
    expect(await (await pageOf('owner')).readTagged(clients.read, { params })).toMatchObject({
      notApplied: ['allowed_clients'],
    })
  })

  it('finds on the page of an account, application or role above it what may be looked at, and no more', async () => {
    const { rows } = await server.database.pool.query('SELECT id FROM role WHERE name = $1', ['Managers'])
    const managers = String(rows[0].id)
    const plain = await server.addUser({ email: `${randomUUID()}@example.com` })
    for (const [role, kind, id, isAbove] of [
      ['user_support', 'users', ids.owner, true],
      ['user_support', 'users', ids.user_support, true],
      ['admin', 'users', ids.auditor, true],
      ['owner', 'users', ids.owner, false],
      ['user_support', 'users', plain, false],
      ['application_editor', 'clients', MANAGER, true],
      ['admin', 'clients', MANAGER, true],
      ['owner', 'clients', MANAGER, false],
      ['user_support', 'roles', managers, true],
      ['admin', 'roles', managers, false],
    ] as const) {
      const page = await pageOf(role)
      const facing = await page.facing(kind, id)
      expect([role, id, facing.isAbove]).toEqual([role, id, isAbove])
      for (const operation of ['users.update', 'clients.update', 'roles.update', 'users.delete'])
        expect(facing.may(operationNamed(operation))).toBe(page.may(operationNamed(operation)) && !isAbove)
      expect(facing.may(users.list)).toBe(page.may(users.list))
      expect(await page.above(kind, [id, 'none'])).toEqual(new Set(isAbove ? [id] : []))
    }
  })

  it('is named in the audit log with what changed', async () => {
    const own = await server.addUser({ email: `${randomUUID()}@example.com` })
    await call('user_support', 'users.update', { params: { id: own }, body: { nickname: '<script>' } })
    const record = (await server.audited()).findLast(({ type }) => type === 'sapi')
    expect(record).toMatchObject({ client_id: CONSOLE_CLIENT, user_id: ids.user_support })
    expect(JSON.stringify(record)).toContain('users.update')
  })

  it('refuses input as the API does', async () => {
    expect(await call('admin', 'users.update', { params: { id: 'auth0|\u0000' }, body: {} })).toBe('invalid_request')
    expect(await call('admin', 'users.list', { query: { per_page: '1000' } })).toBe('invalid_request')
    expect(await call('admin', 'no.such_operation')).toBe('not_found')
  })
})

describe('an invitation', () => {
  let tickets: Parameters<typeof issueTicket>[2]
  beforeEach(async () => {
    tickets = await server.runtime()
  })

  it('makes one administrator, however many accept it at once', async () => {
    const { administrators } = await server.runtime()
    const users = await Promise.all([1, 2, 3].map(() => server.addUser({ email: `${randomUUID()}@example.com` })))
    const plain = await issueTicket(INVITATION, { role: 'auditor' }, tickets)
    const accepted = await Promise.all(users.map((id) => administrators.accept(digest(plain), id, server.clock.now())))
    expect(accepted.filter((role) => role === 'auditor')).toHaveLength(1)
    expect(await administrators.accept(digest(plain), users[0] ?? '', server.clock.now())).toBeNull()
  })

  it('for an address is accepted by the person who has confirmed it, and says why another one cannot', async () => {
    const runtime = await server.runtime()
    const email = `${randomUUID()}@example.com`
    const plain = await issueTicket(INVITATION, { role: 'auditor', email }, tickets)
    const of = async (email: string, emailVerified: boolean) => {
      const id = await server.addUser({ email, data: { emailVerified } })
      return { id, email, offer: await offerTo(id, plain, runtime) }
    }
    const other = await of(`${randomUUID()}@example.com`, true)
    expect(other.offer).toEqual({ state: 'other', user: other.email })
    const invited = await of(email, false)
    expect(invited.offer).toEqual({ state: 'unconfirmed', user: email })
    await server.database.pool.query('UPDATE "user" SET email_verified = true WHERE id = $1', [invited.id])
    expect(await offerTo(invited.id, plain, runtime)).toMatchObject({ state: 'ready', user: email })
    await runtime.administrators.accept(digest(plain), invited.id, server.clock.now())
    expect(await offerTo(invited.id, plain, runtime)).toEqual({ state: 'void' })
  })

  it('expires, and leaves an owner an owner', async () => {
    const { administrators } = await server.runtime()
    const { id } = await addAdministrator('owner')
    const late = await issueTicket(INVITATION, { role: 'auditor' }, tickets, { lifetimeSeconds: 1 })
    server.clock.advance(2)
    expect(await administrators.accept(digest(late), id, server.clock.now())).toBeNull()
    const plain = await issueTicket(INVITATION, { role: 'auditor' }, tickets)
    expect(await administrators.accept(digest(plain), id, server.clock.now())).toBe('owner')
  })

  it('of the first owner ends with the next one, and does not exist beside an owner', async () => {
    const fresh = await testServer()
    try {
      const parts = {
        db: createDatabase(fresh.database.pool),
        clock: fresh.clock,
        random: fresh.random,
        baseUrl: BASE_URL,
      }
      const [first, second] = [await firstOwnerLink(parts), await firstOwnerLink(parts)]
      const digestIn = (link: string | null) => digest(new URL(link ?? '').searchParams.get('ticket') ?? '')
      const { administrators } = await fresh.runtime()
      const id = await fresh.addUser({ email: 'first@example.com' })
      expect(await administrators.accept(digestIn(first), id, fresh.clock.now())).toBeNull()
      expect(await administrators.accept(digestIn(second), id, fresh.clock.now())).toBe('owner')
      expect(await firstOwnerLink(parts)).toBeNull()
      expect(FIRST_OWNER).toBe('first-owner')
      await expect(administrators.change(id, 'admin')).rejects.toMatchObject({ code: 'conflict' })
      await expect(administrators.change(id, null)).rejects.toMatchObject({ code: 'conflict' })
    } finally {
      await fresh.close()
    }
  })

  it('lets the first owner make an account on a server without connections, and no one afterwards', async () => {
    const fresh = await testServer()
    try {
      await fresh.setTenant({ tenant: { console_second_factor: false } })
      await fresh.database.pool.query('DELETE FROM connection')
      fresh.clock.advance(2)
      const runtime = await fresh.runtime()
      const auditor = await issueTicket(INVITATION, { role: 'auditor' }, runtime)
      const owner = await issueTicket(INVITATION, { role: 'owner' }, runtime)
      const person = { email: 'first@example.com', password: 'a quiet harbour in winter' }
      const make = (ticket: string, password = person.password) =>
        makeFirstAccount(ticket, { ...person, password }, runtime, '198.51.100.7')
      expect(await make(auditor)).toBeNull()
      expect(await make('no such ticket')).toBeNull()
      await expect(make(owner, 'short')).rejects.toMatchObject({ code: 'invalid_request' })
      const proof = await make(owner)
      if (!proof) throw new Error('the link of the first owner is void')
      expect(await runtime.administrators.list()).toMatchObject([{ role: 'owner', email: person.email }])
      const another = await issueTicket(INVITATION, { role: 'owner' }, runtime)
      expect(await make(another)).toBeNull()
      fresh.clock.advance(2)
      const browser = fresh.browser()
      const started = await beginSignIn('/console', { proof }, requestTo('/console'), runtime)
      const ticket = started.to.slice(BASE_URL.length)
      expect(locationOf(await browser.get(ticket)).pathname, 'in another browser').toBe('/u/login')
      keep(browser.cookies, started.cookies)
      expect(locationOf(await browser.get(ticket)).searchParams.has('code'), 'in the browser of the form').toBe(true)
      expect(locationOf(await fresh.browser().get(ticket)).pathname, 'once more').toBe('/u/login')
      const client = await runtime.clients.find(CONSOLE_CLIENT)
      expect(client && (await runtime.connections.all()).filter((each) => isEnabledFor(each, client))).toHaveLength(1)
    } finally {
      await fresh.close()
    }
  })
})
