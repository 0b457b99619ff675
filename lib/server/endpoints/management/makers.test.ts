// A link opens nothing once its maker has lost the right to make it (threat-model.md MG54, BF26).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { CONSOLE_CLIENT } from '../../../data/clients/console'
import { openShare } from '../../../data/login-tests/login-share'
import { findTicket, issueTicket, type TicketKind } from '../../../data/tickets/ticket'
import { RESET } from '../../../identity/accounts/reset-password'
import { VERIFY } from '../../../identity/accounts/verify-email'
import { ENROLLMENT } from '../../../identity/mfa/enrollment-ticket'
import { digest } from '../../../kernel/secret'
import { callOperation, operationNamed } from '../../../management/console-call'
import { INVITATION } from '../../../management/operations/console-administrators'
import { type ConsoleRole, rightsOfRole } from '../../../management/operations/console-roles'
import type { Actor } from '../../../management/operations/operation'
import { BASE_URL } from '../../../testing/database'
import { demand } from '../../../testing/mfa'
import { organizationsOf } from '../../../testing/organizations'
import { type TestServer, testServer } from '../../../testing/server'
import { storedLogin } from '../../../testing/stored-login'

const AUDIENCE = managementAudience(BASE_URL)

let server: TestServer
let organization: string
beforeAll(async () => {
  server = await testServer()
  await demand(server, [])
  await server.addClient({
    clientId: 'app',
    secret: 'x'.repeat(20),
    settings: { organization_usage: 'allow', initiate_login_uri: 'https://app.example/login' },
  })
  organization = await organizationsOf(server).add('makers')
  // An owner beside those that the tests dismiss.
  await newAdministrator('owner')
})
afterAll(() => server.close())

const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)
const newUser = () => server.addUser({ email: `${randomUUID()}@example.com` })

async function newAdministrator(role: ConsoleRole): Promise<string> {
  const id = await newUser()
  await (await server.runtime()).administrators.put(id, role, server.clock.now())
  return id
}

async function run(
  actor: Actor,
  name: string,
  input: Parameters<typeof callOperation>[1],
): Promise<Record<string, string>> {
  const runtime = await server.runtime()
  const context = { actor, deps: await runtime.management(), trail: runtime.trail, ip: '198.51.100.7' }
  return (await callOperation(operationNamed(name), input, context)).body as Record<string, string>
}

const ticketIn = (link = ''): string => {
  const query = new URL(link).searchParams
  return query.get('ticket') ?? query.get('invitation') ?? ''
}
const stands =
  (kind: TicketKind<unknown>) =>
  async (ticket: string): Promise<boolean> =>
    (await findTicket(kind, ticket, await server.runtime())) !== null
const invites = async (ticket: string): Promise<boolean> => {
  const { organizations, clock } = await server.runtime()
  return (await organizations.invitation(digest(ticket), clock.now())) !== null
}

/** `beside`: another scope that the link needs. */
type Link = {
  scope: string
  beside?: readonly string[]
  make(actor: Actor): Promise<string>
  stands(ticket: string): Promise<boolean>
}

const LINKS: [string, Link][] = [
  [
    'to choose a password',
    {
      scope: 'create:user_tickets',
      make: async (actor) =>
        ticketIn((await run(actor, 'tickets.password_change', { body: { user_id: await newUser() } })).ticket),
      stands: stands(RESET.ticket),
    },
  ],
  [
    'to verify an address',
    {
      scope: 'create:user_tickets',
      make: async (actor) =>
        ticketIn((await run(actor, 'tickets.email_verification', { body: { user_id: await newUser() } })).ticket),
      stands: stands(VERIFY.ticket),
    },
  ],
  [
    'to add a second factor',
    {
      scope: 'create:guardian_enrollment_tickets',
      make: async (actor) =>
        ticketIn(
          (await run(actor, 'guardian.enrollments.create_ticket', { body: { user_id: await newUser() } })).ticket_url,
        ),
      stands: stands(ENROLLMENT),
    },
  ],
  [
    'to become an administrator',
    {
      scope: 'create:administrators',
      make: async (actor) =>
        ticketIn((await run(actor, 'administrators.invite', { body: { role: 'auditor' } })).invitation_url),
      stands: stands(INVITATION),
    },
  ],
  [
    'to join an organization',
    {
      scope: 'create:organization_invitations',
      async make(actor) {
        const body = {
          inviter: { name: 'I' },
          invitee: { email: 'i@example.com' },
          client_id: 'app',
          send_invitation_email: false,
        }
        return ticketIn(
          (await run(actor, 'organizations.invitations.create', { params: { id: organization }, body })).invitation_url,
        )
      },
      stands: invites,
    },
  ],
  [
    'to a copy of a login',
    {
      scope: 'create:login_shares',
      async make(actor) {
        const { url } = await run(actor, 'login_shares.create', { body: { login_id: await storedLogin(server) } })
        return String(url).split('/').at(-1) ?? ''
      },
      stands: async (secret) => (await openShare(secret, await server.runtime())) !== null,
    },
  ],
  [
    'to a test of a login (create:login_shares)',
    {
      scope: 'create:login_shares',
      beside: ['create:login_tests'],
      make: async (actor) =>
        String((await run(actor, 'login_shares.create_test', { body: { client_id: 'app' } })).url)
          .split('/')
          .at(-1) ?? '',
      stands: async (secret) => (await openShare(secret, await server.runtime())) !== null,
    },
  ],
  [
    'to a test of a login (create:login_tests)',
    {
      scope: 'create:login_tests',
      beside: ['create:login_shares'],
      make: async (actor) =>
        String((await run(actor, 'login_shares.create_test', { body: { client_id: 'app' } })).url)
          .split('/')
          .at(-1) ?? '',
      stands: async (secret) => (await openShare(secret, await server.runtime())) !== null,
    },
  ],
]

describe.each(LINKS)('a link %s', (_what, link) => {
  const ofAdministrator = async (): Promise<[string, string]> => {
    const userId = await newAdministrator('owner')
    return [userId, await link.make({ clientId: CONSOLE_CLIENT, userId, ...rightsOfRole('owner') })]
  }
  async function ofClient(): Promise<[string, string]> {
    const clientId = `client-${randomUUID()}`
    await server.addClient({ clientId, secret: 'x'.repeat(20), settings: {} })
    await server.addClientGrant(clientId, AUDIENCE, [...rightsOfRole('owner').scopes])
    return [clientId, await link.make({ clientId, userId: null, ...rightsOfRole('owner') })]
  }

  it('stands while the administrator who made it may make it', async () => {
    const [, ticket] = await ofAdministrator()
    expect(await link.stands(ticket)).toBe(true)
  })

  it.each([
    ['is dismissed', (id: string) => sql('DELETE FROM administrator WHERE user_id = $1', [id])],
    [
      'has a role that may not make it',
      (id: string) => sql("UPDATE administrator SET role = 'auditor' WHERE user_id = $1", [id]),
    ],
    ['is blocked', (id: string) => sql('UPDATE "user" SET blocked = true WHERE id = $1', [id])],
    ['is deleted', (id: string) => sql('DELETE FROM "user" WHERE id = $1', [id])],
  ])('opens nothing once the administrator %s', async (_how, lose) => {
    const [id, ticket] = await ofAdministrator()
    await lose(id)
    expect(await link.stands(ticket)).toBe(false)
  })

  it.each([
    [
      'loses the scope',
      (id: string) =>
        sql('UPDATE client_grant SET scopes = array_remove(scopes, $2) WHERE client_id = $1', [id, link.scope]),
    ],
    ['loses the grant', (id: string) => sql('DELETE FROM client_grant WHERE client_id = $1', [id])],
    ['is deleted', (id: string) => sql('DELETE FROM client WHERE client_id = $1', [id])],
  ])('opens nothing once the client %s', async (_how, lose) => {
    const [id, ticket] = await ofClient()
    expect(await link.stands(ticket)).toBe(true)
    await lose(id)
    expect(await link.stands(ticket)).toBe(false)
  })

  it('opens nothing once the person who made it by the API loses the permission', async () => {
    const userId = await newUser()
    for (const scope of [link.scope, ...(link.beside ?? [])])
      await sql(
        `INSERT INTO user_permission (tenant_id, user_id, audience, permission) VALUES ('default', $1, $2, $3)`,
        [userId, AUDIENCE, scope],
      )
    const ticket = await link.make({ clientId: 'app', userId, ...rightsOfRole('owner') })
    expect(await link.stands(ticket)).toBe(true)
    await sql('DELETE FROM user_permission WHERE user_id = $1', [userId])
    expect(await link.stands(ticket)).toBe(false)
  })
})

describe('an invitation of an administrator', () => {
  it('is not accepted after its maker was dismissed, and is accepted before', async () => {
    const { administrators, clock } = await server.runtime()
    const [, link] = LINKS.find(([what]) => what === 'to become an administrator') as [string, Link]
    const maker = await newAdministrator('owner')
    const actor = { clientId: CONSOLE_CLIENT, userId: maker, ...rightsOfRole('owner') }
    const [first, second] = [await link.make(actor), await link.make(actor)]
    expect(await administrators.accept(digest(first), await newUser(), clock.now())).toBe('auditor')
    await administrators.change(maker, 'admin')
    expect(await administrators.accept(digest(second), await newUser(), clock.now())).toBeNull()
  })

  it('of the command line has no maker who can be dismissed', async () => {
    const { administrators, clock, ...rest } = await server.runtime()
    const plain = await issueTicket(INVITATION, { role: 'auditor' }, { clock, ...rest })
    expect(await administrators.accept(digest(plain), await newUser(), clock.now())).toBe('auditor')
  })
})

it('a link for a user ends when the user becomes an administrator, or another kind of one', async () => {
  const actor = {
    clientId: CONSOLE_CLIENT,
    userId: await newAdministrator('user_support'),
    ...rightsOfRole('user_support'),
  }
  const id = await newUser()
  const make = async (by: Actor) =>
    ticketIn((await run(by, 'tickets.password_change', { body: { user_id: id } })).ticket)
  const before = await make(actor)
  const { administrators, clock } = await server.runtime()
  await administrators.put(id, 'auditor', clock.now())
  expect(await stands(RESET.ticket)(before)).toBe(false)
  const owner = { clientId: CONSOLE_CLIENT, userId: await newAdministrator('owner'), ...rightsOfRole('owner') }
  const between = await make(owner)
  expect(await stands(RESET.ticket)(between)).toBe(true)
  await administrators.put(id, 'owner', clock.now())
  expect(await stands(RESET.ticket)(between)).toBe(false)
})

const GAINS: [string, (userId: string) => Promise<unknown>][] = [
  [
    'a permission',
    (id) =>
      sql(`INSERT INTO user_permission (tenant_id, user_id, audience, permission) VALUES ('default', $1, $2, $3)`, [
        id,
        AUDIENCE,
        'update:users',
      ]),
  ],
  [
    'a role',
    async (id) => {
      await server.addRole(`gained ${id}`, { [AUDIENCE]: ['update:users'] })
      await server.giveRole(id, `gained ${id}`)
    },
  ],
  [
    'a role in an organization',
    async (id) => {
      await server.addRole(`joined ${id}`, { [AUDIENCE]: ['update:users'] })
      await organizationsOf(server).join(organization, id, [`joined ${id}`])
    },
  ],
  [
    'what is added to a role that the user has',
    async (id) => {
      await server.addRole(`grown ${id}`, {})
      await server.giveRole(id, `grown ${id}`)
      await sql(
        `INSERT INTO role_permission (tenant_id, role_id, audience, permission) VALUES ('default', $1, $2, $3)`,
        [`grown ${id}`, AUDIENCE, 'update:users'],
      )
    },
  ],
]

describe('a link for a user who had no rights over the tenant', () => {
  const make = async (userId: string): Promise<string> => {
    const actor = { clientId: 'app', userId: null, scopes: new Set(['create:user_tickets']) }
    await server.addClientGrant('app', AUDIENCE, ['create:user_tickets']).catch(() => {})
    return ticketIn((await run(actor, 'tickets.password_change', { body: { user_id: userId } })).ticket)
  }

  it.each(GAINS)('ends when the user gets a scope of the Management API by %s', async (_how, gain) => {
    const id = await newUser()
    const ticket = await make(id)
    expect(await stands(RESET.ticket)(ticket)).toBe(true)
    await gain(id)
    expect(await stands(RESET.ticket)(ticket)).toBe(false)
  })

  it('stands when the user gets scopes of an API of the tenant', async () => {
    const id = await newUser()
    const ticket = await make(id)
    await server.addApi('https://shop.example/stock', { scopes: [{ value: 'update:users' }] })
    await server.addRole('clerk', { 'https://shop.example/stock': ['update:users'] })
    await server.giveRole(id, 'clerk')
    await organizationsOf(server).join(organization, id, ['clerk'])
    expect(await stands(RESET.ticket)(ticket)).toBe(true)
  })
})

describe('an invitation to a role that holds scopes of the Management API', () => {
  async function invited(email: string, roles: string[]): Promise<string> {
    const body = { inviter: { name: 'I' }, invitee: { email }, client_id: 'app', send_invitation_email: false, roles }
    const owner = { clientId: CONSOLE_CLIENT, userId: await newAdministrator('owner'), ...rightsOfRole('owner') }
    const input = { params: { id: organization }, body }
    return ticketIn((await run(owner, 'organizations.invitations.create', input)).invitation_url)
  }

  it.each([
    [true, true, true],
    [true, false, false],
    [false, false, true],
  ])(
    'a role with scopes of the Management API is given (%s) by an invitation that is accepted with a verified address (%s): %s',
    async (hasPower, emailVerified, isAccepted) => {
      const [role, email] = [`invited ${randomUUID()}`, `${randomUUID()}@example.com`]
      await server.addRole(role, hasPower ? { [AUDIENCE]: ['update:users'] } : {})
      const ticket = await invited(email, [role])
      const user = await server.addUser({ email, data: { emailVerified } })
      const { organizations, clock } = await server.runtime()
      expect(await organizations.invitation(digest(ticket), clock.now())).toMatchObject({ givesPower: hasPower })
      const accepted = await organizations.accept(digest(ticket), user, clock.now())
      expect(accepted !== null).toBe(isAccepted)
    },
  )
})
