// The undo of a changed address is a rollback (threat-model.md AP7, BF20): one link in a chain of changes, and what was attached since is
// taken back. An owner and an intruder, who was signed in to the account.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteDueAccounts } from '../../../adapters/store/sql/account-deletions'
import { PORTAL_CLIENT } from '../../../data/clients/portal'
import type { AttachedKind } from '../../../data/users/undo-address'
import { confirmNewAddress, requestNewAddress } from '../../../identity/contact/new-address'
import { restoreEmail } from '../../../identity/contact/restore-email'
import { softCredential } from '../../../testing/authenticator'
import { beginLogin, locationOf, SPA } from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { addPasskey, offerPasskeys, submitPasskey } from '../../../testing/passkeys'
import { codeTo } from '../../../testing/passwordless'
import { deleteInPortal, enterPortal, submitInPortal } from '../../../testing/portal'
import type { Browser } from '../../../testing/server'
import { comeBack, signInBy, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

const CHOSEN = 'a lantern over the harbour wall'

let server: UpstreamTestServer
let manager: Manager
let owner: Browser
let intruder: Browser
let email: string
let theirs: string
let user: string

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  manager = await addManager(server)
  await server.addProvider('corp', 'oidc', { options: { issuer: 'https://idp.test' } })
  await offerPasskeys(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({
    tenant: { rate_limits: { submit: false, pages: false, management: { burst: 100_000, per_minute: 100_000 } } },
  })
  const name = server.random.hex(8)
  email = `${name}@mail.test`
  theirs = `intruder-${email}`
  user = await server.addUser({ id: name, email, data: { emailVerified: true } })
  owner = browserOf()
  intruder = browserOf()
  await enterPortal(intruder, email)
})

const browserOf = (): Browser => server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
const query = async (text: string, ...values: unknown[]) => (await server.database.pool.query(text, values)).rows

async function changeTo(address: string, own = intruder): Promise<string | null> {
  const requested = locationOf(await submitInPortal(own, 'profile', { action: 'email', email: address }))
  const waiting = requested.searchParams.get('waiting') ?? ''
  const code = await codeTo(server, address)
  return locationOf(await submitInPortal(own, 'profile', { action: 'confirm', waiting, code })).searchParams.get(
    'notice',
  )
}

const undoLinksTo = async (address: string): Promise<string[]> =>
  (await mailsTo(server, address)).flatMap(({ link }) =>
    link?.includes('/u/restore-email') ? [new URL(link).searchParams.get('ticket') ?? ''] : [],
  )

async function undoLink(): Promise<string> {
  const [link] = await undoLinksTo(email)
  if (link === undefined) throw new Error('no link')
  return link
}

const undo = (ticket: string, own = owner) =>
  own.post('/u/restore-email', { form: { ticket, action: 'restore-email' } })
const stored = async () =>
  (
    await query(
      `SELECT u.email, u.email_verified AS verified, i.email_key AS key, u.phone_number AS phone, u.delete_at AS planned
      FROM "user" u JOIN identity i ON i.user_id = u.id AND u.id = 'auth0|' || i.provider_user_id WHERE u.id = $1`,
      user,
    )
  )[0]

const CONTEXT = { ip: '203.0.113.250', locale: 'en' }

describe('a chain of changes', () => {
  it('has one link, which goes to the address that was verified before the first and gives that back', async () => {
    expect(await changeTo(theirs)).toBe('portal_saved')
    server.clock.advance(60)
    expect(await changeTo(`second-${theirs}`)).toBe('portal_saved')
    expect(await undoLinksTo(theirs)).toEqual([])
    expect(await undoLinksTo(email)).toHaveLength(1)
    expect((await undo(await undoLink())).status).toBe(200)
    expect(await stored()).toMatchObject({ email, verified: true, key: email })
  })

  it('has none for an address that comes back by another change', async () => {
    await changeTo(theirs)
    await changeTo(email)
    await changeTo(theirs)
    expect(await undoLinksTo(theirs)).toEqual([])
    expect(await undoLinksTo(email)).toHaveLength(1)
    await undo(await undoLink())
    expect(await stored()).toMatchObject({ email })
  })

  it('ends after seven days, and the next change begins another', async () => {
    await changeTo(theirs)
    const first = await undoLink()
    server.clock.advance(7 * 86_400 + 1)
    expect((await undo(first)).status).toBe(400)
    const own = browserOf()
    await enterPortal(own, theirs)
    await changeTo(`second-${theirs}`, own)
    expect(await undoLinksTo(theirs)).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['signs out everywhere', () => submitInPortal(intruder, 'sessions', { action: 'end-all' })],
    ['says “This wasn’t me”', () => submitInPortal(intruder, 'activity', { action: 'not-me' })],
    ['plans a deletion', () => deleteInPortal(intruder)],
    ['asks for a new password by mail, and chooses it', () => resetBy(theirs)],
  ])('stays open to the owner when the intruder %s', async (_, attack) => {
    await changeTo(theirs)
    await attack()
    expect((await undo(await undoLink())).status).toBe(200)
    expect(await stored()).toMatchObject({ email, planned: null })
  })

  it.each<[string, object]>([
    ['a block, also after that is lifted', { blocked: true }],
    ['a password that a manager sets', { password: CHOSEN, connection: 'Users' }],
    ['an address that a manager sets', { email: 'by-manager@mail.test', connection: 'Users' }],
  ])('ends with %s', async (_, change) => {
    await changeTo(theirs)
    const given = 'email' in change ? { ...change, email: `by-manager-${email}` } : change
    expect((await manager.patch(`/users/${encodeURIComponent(user)}`, given)).status).toBe(200)
    await manager.patch(`/users/${encodeURIComponent(user)}`, { blocked: false })
    expect((await undo(await undoLink())).status).toBe(400)
  })

  it('ends with a password that a link of a manager set', async () => {
    await changeTo(theirs)
    const made = await manager.post('/tickets/password-change', { user_id: user })
    const ticket = new URL(String(made.json().ticket)).searchParams.get('ticket') ?? ''
    await owner.post('/u/reset-password', { form: { ticket, action: 'reset-password', password: CHOSEN } })
    expect((await undo(await undoLink())).status).toBe(400)
  })
})

async function resetBy(address: string): Promise<void> {
  const own = browserOf()
  server.clock.advance(1)
  await own.post('/u/submit', { form: { action: 'request-reset', email: address, state: await beginLogin(own) } })
  const form = { ticket: await ticketTo(server, address), action: 'reset-password', password: CHOSEN }
  expect((await own.post('/u/reset-password', { form })).status).toBe(200)
}

/** A row of each kind of what can be attached, by a name. */
const ATTACH: Record<AttachedKind, (name: string) => Promise<unknown>> = {
  identities: (name) =>
    query(
      `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id)
      VALUES ('default', 'con_corp', $2, 'oidc', $1)`,
      user,
      name,
    ),
  passkeys: (name) =>
    query(
      `INSERT INTO webauthn_credential (tenant_id, id, connection_id, provider_user_id, credential_id, public_key, counter, transports,
      aaguid, multi_device, backed_up, rp_id, user_handle, created_at)
      SELECT tenant_id, $2, connection_id, provider_user_id, $2, '', 0, '{}', '', false, false, 'id.test', '', now()
      FROM identity WHERE user_id = $1 AND provider = 'auth0'`,
      user,
      name,
    ),
  factors: (name) =>
    query(
      `INSERT INTO authenticator (tenant_id, id, user_id, type, active, created_at) VALUES ('default', $2, $1, 'otp', true, now())`,
      user,
      name,
    ),
  browsers: (name) =>
    query(
      `INSERT INTO known_browser (tenant_id, user_id, digest, created_at, seen_at) VALUES ('default', $1, sha256($2::bytea), $3, $3)`,
      user,
      name,
      server.clock.now(),
    ),
  devices: (name) =>
    query(
      `INSERT INTO device_credential (tenant_id, id, user_id, client_id, type, device_name, device_id, value, created_at)
      VALUES ('default', $2, $1, 'spa', 'public_key', '', '', '', now())`,
      user,
      name,
    ),
  consents: (name) =>
    query(
      `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at) VALUES ('default', $1, $2, '', '{openid}', now())`,
      user,
      name,
    ),
}

const TABLES: Record<AttachedKind, { table: string; name: string; of?: string }> = {
  identities: { table: 'identity', name: 'provider_user_id' },
  passkeys: {
    table: 'webauthn_credential',
    name: 'id',
    of: `connection_id || provider_user_id IN (SELECT connection_id || provider_user_id FROM identity WHERE user_id = $1)`,
  },
  factors: { table: 'authenticator', name: 'id' },
  browsers: { table: 'known_browser', name: `encode(digest, 'hex')` },
  devices: { table: 'device_credential', name: 'id' },
  consents: { table: 'consent', name: 'client_id' },
}

async function attachedNames(kind: AttachedKind): Promise<string[]> {
  const { table, name, of = 'user_id = $1' } = TABLES[kind]
  return (await query(`SELECT ${name} AS name FROM ${table} WHERE ${of}`, user)).map((row) => String(row.name))
}

describe('what was attached', () => {
  it.each(Object.keys(ATTACH) as AttachedKind[])(
    'since the change goes, and what was there before stays: %s',
    async (kind) => {
      const [before, since] = [`before-${user}`, `since-${user}`]
      await ATTACH[kind](before)
      const kept = await attachedNames(kind)
      await changeTo(theirs)
      await ATTACH[kind](since)
      expect(await attachedNames(kind)).toHaveLength(kept.length + 1)
      await undo(await undoLink())
      // Every login ends, and with them all browsers that need no second factor.
      expect((await attachedNames(kind)).toSorted()).toEqual(kind === 'browsers' ? [] : kept.toSorted())
    },
  )

  it('is gone also where its row was there before, and opens something else now', async () => {
    await query(
      `INSERT INTO authenticator (tenant_id, id, user_id, type, active, secret_digest, created_at) VALUES
      ('default', 'recovery-code|' || $1::text, $1, 'recovery-code', true, 'old', now()), ('default', 'totp|' || $1::text, $1, 'otp', false, NULL, now())`,
      user,
    )
    await query(
      `INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at) VALUES ('default', $1, 'app', '', '{openid}', now())`,
      user,
    )
    await changeTo(theirs)
    await query(`UPDATE authenticator SET secret_digest = 'new' WHERE user_id = $1 AND type = 'recovery-code'`, user)
    await query(`UPDATE authenticator SET active = true WHERE user_id = $1 AND type = 'otp'`, user)
    await query(`UPDATE consent SET scopes = '{openid,email}' WHERE user_id = $1 AND client_id = 'app'`, user)
    await undo(await undoLink())
    expect([await attachedNames('factors'), await attachedNames('consents')]).toEqual([[], []])
  })

  it('nothing of it signs in: a provider account, a passkey, a password, a session, a link', async () => {
    await changeTo(theirs)
    await changeTo(`second-${theirs}`)
    const leave = locationOf(await submitInPortal(intruder, 'connections', { action: 'connect', connection: 'corp' }))
    const sub = `k-${server.random.hex(8)}`
    const back = await comeBack(intruder, server.double, leave, { sub })
    expect(locationOf(back).searchParams.get('notice')).toBe('portal_connected')
    const credential = softCredential()
    await addPasskey(server, user, credential)
    await deleteInPortal(intruder)
    const step = locationOf(await submitInPortal(intruder, 'password', { action: 'change' }))
    server.clock.advance(1)
    const asking = browserOf()
    const form = { action: 'request-reset', email: `second-${theirs}`, state: await beginLogin(asking) }
    await asking.post('/u/submit', { form })
    const mailed = await ticketTo(server, `second-${theirs}`)
    expect((await undo(await undoLink())).status).toBe(200)
    expect(await stored()).toMatchObject({ email, planned: null })
    expect(locationOf(await intruder.get('/account')).pathname).toBe('/u/login')
    for (const ticket of [step.searchParams.get('ticket') ?? '', mailed])
      expect((await intruder.get('/u/reset-password', { query: { ticket } })).status).toBe(400)
    const other = browserOf()
    expect((await submitPasskey(other, await beginLogin(other), credential)).status).not.toBe(302)
    for (const address of [email, theirs, `second-${theirs}`])
      expect((await enterPortal(browserOf(), address)).pathname).toBe('/u/login')
    await signInBy(browserOf(), server, 'corp', { sub })
    expect(await attachedNames('identities')).toEqual([user.split('|')[1]])
    const chosen = { ticket: await resetTicket(), action: 'reset-password', password: CHOSEN }
    expect((await owner.post('/u/reset-password', { form: chosen })).status).toBe(200)
    expect((await enterPortal(intruder, email)).pathname).toBe('/u/login')
  })

  it('a number that was changed since is the old one again', async () => {
    await query(`UPDATE "user" SET phone_number = '+491711234567', phone_verified = true WHERE id = $1`, user)
    await changeTo(theirs)
    await query(`UPDATE "user" SET phone_number = '+4915123456789' WHERE id = $1`, user)
    await undo(await undoLink())
    expect(await stored()).toMatchObject({ phone: '+491711234567' })
  })

  it('a deletion that the owner planned before stays', async () => {
    await deleteInPortal(intruder)
    await changeTo(theirs)
    await undo(await undoLink())
    expect((await stored()).planned).not.toBeNull()
  })
})

async function resetTicket(): Promise<string> {
  const links = (await mailsTo(server, email)).flatMap(({ link }) =>
    link?.includes('/u/reset-password') ? [link] : [],
  )
  return new URL(links[0] ?? 'https://no.mail').searchParams.get('ticket') ?? ''
}

it('the link for a new password comes although the limit of such mails is used up', async () => {
  for (let i = 0; i < 4; i++) {
    const own = browserOf()
    await own.post('/u/submit', { form: { action: 'request-reset', email, state: await beginLogin(own) } })
  }
  await changeTo(theirs)
  server.clock.advance(1)
  await undo(await undoLink())
  const form = { ticket: await resetTicket(), action: 'reset-password', password: CHOSEN }
  expect((await owner.post('/u/reset-password', { form })).status).toBe(200)
})

it('an account with the address that no one verified goes; a verified one keeps it', async () => {
  await changeTo(theirs)
  const squatter = await server.addUser({ email })
  await query('UPDATE "user" SET email_verified = true WHERE id = $1', squatter)
  expect((await undo(await undoLink())).text).toContain('Another account now signs in')
  await query('UPDATE "user" SET email_verified = false WHERE id = $1', squatter)
  expect((await undo(await undoLink())).status).toBe(200)
  expect(await stored()).toMatchObject({ email, key: email })
  expect(await query('SELECT 1 FROM "user" WHERE id = $1', squatter)).toEqual([])
})

it('a planned deletion waits until the change cannot be undone any more', async () => {
  await changeTo(theirs)
  await deleteInPortal(intruder)
  await query(`UPDATE "user" SET delete_at = now() - interval '1 hour' WHERE id = $1`, user)
  expect(await deleteDueAccounts(server.database.pool, server.clock.now())).toBe(0)
  await undo(await undoLink())
  expect(await stored()).toMatchObject({ email, planned: null })
  await query(`UPDATE "user" SET delete_at = now() - interval '1 hour' WHERE id = $1`, user)
  expect(await deleteDueAccounts(server.database.pool, server.clock.now())).toBe(1)
})

it('of an undo and a second change at the same time, the owner has the address afterwards', async () => {
  for (let round = 0; round < 6; round++) {
    const [own, next] = [`${round}-${theirs}`, `next-${round}-${theirs}`]
    const browser = browserOf()
    const name = server.random.hex(8)
    const mine = `${name}@mail.test`
    const id = await server.addUser({ id: name, email: mine, data: { emailVerified: true } })
    await enterPortal(browser, mine)
    await changeTo(own, browser)
    const runtime = await server.runtime()
    const [found, [session]] = [
      await runtime.users.find(id),
      await query('SELECT sid FROM session WHERE user_id = $1', id),
    ]
    if (!found) throw new Error('no user')
    const context = {
      ...CONTEXT,
      by: { userId: id, clientId: PORTAL_CLIENT, sid: String(session?.sid), familyId: null },
    }
    const requested = await requestNewAddress(found, { kind: 'email', typed: next }, context, runtime)
    if (requested.outcome !== 'sent') throw new Error(requested.outcome)
    const code = await codeTo(server, next)
    const [ticket] = await undoLinksTo(mine)
    const [undone, changed] = await Promise.all([
      restoreEmail(ticket ?? '', CONTEXT, runtime),
      confirmNewAddress(found, requested.waiting, code, context, runtime).catch(() => 'refused'),
    ])
    expect(undone.outcome).toBe('done')
    expect(['done', 'wrong', 'refused']).toContain(changed)
    expect(await query('SELECT email FROM "user" WHERE id = $1', id)).toEqual([{ email: mine }])
    expect(await undoLinksTo(own)).toEqual([])
  }
})

it('of an undo and a block at the same time, the block is not undone, and the password is known to no one', async () => {
  await changeTo(theirs)
  const ticket = await undoLink()
  const [undone] = await Promise.all([
    undo(ticket),
    manager.patch(`/users/${encodeURIComponent(user)}`, { blocked: true }),
  ])
  expect([200, 400]).toContain(undone.status)
  const [row] = await query('SELECT blocked, email FROM "user" WHERE id = $1', user)
  expect(row).toEqual({ blocked: true, email: undone.status === 200 ? email : theirs })
  expect((await undo(ticket)).status).toBe(400)
  expect((await enterPortal(browserOf(), email, '/account')).pathname).toBe('/u/login')
})

it('what was on its way while the account was restored attaches nothing and plans nothing', async () => {
  await changeTo(theirs)
  const { users, passkeys, authenticators, deviceCredentials, accountDeletions, clock } = await server.runtime()
  const before = await users.find(user)
  if (!before) throw new Error('no user')
  await undo(await undoLink())
  const createdAt = clock.now()
  const factor = { id: `totp|dev_${user}`, userId: user, type: 'otp', channel: null, name: null, active: false }
  const secrets = { sealed: null, phoneNumber: null, email: null, secretDigest: null, vouched: true, createdAt }
  expect(await authenticators.insert({ ...factor, ...secrets }, before)).toBe(false)
  const device = {
    id: 'dcr_x',
    userId: user,
    clientId: 'spa',
    type: 'public_key' as const,
    deviceName: '',
    deviceId: '',
    value: '',
  }
  expect(await deviceCredentials.insert({ ...device, createdAt }, before)).toBe(false)
  const [account] = await passkeys.accountsOf(user)
  const key = {
    id: 'passkey|x',
    credentialId: 'x',
    publicKey: Buffer.from('x'),
    counter: 0,
    transports: [],
    aaguid: '',
  }
  const place = { multiDevice: false, backedUp: false, rpId: 'id.test', userHandle: Buffer.from('x'), name: null }
  const made = { ...key, ...place, userAgent: null, createdAt, lastUsedAt: null }
  if (!account) throw new Error('no account')
  expect(await passkeys.insert({ ...made, ...account }, before, null)).toBe(false)
  expect(await accountDeletions.schedule(user, createdAt, null, before.recoveryEpoch)).toBe(false)
  expect(await accountDeletions.request(user, createdAt, null, before.recoveryEpoch)).toBe(false)
  const given = { id: 'recovery-code|x', userId: user, secretDigest: Buffer.from('x'), at: createdAt, mail: null }
  expect(await authenticators.giveRecoveryCode({ ...given, recoveryEpoch: before.recoveryEpoch })).toBe(false)
})
