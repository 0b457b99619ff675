// The first proof of an address races with attaching factors and data to its account, on PostgreSQL (threat-model.md BF1). Each
// call is checked while the address is unproven and waits for the proof to commit. Afterwards nothing of the call remains.
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { beginLogin, SPA, signInForTokens } from '../../testing/journey'
import { ticketTo } from '../../testing/mail'
import { associate, bearer, demand, MFA_WEB, mfaToken } from '../../testing/mfa'
import { type TestResponse, type TestServer, testServer } from '../../testing/server'

const API = 'https://id.test/api/v2/'
const SCOPE =
  'update:current_user_identities update:current_user_metadata create:current_user_metadata create:current_user_device_credentials'

let server: TestServer
let userId: string
let email: string
let other: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(MFA_WEB)
})
afterAll(() => server.close())
beforeEach(async () => {
  await demand(server, [], ['otp', 'recovery-code'])
  const id = server.random.hex(6)
  email = `${id}@mail.test`
  other = `other-${email}`
  userId = await server.addUser({ id, email })
  await server.addUser({ email: other, data: { emailVerified: true } })
})

/** The proof queues for the lock first and the other call second; then the lock is released. */
async function behindTheProof(call: () => Promise<TestResponse>): Promise<TestResponse> {
  const { pool } = server.database
  server.clock.advance(1)
  const browser = server.browser()
  await browser.post('/u/submit', { form: { action: 'request-reset', email, state: await beginLogin(browser) } })
  const form = {
    ticket: await ticketTo(server, email),
    action: 'reset-password',
    password: 'a lantern over the harbour',
  }
  const waiting = async () => (await pool.query(WAITING)).rowCount
  const client: PoolClient = await pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE', [userId])
  const proof = browser.post('/u/reset-password', { form })
  await expect.poll(waiting).toBe(1)
  const called = call()
  await expect.poll(waiting).toBe(2)
  await client.query('COMMIT')
  client.release()
  expect((await proof).status).toBe(200)
  return called
}

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

const rows = async (table: string, column = 'user_id') =>
  (await server.database.pool.query(`SELECT * FROM ${table} WHERE ${column} = $1`, [userId])).rows
const tokenOf = async (who: string) =>
  (await signInForTokens(server.browser(), who, { audience: API, scope: SCOPE })).access_token

it('a second factor that a login demanded is not added', async () => {
  await demand(server, ['all-applications'], ['otp', 'recovery-code'])
  const browser = server.browser()
  const mfa_token = await mfaToken(browser, email)
  const answer = await behindTheProof(() => associate(browser, mfa_token, { authenticator_types: ['otp'] }))
  expect([answer.status, await rows('authenticator')]).toEqual([400, []])
})

it('no account is linked', async () => {
  const [token, { id_token }] = [await tokenOf(email), await signInForTokens(server.browser(), other)]
  const path = `/api/v2/users/${encodeURIComponent(userId)}/identities`
  const answer = await behindTheProof(() =>
    server.browser().post(path, { json: { link_with: id_token }, headers: bearer(token) }),
  )
  expect([answer.status, (await rows('identity')).length]).toEqual([401, 1])
})

it('no metadata is written', async () => {
  const token = await tokenOf(email)
  const path = `/api/v2/users/${encodeURIComponent(userId)}`
  const answer = await behindTheProof(() =>
    server.browser().send('PATCH', path, { json: { user_metadata: { a: 1 } }, headers: bearer(token) }),
  )
  expect([answer.status, (await rows('"user"', 'id'))[0].user_metadata]).toEqual([400, {}])
})

it('no device is registered', async () => {
  const token = await tokenOf(email)
  const json = { device_name: 'x', type: 'public_key', value: 'AAAA', device_id: '1' }
  const answer = await behindTheProof(() =>
    server.browser().post('/api/v2/device-credentials', { json, headers: bearer(token) }),
  )
  expect([answer.status, await rows('device_credential')]).toEqual([400, []])
})
