import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDatabase } from '../../../data/connections/connection'
import { openReset, resetPassword } from '../../../identity/accounts/reset-password'
import { requestVerification, verifyEmail } from '../../../identity/accounts/verify-email'
import {
  beginLogin,
  locationOf,
  refresh,
  SPA,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import {
  BREACHED,
  type Browser,
  PASSWORD,
  type TestResponse,
  type TestServer,
  testServer,
} from '../../../testing/server'

const PATH = '/dbconnections/change_password'
const SENT = "We've just sent you an email to reset your password."
const NEW = 'an entirely new passphrase'
const HERE = { ip: '198.51.100.7', locale: 'en' }
const TWENTY = Array.from({ length: 20 }, (_, i) => i)

let server: TestServer
let browser: Browser
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addConnection('Private', { enabled_clients: ['other'] }, 'con_private')
})
afterAll(() => server.close())
beforeEach(() => {
  browser = server.browser()
  server.clock.advance(3600)
})

const person = async (): Promise<string> => {
  const email = `person-${count++}@mail.test`
  await server.addUser({ email })
  return email
}
const ask = (email: unknown, over: Record<string, unknown> = {}): Promise<TestResponse> =>
  browser.post(PATH, { json: { client_id: 'spa', connection: 'Users', email, ...over } })
const linkFor = async (email: string): Promise<string> => {
  // The newest mail is found by its time.
  server.clock.advance(1)
  await ask(email)
  return ticketTo(server, email)
}
const reset = async (ticket: string, password = NEW) => resetPassword(ticket, password, HERE, await server.runtime())
const codeWith = async (email: string, password: string, ip?: string) => {
  const visitor = server.browser(ip === undefined ? {} : { ip })
  return locationOf(await submitPassword(visitor, await beginLogin(visitor), email, password)).searchParams.get('code')
}

describe('asking for a link', () => {
  it.each(['known', 'unknown', 'blocked'])('is answered alike for a user who is %s', async (who) => {
    const email = `${who}@mail.test`
    if (who !== 'unknown') await server.addUser({ email, blocked: who === 'blocked' })
    const answer = await ask(email)
    expect(answer.status).toBe(200)
    expect(answer.header('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toBe(SENT)
    expect(answer.header('x-ratelimit-limit')).toBe('10')
    expect(answer.header('x-ratelimit-remaining')).toBe('9')
    expect(Number(answer.header('x-ratelimit-reset'))).toBeGreaterThan(1e9)
    expect(await mailsTo(server, email)).toHaveLength(who === 'unknown' ? 0 : 1)
  })

  it('writes the same rows for an unknown user, without effect', async () => {
    const { pool } = server.database
    const counts = async () => {
      const { rows } = await pool.query(
        `SELECT (SELECT count(*)::int FROM ticket) AS tickets, (SELECT count(*)::int FROM ticket WHERE consumed_at IS NULL) AS alive,
          (SELECT count(*)::int FROM outbox_message) AS mails, (SELECT count(*)::int FROM outbox_message WHERE sealed_content IS NOT NULL) AS full`,
      )
      return rows[0] as { tickets: number; alive: number; mails: number; full: number }
    }
    const before = await counts()
    await ask('nobody-knows@mail.test')
    const { tickets, alive, mails, full } = before
    expect(await counts()).toEqual({ tickets: tickets + 1, alive, mails: mails + 1, full })
  })

  it('finds the account by any spelling and writes to the stored address only', async () => {
    const email = await person()
    await ask(`  ${email.toUpperCase()} `)
    expect(await mailsTo(server, email)).toHaveLength(1)
    const [mail] = await mailsTo(server, email)
    expect(mail?.link).toMatch(/^https:\/\/id\.test\/u\/reset-password\?ticket=[\w-]{43}$/)
  })

  it('is answered alike for an imported address that no mail can go to', async () => {
    const email = `${'a'.repeat(65)}@mail.test`
    await server.addUser({ email })
    const answer = await ask(email)
    expect([answer.status, answer.text]).toEqual([200, SENT])
    expect(
      (
        await browser.post('/dbconnections/signup', {
          json: { client_id: 'spa', connection: 'Users', email, password: PASSWORD },
        })
      ).status,
    ).toBe(400)
  })

  it('comes in the language of the request', async () => {
    const email = await person()
    await browser.post(PATH, {
      json: { connection: 'Users', email },
      headers: { 'x-request-language': 'de-AT', 'accept-language': 'fr' },
    })
    expect((await mailsTo(server, email))[0]?.html).toContain('<html lang="de"')
  })

  it('cannot set a password or lead elsewhere', async () => {
    const email = await person()
    await ask(email, {
      password: NEW,
      new_password: NEW,
      result_url: 'https://evil.test',
      redirect_uri: 'https://evil.test',
    })
    expect(await codeWith(email, PASSWORD)).toBeTruthy()
    expect(JSON.stringify(await mailsTo(server, email))).not.toContain('evil.test')
  })

  it('has its mails limited per address, for all clients together', async () => {
    const email = await person()
    for (const i of TWENTY.slice(0, 8)) {
      const client = server.browser({ ip: `192.0.2.${i}` })
      const answer = await client.post(PATH, { json: { connection: 'Users', email } })
      expect(answer.text).toBe(SENT)
    }
    expect(await mailsTo(server, email)).toHaveLength(3)
  })

  it('ends in 429 with the headers that say when to come back', async () => {
    const answers = []
    for (let i = 0; i < 11; i++) answers.push(await ask('eleven@mail.test'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
    expect(answers[10]?.json()).toMatchObject({ error: 'too_many_requests', code: 'too_many_requests' })
    expect(answers[10]?.header('x-ratelimit-remaining')).toBe('0')
    expect(answers[10]?.header('retry-after')).toBeTruthy()
  })

  it.each([
    ['without an address', { email: undefined }],
    ['without a connection', { connection: undefined }],
    ['for an unknown connection', { connection: 'Nowhere' }],
    ['for a connection of another client', { connection: 'Private' }],
    ['for an unknown client', { client_id: 'nobody' }],
    ['with an object for an address', { email: { $ne: null } }],
  ])('is refused %s', async (_, over) => {
    const answer = await ask('kim@mail.test', over)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request', statusCode: 400 })
  })

  it('needs no client', async () => {
    expect((await ask(await person(), { client_id: undefined })).status).toBe(200)
  })
})

describe('the link', () => {
  it('is good for an hour, and looking at it changes nothing', async () => {
    const email = await person()
    const ticket = await linkFor(email)
    const runtime = await server.runtime()
    expect(await openReset(ticket, runtime)).toMatchObject({ user: { email }, payload: { clientId: 'spa' } })
    server.clock.advance(3599)
    expect(await openReset(ticket, runtime)).not.toBeNull()
    server.clock.advance(1)
    expect(await openReset(ticket, runtime)).toBeNull()
    expect(await reset(ticket)).toEqual({ outcome: 'expired' })
  })

  it('dies when a newer one is sent', async () => {
    const email = await person()
    const older = await linkFor(email)
    const newer = await linkFor(email)
    expect(await reset(older)).toEqual({ outcome: 'expired' })
    expect(await reset(newer)).toMatchObject({ outcome: 'done' })
  })

  it('is worth nothing once the account has another address', async () => {
    const email = await person()
    const ticket = await linkFor(email)
    await server.database.pool.query(`UPDATE identity SET email_key = 'moved-${email}' WHERE email_key = $1`, [email])
    expect(await reset(ticket)).toEqual({ outcome: 'expired' })
  })

  it.each(['', 'made-up', 'a\0b', 'x'.repeat(5000)])('is not %j', async (ticket) => {
    expect(await reset(ticket)).toEqual({ outcome: 'expired' })
  })

  it('is not one that verifies an address, nor the other way round', async () => {
    const email = await person()
    const runtime = await server.runtime()
    const connection = (await runtime.connections.all()).find(isDatabase)
    if (!connection) throw new Error('the house has a connection')
    await requestVerification(connection, email, { ...HERE, clientId: null }, runtime)
    expect(await reset(await ticketTo(server, email))).toEqual({ outcome: 'expired' })
    expect(await verifyEmail(await linkFor(email), null, { ip: '192.0.2.1', locale: undefined }, runtime)).toEqual({
      outcome: 'expired',
    })
  })

  it('sets one password of twenty that are sent at once', async () => {
    const email = await person()
    const ticket = await linkFor(email)
    const results = await Promise.all(TWENTY.map((i) => reset(ticket, `${NEW} ${i}`)))
    const winner = results.findIndex(({ outcome }) => outcome === 'done')
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'expired')).toHaveLength(19)
    expect(await codeWith(email, `${NEW} ${winner}`)).toBeTruthy()
  })
})

describe('a password set by the link', () => {
  it('replaces the old one, signs no user in, and is reported by mail', async () => {
    const email = await person()
    expect(await reset(await linkFor(email))).toMatchObject({
      outcome: 'done',
      user: { emailVerified: true },
      clientId: 'spa',
    })
    expect(await codeWith(email, PASSWORD)).toBeNull()
    expect(await codeWith(email, NEW)).toBeTruthy()
    const subjects = (await mailsTo(server, email)).map(({ subject }) => subject)
    expect(subjects.some((subject) => subject.includes('your password was changed'))).toBe(true)
  })

  it('ends sessions, refresh and access tokens, codes and half-way logins (RT7)', async () => {
    const email = await person()
    const visitor = server.browser()
    const tokens = await signInForTokens(visitor, email)
    const ticket = await linkFor(email)
    expect(await reset(ticket)).toMatchObject({ outcome: 'done' })
    expect((await refresh(visitor, tokens.refresh_token)).status).toBe(403)
    expect((await userinfo(visitor, tokens.access_token)).status).toBe(401)
    const silent = await visitor.get('/authorize', {
      query: {
        response_type: 'code',
        client_id: 'spa',
        redirect_uri: 'https://app.test/cb',
        scope: 'openid',
        prompt: 'none',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        state: 's',
      },
    })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
  })

  it('lifts the blocks for wrong guesses', async () => {
    const email = await person()
    for (let i = 0; i < 11; i++) await codeWith(email, 'wrong', '203.0.113.9')
    expect(await codeWith(email, PASSWORD, '203.0.113.9')).toBeNull()
    await reset(await linkFor(email))
    expect(await codeWith(email, NEW, '203.0.113.9')).toBeTruthy()
  })

  it('leaves a blocked user blocked', async () => {
    const email = 'still-blocked@mail.test'
    await server.addUser({ email, blocked: true })
    expect(await reset(await linkFor(email))).toMatchObject({ outcome: 'done' })
    expect(await codeWith(email, NEW)).toBeNull()
  })

  it.each([
    ['weak', 'short', 'strength'],
    ['common', 'password123', 'dictionary'],
    ['leaked', BREACHED, 'breached'],
    ['too long', 'x'.repeat(1025), 'strength'],
  ])('is refused when it is %s, and the link stays good', async (_, password, kind) => {
    const email = await person()
    const ticket = await linkFor(email)
    expect(await reset(ticket, password)).toMatchObject({ outcome: 'refused', refusal: { kind } })
    expect(await codeWith(email, PASSWORD)).toBeTruthy()
    expect(await reset(ticket)).toMatchObject({ outcome: 'done' })
  })

  it('differs from the last ones where the connection stores a history', async () => {
    const prisma = await server.db.prisma()
    const keep = (enable: boolean) =>
      prisma.connection.updateMany({
        where: { id: 'con_database' },
        data: { settings: { options: { password_history: { enable, size: 3 } } } },
      })
    await keep(true)
    const email = await person()
    const again = async (password: string) => {
      server.clock.advance(3600)
      return reset(await linkFor(email), password)
    }
    expect(await again(PASSWORD)).toEqual({ outcome: 'refused', refusal: { kind: 'history', size: 3 } })
    for (const password of ['second passphrase', 'third passphrase']) {
      expect(await again(password)).toMatchObject({ outcome: 'done' })
      expect(await again(password)).toMatchObject({ outcome: 'refused' })
    }
    expect(await again(PASSWORD)).toMatchObject({ outcome: 'refused' })
    expect(await again('fourth passphrase')).toMatchObject({ outcome: 'done' })
    expect(await again(PASSWORD)).toMatchObject({ outcome: 'done' })
    const { rows } = await server.database.pool.query('SELECT password_history FROM identity WHERE email_key = $1', [
      email,
    ])
    expect(rows[0]?.password_history).toHaveLength(2)
    await keep(false)
    await prisma.$disconnect()
  })
})

it('keeps no link and no password in a log or in the clear', async () => {
  const email = await person()
  const ticket = await linkFor(email)
  await reset(ticket)
  expect(JSON.stringify(server.lines)).not.toContain(ticket)
  const { rows } = await server.database.pool.query(
    'SELECT ticket::text FROM ticket UNION ALL SELECT identity::text FROM identity',
  )
  expect(JSON.stringify(rows)).not.toContain(ticket)
  expect(JSON.stringify(rows)).not.toContain(NEW)
})

describe('a connection without self-service change of passwords', () => {
  beforeAll(async () => {
    const options = { disable_self_service_change_password: true }
    await server.addConnection('Managed', { enabled_clients: ['spa'], options }, 'con_managed')
  })

  it('mails no link for any address', async () => {
    const email = await person()
    for (const address of [email, 'unknown@mail.test']) {
      const answer = await ask(address, { connection: 'Managed' })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('Self-service change of passwords is disabled for this connection')
    }
    expect(await mailsTo(server, email)).toEqual([])
  })

  it('has no page for it, and no way to it', async () => {
    const state = await beginLogin(browser, { connection: 'Managed' })
    expect((await browser.get('/u/login', { query: { state } })).text).not.toContain('/u/forgot-password')
    expect((await browser.get('/u/forgot-password', { query: { state } })).status).toBe(303)
    const form = { state, action: 'request-reset', email: 'kim@mail.test' }
    await browser.post('/u/submit', { form })
    expect(await mailsTo(server, 'kim@mail.test')).toEqual([])
    const open = await beginLogin(browser, { connection: 'Users' })
    expect((await browser.get('/u/login', { query: { state: open } })).text).toContain('/u/forgot-password')
  })
})
