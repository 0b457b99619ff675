// The mail about a changed way to sign in, by every door that is not a second factor's (threat-model.md BF21), and to whom it goes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginLogin, locationOf, SPA, signInForTokens } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { codeTo } from '../../../testing/passwordless'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import type { Browser } from '../../../testing/server'
import { comeBack, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

const CHOSEN = 'a lantern over the harbour wall'

let server: UpstreamTestServer
let manager: Manager
let browser: Browser
let email: string
let user: string
let sub: string

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  manager = await addManager(server)
  await server.addProvider('corp', 'oidc', { options: { issuer: 'https://idp.test' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({
    tenant: {
      rate_limits: {
        submit: false,
        pages: false,
        current_user: false,
        management: { burst: 100_000, per_minute: 100_000 },
      },
    },
  })
  const name = server.random.hex(8)
  email = `${name}@mail.test`
  sub = `k-${name}`
  user = await server.addUser({ id: name, email, data: { emailVerified: true } })
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  await enterPortal(browser, email)
})

/** What the mails say that changed. */
async function mailed(address = email): Promise<string[]> {
  const mails = (await mailsTo(server, address)).filter(({ subject }) =>
    subject.includes('how you sign in was changed'),
  )
  return mails.map(({ text }) => /Change: (.*)/.exec(text)?.[1] ?? '').toSorted()
}

const press = (page: string, fields: Record<string, string>, own = browser) => submitInPortal(own, page, fields)

async function connect(): Promise<string | null> {
  const away = locationOf(await press('connections', { action: 'connect', connection: 'corp' }))
  return locationOf(await comeBack(browser, server.double, away, { sub })).searchParams.get('notice')
}

const unlink = () => press('connections', { action: 'unlink', provider: 'oidc', user_id: `corp|${sub}` })

async function changeTo(kind: 'email' | 'phone', value: string): Promise<void> {
  const waiting = locationOf(await press('profile', { action: kind, [kind]: value })).searchParams.get('waiting') ?? ''
  const done = await press('profile', { action: 'confirm', waiting, code: await codeTo(server, value) })
  expect(locationOf(done).searchParams.get('notice')).toBe('portal_saved')
}

const path = (id = user) => `/users/${encodeURIComponent(id)}`
const other = async () => {
  const address = `other-${server.random.hex(8)}@mail.test`
  return { address, id: await server.addUser({ email: address, data: { emailVerified: true } }) }
}

const API = { audience: 'https://id.test/api/v2/', scope: 'update:current_user_identities openid' }
const ME = { audience: 'https://id.test/me/', scope: 'update:me:identities openid' }

async function linkBy(door: typeof API, path: string): Promise<string> {
  const second = await other()
  const mine = await signInForTokens(server.browser(), email, door)
  const theirs = await signInForTokens(server.browser(), second.address)
  const json = { link_with: theirs.id_token }
  const headers = { authorization: `Bearer ${String(mine.access_token)}` }
  const linked = await server.browser().send('POST', path, { headers, json })
  expect(linked.status, linked.text).toBe(201)
  return second.address
}

type Door = { name: string; says: string[]; open(): Promise<unknown> }

const DOORS: Door[] = [
  { name: 'the portal connects an account', says: ['Added: Connected account'], open: connect },
  {
    name: 'the portal disconnects an account',
    says: ['Added: Connected account', 'Removed: Connected account'],
    async open() {
      await connect()
      await unlink()
    },
  },
  {
    name: 'a person links an account by the Management API',
    says: ['Added: Connected account'],
    open: () => linkBy(API, `/api/v2${path()}/identities`),
  },
  {
    name: 'a person links an account by the My Account API',
    says: ['Added: Connected account'],
    open: () => linkBy(ME, '/me/v1/identities'),
  },
  {
    name: 'a manager links and unlinks an account',
    says: ['Added: Connected account', 'Removed: Connected account'],
    async open() {
      const { id } = await other()
      expect((await manager.post(`${path()}/identities`, { provider: 'auth0', user_id: id })).status).toBe(201)
      await manager.remove(`${path()}/identities/auth0/${id.split('|')[1]}`)
    },
  },
  {
    name: 'a manager sets a password',
    says: ['Changed: Password'],
    open: () => manager.patch(path(), { password: CHOSEN, connection: 'Users' }),
  },
  {
    name: 'a manager sets an address',
    says: ['Changed: Email address'],
    open: () => manager.patch(path(), { email: `new-${email}`, connection: 'Users' }),
  },
  {
    name: 'the portal sets a number',
    says: ['Changed: Phone number'],
    open: () => changeTo('phone', '+4915123456789'),
  },
]

describe('the verified address is mailed when', () => {
  it.each(DOORS)('a mail is sent when $name', async ({ says, open }) => {
    await open()
    expect(await mailed()).toEqual(says)
  })

  it.each(DOORS)('the previous address gets a mail too: $name', async ({ says, open }) => {
    await changeTo('email', `intruder-${email}`)
    const [mine, theirs] = [email, `intruder-${email}`]
    email = theirs
    await open()
    email = mine
    expect(await mailed(mine)).toEqual(says)
    expect(await mailed(theirs)).toEqual(says)
    const [mail] = (await mailsTo(server, mine)).filter(({ subject }) =>
      subject.includes('how you sign in was changed'),
    )
    expect([mail?.link ?? null, mail?.text.includes('our mail about the changed email address')]).toEqual([null, true])
  })
})

it('the owner of an account that becomes part of another one is mailed', async () => {
  const address = await linkBy(ME, '/me/v1/identities')
  expect(await mailed(address)).toEqual(['Added: Connected account'])
})

it('a second change of the address is mailed to the first and to the second address, without a link that undoes it', async () => {
  await changeTo('email', `a-${email}`)
  await changeTo('email', `b-${email}`)
  for (const address of [email, `a-${email}`]) expect(await mailed(address)).toEqual(['Changed: Email address'])
  expect((await mailsTo(server, `a-${email}`)).map(({ link }) => link ?? '')).not.toContainEqual(
    expect.stringContaining('restore-email'),
  )
})

it('a deletion that is planned after a change of the address is mailed to the one before it', async () => {
  await changeTo('email', `a-${email}`)
  await press('data', { action: 'delete', sure: 'yes' })
  for (const address of [email, `a-${email}`]) {
    const mails = (await mailsTo(server, address)).filter(({ subject }) => subject.includes('will be deleted'))
    expect(mails).toHaveLength(1)
  }
})

it('a new password by mail after a change of the address is mailed to the one before it', async () => {
  await changeTo('email', `a-${email}`)
  server.clock.advance(1)
  const own = server.browser()
  await own.post('/u/submit', { form: { action: 'request-reset', email: `a-${email}`, state: await beginLogin(own) } })
  const form = { ticket: await ticketTo(server, `a-${email}`), action: 'reset-password', password: CHOSEN }
  expect((await own.post('/u/reset-password', { form })).status).toBe(200)
  expect(await mailed()).toEqual(['Changed: Password'])
  expect(await mailed(`a-${email}`)).toEqual([])
})

it('is sent three times a day for one kind of change, and a change that fails counts for nothing', async () => {
  const unknown = await other()
  await server.database.pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', 'con_corp', $1, 'oidc', $2)`,
    [`corp|${sub}`, unknown.id],
  )
  for (let i = 0; i < 5; i++) expect(await connect()).toBe('connection_taken')
  await server.database.pool.query('DELETE FROM identity WHERE user_id = $1 AND connection_id = $2', [
    unknown.id,
    'con_corp',
  ])
  for (let i = 0; i < 5; i++) {
    expect(await connect()).toBe('portal_connected')
    await unlink()
    await server.database.pool.query('DELETE FROM "user" WHERE id = $1', [`oidc|corp|${sub}`])
    await enterPortal(browser, email).catch(() => null)
  }
  const kinds = await mailed()
  expect(kinds.filter((each) => each.startsWith('Added'))).toHaveLength(3)
  expect(kinds.filter((each) => each.startsWith('Removed'))).toHaveLength(3)
})

it('is not sent for an account that was connected already, nor by a manager who changes nothing', async () => {
  await connect()
  await connect()
  await manager.patch(path(), { email, connection: 'Users' })
  expect(await mailed()).toEqual(['Added: Connected account'])
})

it('an account is not disconnected by a session that ended while the request was on its way', async () => {
  await connect()
  const { management } = await server.runtime()
  const { managedLinks } = await management()
  const { rows } = await server.database.pool.query('SELECT sid FROM session WHERE user_id = $1', [user])
  const at = server.clock.now()
  const login = { sid: String(rows[0]?.sid), provenAt: at }
  const unlinking = { userId: user, provider: 'oidc', providerUserId: `corp|${sub}`, at, mails: [] }
  await press('sessions', { action: 'end-all' })
  expect(await managedLinks.unlink(unlinking, login)).toBe('ended')
})
