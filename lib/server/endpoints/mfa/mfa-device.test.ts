// The protocol of an app that approves logins (docs/mfa-push.md), from the QR code to the answer, and every refusal.
import { describe, expect } from 'vitest'
import { beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { associate, bearer, challenge, demand, mfaToken, OOB, token } from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import type { Browser, TestResponse, TestServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

let server: TestServer
let browser: Browser
let phone: Browser
let user: string
let device: string
let ip: string

const it = mfaTest(async (server) => {
  await server.addClient(SPA)
  await demand(server)
})
it.beforeEach(async ({ mfa }) => {
  ;({ server, browser, user, ip } = mfa)
  phone = server.browser({ ip: '198.51.100.9' })
  const mfa_token = await mfaToken(browser, user)
  const { ticket, oob_code } = await picture(mfa_token)
  device = String((await connect(ticket)).json().device_token)
  expect((await token(browser, { grant_type: OOB, mfa_token, oob_code })).status).toBe(200)
})

async function picture(mfa_token: string) {
  const parameters = { authenticator_types: ['oob'], oob_channels: ['auth0'] }
  const { barcode_uri, oob_code } = (await associate(browser, mfa_token, parameters)).json()
  const ticket = new URL(String(barcode_uri)).searchParams.get('enrollment_tx_id') ?? ''
  return { ticket, oob_code: String(oob_code) }
}

const connect = (enrollment_tx_id: string): Promise<TestResponse> =>
  phone.post('/mfa/devices', { json: { enrollment_tx_id, name: 'Pixel 9' } })
const prompts = async (of = device): Promise<Record<string, unknown>[]> =>
  (await phone.get('/mfa/prompts', { headers: bearer(of) })).json().prompts as never
const reply = (id: unknown, json: object, of = device): Promise<TestResponse> =>
  phone.post(`/mfa/prompts/${id}`, { json, headers: bearer(of) })

/** The waiting page, and the number on it. */
async function waitingPage() {
  const state = await beginLogin(browser)
  const page = await browser.get(locationOf(await submitPassword(browser, state, user)).href)
  return { state, number: /\b(\d{2})\b(?=<\/p>)/.exec(page.text)?.[1] ?? '' }
}

describe('a device', () => {
  it('connects once, by a ticket that is good', async () => {
    user = `another.${user}`
    await server.addUser({ email: user })
    const { ticket } = await picture(await mfaToken(browser, user))
    expect((await connect(ticket)).status).toBe(201)
    expect((await connect(ticket)).status).toBe(404)
    expect((await connect('junk')).status).toBe(404)
    expect((await phone.post('/mfa/devices', { json: {} })).status).toBe(400)
    const { ticket: late } = await picture(await mfaToken(browser, user))
    server.clock.advance(601)
    expect((await connect(late)).status).toBe(404)
  })

  it('receives its pending prompts only', async () => {
    expect(await prompts()).toEqual([])
    const mfa_token = await mfaToken(browser, user)
    const { oob_code } = (await challenge(browser, mfa_token)).json()
    expect(await prompts()).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{43}$/),
        application: 'App web',
        network: ip,
        asks_number: false,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ])
    const [prompt] = await prompts()
    expect(prompt?.id).not.toBe(oob_code)
    expect((await reply(prompt?.id, { decision: 'approve' })).status).toBe(204)
    expect((await reply(prompt?.id, { decision: 'reject' })).status).toBe(404)
    expect(await prompts()).toEqual([])
    expect((await token(browser, { grant_type: OOB, mfa_token, oob_code: String(oob_code) })).status).toBe(200)
  })

  it('approves what a page asks by the number there, and rejects with another', async () => {
    const { state, number } = await waitingPage()
    const [prompt] = await prompts()
    expect(prompt).toMatchObject({ asks_number: true, application: 'App spa' })
    expect((await reply(prompt?.id, { decision: 'approve', number: asPasted(number) })).status).toBe(204)
    const done = await browser.post('/u/submit', { form: { state, action: 'mfa-verify' } })
    expect(locationOf(done).searchParams.get('code')).toBeTruthy()
    browser = server.browser()
    const other = await waitingPage()
    const [next] = await prompts()
    const wrong = String((Number(other.number) + 1) % 100).padStart(2, '0')
    expect((await reply(next?.id, { decision: 'approve', number: wrong })).status).toBe(404)
    expect((await reply(next?.id, { decision: 'approve', number: other.number })).status).toBe(404)
    const refused = await browser.post('/u/submit', { form: { state: other.state, action: 'mfa-verify' } })
    expect(locationOf(refused).pathname).toBe('/u/mfa-challenge')
  })

  it('needs its token, and a decision', async () => {
    await challenge(browser, await mfaToken(browser, user))
    const [prompt] = await prompts()
    expect((await phone.get('/mfa/prompts')).status).toBe(401)
    expect((await phone.get('/mfa/prompts', { headers: bearer('junk') })).status).toBe(401)
    expect((await reply(prompt?.id, { decision: 'approve' }, 'junk')).status).toBe(401)
    expect((await reply(prompt?.id, { decision: 'maybe' })).status).toBe(400)
    expect((await reply('junk', { decision: 'approve' })).status).toBe(404)
  })

  it('of another, removed or blocked user gets no prompts', async () => {
    const mine = device
    await challenge(browser, await mfaToken(browser, user))
    const [prompt] = await prompts()
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE email = $1`, [user])
    expect((await reply(prompt?.id, { decision: 'approve' })).status).toBe(401)
    await server.database.pool.query(`UPDATE "user" SET blocked = false WHERE email = $1`, [user])
    user = `stranger.${user}`
    await server.addUser({ email: user })
    const { ticket } = await picture(await mfaToken(browser, user))
    const theirs = String((await connect(ticket)).json().device_token)
    expect((await reply(prompt?.id, { decision: 'approve' }, theirs)).status).toBe(404)
    expect((await reply(prompt?.id, { decision: 'approve' }, mine)).status).toBe(204)
    await server.database.pool.query(`DELETE FROM authenticator WHERE name = 'Pixel 9'`)
    expect((await phone.get('/mfa/prompts', { headers: bearer(mine) })).status).toBe(401)
  })
})
