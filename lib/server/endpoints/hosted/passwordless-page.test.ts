// Passwordless login in the hosted pages: address, code, resend, and the way back to a password.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { addPasswordless, codeTo, messagesTo, wrong } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

let server: TestServer
let browser: Browser
let mail = ''

beforeAll(async () => {
  server = await testServer()
  await addPasswordless(server)
  await server.addClient(SPA)
  await server.addConnection('Staff', { enabled_clients: [] }, 'con_staff')
})
afterAll(() => server.close())

let counter = 0
beforeEach(() => {
  mail = `page${++counter}@mail.test`
  browser = server.browser({ ip: `203.0.113.${counter}` })
})

const begin = async (extra: Record<string, string> = { connection: 'email' }): Promise<URL> =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery(extra) }))
const handleOf = (at: URL): string => at.searchParams.get('state') ?? ''
const submit = (state: string, form: Record<string, string>): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, ...form } })
const whereTo = (answer: TestResponse) => {
  const { pathname, searchParams } = locationOf(answer)
  return [pathname, searchParams.get('notice')]
}
const send = (state: string, address: string) => submit(state, { action: 'send-code', address })
const check = (state: string, code: string) => submit(state, { action: 'check-code', code })

describe('a login at a passwordless connection', () => {
  it('asks for the address, sends a code and signs in by it', async () => {
    const at = await begin()
    expect(at.pathname).toBe('/u/passwordless')
    const page = await browser.get('/u/passwordless', { query: { state: handleOf(at) } })
    expect(page.text).toContain('autoComplete="email"'.toLowerCase())
    const sent = await send(handleOf(at), mail)
    expect(whereTo(sent)).toEqual(['/u/passwordless-code', null])
    const codePage = await browser.get('/u/passwordless-code', { query: { state: handleOf(at) } })
    expect(codePage.text).toContain(mail)
    expect(codePage.text.toLowerCase()).toMatch(/autocomplete="one-time-code"/)
    expect(codePage.text.toLowerCase()).toMatch(/inputmode="numeric"/)
    const code = await codeTo(server, mail)
    const done = await check(handleOf(at), asPasted(code))
    expect(locationOf(done).origin).toBe('https://app.test')
    const tokens = (await redeem(browser, locationOf(done).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: expect.stringMatching(/^email\|/), email: mail })
    const silent = locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }))
    expect(silent.searchParams.get('code')).toBeTruthy()
  })

  it('accepts a number if one is requested', async () => {
    const state = handleOf(await begin({ connection: 'sms' }))
    expect(whereTo(await send(state, '0170'))).toEqual(['/u/passwordless', 'invalid_phone'])
    expect(whereTo(await send(state, '+49 (0)170 12345678'))).toEqual(['/u/passwordless-code', null])
    const done = await check(state, await codeTo(server, '+4917012345678'))
    expect(locationOf(done).origin).toBe('https://app.test')
  })

  it('is a link away where there are passwords too, and passwords a link away from it', async () => {
    const at = await begin({})
    expect(at.pathname).toBe('/u/login')
    const login = await browser.get('/u/login', { query: { state: handleOf(at) } })
    expect(login.text).toContain(`/u/passwordless?state=${handleOf(at)}`)
    const page = await browser.get('/u/passwordless', { query: { state: handleOf(at) } })
    expect(page.text).toContain(`/u/login?state=${handleOf(at)}`)
    await send(handleOf(at), '+4917033333333')
    expect(await messagesTo(server, '+4917033333333')).toHaveLength(1)
  })

  it('is not shown for a requested database', async () => {
    const at = await begin({ connection: 'Users' })
    const elsewhere = await browser.get('/u/passwordless', { query: { state: handleOf(at) } })
    expect(whereTo(elsewhere)[0]).toBe('/u/login')
    expect(whereTo(await send(handleOf(at), mail))[0]).toBe('/u/login')
    expect(await messagesTo(server, mail)).toEqual([])
  })
})

describe('what goes wrong', () => {
  it('reports an invalid address, and keeps what was typed', async () => {
    const state = handleOf(await begin())
    expect(whereTo(await send(state, 'nobody'))).toEqual(['/u/passwordless', 'invalid_email'])
    expect((await browser.get('/u/passwordless', { query: { state } })).text).toContain('value="nobody"')
    expect(whereTo(await send(state, ''))).toEqual(['/u/passwordless', 'invalid_email'])
  })

  it('refuses wrong codes, and says when one is worn out', async () => {
    const state = handleOf(await begin())
    await send(state, mail)
    const code = await codeTo(server, mail)
    for (let i = 0; i < 3; i++) {
      expect(whereTo(await check(state, wrong(code)))).toEqual(['/u/passwordless-code', 'wrong_code'])
    }
    expect(whereTo(await check(state, code))).toEqual(['/u/passwordless-code', 'code_exhausted'])
    server.clock.advance(31)
    const again = await submit(state, { action: 'resend-code' })
    expect(whereTo(again)).toEqual(['/u/passwordless-code', 'code_sent'])
    expect(locationOf(await check(state, await codeTo(server, mail))).origin).toBe('https://app.test')
  })

  it('makes one wait before another code, and sends no more than five an hour', async () => {
    const state = handleOf(await begin())
    await send(state, mail)
    expect(whereTo(await submit(state, { action: 'resend-code' }))).toEqual(['/u/passwordless-code', 'wait_for_code'])
    expect(await messagesTo(server, mail)).toHaveLength(1)
    for (let i = 0; i < 4; i++) {
      server.clock.advance(31)
      await submit(state, { action: 'resend-code' })
    }
    server.clock.advance(31)
    const stopped = await submit(state, { action: 'resend-code' })
    expect(whereTo(stopped)).toEqual(['/u/passwordless-code', 'too_many_messages'])
    expect(await messagesTo(server, mail)).toHaveLength(5)
  })

  it('checks nothing before a code was sent, and no code in another browser', async () => {
    const state = handleOf(await begin())
    expect(whereTo(await check(state, '123456'))[0]).toBe('/u/passwordless')
    await send(state, mail)
    const other = server.browser()
    const stolen = await other.post('/u/submit', {
      form: { state, action: 'check-code', code: await codeTo(server, mail) },
    })
    expect(stolen.status).toBe(403)
  })

  it('has no effect for a blocked user', async () => {
    const first = handleOf(await begin())
    await send(first, mail)
    await check(first, await codeTo(server, mail))
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE email = $1', [mail])
    const state = handleOf(await begin({ connection: 'email', prompt: 'login' }))
    await send(state, mail)
    expect(whereTo(await check(state, await codeTo(server, mail)))).toEqual(['/u/passwordless-code', 'wrong_code'])
  })

  it('goes back to the application where it is cancelled', async () => {
    const state = handleOf(await begin())
    expect(locationOf(await submit(state, { action: 'cancel' })).searchParams.get('error')).toBe('access_denied')
  })
})
