// What ends each kind of ticket, derived from the table of kinds: every kind that is bound to an account × every end (threat-model.md BF19,
// BF26). The clock stands still, so nothing here depends on an order of times.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestReset, resetPassword } from '../../identity/accounts/reset-password'
import type { Runtime } from '../../server/runtime/runtime'
import { mailsTo } from '../../testing/mail'
import { enterPortal, submitInPortal } from '../../testing/portal'
import { type Browser, type TestServer, testServer } from '../../testing/server'
import { isDatabase } from '../connections/connection'
import { BONDS, type Bond, type TicketName } from './bonds'
import { findStep, findTicket, issueTicket, type TicketMaker, ticketKind } from './ticket'

let server: TestServer
let runtime: Runtime

beforeAll(async () => {
  server = await testServer()
  await server.setTenant({ tenant: { rate_limits: { submit: false, pages: false } } })
  runtime = await server.runtime()
})
afterAll(() => server.close())

type Person = { id: string; email: string; maker: TicketMaker; browser: Browser }

async function person(): Promise<Person> {
  const name = server.random.hex(8)
  const email = `${name}@mail.test`
  const id = await server.addUser({ id: name, email, data: { emailVerified: true } })
  const browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  await enterPortal(browser, email)
  const { rows } = await query('SELECT sid FROM session WHERE user_id = $1', id)
  return { id, email, browser, maker: { userId: id, clientId: 'app', sid: String(rows[0]?.sid), familyId: null } }
}

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const change = async ({ id }: Person, fields: object, more: object = {}): Promise<void> => {
  const { managedUsers } = await runtime.management()
  const [account] = await managedUsers.accounts(id)
  await managedUsers.change(id, { fields, ...(account && { account }), ...more }, runtime.clock.now(), () => {})
}

const hash = () => runtime.passwords.hash(runtime.random.token())

async function mailReset({ email }: Person): Promise<string> {
  const connection = (await runtime.connections.all()).find(isDatabase)
  if (!connection) throw new Error('no database')
  const context = { clientId: null, ip: '203.0.113.9', locale: 'en' }
  await requestReset(connection, email, context, runtime)
  const links = (await mailsTo(server, email)).flatMap(({ link }) =>
    link?.includes('/u/reset-password') ? [link] : [],
  )
  return new URL(links[0] ?? '').searchParams.get('ticket') ?? ''
}

type End = { ends: readonly Bond[]; happens(owner: Person): Promise<unknown> }

const ALL: readonly Bond[] = ['account', 'undo', 'session']

const ENDS: Record<string, End> = {
  'a block that is lifted again': {
    ends: ALL,
    async happens(owner) {
      await change(owner, { blocked: true })
      await change(owner, { blocked: false })
    },
  },
  'a password that a manager sets': {
    ends: ALL,
    happens: async (owner) => change(owner, {}, { password: { hash: await hash(), keep: 0 } }),
  },
  'an address that a manager sets': {
    ends: ALL,
    happens: (owner) => change(owner, { email: `new-${owner.email}` }),
  },
  'a new password by the mailed link': {
    ends: ['account', 'session'],
    async happens(owner) {
      const ticket = await mailReset(owner)
      const context = { ip: '203.0.113.9', locale: 'en' }
      const done = await resetPassword(ticket, 'a lantern over the harbour wall', context, runtime)
      expect(done.outcome).toBe('done')
    },
  },
  'the deletion of the account, although it is made again with the same id and address': {
    ends: ALL,
    async happens({ id, email }) {
      const { managedUsers } = await runtime.management()
      await managedUsers.remove(id, () => {}, runtime.clock.now())
      expect(await server.addUser({ id: id.split('|')[1] ?? '', email, data: { emailVerified: true } })).toBe(id)
    },
  },
  'a sign-out everywhere': {
    ends: ['session'],
    happens: ({ browser }) => submitInPortal(browser, 'sessions', { action: 'end-all' }),
  },
  '“This wasn’t me”': {
    ends: ['session'],
    happens: ({ browser }) => submitInPortal(browser, 'activity', { action: 'not-me' }),
  },
  'the end of its session': {
    ends: ['session'],
    happens: ({ maker, browser }) => submitInPortal(browser, 'sessions', { action: 'end', session: maker.sid ?? '' }),
  },
  'a step that its session asks for': {
    ends: [],
    async happens({ browser }) {
      await submitInPortal(browser, 'password', { action: 'change' })
      await submitInPortal(browser, 'factors', { action: 'add' })
    },
  },
}

const BOUND = (Object.keys(BONDS) as TicketName[]).filter((name) => (ALL as string[]).includes(BONDS[name]))

const CASES = BOUND.flatMap((name) => Object.keys(ENDS).map((end) => ({ name, bond: BONDS[name], end })))

describe('a ticket of an account', () => {
  it.each(CASES)('$name, bound to: $bond, meets $end as the table of bonds says', async ({ name, end }) => {
    const [kind, owner] = [ticketKind<TicketMaker>(name, 600), await person()]
    const plain = await issueTicket(kind, owner.maker, runtime, { subject: `${owner.id} of the test` })
    expect(await findTicket(kind, plain, runtime)).not.toBeNull()
    await ENDS[end]?.happens(owner)
    const stands = (await findTicket(kind, plain, runtime)) !== null
    expect(stands).toBe(!ENDS[end]?.ends.includes(BONDS[name]))
  })

  it.each(BOUND)('%s opens nothing where it names no account, or one that does not exist', async (name) => {
    const kind = ticketKind<object>(name, 600)
    for (const payload of [{}, { userId: '' }, { userId: 'auth0|none' }]) {
      const plain = await issueTicket(kind, payload, runtime)
      expect(await findTicket(kind, plain, runtime)).toBeNull()
    }
  })

  it.each(BOUND)('%s is no ticket of another kind', async (name) => {
    const owner = await person()
    const plain = await issueTicket(ticketKind<TicketMaker>(name, 600), owner.maker, runtime)
    for (const other of Object.keys(BONDS) as TicketName[])
      if (other !== name) expect(await findTicket(ticketKind<TicketMaker>(other, 600), plain, runtime)).toBeNull()
  })
})

describe('a ticket of a session', () => {
  const STEPS = BOUND.filter((name) => BONDS[name] === 'session')

  it.each(STEPS)('%s opens for its person and client in its session alone', async (name) => {
    const [kind, { maker }] = [ticketKind<TicketMaker>(name, 600), await person()]
    const plain = await issueTicket(kind, maker, runtime)
    expect(await findStep(kind, plain, maker, runtime)).toEqual(maker)
    const strangers = [{ userId: 'auth0|x' }, { clientId: 'other' }, { sid: 'other' }, { sid: null, familyId: 'f' }]
    for (const stranger of strangers) expect(await findStep(kind, plain, { ...maker, ...stranger }, runtime)).toBeNull()
  })

  it.each(STEPS)('%s of a token without a session ends with that token', async (name) => {
    const [kind, owner] = [ticketKind<TicketMaker>(name, 600), await person()]
    const familyId = '0192d3a0-0000-7000-8000-000000000001'
    const text = `INSERT INTO token_family (id, tenant_id, client_id, user_id, scopes, created_at, expires_at)
      VALUES ($1, $2, 'app', $3, '{}', $4, $4) ON CONFLICT (id) DO UPDATE SET user_id = $3, revoked_at = NULL`
    await query(text, familyId, runtime.tenantId, owner.id, runtime.clock.now())
    const maker = { ...owner.maker, sid: null, familyId }
    const plain = await issueTicket(kind, maker, runtime)
    expect(await findStep(kind, plain, maker, runtime)).toEqual(maker)
    expect(await findStep(kind, plain, { ...maker, familyId: 'another' }, runtime)).toBeNull()
    await submitInPortal(owner.browser, 'sessions', { action: 'end-all' })
    expect(await findStep(kind, plain, maker, runtime)).toBeNull()
  })
})
