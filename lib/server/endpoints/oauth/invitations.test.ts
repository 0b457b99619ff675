import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  outcomeOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  submitPassword,
} from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { organizationsOf } from '../../../testing/organizations'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const NEW_PASSWORD = 'some long words here'
const GONE = 'invitation not found or already used'

let server: TestServer
let organizations: ReturnType<typeof organizationsOf>
let acme: string
let other: string

beforeAll(async () => {
  server = await testServer()
  organizations = organizationsOf(server)
  for (const clientId of ['spa', 'second'])
    await server.addClient({ clientId, settings: { ...SPA.settings, organization_usage: 'require' } })
  await server.database.pool.query(
    `UPDATE connection SET settings = settings || '{"options": {"disable_signup": true, "require_verified_email": true}}'`,
  )
  await server.addRole('Reader', {})
  acme = await organizations.add('acme', { settings: { display_name: 'Acme' } })
  other = await organizations.add('other')
})
afterAll(() => server.close())

const follow = async (browser: Browser, extra: Record<string, string>) =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery({ organization: acme, ...extra }) }))
const page = async (browser: Browser, screen: string, state: string): Promise<string> =>
  (await browser.get(`/u/${screen}`, { query: { state } })).text
const signUp = async (browser: Browser, state: string, email: string) =>
  locationOf(await browser.post('/u/submit', { form: { state, action: 'sign-up', email, password: NEW_PASSWORD } }))
const user = async (email: string) =>
  (await server.database.pool.query(`SELECT id, email_verified, user_metadata FROM "user" WHERE email = $1`, [email]))
    .rows[0] as { id: string; email_verified: boolean; user_metadata: object } | undefined

it('leads to a sign-up with the invited address alone, also with sign-up off, and is single-use', async () => {
  const ticket = await organizations.invite(acme, 'Ada@mail.test', { roles: ['Reader', 'gone'] })
  const browser = server.browser()
  const first = await follow(browser, { invitation: ticket, organization_name: 'acme' })
  expect(first.pathname).toBe('/u/signup')
  const state = first.searchParams.get('state') ?? ''
  const html = await page(browser, 'signup', state)
  expect(html).toContain('Grace invited you to Acme')
  expect(html).toMatch(/<input[^>]*readOnly[^>]*value="Ada@mail.test"|<input[^>]*value="Ada@mail.test"[^>]*readOnly/i)
  const answer = await signUp(browser, state, 'evil@mail.test')
  const tokens = (await redeem(browser, answer.searchParams.get('code') ?? '')).json()
  expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme, email: 'ada@mail.test', email_verified: true })
  expect(await user('evil@mail.test')).toBeUndefined()
  expect(await mailsTo(server, 'ada@mail.test')).toEqual([])
  const ada = await user('ada@mail.test')
  expect(ada).toMatchObject({ email_verified: true, user_metadata: { from: 'invitation' } })
  expect(await organizations.members(acme)).toContain(ada?.id)
  const roles = await server.database.pool.query('SELECT role_id FROM organization_member_role')
  expect(roles.rows).toEqual([{ role_id: 'Reader' }])
  const again = await follow(server.browser(), { invitation: ticket })
  expect([again.searchParams.get('error'), again.searchParams.get('error_description')]).toEqual([
    'invalid_request',
    GONE,
  ])
  expect((await follow(browser, { invitation: ticket })).searchParams.get('code')).not.toBeNull()
})

it('is accepted by an existing account, verified or not, after its password', async () => {
  await server.addUser({ email: 'bob@mail.test' })
  const browser = server.browser()
  const state = await beginLogin(browser, {
    organization: acme,
    invitation: await organizations.invite(acme, 'bob@mail.test'),
  })
  expect(await page(browser, 'login', state)).toContain('value="bob@mail.test"')
  const answer = locationOf(await submitPassword(browser, state, 'bob@mail.test'))
  expect(answer.searchParams.get('code')).not.toBeNull()
  expect((await user('bob@mail.test'))?.email_verified).toBe(true)
})

it('is no proof of the address where a role of it holds scopes of the Management API (threat-model.md OR15)', async () => {
  await server.addRole('Manager', { 'https://id.test/api/v2/': ['read:users'] })
  const email = 'max@mail.test'
  const ticket = await organizations.invite(acme, email, { roles: ['Manager'] })
  const browser = server.browser()
  const state = (await follow(browser, { invitation: ticket })).searchParams.get('state') ?? ''
  const signedUp = await signUp(browser, state, email)
  expect([signedUp.pathname, signedUp.searchParams.get('code')]).toEqual(['/u/login', null])
  const id = (await user(email))?.id ?? ''
  expect((await user(email))?.email_verified).toBe(false)
  expect(await organizations.members(acme)).not.toContain(id)
  const form = { ticket: await ticketTo(server, email), action: 'verify-email' }
  await server.browser().post('/u/verify-email', { form })
  const answer = await browser.post('/u/submit', {
    form: { state, action: 'login', username: email, password: NEW_PASSWORD },
  })
  expect(locationOf(answer).searchParams.get('code')).not.toBeNull()
  expect(await organizations.members(acme)).toContain(id)
})

it('refuses another account, and asks a signed-in user to sign in as the invited person', async () => {
  await server.addUser({ email: 'eve@mail.test', data: { emailVerified: true } })
  const ticket = await organizations.invite(acme, 'carl@mail.test')
  const browser = server.browser()
  const state = await beginLogin(browser, { organization: acme, invitation: ticket })
  const answer = locationOf(await submitPassword(browser, state, 'eve@mail.test'))
  expect([answer.searchParams.get('error'), answer.searchParams.get('error_description')]).toEqual([
    'access_denied',
    'the specified account is not allowed to accept the current invitation',
  ])
  await organizations.join(acme, (await user('eve@mail.test'))?.id ?? '')
  const signedIn = server.browser()
  expect((await signIn(signedIn, 'eve@mail.test', { organization: acme })).get('code')).not.toBeNull()
  expect((await follow(signedIn, { invitation: ticket })).pathname).toBe('/u/signup')
  expect((await follow(signedIn, { invitation: ticket, prompt: 'none' })).searchParams.get('error')).toBe(
    'login_required',
  )
})

it('accepts a session of the invited person only if the address is verified', async () => {
  for (const [email, emailVerified] of [
    ['dan@mail.test', true],
    ['mallory@mail.test', false],
  ] as const) {
    const id = await server.addUser({ email, data: { emailVerified: true } })
    await organizations.join(other, id)
    const browser = server.browser()
    await signIn(browser, email, { organization: other })
    await server.database.pool.query('UPDATE "user" SET email_verified = $2 WHERE id = $1', [id, emailVerified])
    const next = await follow(browser, { invitation: await organizations.invite(acme, email) })
    expect(next.searchParams.has('code')).toBe(emailVerified)
    expect((await organizations.members(acme)).includes(id)).toBe(emailVerified)
  }
})

it.each<[string, () => Promise<Record<string, string>>]>([
  ['is unknown', async () => ({ invitation: 'x' })],
  [
    'has expired',
    async () => ({ invitation: await organizations.invite(acme, 'a@mail.test', { expiresAt: server.clock.now() }) }),
  ],
  ['is to another organization', async () => ({ invitation: await organizations.invite(other, 'a@mail.test') })],
  [
    'is of another client',
    async () => ({ invitation: await organizations.invite(acme, 'a@mail.test', { clientId: 'second' }) }),
  ],
])('is refused at once if it %s', async (_case, extra) => {
  const { host, searchParams } = await follow(server.browser(), await extra())
  expect(host).toBe('app.test')
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(['invalid_request', GONE])
})

it('is not stored in the clear with the login', async () => {
  const ticket = await organizations.invite(acme, 'f@mail.test')
  expect((await follow(server.browser(), { invitation: ticket })).pathname).toBe('/u/signup')
  const { rows } = await server.database.pool.query(
    'SELECT origin::text || wants::text || decisions::text AS text FROM login_transaction',
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter(({ text }) => text.includes(ticket))).toEqual([])
})

it('is accepted once by many parallel logins of its account, and refused to one that comes later', async () => {
  const ticket = await organizations.invite(other, 'gina@mail.test')
  const gina = await server.addUser({ email: 'gina@mail.test' })
  const attempts = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const browser = server.browser()
      return { browser, state: await beginLogin(browser, { organization: other, invitation: ticket }) }
    }),
  )
  const { organizations: port } = await server.runtime()
  const digest = (
    await server.database.pool.query('SELECT ticket_digest FROM organization_invitation WHERE email = $1', [
      'gina@mail.test',
    ])
  ).rows[0].ticket_digest
  // Each of the eight has found the invitation before any accepts it: a login that looks for it later is refused.
  const accept = port.accept.bind(port)
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const held = vi.spyOn(port, 'accept').mockImplementation(async (...accepted) => {
    if (held.mock.calls.length === 8) open()
    await opened
    return accept(...accepted)
  })
  const [late, ...together] = attempts.map(
    ({ browser, state }) =>
      () =>
        submitPassword(browser, state, 'gina@mail.test'),
  )
  const answers = await Promise.all(together.map((submit) => submit().finally(open)))
  held.mockRestore()
  expect(answers.map(outcomeOf), JSON.stringify(server.lines)).toEqual(Array(8).fill('code'))
  const refused = late && locationOf(await late()).searchParams
  expect(refused?.get('error_description')).toBe(GONE)
  expect((await organizations.members(other)).filter((id) => id === gina)).toHaveLength(1)
  expect(await port.accept(digest, gina, server.clock.now())).toBeNull()
  const next = await organizations.invite(other, 'gina@mail.test')
  expect(next).not.toBe(ticket)
  const last = (
    await server.database.pool.query('SELECT ticket_digest FROM organization_invitation WHERE email = $1', [
      'gina@mail.test',
    ])
  ).rows[0].ticket_digest
  const accepted = await Promise.all(Array.from({ length: 8 }, () => port.accept(last, gina, server.clock.now())))
  expect(accepted.filter((each) => each !== null)).toHaveLength(1)
})
