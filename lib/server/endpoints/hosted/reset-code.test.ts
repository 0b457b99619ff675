// A new password by a code, where the connection's addresses are verified by code.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from '../../../testing/browser'
import { beginLogin, locationOf, SPA } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { type TestServer, testServer } from '../../../testing/server'
import { asPasted } from '../../../testing/typed'

const PASSWORD = 'an entirely new passphrase'
let server: TestServer
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.database.pool.query('UPDATE connection SET settings = $1', [
    { options: { attributes: { email: { verification_method: 'otp', identifier: { active: true } } } } },
  ])
  server.clock.advance(2)
})
afterAll(() => server.close())

async function person(): Promise<string> {
  const email = `person-${count++}@mail.test`
  await server.addUser({ email, password: 'the password before' })
  return email
}

async function ask(email: string, browser: Browser = server.browser()) {
  const state = await beginLogin(browser)
  const answer = await browser.post('/u/submit', { form: { state, action: 'request-reset', email } })
  const to = locationOf(answer)
  const page = await browser.get(to.pathname + to.search)
  const [mail] = await mailsTo(server, email)
  const type = async (code: string) => {
    const form = { state, action: 'check-reset-code', code }
    return locationOf(await browser.post('/u/submit', { form }))
  }
  return { browser, page, mail, type, code: mail?.code ?? '' }
}

/** Another code of the same length. */
const wrong = (code: string): string => code.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10))

describe('the code', () => {
  it('leads to the page of a new password, once', async () => {
    const email = await person()
    const { browser, page, mail, type, code } = await ask(email)
    expect(page.text).toContain('Enter it here to choose a new password')
    expect(code).toMatch(/^\d{6}$/)
    expect(mail?.text).toContain(code)
    const to = await type(asPasted(code))
    expect(to.pathname).toBe('/u/reset-password')
    const form = { ticket: to.searchParams.get('ticket') ?? '', password: PASSWORD }
    expect((await browser.post('/u/reset-password', { form })).text).toContain('Your password is changed')
    expect((await type(code)).searchParams.get('notice')).toBe('wrong_code')
  })

  it('is beside a link that works, until the code is used', async () => {
    const first = await ask(await person())
    const link = new URL(first.mail?.link ?? '')
    expect((await server.browser().get(link.pathname + link.search)).status).toBe(200)
    await first.type(first.code)
    expect((await server.browser().get(link.pathname + link.search)).status).toBe(400)
  })

  it('is of no use in another login, after a newer request, or after ten minutes', async () => {
    const email = await person()
    const [first, second] = [await ask(email), await ask(email)]
    expect((await second.type(first.code)).searchParams.get('notice')).toBe('wrong_code')
    server.clock.advance(600)
    expect((await second.type(second.code)).searchParams.get('notice')).toBe('wrong_code')
  })

  it('may be tried five times in a login, wrong or right', async () => {
    const { type, code } = await ask(await person())
    for (let i = 0; i < 5; i++) expect((await type(wrong(code))).searchParams.get('notice')).toBe('wrong_code')
    expect((await type(code)).searchParams.get('notice')).toBe('too_many_codes')
  })

  it('may be tried fifteen times an hour for an address, over all logins', async () => {
    const email = await person()
    const logins = [await ask(email), await ask(email), await ask(email)]
    for (const { type, code } of logins) for (let i = 0; i < 5; i++) await type(wrong(code))
    const { type } = await ask(email)
    expect((await type('000000')).searchParams.get('notice')).toBe('too_many_codes')
  })
})

it('answers an unknown address like a known one', async () => {
  const unknown = 'unknown@mail.test'
  const [known, other] = [await ask(await person()), await ask(unknown)]
  const plain = (text: string) => text.replace(/[\w.-]+@mail\.test/g, '').replace(/[\w-]{22,}/g, '')
  expect(plain(other.page.text)).toBe(plain(known.page.text))
  expect(other.mail).toBeUndefined()
  const [ofKnown, ofOther] = [await known.type(wrong(known.code)), await other.type('123456')]
  expect([ofOther.pathname, ofOther.searchParams.get('notice')]).toEqual([
    ofKnown.pathname,
    ofKnown.searchParams.get('notice'),
  ])
})

it('a reset code does nothing in a login that requested none', async () => {
  const browser = server.browser()
  const state = await beginLogin(browser)
  const form = { state, action: 'check-reset-code', code: '123456' }
  const answer = await browser.post('/u/submit', { form })
  expect(locationOf(answer).pathname).toBe('/u/forgot-password')
})
