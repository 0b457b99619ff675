// The last owner of the console who can sign in, in the account portal: what would end that is refused with a sentence (threat-model.md MG58).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { locationOf } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { deleteInPortal, enterPortal, submitInPortal } from '../../../testing/portal'
import { CONNECTION_ID } from '../../../testing/seed'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let email: string
let user: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addConnection('Second', {}, 'con_second')
  await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
})
afterAll(() => server.close())

const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)

beforeEach(async () => {
  await server.setTenant({})
  await sql("BEGIN; SELECT set_config('latchkey.operator', 'on', true); DELETE FROM administrator; COMMIT")
  ;({ id: user, email } = await addOwner())
  count += 1
  browser = server.browser({ ip: `203.0.113.${count}` })
  await enterPortal(browser, email)
})

async function addOwner(): Promise<{ id: string; email: string }> {
  const address = `${randomUUID()}@example.com`
  const id = await server.addUser({ email: address, data: { emailVerified: true } })
  await (await server.runtime()).administrators.put(id, 'owner', server.clock.now())
  return { id, email: address }
}

const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const planned = async () =>
  (await sql('SELECT delete_at, deletion_requested_at FROM "user" WHERE id = $1', [user])).rows[0]
const refusals = async () => (await server.audited()).filter(({ type }) => type === 'fapi').length

describe('the deletion of the account', () => {
  const ask = () => deleteInPortal(browser)

  it('is refused: nothing is planned, no mail goes out, and the log has the refusal', async () => {
    const before = await refusals()
    expect(noticeOf(await ask())).toBe('last_owner')
    expect(await planned()).toEqual({ delete_at: null, deletion_requested_at: null })
    expect(await mailsTo(server, email)).toEqual([])
    expect(await refusals()).toBe(before + 1)
  })

  it('is explained on the page, in the language of the person', async () => {
    const english = await browser.get('/account/data', { query: { notice: 'last_owner' } })
    expect(english.text).toContain('only account that can manage this server')
    expect(english.text).toContain('role="alert"')
    await sql(`UPDATE "user" SET profile = '{"locale": "de"}' WHERE id = $1`, [user])
    const german = await browser.get('/account/data', { query: { notice: 'last_owner' } })
    expect(german.text).toContain('das einzige Konto')
  })

  it('is refused to one of two owners who ask at the same moment', async () => {
    const other = await addOwner()
    const elsewhere = server.browser({ ip: '198.51.100.9' })
    await enterPortal(elsewhere, other.email)
    const answers = await Promise.all([ask(), deleteInPortal(elsewhere)])
    expect(answers.map(noticeOf).toSorted()).toEqual(['last_owner', 'portal_saved'])
  })

  it('is planned while another owner can sign in', async () => {
    await addOwner()
    expect(noticeOf(await ask())).toBe('portal_saved')
    expect((await planned()).delete_at).toEqual(expect.any(Date))
  })
})

it('the last usable account is not unlinked, and the account stays as it was', async () => {
  const second = `second-${randomUUID()}`
  await sql(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', 'con_second', $1, 'auth0', $2)`,
    [second, user],
  )
  await sql(`UPDATE identity SET connection_id = 'con_closed' WHERE user_id = $1 AND connection_id = $2`, [
    user,
    CONNECTION_ID,
  ])
  const answer = await submitInPortal(browser, 'connections', { action: 'unlink', provider: 'auth0', user_id: second })
  expect(noticeOf(answer)).toBe('last_owner')
  expect((await sql('SELECT 1 FROM identity WHERE user_id = $1', [user])).rows).toHaveLength(2)
  expect(await mailsTo(server, email)).toEqual([])
  expect((await browser.get('/account/connections')).status).toBe(200)
})
