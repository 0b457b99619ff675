// What keeps a person from signing in, and that a login of that moment is refused for the same reason.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { logIn, MFA_WEB } from '../../../testing/mfa'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let id: string
let email: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(MFA_WEB)
  await server.addClient({ ...MFA_WEB, clientId: 'other' })
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  email = `${server.random.hex(8)}@example.com`
  id = await server.addUser({ email, data: { emailVerified: true } })
})

type Answer = { can_sign_in: boolean; checks: { check: string; state: string; reason?: string; hint?: string }[] }

async function ask(query: Record<string, string> = { client_id: 'web' }): Promise<Answer> {
  await server.audited()
  const answer = await manager.get(`/users/${encodeURIComponent(id)}/sign-in-check?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as Answer
}

const failures = async (query?: Record<string, string>) =>
  (await ask(query)).checks.filter(({ state }) => state === 'failed').map(({ reason }) => reason)

/** The reason of the last refusal in the log. */
async function refusalOfLogin(password = PASSWORD): Promise<unknown> {
  const answer = await logIn(server.browser({ ip: '198.51.100.20' }), email, { password })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  await server.audited()
  const logs = (await manager.get('/logs?per_page=1&q=type:f*')).json() as unknown as { details: { reason: string } }[]
  return logs[0]?.details.reason
}

const change = (body: object) => manager.patch(`/users/${encodeURIComponent(id)}`, body)

async function changeConnection(options: object): Promise<void> {
  const found = (await manager.get('/connections?name=Users')).json() as unknown as { id: string; options: object }[]
  await manager.patch(`/connections/${found[0]?.id}`, { options: { ...found[0]?.options, ...options } })
  server.clock.advance(2)
}

describe('a person', () => {
  it('without a hindrance can sign in, and each check is well', async () => {
    const answer = await ask()
    expect(answer.can_sign_in).toBe(true)
    expect(answer.checks.map(({ state }) => state)).toEqual(answer.checks.map(() => 'ok'))
    expect((await logIn(server.browser(), email)).status).toBe(200)
  })

  it('without a password is not asked for it in vain', async () => {
    await server.db.pool.query('UPDATE identity SET password_hash = NULL WHERE user_id = $1', [id])
    const { can_sign_in: can, checks } = await ask()
    expect(can).toBe(false)
    expect(checks.find(({ check }) => check === 'password')).toMatchObject({ state: 'failed', has_password: false })
    expect(await refusalOfLogin()).toBe('wrong_password')
  })

  it('without a password may have a passkey where the connection takes them', async () => {
    await server.db.pool.query('UPDATE identity SET password_hash = NULL WHERE user_id = $1', [id])
    await changeConnection({ authentication_methods: { passkey: { enabled: true } } })
    const { can_sign_in: can, checks } = await ask()
    expect(can).toBe(true)
    expect(checks.find(({ check }) => check === 'password')).toMatchObject({ state: 'notice', has_password: false })
    await changeConnection({ authentication_methods: { passkey: { enabled: false } } })
  })

  it('who is blocked cannot', async () => {
    await change({ blocked: true })
    expect(await failures()).toEqual(['user_blocked'])
    expect(await refusalOfLogin()).toBe('user_blocked')
  })

  it('whose address is not verified cannot, where the connection requires it', async () => {
    await change({ email_verified: false })
    expect(await failures()).toEqual([])
    await changeConnection({ require_verified_email: true })
    expect(await failures()).toEqual(['address_unverified'])
    expect(await refusalOfLogin()).toBe('address_unverified')
    await changeConnection({ require_verified_email: false })
  })

  it('whose password was wrong too often cannot, from where it was', async () => {
    for (let turn = 0; turn < 10; turn += 1)
      await logIn(server.browser({ ip: '198.51.100.20' }), email, { password: 'wrong' })
    expect(await failures()).toEqual(['account_locked'])
    expect(await refusalOfLogin()).toBe('account_locked')
    await manager.remove(`/user-blocks/${encodeURIComponent(id)}`)
    expect(await failures()).toEqual([])
  })

  it('who typed a wrong password lately reads that', async () => {
    await logIn(server.browser(), email, { password: 'wrong' })
    const answer = await ask()
    expect(answer.can_sign_in).toBe(true)
    expect(answer.checks).toContainEqual(
      expect.objectContaining({ check: 'password', state: 'notice', reason: 'wrong_password', count: 1 }),
    )
  })

  it('whose connection is not enabled for the application cannot', async () => {
    const found = (await manager.get('/connections?name=Users')).json() as unknown as { id: string }[]
    await manager.patch(`/connections/${found[0]?.id}`, { enabled_clients: ['other'] })
    server.clock.advance(2)
    expect(await failures()).toEqual(['connection_not_enabled'])
    expect(await failures({ client_id: 'other' })).toEqual([])
    expect((await logIn(server.browser(), email)).status).toBeGreaterThanOrEqual(400)
    await manager.patch(`/connections/${found[0]?.id}`, { enabled_clients: ['web', 'other'] })
    server.clock.advance(2)
  })

  it('has no account in a connection of another name', async () => {
    expect(await failures({ connection: 'None' })).toEqual(['no_such_account'])
  })

  it('who is no member of the organization cannot sign in to it', async () => {
    const { id: org } = (await manager.post('/organizations', { name: `org-${server.random.hex(4)}` })).json() as {
      id: string
    }
    const found = (await manager.get('/connections?name=Users')).json() as unknown as { id: string }[]
    const query = { client_id: 'web', organization: org }
    expect(await failures(query)).toEqual(['connection_not_enabled', 'not_a_member'])
    await manager.post(`/organizations/${org}/enabled_connections`, { connection_id: found[0]?.id ?? '' })
    expect(await failures(query)).toEqual(['not_a_member'])
    await manager.post(`/organizations/${org}/members`, { members: [id] })
    expect(await failures(query)).toEqual([])
    expect(await failures({ ...query, organization: 'org_none' })).toContain('organization_unknown')
  })

  it('needs a second factor where the policy demands one', async () => {
    await server.setTenant({
      guardianPolicies: { policies: ['all-applications'] },
      guardianFactors: [{ name: 'otp', enabled: true }],
    })
    expect((await ask()).checks).toContainEqual({ check: 'factor', state: 'notice', reason: 'association_required' })
    await server.setTenant({})
  })
})

it('the check changes nothing, and refuses what it does not know', async () => {
  const logs = async () => (await manager.get('/logs?per_page=1')).text
  const before = await logs()
  await ask()
  expect(await logs()).toBe(before)
  const path = `/users/${encodeURIComponent(id)}/sign-in-check`
  expect((await manager.get(`${path}?client_id=none`)).status).toBe(400)
  expect((await manager.get('/users/auth0%7Cnone/sign-in-check')).status).toBe(404)
})
