// Logins that name no connection, where the application has several databases (docs/adr/0050-several-databases.md).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../../data/users/password'
import { beginLogin, locationOf, outcomeOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { organizationsOf } from '../../../testing/organizations'
import { enterPortal } from '../../../testing/portal'
import {
  type Browser,
  type BrowserOptions,
  PASSWORD,
  type TestResponse,
  type TestServer,
  testServer,
} from '../../../testing/server'

const STAFF = 'con_staff'
const OTHER = 'another long password'

const hasher = createPasswordHasher({
  concurrency: 2,
  queueLimit: 200,
  cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
})
let hashes = 0
const counting: typeof hasher = {
  ...hasher,
  verify: (stored, plain) => {
    hashes += 1
    return hasher.verify(stored, plain)
  },
}

let server: TestServer

beforeAll(async () => {
  server = await testServer({ passwords: counting })
  await server.addClient(SPA)
  await server.addConnection('Staff', { display_name: 'Our staff' }, STAFF)
  await server.addUser({ id: 'first', email: 'first@mail.test', username: 'firsty' })
  await server.addUser({ id: 'second', email: 'second@mail.test', username: 'secondy', connectionId: STAFF })
  await server.addUser({ id: 'ann', email: 'ann@mail.test', connectionId: STAFF, blocked: true })
  for (const [name, password, data] of [
    ['both', OTHER, {}],
    ['owner', OTHER, { emailVerified: true }],
    ['same', PASSWORD, {}],
  ] as const) {
    const email = `${name}@mail.test`
    await server.addUser({ id: `${name}1`, email, username: name, password: PASSWORD })
    await server.addUser({ id: `${name}2`, email, username: `${name}2`, connectionId: STAFF, password, data })
  }
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({})
  await server.database.pool.query('TRUNCATE attempt_counter, guess_source')
  hashes = 0
})

const fresh = (options: BrowserOptions = {}): Browser =>
  server.browser({ ip: `2001:db8:${server.random.hex(4)}::1`, ...options })

const attempt = async (name: string, password = PASSWORD, query = {}, browser = fresh()): Promise<TestResponse> =>
  submitPassword(browser, await beginLogin(browser, query), name, password)

const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')

async function subjectOf(name: string, password = PASSWORD, query = {}): Promise<unknown> {
  const browser = fresh()
  const answer = await attempt(name, password, query, browser)
  if (outcomeOf(answer) !== 'code') return noticeOf(answer)
  const tokens = await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')
  return payloadOf(tokens.json().id_token).sub
}

const prefer = (name: string) => server.setTenant({ tenant: { default_directory: name } })

describe('a person of any of the databases signs in', () => {
  it.each([
    ['first@mail.test', 'auth0|first'],
    ['second@mail.test', 'auth0|second'],
    ['secondy', 'auth0|second'],
  ])('a person who signs in as %s is %s', async (name, subject) => {
    expect(await subjectOf(name)).toBe(subject)
    await prefer('Staff')
    expect(await subjectOf(name)).toBe(subject)
  })

  it('a person of any database enters the account portal', async () => {
    for (const name of ['first', 'second'])
      expect((await enterPortal(fresh(), `${name}@mail.test`)).pathname, name).toBe('/account/profile')
  })

  it.each(['/co/authenticate', '/usernamepassword/login'])(
    'a person of the second database signs in at %s',
    async (path) => {
      const browser = fresh()
      const json = { client_id: 'spa', username: 'second@mail.test', password: PASSWORD, credential_type: 'password' }
      const headers = { origin: path === '/co/authenticate' ? 'https://app.test' : 'https://id.test' }
      expect((await browser.post(path, { json, headers })).status).toBe(200)
      const named = path === '/co/authenticate' ? { realm: 'Users' } : { connection: 'Users' }
      expect((await browser.post(path, { json: { ...json, ...named }, headers })).status).not.toBe(200)
    },
  )

  it('a person is refused where the request names the other database', async () => {
    expect(await subjectOf('second@mail.test', PASSWORD, { connection: 'Users' })).toBe('wrong_credentials')
    expect(await subjectOf('second@mail.test', PASSWORD, { connection: 'Staff' })).toBe('auth0|second')
  })

  it('a person is refused where the application may not use the database', async () => {
    await server.database.pool.query(`UPDATE connection SET settings = '{"enabled_clients": []}' WHERE id = $1`, [
      STAFF,
    ])
    server.clock.advance(2)
    expect(await subjectOf('second@mail.test')).toBe('wrong_credentials')
    await server.database.pool.query(`UPDATE connection SET settings = '{"display_name": "Our staff"}' WHERE id = $1`, [
      STAFF,
    ])
    server.clock.advance(2)
  })

  it('a person of the second database is refused by the password grant, which has one directory', async () => {
    await server.addClient({
      clientId: 'grants',
      secret: 'secret of the application',
      settings: { app_type: 'regular_web', grant_types: ['password'] },
    })
    const form = { grant_type: 'password', client_id: 'grants', client_secret: 'secret of the application' }
    const grant = (username: string) =>
      fresh().post('/oauth/token', { form: { ...form, username, password: PASSWORD } })
    expect((await grant('first@mail.test')).status).toBe(200)
    expect((await grant('second@mail.test')).json().error).toBe('invalid_grant')
  })
})

describe('an address in both', () => {
  it('opens the account of the password', async () => {
    expect(await subjectOf('both@mail.test', PASSWORD)).toBe('auth0|both1')
    expect(await subjectOf('both@mail.test', OTHER)).toBe('auth0|both2')
  })

  it('with the same password opens that of the default directory, or else of the older database', async () => {
    expect(await subjectOf('same@mail.test')).toBe('auth0|same1')
    await prefer('Staff')
    expect(await subjectOf('same@mail.test')).toBe('auth0|same2')
    await prefer('Users')
    expect(await subjectOf('same@mail.test')).toBe('auth0|same1')
  })
})

describe('what an attempt costs and answers says nothing (threat-model.md SE5)', () => {
  it('two hashes, whether or not there is an account, where it is, and whether it is blocked or locked', async () => {
    const costs: Record<string, unknown> = {}
    const measure = async (what: string, name: string, password: string) => {
      const browser = fresh()
      const state = await beginLogin(browser)
      hashes = 0
      const answer = await submitPassword(browser, state, name, password)
      costs[what] = [hashes, outcomeOf(answer) === 'code' ? 'code' : noticeOf(answer)]
    }
    await measure('unknown', 'nobody@mail.test', 'wrong')
    await measure('in the first', 'first@mail.test', 'wrong')
    await measure('in the second', 'second@mail.test', 'wrong')
    await measure('in both', 'both@mail.test', 'wrong')
    await measure('blocked', 'ann@mail.test', PASSWORD)
    await measure('right in the first', 'first@mail.test', PASSWORD)
    await measure('right in the second', 'second@mail.test', PASSWORD)
    expect(costs).toEqual({
      unknown: [2, 'wrong_credentials'],
      'in the first': [2, 'wrong_credentials'],
      'in the second': [2, 'wrong_credentials'],
      'in both': [2, 'wrong_credentials'],
      blocked: [2, 'wrong_credentials'],
      'right in the first': [2, 'code'],
      'right in the second': [2, 'code'],
    })
    const known = fresh()
    const unknown = fresh()
    for (const [name, browser] of [
      ['both@mail.test', known],
      ['nobody@mail.test', unknown],
    ] as const) {
      for (let i = 0; i < 10; i++) expect(noticeOf(await attempt(name, 'wrong', {}, browser))).toBe('wrong_credentials')
      hashes = 0
      expect(noticeOf(await attempt(name, PASSWORD, {}, browser)), name).toBe('too_many_attempts')
      expect(hashes, name).toBe(2)
    }
  })

  it('one hash where a database is named or there is no other', async () => {
    await attempt('first@mail.test', 'wrong', { connection: 'Users' })
    expect(hashes).toBe(1)
  })

  it('an attempt where one of two accounts is locked costs two hashes: the other account’s and a substitute', async () => {
    const ip = '203.0.113.8'
    for (let i = 0; i < 10; i++) await attempt('both@mail.test', 'wrong', { connection: 'Users' }, fresh({ ip }))
    hashes = 0
    expect(outcomeOf(await attempt('both@mail.test', OTHER, {}, fresh({ ip })))).toBe('code')
    expect(hashes).toBe(2)
    expect(noticeOf(await attempt('both@mail.test', PASSWORD, {}, fresh({ ip })))).toBe('wrong_credentials')
  })
})

describe('a failure counts on every account that was tried (threat-model.md RL1, RL2)', () => {
  it('ten failures lock each account that was tried, with one counter for all paths', async () => {
    const browser = fresh()
    for (let i = 0; i < 10; i++) await attempt('both@mail.test', 'wrong', {}, browser)
    for (const [connection, password] of [
      ['Users', PASSWORD],
      ['Staff', OTHER],
    ])
      expect(noticeOf(await attempt('both@mail.test', password, { connection }, browser))).toBe('too_many_attempts')
    expect(await subjectOf('both@mail.test', OTHER)).toBe('auth0|both2')
  })

  it('a burst evaluates no more than ten passwords at each account', async () => {
    const browser = fresh()
    const state = await beginLogin(browser)
    await Promise.all(Array.from({ length: 30 }, () => submitPassword(browser, state, 'both@mail.test', 'wrong')))
    await server.audit.flush()
    const { rows } = await server.database.pool.query(
      `SELECT key, count FROM attempt_counter WHERE key IN (SELECT account FROM guess_source) OR count >= 10`,
    )
    expect(rows.filter(({ count }) => count === 10)).toHaveLength(2)
    expect(noticeOf(await attempt('both@mail.test', OTHER, {}, browser))).toBe('too_many_attempts')
  })

  it('a failure counts once on the network of the attempt', async () => {
    await server.setTenant({
      attackProtection: { suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 5 } } } },
    })
    const browser = fresh({ ip: '203.0.113.77' })
    for (let i = 0; i < 5; i++)
      expect(noticeOf(await attempt(`nobody${i}@mail.test`, 'wrong', {}, browser))).toBe('wrong_credentials')
    expect(noticeOf(await attempt('nobody5@mail.test', 'wrong', {}, browser))).toBe('too_many_attempts')
  })

  it('the owner of each locked account gets a mail', async () => {
    const before = (await mailsTo(server, 'both@mail.test')).length
    const browser = fresh()
    for (let i = 0; i < 10; i++) await attempt('both@mail.test', 'wrong', {}, browser)
    await expect.poll(async () => (await mailsTo(server, 'both@mail.test')).length - before).toBe(2)
  })
})

describe('after a success the other database', () => {
  const ip = '203.0.113.9'
  const at = (name: string, password: string) => attempt(name, password, {}, fresh({ ip }))
  const signInTwelveTimes = async (name: string, password: string) => {
    for (let i = 0; i < 12; i++) expect(outcomeOf(await at(name, password)), `${i}`).toBe('code')
  }

  it('counts nothing for the owner of the address', async () => {
    await signInTwelveTimes('owner@mail.test', OTHER)
    expect(outcomeOf(await at('owner@mail.test', PASSWORD))).toBe('code')
  })

  it('counts nothing where it is the later one, about which a success says nothing', async () => {
    await signInTwelveTimes('both@mail.test', PASSWORD)
    expect(outcomeOf(await at('both@mail.test', OTHER))).toBe('code')
  })

  it('counts the guess of one who may be another person, so that an own account is no way to guess without limit', async () => {
    await signInTwelveTimes('both@mail.test', OTHER)
    expect(noticeOf(await at('both@mail.test', PASSWORD))).toBe('wrong_credentials')
    expect(await subjectOf('both@mail.test', PASSWORD)).toBe('auth0|both1')
  })
})

describe('the audit log', () => {
  it('has the accounts that were guessed, with their databases', async () => {
    const last = async (count: number) =>
      (await server.audited()).slice(-count).map(({ type, connection, user_id }) => [type, connection, user_id])
    await attempt('both@mail.test', 'wrong')
    expect(await last(2)).toEqual([
      ['fp', 'Users', 'auth0|both1'],
      ['fp', 'Staff', 'auth0|both2'],
    ])
    await attempt('second@mail.test', 'wrong')
    expect(await last(1)).toEqual([['fp', 'Staff', 'auth0|second']])
    const before = (await server.audited()).length
    await attempt('nobody@mail.test', 'wrong')
    expect((await server.audited()).slice(before).map(({ type }) => type)).toEqual(['fu'])
    await attempt('second@mail.test')
    const success = (await server.audited()).findLast(({ type }) => type === 's')
    expect(success).toMatchObject({ connection: 'Staff', user_id: 'auth0|second' })
  })
})

describe('a new password', () => {
  const ask = async (email: string, extra: Record<string, string> = {}) => {
    const browser = fresh()
    const state = await beginLogin(browser)
    return browser.post('/u/submit', { form: { state, action: 'request-reset', email, ...extra } })
  }

  it.each([
    ['both@mail.test', ['Our staff', 'Users']],
    ['second@mail.test', ['Our staff']],
    ['first@mail.test', ['Users']],
    ['nobody@mail.test', []],
  ])('is mailed to %s for each account, and says which', async (email, directories) => {
    const before = (await mailsTo(server, email)).length
    expect(noticeOf(await ask(email))).toBe('reset_sent')
    const mails = (await mailsTo(server, email))
      .slice(0, -before || undefined)
      .filter(({ link }) => link?.includes('reset'))
    expect(mails).toHaveLength(directories.length)
    const labels = mails.map(({ text }) => ['Our staff', 'Users'].find((label) => text.includes(`Directory: ${label}`)))
    expect(labels.sort()).toEqual(directories)
  })

  it('opens the account of the link alone', async () => {
    await ask('second@mail.test')
    const [mail] = await mailsTo(server, 'second@mail.test')
    const ticket = new URL(mail?.link ?? '').searchParams.get('ticket') ?? ''
    const browser = fresh()
    const form = { ticket, password: 'the third long password', password_again: 'the third long password' }
    await browser.post('/u/reset-password', { form, headers: { origin: 'https://id.test' } })
    expect(await subjectOf('second@mail.test', 'the third long password')).toBe('auth0|second')
    await server.database.pool.query(
      `UPDATE identity SET password_hash = (SELECT password_hash FROM identity WHERE provider_user_id = 'first') WHERE provider_user_id = 'second'`,
    )
  })

  it('is offered while one database lets people reset, and mailed for that one', async () => {
    await server.database.pool.query(
      `UPDATE connection SET settings = '{"options": {"disable_self_service_change_password": true}}' WHERE name = 'Users'`,
    )
    server.clock.advance(2)
    const before = (await mailsTo(server, 'same@mail.test')).length
    await ask('same@mail.test')
    expect((await mailsTo(server, 'same@mail.test')).length - before).toBe(1)
    await server.database.pool.query(`UPDATE connection SET settings = '{}' WHERE name = 'Users'`)
    server.clock.advance(2)
  })

  it('a password is reset by code where one of the databases resets by code', async () => {
    await server.database.pool.query(
      `UPDATE connection SET settings = '{"options": {"attributes": {"email": {"verification_method": "otp"}}}}' WHERE id = $1`,
      [STAFF],
    )
    server.clock.advance(2)
    const browser = fresh()
    const state = await beginLogin(browser)
    await browser.post('/u/submit', { form: { state, action: 'request-reset', email: 'owner@mail.test' } })
    const mails = (await mailsTo(server, 'owner@mail.test')).slice(0, 2)
    const codes = mails.flatMap(({ code }) => (code ? [code] : []))
    expect(codes).toHaveLength(1)
    const check = (code: string) => browser.post('/u/submit', { form: { state, action: 'check-reset-code', code } })
    expect(noticeOf(await check(codes[0] === '000000' ? '000001' : '000000'))).toBe('wrong_code')
    expect(locationOf(await check(codes[0] ?? '')).pathname).toBe('/u/reset-password')
    await server.database.pool.query(`UPDATE connection SET settings = '{"display_name": "Our staff"}' WHERE id = $1`, [
      STAFF,
    ])
    server.clock.advance(2)
  })
})

describe('a sign-up', () => {
  const signUp = async (email: string) => {
    const browser = fresh()
    const state = await beginLogin(browser, { screen_hint: 'signup' })
    const answer = await browser.post('/u/submit', { form: { state, action: 'sign-up', email, password: OTHER } })
    expect(outcomeOf(answer)).toBe('code')
    const { rows } = await server.database.pool.query('SELECT connection_id FROM identity WHERE email_key = $1', [
      email,
    ])
    return rows.map(({ connection_id }) => connection_id)
  }

  it('is at the default directory, or else at the first', async () => {
    expect(await signUp('new1@mail.test')).toEqual(['con_database'])
    await prefer('Staff')
    expect(await signUp('new2@mail.test')).toEqual([STAFF])
  })
})

describe('other pages', () => {
  it('take a username where one of the databases has them', async () => {
    await server.database.pool.query(
      `UPDATE connection SET settings = '{"options": {"requires_username": true}}' WHERE id = $1`,
      [STAFF],
    )
    server.clock.advance(2)
    const browser = fresh()
    const state = await beginLogin(browser)
    expect((await browser.get('/u/login', { query: { state } })).text).toContain('Email or username')
    await server.database.pool.query(`UPDATE connection SET settings = '{"display_name": "Our staff"}' WHERE id = $1`, [
      STAFF,
    ])
    server.clock.advance(2)
  })

  it('mail the link that ends the block of an account in the second', async () => {
    const browser = fresh()
    for (let i = 0; i < 10; i++) await attempt('owner@mail.test', 'wrong', { connection: 'Staff' }, browser)
    for (let i = 0; i < 10; i++) await attempt('owner@mail.test', 'wrong', { connection: 'Users' }, browser)
    const state = await beginLogin(browser)
    await submitPassword(browser, state, 'owner@mail.test', 'wrong')
    const before = (await mailsTo(server, 'owner@mail.test')).length
    await browser.post('/u/submit', { form: { state, action: 'mail-unblock' } })
    await expect.poll(async () => (await mailsTo(server, 'owner@mail.test')).length - before).toBe(2)
  })

  it.each([
    [STAFF, 'second@mail.test', 'first@mail.test'],
    ['con_database', 'first@mail.test', 'second@mail.test'],
  ])('try the databases of the organization alone: %s', async (id, member, other) => {
    const members = ['auth0|first', 'auth0|second']
    const name = `only${id === STAFF ? 'staff' : 'users'}`
    const organization = await organizationsOf(server).add(name, { connections: { [id]: {} }, members })
    await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
    hashes = 0
    expect(outcomeOf(await attempt(member, PASSWORD, { organization }))).toBe('code')
    expect(hashes).toBe(1)
    expect(noticeOf(await attempt(other, PASSWORD, { organization }))).toBe('wrong_credentials')
  })

  it('try every database of an organization that has several', async () => {
    const connections = { con_database: {}, [STAFF]: {} }
    const members = ['auth0|first', 'auth0|second']
    const organization = await organizationsOf(server).add('withboth', { connections, members })
    for (const name of ['first', 'second'])
      expect(outcomeOf(await attempt(`${name}@mail.test`, PASSWORD, { organization })), name).toBe('code')
  })
})

describe('more databases than one attempt may try', () => {
  const more = ['Partners', 'Suppliers']
  beforeAll(async () => {
    for (const name of more) await server.addConnection(name, {}, `con_${name}`)
    await server.addUser({ id: 'partner', email: 'partner@mail.test', connectionId: 'con_Partners' })
  })

  const submit = async (form: Record<string, string>, browser = fresh()) => {
    const state = await beginLogin(browser)
    return { browser, answer: await browser.post('/u/submit', { form: { state, action: 'login', ...form } }) }
  }

  it('are chosen on the page, by everyone', async () => {
    const browser = fresh()
    const state = await beginLogin(browser)
    const { text } = await browser.get('/u/login', { query: { state } })
    for (const label of ['Users', 'Our staff', ...more]) expect(text).toContain(`>${label}</option>`)
    for (const database of [undefined, '', 'nothing', 'Nobody']) {
      hashes = 0
      const { answer } = await submit({
        username: 'first@mail.test',
        password: PASSWORD,
        ...(database === undefined ? {} : { database }),
      })
      expect([noticeOf(answer), hashes], `${database}`).toEqual(['missing_database', 0])
    }
  })

  it('the password is tried at the chosen database alone', async () => {
    hashes = 0
    const right = { username: 'partner@mail.test', password: PASSWORD, database: 'Partners' }
    expect(outcomeOf((await submit(right)).answer)).toBe('code')
    expect(hashes).toBe(1)
    const { browser, answer } = await submit({ ...right, database: 'Suppliers' })
    expect(noticeOf(answer)).toBe('wrong_credentials')
    expect((await browser.get(locationOf(answer).href)).text).toMatch(/<option value="Suppliers" selected/)
  })

  it('a new password is requested at the chosen database alone', async () => {
    const browser = fresh()
    const state = await beginLogin(browser)
    expect((await browser.get('/u/forgot-password', { query: { state } })).text).toContain('>Partners</option>')
    const ask = (extra: Record<string, string>) =>
      browser.post('/u/submit', { form: { state, action: 'request-reset', email: 'partner@mail.test', ...extra } })
    expect(noticeOf(await ask({}))).toBe('missing_database')
    expect(await mailsTo(server, 'partner@mail.test')).toHaveLength(0)
    expect(noticeOf(await ask({ database: 'Partners' }))).toBe('reset_sent')
    expect(await mailsTo(server, 'partner@mail.test')).toHaveLength(1)
  })

  it('a login that names a database asks for none', async () => {
    const browser = fresh()
    const state = await beginLogin(browser, { connection: 'Partners' })
    expect((await browser.get('/u/login', { query: { state } })).text).not.toContain('</option>')
    expect(outcomeOf(await submitPassword(browser, state, 'partner@mail.test'))).toBe('code')
  })

  it('are tried by no page of an application, which gets the first', async () => {
    const headers = { origin: 'https://app.test' }
    const send = (username: string) =>
      fresh().post('/co/authenticate', {
        json: { client_id: 'spa', username, password: PASSWORD, credential_type: 'password' },
        headers,
      })
    expect((await send('first@mail.test')).status).toBe(200)
    expect((await send('partner@mail.test')).status).toBe(403)
  })
})
