// The first page: what each role sees of it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleRole } from '../../../management/operations/console-roles'
import { requestTo } from '../../../testing/console-sign-in'
import { addManager, type Manager } from '../../../testing/management'
import { logIn, MFA_WEB } from '../../../testing/mfa'
import { statementsOf } from '../../../testing/sent-statements'
import { type TestServer, testServer } from '../../../testing/server'
import { readCharts, readNow } from './activity'
import { readAttention, readFirstSteps, readUpcoming } from './home'
import { consoleOf } from './page'

let server: TestServer
let manager: Manager
beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  manager = await addManager(server)
})
afterAll(() => server.close())

async function consoleFor(role: ConsoleRole) {
  const request = requestTo('/console')
  const runtime = (await server.runtime()).within(request)
  const id = await server.addUser({ email: `${server.random.hex(6)}@example.com` })
  await runtime.administrators.put(id, role, server.clock.now())
  const administrator = await runtime.administrators.find(id)
  if (!administrator) throw new Error(`no ${role}`)
  return consoleOf({ runtime, request, administrator, authenticatedAt: server.clock.now() })
}

it('says that sign-up is off beside the step to add a user, and where it is turned on', async () => {
  const owner = await consoleFor('owner')
  const note = async () => (await readFirstSteps(owner)).find(({ href }) => href === '/console/users/new')?.note
  const databases = (await manager.get('/connections', { query: { strategy: 'auth0' } })).json() as unknown as {
    id: string
    options: object
  }[]
  const setAll = async (isOff: boolean) => {
    for (const { id, options } of databases)
      await manager.patch(`/connections/${id}`, { options: { ...options, disable_signup: isOff } })
  }
  await setAll(true)
  expect(await note()).toEqual({
    text: expect.stringMatching(/^People cannot sign up themselves: sign-up is off at ./),
    href: expect.stringMatching(/^\/console\/connections\/con_[^#]+#.*disable_signup$/),
  })
  await setAll(false)
  expect(await note()).toBeUndefined()
})

it('refused logins that rise, and blocked people, need attention', async () => {
  const owner = await consoleFor('owner')
  expect(await readAttention(owner)).toEqual([])
  const email = `${server.random.hex(6)}@example.com`
  const id = await server.addUser({ email })
  for (let turn = 0; turn < 25; turn += 1)
    await logIn(server.browser({ ip: `2001:db8:${turn + 1}::1` }), `none${turn}@example.com`)
  await server.audited()
  await manager.patch(`/users/${encodeURIComponent(id)}`, { blocked: true })
  const found = await readAttention(await consoleFor('owner'))
  expect(found.map(({ href }) => href)).toEqual([
    '/console/logs?show=failures&since=24h',
    '/console/users?q=blocked%3Atrue',
  ])
  const charts = await readCharts(await consoleFor('auditor'), '24h', 'all')
  expect(charts?.lines[0]?.failures.at(-1)).toBeGreaterThanOrEqual(25)
})

it('a role sees of the home what it may read', async () => {
  const editor = await consoleFor('application_editor')
  expect(await readCharts(editor, '30d', 'application')).toBeNull()
  expect(await readNow(editor)).toBeNull()
  expect(await readAttention(editor)).toEqual([])
  expect((await readFirstSteps(editor)).map(({ href }) => href)).not.toContain('/console/users/new')
})

it('the first steps are done once what they make is there', async () => {
  const steps = await readFirstSteps(await consoleFor('owner'))
  expect(Object.fromEntries(steps.map(({ href, done }) => [href, done]))).toMatchObject({
    '/console/applications/new': true,
    '/console/users/new': true,
    '/console/providers': false,
    '/console/settings/domains': false,
    '/console/administrators': true,
    '/console/security/factors': false,
  })
})

it('counts by application and connection, and the last minutes, from the batch of the audit log', async () => {
  const before = await readNow(await consoleFor('owner'))
  const facts = {
    client: { clientId: MFA_WEB.clientId, name: 'App web' },
    connection: { id: 'con_users', name: 'Users', strategy: 'auth0' },
    user: { id: 'auth0|counted', email: null },
  } as const
  const { trail } = await server.runtime()
  for (const name of ['login', 'login'] as const) trail.record(name, facts as never)
  await server.audited()
  const owner = await consoleFor('owner')
  const byApplication = await readCharts(owner, '7d', 'application')
  const web = byApplication?.lines.find(({ key }) => key === MFA_WEB.clientId)
  expect(web?.name).toBe('App web')
  expect(web?.logins.at(-1)).toBeGreaterThanOrEqual(1)
  expect(web?.people.at(-1)).toBe(1)
  const byConnection = await readCharts(owner, '24h', 'connection')
  expect(byConnection?.span).toBe('hour')
  expect(byConnection?.times).toHaveLength(24)
  expect(byConnection?.lines.map(({ key }) => key)).toContain('Users')
  const sum = (values: readonly number[] = []): number => values.reduce((total, each) => total + each, 0)
  const now = await readNow(owner)
  expect(sum(now?.minutes.logins)).toBeGreaterThan(sum(before?.minutes.logins))
  expect(now?.today.logins).toBeGreaterThan(before?.today.logins ?? 0)
})

it('says what fails and what ends, to those who may read it', async () => {
  const stream = { name: 'Broken', type: 'http', sink: { httpEndpoint: 'https://unreachable.invalid/' } }
  await manager.post('/log-streams', stream)
  await server.database.pool.query(
    `UPDATE log_stream SET failing_since = $1, last_error = 'no answer' WHERE name = 'Broken'`,
    [server.clock.now()],
  )
  const texts = (await readUpcoming(await consoleFor('owner'))).map(({ text }) => text)
  expect(texts).toContain('The log stream Broken fails: no answer')
  expect(await readUpcoming(await consoleFor('user_support'))).toEqual([])
})

it('says that messages are not delivered, until one is, and leads to who sends them', async () => {
  const { clock, random, database } = server
  const insert = (channel: string, { sent = false, minutes = 0 } = {}) => {
    const at = new Date(clock.now().getTime() + minutes * 60_000)
    return database.pool.query(
      `INSERT INTO outbox_message (id, tenant_id, channel, recipient, created_at, attempts, sent_at, failed_at, last_error)
       VALUES ($1, 'default', $2, 'x', $3, 1, $4, $5, $6)`,
      [random.uuid(), channel, at, sent ? at : null, sent ? null : at, sent ? null : 'EAUTH'],
    )
  }
  const trouble = async (role: ConsoleRole) =>
    (await readUpcoming(await consoleFor(role))).filter(({ text }) => text.includes('not delivered'))
  await insert('sms', { sent: true, minutes: -3 })
  expect(await trouble('owner')).toEqual([])
  await insert('sms', { minutes: -2 })
  await insert('voice', { minutes: -1 })
  const found = [
    {
      text: 'Text messages and calls are not delivered: 2 since the last that was (EAUTH)',
      href: '/console/providers/phone',
    },
  ]
  expect(await trouble('owner')).toEqual(found)
  expect(await trouble('auditor')).toEqual(found)
  expect(await trouble('application_editor')).toEqual([])
  await insert('email', { minutes: -1 })
  expect((await trouble('admin')).map(({ href }) => href)).toEqual(['/console/providers', '/console/providers/phone'])
  await insert('sms', { sent: true })
  expect((await trouble('admin')).map(({ href }) => href)).toEqual(['/console/providers'])
  const phone = await addManager(server, { clientId: 'reads-phone', granted: ['read:phone_providers'] })
  expect((await phone.get('/message-deliveries')).json()).toEqual({ phone: null })
  const none = await addManager(server, { clientId: 'reads-users', granted: ['read:users'] })
  expect((await none.get('/message-deliveries')).status).toBe(403)
})

it('names secrets that were not changed for a year, to those who may read what they belong to', async () => {
  const old = async (role: ConsoleRole) =>
    (await readUpcoming(await consoleFor(role)))
      .filter(({ text }) => text.includes('not changed'))
      .map(({ href }) => href)
  const made = (await manager.post('/clients', { name: 'Old shop', app_type: 'regular_web' })).json()
  const id = String(made.client_id)
  const strategy = { name: 'harbour', strategy: 'oidc' }
  const options = {
    ...{ client_id: 'c', client_secret: 'a-secret-of-theirs', issuer: 'https://idp.test' },
    authorization_endpoint: 'https://idp.test/authorize',
  }
  const connection = String((await manager.post('/connections', { ...strategy, options })).json().id)
  const age = (table: string, name: string) =>
    server.database.pool.query(`UPDATE ${table} SET secret_changed_at = $1 WHERE name = $2`, [
      new Date(server.clock.now().getTime() - 366 * 86_400_000),
      name,
    ])
  expect(await old('owner')).toEqual([])
  await age('client', 'Old shop')
  await age('connection', 'harbour')
  const pages = [`/console/applications/${id}/credentials`, `/console/connections/${connection}`]
  expect((await old('owner')).toSorted()).toEqual(pages)
  expect((await old('application_editor')).toSorted()).toEqual(pages)
  expect(await old('user_support')).toEqual([pages[1]])

  await manager.patch(`/clients/${id}`, { description: 'no new secret' })
  await manager.patch(`/connections/${connection}`, {
    options: { ...options, client_secret: undefined, scope: 'openid' },
  })
  expect((await old('owner')).toSorted()).toEqual(pages)
  await manager.post(`/clients/${id}/rotate-secret`, {})
  await manager.patch(`/connections/${connection}`, { options: { ...options, client_secret: 'another-secret' } })
  expect(await old('owner')).toEqual([])

  await age('client', 'Old shop')
  await manager.patch(`/clients/${id}`, { token_endpoint_auth_method: 'none' })
  expect(await old('owner')).toEqual([])
  expect((await manager.get('/old-secrets', { query: { days: '-1' } })).status).toBe(400)
  const clientsAlone = await addManager(server, { clientId: 'reads-clients', granted: ['read:clients'] })
  const kinds = (
    (await clientsAlone.get('/old-secrets', { query: { days: '0' } })).json().secrets as { kind: string }[]
  ).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['client']))
  const none = await addManager(server, { clientId: 'reads-nothing', granted: ['read:users'] })
  expect((await none.get('/old-secrets')).status).toBe(403)
})

it('costs no more statements than it did', async () => {
  const owner = await consoleFor('owner')
  const sent = await statementsOf(server.database.pool, () =>
    Promise.all([readNow(owner), readCharts(owner, '30d', 'application'), readAttention(owner), readFirstSteps(owner)]),
  )
  expect(sent.length).toBeLessThanOrEqual(27)
})
