// The deletion of an account by its owner: planned, withdrawn, carried out (threat-model.md AP5).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteDueAccounts } from '../../store/prisma/account-deletions'
import { locationOf } from '../../testing/journey'
import { mailsTo } from '../../testing/mail'
import { enterPortal, submitInPortal } from '../../testing/portal'
import { type Browser, type TestServer, testServer } from '../../testing/server'

let server: TestServer
let browser: Browser
let email: string
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
  user = await server.addUser({ email, data: { emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}` })
  await enterPortal(browser, email)
})

const press = async (action: string): Promise<string | null> =>
  locationOf(await submitInPortal(browser, 'data', { action })).searchParams.get('notice')

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)
const exists = async () => (await query('SELECT 1 FROM "user" WHERE id = $1', user)).rows.length === 1
const makeDue = () => query(`UPDATE "user" SET delete_at = now() - interval '1 hour' WHERE id = $1`, user)
const carryOut = () => deleteDueAccounts(server.database.pool, server.clock.now())

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

it('and its withdrawal at the same time: one of them happens', async () => {
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

it('is not offered, and refused, where the tenant has switched it off', async () => {
  await server.setTenant({ tenant: { account_deletion_days: false } })
  expect((await browser.get('/account/data')).text).not.toContain('value="delete"')
  expect(await press('delete')).toBe('portal_gone')
})
