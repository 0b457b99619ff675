// The deletion of an account by its owner: planned, withdrawn, carried out (threat-model.md AP5).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteDueAccounts } from '../../../adapters/store/sql/account-deletions'
import { locationOf } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let browser: Browser
let email: string
let user: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await query('UPDATE "user" SET deletion_requested_at = NULL')
  await server.setTenant({})
  count += 1
  email = `user${count}@mail.test`
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}` })
  await enterPortal(browser, email)
})

const press = async (action: string): Promise<string | null> =>
  locationOf(await submitInPortal(browser, 'data', { action, sure: 'yes' })).searchParams.get('notice')

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)
const exists = async () => (await query('SELECT 1 FROM "user" WHERE id = $1', user)).rows.length === 1
const makeDue = () => query(`UPDATE "user" SET delete_at = now() - interval '1 hour' WHERE id = $1`, user)
const carryOut = () => deleteDueAccounts(server.database.pool, server.clock.now())

it('is asked for once more before it is planned, on a page that can be left', async () => {
  const ask = locationOf(await submitInPortal(browser, 'data', { action: 'delete' }))
  expect(ask.href).toBe('https://id.test/account/data?ask=delete')
  const planned = () => query('SELECT delete_at FROM "user" WHERE id = $1', user)
  expect((await planned()).rows).toEqual([{ delete_at: null }])
  expect(await mailsTo(server, email)).toEqual([])
  const { text } = await browser.get(`${ask.pathname}${ask.search}`)
  for (const part of ['Do you want to delete your account?', 'name="sure" value="yes"', 'No, go back'])
    expect(text).toContain(part)
  expect((await browser.get('/account/data')).text).not.toContain('name="sure"')
})

it('is planned after a recent sign-in, mailed, shown, and withdrawn', async () => {
  expect(await press('delete')).toBe('portal_saved')
  const [mail] = await mailsTo(server, email)
  expect(mail?.subject).toContain('your account will be deleted')
  expect(mail?.link).toBe('https://id.test/account/data')
  expect((await browser.get('/account/data')).text).toContain('value="keep"')
  expect(await press('delete')).toBe('portal_gone')
  expect(await press('keep')).toBe('portal_saved')
  expect(await press('keep')).toBe('portal_gone')
  await carryOut()
  expect(await exists()).toBe(true)
})

it('happens when its time has come, with every login, and not before', async () => {
  await press('delete')
  expect(await carryOut()).toBe(0)
  await makeDue()
  expect(await carryOut()).toBe(1)
  expect(await exists()).toBe(false)
  expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
  const { rows } = await query('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', user)
  expect(rows).toEqual([])
})

it('does not happen early by a clock that runs ahead', async () => {
  await press('delete')
  const { rows } = await query(
    `UPDATE "user" SET delete_at = now() + interval '1 hour' WHERE id = $1 RETURNING delete_at`,
    user,
  )
  expect(await deleteDueAccounts(server.database.pool, new Date(rows[0].delete_at.getTime() + 86_400_000))).toBe(0)
  expect(await exists()).toBe(true)
})

it('is planned once by twenty at the same time, with one mail', async () => {
  const { accountDeletions, clock } = await server.runtime()
  const planned = await Promise.all(
    Array.from({ length: 20 }, () => accountDeletions.schedule(user, clock.now(), null)),
  )
  expect(planned.filter(Boolean)).toHaveLength(1)
})

it('exactly one of a deletion and its concurrent cancellation happens', async () => {
  const { accountDeletions, clock } = await server.runtime()
  for (let round = 0; round < 10; round++) {
    if (!(await exists())) break
    await accountDeletions.schedule(user, clock.now(), null)
    await makeDue()
    const [kept, deleted] = await Promise.all([accountDeletions.keep(user), carryOut()])
    expect([kept, deleted]).toEqual(kept ? [true, 0] : [false, 1])
    expect(await exists()).toBe(kept)
  }
})

describe('where an administrator has to approve it', () => {
  const path = (rest = ''): string => `/users/${encodeURIComponent(user)}/deletion${rest}`
  const outcome = (answer: TestResponse): unknown[] => [answer.status, answer.json().errorCode]
  const subjects = async (): Promise<string[]> => (await mailsTo(server, email)).map(({ subject }) => subject)

  beforeEach(() => server.setTenant({ tenant: { account_deletion_approval: true } }))

  it('waits, is listed, and is planned once it is approved', async () => {
    expect((await browser.get('/account/data')).text).toContain('The operator has to approve it first.')
    expect((await manager.get(path())).json()).toEqual({ user_id: user, status: 'none' })
    expect(await press('delete')).toBe('portal_saved')
    expect(await press('delete')).toBe('portal_gone')
    expect(await subjects()).toEqual([expect.stringContaining('your request to delete your account')])
    expect((await browser.get('/account/data')).text).toContain('It waits for an approval since')
    const requested_at = server.clock.now().toISOString()
    expect((await manager.get(path())).json()).toEqual({ user_id: user, status: 'requested', requested_at })
    expect((await manager.get('/deletion-requests')).json()).toEqual([{ user_id: user, email, requested_at }])
    server.clock.advance(60)
    expect(await carryOut()).toBe(0)
    const approved = await manager.post(path('/approve'), {})
    const delete_at = new Date(server.clock.now().getTime() + 7 * 86_400_000).toISOString()
    expect([approved.status, approved.json()]).toEqual([200, { user_id: user, status: 'scheduled', delete_at }])
    expect((await subjects())[0]).toContain('your account will be deleted')
    const query = { include_totals: 'true' }
    expect((await manager.get('/deletion-requests', { query })).json()).toMatchObject({
      total: 0,
      deletion_requests: [],
    })
    await makeDue()
    expect(await carryOut()).toBe(1)
  })

  it('ends when it is refused, and can be asked for again', async () => {
    await press('delete')
    server.clock.advance(1)
    expect((await manager.post(path('/refuse'), {})).json()).toEqual({ user_id: user, status: 'none' })
    expect((await subjects())[0]).toContain('your account will not be deleted')
    expect(await press('keep')).toBe('portal_gone')
    expect(await press('delete')).toBe('portal_saved')
  })

  it('can be withdrawn while it waits and after it was approved', async () => {
    await press('delete')
    expect(await press('keep')).toBe('portal_saved')
    expect(outcome(await manager.post(path('/approve'), {}))).toEqual([409, 'no_deletion_request'])
    await press('delete')
    await manager.post(path('/approve'), {})
    expect(await press('keep')).toBe('portal_saved')
    expect((await manager.get(path())).json()).toEqual({ user_id: user, status: 'none' })
  })

  it('is decided on by a request that waits, of a user of the tenant, with the scope for it', async () => {
    for (const decision of ['/approve', '/refuse'])
      expect(outcome(await manager.post(path(decision), {}))).toEqual([409, 'no_deletion_request'])
    for (const [method, rest] of [
      ['GET', ''],
      ['POST', '/approve'],
      ['POST', '/refuse'],
    ] as const)
      expect(outcome(await manager.send(method, `/users/auth0%7Cnobody/deletion${rest}`))).toEqual([
        404,
        'inexistent_user',
      ])
    await press('delete')
    const token = await manager.token(['read:users', 'update:users'])
    for (const decision of ['/approve', '/refuse'])
      expect((await manager.send('POST', path(decision), { token })).status).toBe(403)
    const weak = await manager.token(['read:clients'])
    for (const read of [path(), '/deletion-requests'])
      expect((await manager.get(read, { token: weak })).status).toBe(403)
    expect((await manager.get(path())).json()).toMatchObject({ status: 'requested' })
  })

  it('is one of twenty approvals and refusals at the same time, with one mail', async () => {
    const { accountDeletions, mailer, clock } = await server.runtime()
    const about = { to: email, user: null, clientId: null, connectionId: '', ip: '', locale: undefined }
    const compose = async () => ({
      rows: [await mailer.compose({ kind: 'deletion_refused', page: '/account/data', ...about })],
      bound: null,
    })
    for (let round = 0; round < 3; round++) {
      expect(await accountDeletions.request(user, clock.now(), null)).toBe(true)
      const before = (await subjects()).length
      const mails = await Promise.all(Array.from({ length: 20 }, compose))
      const outcomes = await Promise.all(
        mails.map((mail, index) =>
          index % 2 === 0 ? accountDeletions.refuse(user, mail) : accountDeletions.approve(user, clock.now(), mail),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await subjects()).toHaveLength(before + 1)
      await accountDeletions.keep(user)
    }
  })

  it('exactly one of a deletion request and its concurrent cancellation counts, and the account is never deleted without an approval', async () => {
    const { accountDeletions, clock } = await server.runtime()
    for (let round = 0; round < 10; round++) {
      await accountDeletions.request(user, clock.now(), null)
      const [kept, refused] = await Promise.all([accountDeletions.keep(user), accountDeletions.refuse(user, null)])
      expect([kept, refused].filter(Boolean)).toHaveLength(1)
      expect(await accountDeletions.find(user)).toEqual({ status: 'none' })
    }
  })

  it('is known to its own tenant alone', async () => {
    await press('delete')
    await server.addTenant(`further${count}`, `https://further${count}.test`)
    const { accountDeletions } = await server.runtime(`further${count}.test`)
    expect(await accountDeletions.find(user)).toBeNull()
    expect(await accountDeletions.requests({ offset: 0, limit: 10 })).toEqual({ rows: [], total: 0 })
    expect(await accountDeletions.approve(user, server.clock.now(), null)).toBe(false)
  })
})

it('is not offered, and refused, where the tenant has switched it off', async () => {
  await server.setTenant({ tenant: { account_deletion_days: false } })
  expect((await browser.get('/account/data')).text).not.toContain('value="delete"')
  expect(await press('delete')).toBe('portal_gone')
})
