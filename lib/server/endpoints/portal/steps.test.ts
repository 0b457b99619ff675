// Steps inside a page of the portal, and links in mails: which ends with which (threat-model.md BF19, BF26).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDatabase } from '../../../data/connections/connection'
import { requestReset } from '../../../identity/accounts/reset-password'
import { beginLogin, locationOf, SPA } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { enterPortal, proveForPassword, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const CHOSEN = 'a lantern over the harbour wall'

let server: TestServer
let manager: Manager
let owner: Browser
let intruder: Browser
let email: string
let user: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({
    tenant: { rate_limits: { submit: false, pages: false, management: { burst: 100_000, per_minute: 100_000 } } },
    guardianFactors: [{ name: 'otp', enabled: true }],
  })
  const name = server.random.hex(8)
  email = `${name}@mail.test`
  user = await server.addUser({ id: name, email, data: { emailVerified: true } })
  owner = browserOf()
  intruder = browserOf()
  await enterPortal(intruder, email)
})

const browserOf = (): Browser => server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
const press = (
  page: string,
  action: string,
  fields: Record<string, string> = {},
  own = intruder,
): Promise<TestResponse> => submitInPortal(own, page, { action, ...fields })

type Step = { page: string; action: string; path: string }
const STEPS: Step[] = [
  { page: 'factors', action: 'add', path: '/u/enroll' },
  { page: 'password', action: 'change', path: '/u/reset-password' },
]

async function begin({ page, action, path }: Step, own = intruder): Promise<string> {
  const to = page === 'password' ? await proveForPassword(own, email) : locationOf(await press(page, action, {}, own))
  expect(to.pathname).toBe(path)
  return to.searchParams.get('ticket') ?? ''
}

const open = async ({ path }: Step, ticket: string, own = intruder): Promise<number> =>
  (await own.get(path, { query: { ticket } })).status

const choose = async (ticket: string, own = owner): Promise<number> =>
  (await own.post('/u/reset-password', { form: { ticket, action: 'reset-password', password: CHOSEN } })).status

/** The link of a reset that the owner asked for on the login page. */
async function ownersLink(): Promise<string> {
  const form = { action: 'request-reset', email, state: await beginLogin(owner) }
  server.clock.advance(1)
  await owner.post('/u/submit', { form })
  const ticket = await ticketTo(server, email)
  expect(ticket).not.toBe('')
  return ticket
}

const path = () => `/users/${encodeURIComponent(user)}`

describe.each(STEPS)('the step to $path', (step) => {
  it('opens in the browser and session that made it alone', async () => {
    const ticket = await begin(step)
    expect(await open(step, ticket)).toBe(200)
    expect(await open(step, ticket, owner)).toBe(400)
    await enterPortal(owner, email)
    expect(await open(step, ticket, owner)).toBe(400)
    expect(await choose(ticket, owner)).toBe(400)
  })

  it('lives ten minutes', async () => {
    const ticket = await begin(step)
    server.clock.advance(599)
    expect(await open(step, ticket)).toBe(200)
    server.clock.advance(1)
    expect(await open(step, ticket)).toBe(400)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the session', () => intruder.get('/v2/logout')],
    ['all sessions', () => press('sessions', 'end-all')],
    ['the password, by the owner’s link', async () => expect(await choose(await ownersLink())).toBe(200)],
    ['the password, by a manager', () => manager.patch(path(), { password: CHOSEN, connection: 'Users' })],
    ['the account’s peace, by a block', () => manager.patch(path(), { blocked: true })],
  ])('ends with %s', async (_, end) => {
    const ticket = await begin(step)
    await end()
    expect(await open(step, ticket)).toBe(400)
    await manager.patch(path(), { blocked: false })
    const again = await enterPortal(intruder, email).catch(() => null)
    expect([again?.pathname ?? '', await open(step, ticket)]).toEqual([expect.any(String), 400])
  })
})

describe('the link of a reset that the owner asked for', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['asks for a step to a new password', () => proveForPassword(intruder, email)],
    ['signs out everywhere', () => press('sessions', 'end-all')],
    ['says “This wasn’t me”', () => press('activity', 'not-me')],
  ])('stays when an intruder %s', async (_, attack) => {
    const link = await ownersLink()
    await attack()
    expect(await choose(link)).toBe(200)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['another link that is asked for', ownersLink],
    ['a password of a manager', () => manager.patch(path(), { password: CHOSEN, connection: 'Users' })],
    ['a link of a manager', () => manager.post('/tickets/password-change', { user_id: user })],
  ])('ends with %s', async (_, end) => {
    const link = await ownersLink()
    await end()
    expect(await choose(link)).toBe(400)
  })

  it('ends with a block, also after that is lifted', async () => {
    const link = await ownersLink()
    await manager.patch(path(), { blocked: true })
    await manager.patch(path(), { blocked: false })
    expect(await choose(link)).toBe(400)
  })

  it('does not open an account that is made again with the same id and address', async () => {
    const link = await ownersLink()
    await manager.send('DELETE', path())
    expect(await server.addUser({ id: user.split('|')[1] ?? '', email })).toBe(user)
    expect(await choose(link)).toBe(400)
  })
})

it('“This wasn’t me” leaves the password where the limit of mails is used up, so that an intruder locks no one out', async () => {
  const own = server.browser({ ip: '198.51.100.7' })
  await enterPortal(own, email)
  const runtime = await server.runtime()
  const connection = (await runtime.connections.all()).find(isDatabase)
  if (!connection) throw new Error('no database')
  const context = { clientId: null, ip: '198.51.100.7', locale: 'en' }
  let sent = 0
  while (await requestReset(connection, email, context, runtime)) sent += 1
  expect(locationOf(await press('activity', 'not-me', {}, own)).searchParams.get('notice')).toBe('portal_ended')
  expect((await enterPortal(browserOf(), email)).pathname).toBe('/account/profile')
  expect(await mailsTo(server, email)).toHaveLength(sent)
})

it('of a link and a block at the same time, the block never comes before a password that the link sets', async () => {
  for (let round = 0; round < 5; round++) {
    const name = server.random.hex(8)
    const own = `${name}@mail.test`
    const id = await server.addUser({ id: name, email: own, data: { emailVerified: true } })
    const made = await manager.post('/tickets/password-change', { user_id: id })
    const ticket = new URL(String(made.json().ticket)).searchParams.get('ticket') ?? ''
    const [used] = await Promise.all([
      choose(ticket, browserOf()),
      manager.patch(`/users/${encodeURIComponent(id)}`, { blocked: true }),
    ])
    const { rows } = await server.database.pool.query(
      'SELECT password_changed_at IS NOT NULL AS chosen FROM identity WHERE user_id = $1',
      [id],
    )
    expect([used, rows[0]?.chosen]).toEqual(used === 200 ? [200, true] : [400, false])
    expect(await choose(ticket, browserOf())).toBe(400)
  }
})
