// The phone that approves logins: enrolled by a QR code, prompted by a login page, answering once and only with the number.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FormFields } from '../../../testing/browser'
import { beginLogin, locationOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let phone: Browser
let user: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.setTenant({
    guardianPolicies: { policies: ['all-applications'] },
    guardianFactors: [{ name: 'push-notification', enabled: true }],
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  user = `${server.random.hex(8)}@mail.test`
  await server.addUser({ email: user })
  browser = newBrowser()
  phone = newBrowser()
})

const newBrowser = (): Browser => server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
const send = (state: string, action: string, fields: FormFields = {}): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action, ...fields } })
const at = (answer: TestResponse): [string, string | null] => {
  const url = locationOf(answer)
  return [url.pathname, url.searchParams.get('notice')]
}
const follow = (answer: TestResponse): Promise<TestResponse> => browser.get(locationOf(answer).href)
const fieldOf = (page: TestResponse, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
const unescaped = (text: string): string => text.replaceAll('&amp;', '&')

async function firstFactor(): Promise<{ state: string; answer: TestResponse }> {
  const state = await beginLogin(browser)
  return { state, answer: await submitPassword(browser, state, user) }
}

/** From the password to the QR code; returns the URL in it. */
async function beginEnrolling(): Promise<{ state: string; address: URL }> {
  const { state } = await firstFactor()
  const page = await follow(await send(state, 'mfa-enroll', { factor: 'push' }))
  const href = /<a class="link" href="([^"]*\/u\/device[^"]*)"/.exec(page.text)?.[1] ?? ''
  return { state, address: new URL(unescaped(href)) }
}

async function connect(address: URL, from: Browser = phone): Promise<TestResponse> {
  return from.post('/u/device', { form: connectForm(await from.get(address.href)) })
}

const connectForm = (page: TestResponse) => ({
  action: 'connect',
  ticket: fieldOf(page, 'ticket'),
  confirmation: fieldOf(page, 'confirmation'),
})

/** The phone is connected for one account; another one begins to enrol. */
async function secondAccount(): Promise<{ first: string; address: URL }> {
  await connectPhone()
  const first = user
  user = `${server.random.hex(8)}@mail.test`
  await server.addUser({ email: user })
  return { first, ...(await beginEnrolling()) }
}

async function connectPhone(): Promise<void> {
  const { state, address } = await beginEnrolling()
  await connect(address)
  await send(state, 'mfa-confirm')
  browser = newBrowser()
}

const numberOn = (page: TestResponse): string | undefined => /class="match-number"[^>]*>(\d+)</.exec(page.text)?.[1]

async function answerOn(device: Browser, action: 'approve' | 'reject', number?: string): Promise<TestResponse> {
  return device.post('/u/device', { form: { ...formOn(await device.get('/u/device')), action, number } })
}

const formOn = (page: TestResponse) => ({
  prompt: fieldOf(page, 'prompt'),
  confirmation: fieldOf(page, 'confirmation'),
})

describe('connecting', () => {
  it('accepts the button on the phone, and then the login continues', async () => {
    const { state, address } = await beginEnrolling()
    expect(at(await send(state, 'mfa-confirm'))).toEqual(['/u/mfa-enroll', 'push_waiting'])
    await phone.get(address.href)
    await phone.get(address.href)
    expect(at(await send(state, 'mfa-confirm'))[1]).toBe('push_waiting')
    expect((await connect(address)).text).toContain('This device is connected')
    expect((await browser.get('/u/mfa-enroll', { query: { state } })).text).not.toContain('data-waiting')
    const code = locationOf(await send(state, 'mfa-confirm')).searchParams.get('code') ?? ''
    expect(payloadOf((await redeem(browser, code)).json().id_token).amr).toContain('mfa')
  })

  it('works once, and for the browser that was shown the button', async () => {
    const { address } = await beginEnrolling()
    const page = await phone.get(address.href)
    const form = { action: 'connect', ticket: fieldOf(page, 'ticket') }
    const stranger = newBrowser()
    expect((await stranger.post('/u/device', { form })).status).toBe(403)
    await stranger.get(address.href)
    const confirmation = fieldOf(page, 'confirmation')
    const response = await stranger.post('/u/device', { form: { ...form, confirmation } })
    expect(response.text).toContain('value="connect"')
    expect(response.header('set-cookie') ?? '').not.toContain('latchkey_device')
    await connect(address)
    expect((await connect(address, newBrowser())).header('set-cookie') ?? '').not.toContain('latchkey_device')
    expect((await newBrowser().get(address.href)).status).toBe(400)
  })

  it('names the account, masked, and the application, and nothing that is replaced where nothing is', async () => {
    const { address } = await beginEnrolling()
    for (const cookie of [undefined, '__Host-latchkey_device=junk']) {
      const page = await newBrowser().get(address.href, cookie === undefined ? {} : { headers: { cookie } })
      expect(page.text).toContain('Account: ****@mail*****. Application: App spa.')
      expect(page.text).not.toContain(user)
      expect(page.text).not.toContain('has been connected')
    }
  })

  it('names the account without an address by its phone number, masked', async () => {
    const { address } = await beginEnrolling()
    await server.database.pool.query(
      `UPDATE "user" SET email = NULL, phone_number = '+491711234567' WHERE email = $1`,
      [user],
    )
    expect((await phone.get(address.href)).text).toContain('Account: XXXXXXXX4567. Application: App spa.')
  })

  it('replaces the connection of the browser by the button alone, and says so before', async () => {
    const { first, address } = await secondAccount()
    const page = await phone.get(address.href)
    expect(page.text).toContain(`This browser has been connected for ${first} since January 15, 2027.`)
    expect(page.header('set-cookie') ?? '').not.toContain('latchkey_device')
    expect((await phone.get('/u/device')).text).toContain(first)
    const form = connectForm(page)
    expect((await phone.post('/u/device', { form })).text).toContain('This device is connected')
    const after = (await phone.get('/u/device')).text
    expect([after.includes(user), after.includes(first)]).toEqual([true, false])
    expect([(await phone.get(address.href)).status, (await phone.post('/u/device', { form })).status]).toEqual([
      400, 400,
    ])
    expect((await phone.get('/u/device')).text).toContain(user)
  })

  it('lets the first connection approve until then', async () => {
    const { first, address } = await secondAccount()
    const second = user
    await phone.get(address.href)
    user = first
    browser = newBrowser()
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer))
    expect((await answerOn(phone, 'approve', number)).text).toContain('Approved')
    expect(locationOf(await send(state, 'mfa-verify')).searchParams.has('code')).toBe(true)
    await connect(address)
    browser = newBrowser()
    await firstFactor().then(({ answer: requested }) => follow(requested))
    const idle = (await phone.get('/u/device')).text
    expect([idle.includes('Nothing to approve'), idle.includes(second)]).toEqual([true, true])
  })

  it('shows the page again to a button that was shown before the connection it would replace', async () => {
    const { address: later } = await beginEnrolling()
    const owner = user
    const shownBefore = connectForm(await phone.get(later.href))
    user = `${server.random.hex(8)}@mail.test`
    await server.addUser({ email: user })
    browser = newBrowser()
    await connectPhone()
    const [own] = shownBefore.confirmation.split('.')
    for (const confirmation of [shownBefore.confirmation, own, `${own}.junk`]) {
      const response = await phone.post('/u/device', { form: { ...shownBefore, confirmation } })
      expect(response.text).toContain(`has been connected for ${user} since`)
      expect(response.header('set-cookie') ?? '').not.toContain('latchkey_device')
    }
    expect((await phone.get('/u/device')).text).toContain(user)
    expect((await connect(later)).text).toContain('This device is connected')
    expect((await phone.get('/u/device')).text).toContain(owner)
  })

  it('says nothing to a browser that is no device', async () => {
    const page = await phone.get('/u/device')
    expect([page.status, page.text.includes('This device isn’t connected yet')]).toEqual([403, true])
    expect((await phone.post('/u/device', { form: { action: 'approve', prompt: 'x' } })).status).toBe(403)
    expect((await phone.post('/u/device', { form: { action: 'connect', ticket: 'x' } })).status).toBe(403)
  })
})

describe('approving', () => {
  it('needs the number that the login page shows', async () => {
    await connectPhone()
    const { state, answer } = await firstFactor()
    const page = await follow(answer)
    const number = numberOn(page)
    expect(number).toMatch(/^\d\d$/)
    expect(page.header('content-security-policy')).toContain("connect-src 'self'")
    expect(at(await send(state, 'mfa-verify'))).toEqual(['/u/mfa-challenge', 'push_waiting'])
    const prompt = await phone.get('/u/device')
    expect(prompt.text).toContain(user)
    expect(prompt.text).toContain('App spa')
    expect(prompt.text).toContain('2001:db8:')
    expect(prompt.text).not.toContain(`>${number}<`)
    expect((await answerOn(phone, 'approve', number)).text).toContain('Approved')
    expect((await browser.get('/u/mfa-challenge', { query: { state } })).text).not.toContain('data-waiting')
    expect(locationOf(await send(state, 'mfa-verify')).searchParams.has('code')).toBe(true)
  })

  it.each([undefined, '', 'wrong'])('is refused with the number %j, and a login is not let in', async (typed) => {
    await connectPhone()
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer)) ?? ''
    const answered = typed === 'wrong' ? String(100 - Number(number)).padStart(2, '0') : typed
    expect((await answerOn(phone, 'approve', answered === number ? '999' : answered)).text).not.toContain('Approved')
    expect(at(await send(state, 'mfa-verify'))[0]).toBe('/u/mfa-challenge')
    expect((await answerOn(phone, 'approve', number)).text).not.toContain('Approved')
  })

  it('counts once: what was rejected stays rejected', async () => {
    await connectPhone()
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer))
    const form = formOn(await phone.get('/u/device'))
    await answerOn(phone, 'reject')
    await phone.post('/u/device', { form: { ...form, action: 'approve', number } })
    const rejected = await send(state, 'mfa-verify')
    expect(at(rejected)).toEqual(['/u/mfa-challenge', 'push_rejected'])
    expect((await follow(rejected)).text).toContain('Ask my phone')
  })

  it.each(['approve', 'reject'])('takes the form of our own page: %s', async (action) => {
    await connectPhone()
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer))
    const { prompt, confirmation } = formOn(await phone.get('/u/device'))
    const forged: FormFields[] = [
      { prompt },
      { prompt, confirmation: '' },
      { prompt, confirmation: confirmation.slice(1) },
      { prompt, confirmation: Buffer.alloc(32).toString('base64url') },
      { prompt: `${prompt}x`, confirmation },
    ]
    for (const form of forged) {
      const shown = await phone.post('/u/device', { form: { ...form, action, number } })
      expect([shown.status, fieldOf(shown, 'prompt')]).toEqual([200, prompt])
    }
    expect(at(await send(state, 'mfa-verify'))[1]).toBe('push_waiting')
    await phone.post('/u/device', { form: { prompt, confirmation, action: 'approve', number } })
    expect(locationOf(await send(state, 'mfa-verify')).searchParams.has('code')).toBe(true)
  })

  it('takes no form of another prompt', async () => {
    await connectPhone()
    await firstFactor().then(({ answer }) => follow(answer))
    const earlier = formOn(await phone.get('/u/device'))
    browser = newBrowser()
    server.clock.advance(1)
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer))
    const { prompt } = formOn(await phone.get('/u/device'))
    expect(prompt).not.toBe(earlier.prompt)
    await phone.post('/u/device', { form: { ...earlier, prompt, action: 'approve', number } })
    expect(at(await send(state, 'mfa-verify'))[1]).toBe('push_waiting')
  })

  it.each<Record<string, string>>([{ 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }])(
    'takes no form of another page: %j',
    async (headers) => {
      await connectPhone()
      const { state, answer } = await firstFactor()
      const number = numberOn(await follow(answer))
      const form = { ...formOn(await phone.get('/u/device')), action: 'approve', number }
      expect((await phone.post('/u/device', { form, headers })).status).toBe(403)
      expect(at(await send(state, 'mfa-verify'))[1]).toBe('push_waiting')
    },
  )

  it('is for the prompted device', async () => {
    await connectPhone()
    const owner = phone
    user = `${server.random.hex(8)}@mail.test`
    await server.addUser({ email: user })
    phone = newBrowser()
    browser = newBrowser()
    await connectPhone()
    const { state, answer } = await firstFactor()
    const number = numberOn(await follow(answer))
    const form = formOn(await phone.get('/u/device'))
    expect((await owner.get('/u/device')).text).toContain('Nothing to approve')
    await owner.post('/u/device', { form: { ...form, action: 'approve', number } })
    expect(at(await send(state, 'mfa-verify'))[1]).toBe('push_waiting')
  })
})
