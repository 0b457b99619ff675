// One mailbox is one account, however its address is spelt, at every door (threat-model.md DB3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profileOf } from '../../data/connections/upstream/claims'
import { toDomain } from '../../kernel/domain'
import { domainOf, homeOf } from '../../login/flow/home-realm'
import { beginLogin, locationOf, payloadOf, SPA, signIn, submitPassword } from '../../testing/journey'
import { mailsTo } from '../../testing/mail'
import { addManager, type Manager } from '../../testing/management'
import { addPasswordless, codeTo, OTP_GRANT, redeemCode, sendTo } from '../../testing/passwordless'
import { PASSWORD, type TestServer, testServer } from '../../testing/server'

const STORED = 'i@bücher.example'
const SPELLINGS = [
  'i@xn--bcher-kva.example',
  'I@BÜCHER.example.',
  'i@bu\u0308cher。example',
  'i@ｂücher.example',
  STORED,
]
const OTHERS = ['i@bucher.example', '\u0456@bücher.example', 'i@b\u03cbcher.example']

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  const grant_types = ['authorization_code', OTP_GRANT]
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types } })
  await addPasswordless(server)
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  await server.addUser({ id: 'books', email: STORED, data: { emailVerified: true } })
})
afterAll(() => server.close())

const idsOf = (list: unknown): string[] => (list as { user_id: string }[]).map(({ user_id }) => user_id)

describe.each(SPELLINGS)('%j', (spelling) => {
  it('signs in to the account', async () => {
    expect((await signIn(server.browser(), spelling)).get('code')).toBeTruthy()
  })

  it('signs no second person up', async () => {
    const json = { client_id: 'spa', connection: 'Users', email: spelling, password: PASSWORD }
    expect((await server.browser().post('/dbconnections/signup', { json })).status).toBe(400)
    const body = { connection: 'Users', email: spelling, password: PASSWORD }
    expect((await manager.post('/users', body)).status).toBe(409)
  })

  it('resets the password of the account, by a mail to its address', async () => {
    const before = (await mailsTo(server, STORED)).length
    const json = { client_id: 'spa', connection: 'Users', email: spelling }
    expect((await server.browser().post('/dbconnections/change_password', { json })).status).toBe(200)
    expect((await mailsTo(server, STORED)).length).toBe(before + 1)
    server.clock.advance(3700)
  })

  it('finds the account in the Management API', async () => {
    const found = async (path: string, query: Record<string, string>) =>
      idsOf((await manager.get(path, { query })).json())
    expect(await found('/users-by-email', { email: spelling })).toContain('auth0|books')
    expect(await found('/users', { q: `email:"${spelling}"`, search_engine: 'v3' })).toContain('auth0|books')
    const domain = spelling.slice(spelling.indexOf('@') + 1)
    expect(await found('/users', { q: `email.domain:"${domain}"`, search_engine: 'v3' })).toContain('auth0|books')
    expect((await manager.get('/user-blocks', { query: { identifier: spelling } })).status).toBe(200)
  })

  it('is one address from a provider', () => {
    expect(profileOf({ email: spelling, email_verified: true }, { verified: 'claim' }, {}).email).toBe(STORED)
  })

  it('leads to the provider and the organization of its domain', () => {
    const realms = { wants: { connection: null }, decisions: {}, user: null, evidence: [] }
    for (const alias of ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example.']) {
      const provider = { id: 'con_books', settings: { options: { domain_aliases: [alias] } } }
      expect(homeOf(spelling, { ...realms, federated: [provider] } as never)).toBe(provider)
    }
    expect(toDomain(domainOf(spelling) ?? '')).toBe('xn--bcher-kva.example')
  })
})

describe.each(SPELLINGS)('%j after a message', (spelling) => {
  it('is the address of one person without a password', async () => {
    const browser = server.browser()
    expect((await sendTo(browser, STORED)).status).toBe(200)
    const { id_token } = (await redeemCode(browser, spelling, await codeTo(server, STORED))).json()
    expect(payloadOf(id_token)).toMatchObject({ email: STORED, sub: expect.stringContaining('email|') })
    server.clock.advance(3700)
  })

  it('belongs to the account with a password, which the login offers to link', async () => {
    const browser = server.browser()
    const answer = await submitPassword(browser, await beginLogin(browser), spelling)
    expect(locationOf(answer).pathname).toBe('/u/link-account')
  })
})

describe.each(OTHERS)('%j is another mailbox', (other) => {
  it('another mailbox signs in to no account, finds none, and gets an account of its own', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser)
    const form = { state, action: 'login', username: other, password: PASSWORD }
    expect(locationOf(await browser.post('/u/submit', { form })).searchParams.get('notice')).toBe('wrong_credentials')
    expect((await manager.get('/users-by-email', { query: { email: other } })).json()).toEqual([])
    const made = await manager.post('/users', { connection: 'Users', email: other, password: PASSWORD })
    expect(made.status).toBe(201)
  })
})

it('a change of the address to another spelling of it changes nothing', async () => {
  const one = `/users/${encodeURIComponent('auth0|books')}`
  const changed = await manager.patch(one, { email: 'i@xn--bcher-kva.example' })
  expect(changed.json()).toMatchObject({ email: STORED, email_verified: true })
})
