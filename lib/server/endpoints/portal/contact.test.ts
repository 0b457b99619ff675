// A new e-mail address or phone number in the portal, and the link that undoes it (threat-model.md AP6, AP7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PORTAL_CLIENT } from '../../../data/clients/portal'
import { confirmNewAddress, type NewAddress, requestNewAddress } from '../../../identity/contact/new-address'
import { restoreEmail } from '../../../identity/contact/restore-email'
import { locationOf } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addPasswordless, codeTo, messagesTo } from '../../../testing/passwordless'
import { confirmationOf, enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

let server: TestServer
let browser: Browser
let email: string
let fresh: string
let user: string
let count = 0

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({})
  count += 1
  email = `user${count}@mail.test`
  fresh = `new${count}@mail.test`
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}` })
  await enter()
})

const enter = (own = browser, address = email): Promise<URL> => enterPortal(own, address)

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const stored = async (id = user) => {
  const { rows } = await query(
    `SELECT u.email, u.email_verified AS verified, i.email_key AS key, u.phone_number AS phone
    FROM "user" u JOIN identity i ON i.user_id = u.id WHERE u.id = $1`,
    id,
  )
  return rows[0]
}

const press = async (action: string, fields: Record<string, string>, own = browser): Promise<URL> =>
  locationOf(await submitInPortal(own, 'profile', { action, ...fields }))

const noticeOf = (to: URL): string | null => to.searchParams.get('notice')
/** Each message is later than the one before, so that the newest is known. */
const codeOf = (address: string): Promise<string> => codeTo(server, address)

/** What the page after the request carries. */
async function ask(address = fresh, own = browser): Promise<string> {
  const to = await press('email', { email: address }, own)
  expect(noticeOf(to)).toBe('code_sent')
  return to.searchParams.get('waiting') ?? ''
}

const CONTEXT = { ip: '203.0.113.250', locale: 'en' }

/** The session in which a user acts. */
async function contextOf(id: string) {
  const { rows } = await query('SELECT sid FROM session WHERE user_id = $1 AND ended_at IS NULL', id)
  return { ...CONTEXT, by: { userId: id, clientId: PORTAL_CLIENT, sid: String(rows[0]?.sid), familyId: null } }
}

/** A request of the user, below the page. */
async function requested(id = user, address = fresh): Promise<{ waiting: NewAddress; code: string }> {
  const all = await server.runtime()
  const owner = await all.users.find(id)
  if (!owner) throw new Error('no such user')
  const result = await requestNewAddress(owner, { kind: 'email', typed: address }, await contextOf(id), all)
  if (result.outcome !== 'sent') throw new Error(result.outcome)
  return { waiting: result.waiting, code: await codeOf(address) }
}

async function confirm(id: string, { waiting, code }: { waiting: NewAddress; code: string }) {
  const all = await server.runtime()
  const owner = await all.users.find(id)
  if (!owner) throw new Error('no such user')
  return confirmNewAddress(owner, waiting, code, await contextOf(id), all)
}

async function restoreTicket(): Promise<string> {
  const mail = (await mailsTo(server, email)).find(({ link }) => link?.includes('/u/restore-email'))
  return new URL(mail?.link ?? 'https://no.mail').searchParams.get('ticket') ?? ''
}

describe('a new e-mail address', () => {
  it('counts once its code is typed, signs in from then on, and the old one no longer does', async () => {
    const waiting = await ask(` ${fresh.toUpperCase()} `)
    expect(await stored()).toMatchObject({ email, key: email })
    expect((await browser.get('/account/profile', { query: { waiting } })).text).toContain(fresh)
    const code = await codeOf(fresh)
    expect(noticeOf(await press('confirm', { waiting, code: asPasted(code) }))).toBe('portal_saved')
    expect(await stored()).toMatchObject({ email: fresh, verified: true, key: fresh })
    expect((await enter(server.browser({ ip: '203.0.113.240' }), fresh)).pathname).toBe('/account/profile')
    expect((await enter(server.browser({ ip: '203.0.113.241' }), email)).pathname).toBe('/u/login')
  })

  it('is not needed to confirm the present one', async () => {
    const page = async () => (await browser.get('/account/profile')).text
    expect(await page()).not.toContain('Confirm this address')
    await query('UPDATE "user" SET email_verified = false WHERE id = $1', user)
    expect(await page()).toContain('Confirm this address')
    expect(await page()).toContain(`name="email" value="${email}"`)
    const waiting = await ask(email)
    expect(await stored()).toMatchObject({ email, verified: false })
    expect(noticeOf(await press('confirm', { waiting, code: await codeOf(email) }))).toBe('portal_saved')
    expect(await stored()).toMatchObject({ email, verified: true, key: email })
  })

  it('needs a recent sign-in', async () => {
    server.clock.advance(601)
    for (const action of ['email', 'phone'])
      expect((await press(action, { email: fresh, phone: '+4915123456789' })).pathname).toBe('/u/login')
    expect(await mailsTo(server, fresh)).toEqual([])
  })

  it.each(['', 'x', 'a@', 'a b@mail.test', `${'x'.repeat(400)}@mail.test`, 'a@mail.test\r\nBcc: b@mail.test'])(
    'a new e-mail address is refused if it is not an address: %j',
    async (typed) => {
      expect(noticeOf(await press('email', { email: typed }))).toBe('invalid_email')
    },
  )

  it('is not set by a wrong code, and by no code after ten', async () => {
    const waiting = await ask()
    const code = await codeOf(fresh)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let i = 0; i < 10; i++) expect(noticeOf(await press('confirm', { waiting, code: wrong }))).toBe('wrong_code')
    expect(noticeOf(await press('confirm', { waiting, code }))).toBe('too_many_codes')
    expect(await stored()).toMatchObject({ email })
  })

  it('is not set by an old code, by one that a newer request replaced, or by one that is used', async () => {
    const first = { waiting: await ask(), code: await codeOf(fresh) }
    const second = await ask(`other-${fresh}`)
    expect(noticeOf(await press('confirm', first))).toBe('wrong_code')
    const code = await codeOf(`other-${fresh}`)
    expect(noticeOf(await press('confirm', { waiting: second, code }))).toBe('portal_saved')
    expect(noticeOf(await press('confirm', { waiting: second, code }))).toBe('wrong_code')
    const third = { waiting: await ask(), code: await codeOf(fresh) }
    server.clock.advance(601)
    expect(noticeOf(await press('confirm', third))).toBe('wrong_code')
  })

  it('is not set by what another user requested, or what no one did', async () => {
    const stranger = server.browser({ ip: '203.0.113.242' })
    const address = `stranger${count}@mail.test`
    await server.addUser({ email: address, data: { emailVerified: true } })
    await enter(stranger, address)
    const waiting = await ask(fresh, stranger)
    const code = await codeOf(fresh)
    for (const sealed of [waiting, '', 'x', Buffer.from(JSON.stringify([user, {}])).toString('base64url')])
      expect(noticeOf(await press('confirm', { waiting: sealed, code }))).toBe('portal_gone')
    expect((await browser.get('/account/profile', { query: { waiting } })).text).not.toContain(fresh)
    expect(await stored()).toMatchObject({ email })
  })

  it('of another account gets the same answer, and no message', async () => {
    const taken = `taken${count}@mail.test`
    await server.addUser({ email: taken })
    const waiting = await ask(taken)
    expect(await mailsTo(server, taken)).toEqual([])
    expect(noticeOf(await press('confirm', { waiting, code: '123456' }))).toBe('wrong_code')
  })

  it('gets three messages a day', async () => {
    for (let i = 0; i < 3; i++) await ask()
    expect(noticeOf(await press('email', { email: fresh }))).toBe('too_many_messages')
  })

  it('is not offered, and refused, where a provider sets it', async () => {
    await query('UPDATE identity SET provider = $2 WHERE user_id = $1', user, 'google-oauth2')
    expect((await browser.get('/account/profile')).text).not.toContain('name="email"')
    for (const action of ['email', 'phone'])
      expect(noticeOf(await press(action, { email: fresh, phone: '+4915123456789' }))).toBe('portal_gone')
  })

  it('replaces an unverified one, and ends what was attached and signed in before (BF1)', async () => {
    await query('UPDATE "user" SET email_verified = false WHERE id = $1', user)
    const waiting = await ask()
    await press('confirm', { waiting, code: await codeOf(fresh) })
    expect(await stored()).toMatchObject({ email: fresh, verified: true })
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
    expect(await mailsTo(server, email)).toEqual([])
  })

  it('is set once by twenty with one code', async () => {
    const request = await requested()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => confirm(user, request)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    const notices = (await mailsTo(server, email)).filter(({ link }) => link?.includes('/u/restore-email'))
    expect(notices).toHaveLength(1)
  })

  it('belongs to one of two accounts that confirm it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const address = `shared${count}-${round}@mail.test`
      const owners = await Promise.all(
        ['a', 'b'].map(async (each) => {
          const own = `${each}${count}-${round}@mail.test`
          const id = await server.addUser({ email: own, data: { emailVerified: true } })
          await enter(server.browser({ ip: `203.0.113.${100 + round}` }), own)
          return id
        }),
      )
      const requests: { waiting: NewAddress; code: string }[] = []
      for (const owner of owners) requests.push(await requested(owner, address))
      const outcomes = await Promise.all(owners.map((owner, place) => confirm(owner, requests[place] as never)))
      expect(outcomes.toSorted()).toEqual(['done', 'taken'])
    }
  })

  it('a confirmation and a deletion of the account at the same time leave no half', async () => {
    const request = await requested()
    const { clock, management } = await server.runtime()
    const { managedUsers } = await management()
    const [outcome] = await Promise.all([confirm(user, request), managedUsers.remove(user, () => {}, clock.now())])
    // `wrong`: the deletion took the request with it before its code was read.
    expect(['done', 'gone', 'wrong']).toContain(outcome)
    const { rows } = await query('SELECT 1 FROM identity WHERE email_key = ANY($1)', [email, fresh])
    expect(rows).toEqual([])
  })
})

describe('a new phone number', () => {
  const NUMBER = '+4915123456789'

  it('counts once its code is typed', async () => {
    const to = await press('phone', { phone: '+49 1512 3456789' })
    const waiting = to.searchParams.get('waiting') ?? ''
    const code = await codeOf(NUMBER)
    expect((await stored()).phone).toBeNull()
    expect(noticeOf(await press('confirm', { waiting, code }))).toBe('portal_saved')
    expect(await stored()).toMatchObject({ phone: NUMBER, email, key: email })
  })

  it('sends a notice to the old number, if that was verified', async () => {
    const OLD = '+491711234567'
    const change = async (phone: string): Promise<void> => {
      const waiting = (await press('phone', { phone })).searchParams.get('waiting') ?? ''
      expect(noticeOf(await press('confirm', { waiting, code: await codeOf(phone) }))).toBe('portal_saved')
    }
    await query('UPDATE "user" SET phone_number = $2, phone_verified = false WHERE id = $1', user, OLD)
    await change(NUMBER)
    expect(await messagesTo(server, OLD)).toEqual([])
    await query('UPDATE "user" SET phone_number = $2, phone_verified = true WHERE id = $1', user, OLD)
    await change('+4915123456780')
    const [message, ...more] = await messagesTo(server, OLD)
    expect([message?.text, message?.code, more]).toEqual([
      expect.stringContaining('your account has a new phone number'),
      null,
      [],
    ])
  })

  it('is refused while the address is unverified, so that it verifies no account (BF2)', async () => {
    await query('UPDATE "user" SET email_verified = false WHERE id = $1', user)
    const confirmation = await confirmationOf(browser)
    const form = { confirmation, action: 'phone', phone: NUMBER }
    expect((await browser.post('/account/profile', { form })).status).toBe(403)
  })

  it.each(['', 'x', '12', '+49 900 1234567'])('is refused where no message can be sent to it: %j', async (phone) => {
    expect(noticeOf(await press('phone', { phone }))).toBe('invalid_phone')
  })

  it('is refused in a country that the tenant does not serve', async () => {
    await addPasswordless(server, { sms: { countries: ['FR'] } })
    expect(noticeOf(await press('phone', { phone: NUMBER }))).toBe('unserved_phone')
    await query(`DELETE FROM connection WHERE strategy IN ('sms', 'email')`)
  })
})

describe('the link that undoes a change', () => {
  let other: Browser

  beforeEach(async () => {
    const waiting = await ask()
    await press('confirm', { waiting, code: await codeOf(fresh) })
    other = server.browser({ ip: '203.0.113.243' })
  })

  const undo = (ticket: string) => other.post('/u/restore-email', { form: { ticket, action: 'restore-email' } })

  it('opened, changes nothing', async () => {
    const page = await other.get('/u/restore-email', { query: { ticket: await restoreTicket() } })
    expect([page.status, page.text.includes(email)]).toEqual([200, true])
    expect(await stored()).toMatchObject({ email: fresh })
  })

  it('pressed, restores the address once, ends every login and the password, and mails a link', async () => {
    const ticket = await restoreTicket()
    expect((await undo(ticket)).status).toBe(200)
    expect(await stored()).toMatchObject({ email, verified: true, key: email })
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
    expect((await enter(other, email)).pathname).toBe('/u/login')
    const links = (await mailsTo(server, email)).map(({ link }) => link ?? '')
    expect(links.filter((link) => link.includes('/u/reset-password'))).toHaveLength(1)
    expect((await undo(ticket)).status).toBe(400)
  })

  it('works after the address was changed again', async () => {
    const ticket = await restoreTicket()
    const waiting = await ask(`second-${fresh}`)
    await press('confirm', { waiting, code: await codeOf(`second-${fresh}`) })
    expect((await undo(ticket)).status).toBe(200)
    expect(await stored()).toMatchObject({ email, key: email })
  })

  it('keeps its use while another account has the address', async () => {
    const ticket = await restoreTicket()
    const squatter = await server.addUser({ email, data: { emailVerified: true } })
    expect((await undo(ticket)).text).toContain('Another account now signs in')
    expect(await stored()).toMatchObject({ email: fresh })
    await query('DELETE FROM "user" WHERE id = $1', squatter)
    expect((await undo(ticket)).status).toBe(200)
    expect(await stored()).toMatchObject({ email })
  })

  it('ends after seven days', async () => {
    const ticket = await restoreTicket()
    server.clock.advance(7 * 86_400 + 1)
    expect((await other.get('/u/restore-email', { query: { ticket } })).status).toBe(400)
    expect((await undo(ticket)).status).toBe(400)
  })

  it.each(['', 'x', 'a'.repeat(5000)])('an undo ticket is refused if it is unknown: %j', async (ticket) => {
    expect((await other.get('/u/restore-email', { query: { ticket } })).status).toBe(400)
    expect((await undo(ticket)).status).toBe(400)
  })

  it('works once for twenty at the same time', async () => {
    const [ticket, all] = [await restoreTicket(), await server.runtime()]
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => restoreEmail(ticket, CONTEXT, all)))
    expect(outcomes.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  })
})
