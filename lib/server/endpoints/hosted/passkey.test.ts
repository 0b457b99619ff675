// Passkeys on the login pages, with an authenticator in software (threat-model.md PK1 to PK6).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthenticatorCall, softCredential } from '../../../testing/authenticator'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  submitPassword,
} from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { demand } from '../../../testing/mfa'
import { addPasskey, ceremonyOn, HERE, offerPasskeys, submitPasskey } from '../../../testing/passkeys'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let email: string
let userId: string
let credential: ReturnType<typeof softCredential>

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
})
afterAll(() => server.close())
beforeEach(async () => {
  await offerPasskeys(server)
  await demand(server, [])
  browser = server.browser()
  const id = server.random.hex(12)
  email = `${id}@mail.test`
  userId = await server.addUser({ id, email, data: { emailVerified: true } })
  credential = softCredential()
})

const codeOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('code') ?? ''
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const idTokenOf = async (answer: TestResponse) => payloadOf((await redeem(browser, codeOf(answer))).json().id_token)
const pageAfter = async (answer: TestResponse) => (await browser.get(locationOf(answer).href)).text
const lastAudited = async () => (await server.audited()).at(-1)

describe('the login page', () => {
  it('suggests passkeys in the first field and by a button, as the connection says', async () => {
    const pageWith = async (challenge_ui: string) => {
      await offerPasskeys(server, { challenge_ui })
      return (await browser.get('/u/login', { query: { state: await beginLogin(browser) } })).text
    }
    const both = await pageWith('both')
    expect(both).toContain('autocomplete="username webauthn"')
    expect(both).toContain('data-autofill=""')
    expect(both).not.toContain('data-quiet')
    expect(ceremonyOn(both, 'get').options).toEqual({
      timeout: 300_000,
      rpId: 'id.test',
      userVerification: 'preferred',
    })
    const button = await pageWith('button')
    expect(button).toContain('autocomplete="username"')
    expect(button).not.toContain('data-autofill')
    expect(await pageWith('autofill')).toContain('data-quiet=""')
  })

  it('has no trace of passkeys where the connection offers none', async () => {
    await offerPasskeys(server, {}, { authentication_methods: {} })
    const { text } = await browser.get('/u/login', { query: { state: await beginLogin(browser) } })
    expect(text).not.toMatch(/passkey|webauthn/)
    const state = await beginLogin(browser)
    const answer = await browser.post('/u/submit', { form: { state, action: 'passkey' } })
    expect(noticeOf(answer)).toBe('passkey_failed')
  })

  it('has another challenge in each page, also from its cache', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map(async () => browser.get('/u/login', { query: { state: await beginLogin(browser) } })),
    )
    const found = pages.map(({ text }) => ceremonyOn(text, 'get'))
    expect(new Set(found.map(({ challenge }) => challenge)).size).toBe(3)
    expect(new Set(found.map(({ session }) => session)).size).toBe(3)
    for (const { text } of pages) expect(text).not.toContain('\0')
  })

  it('loads scripts of this server alone', async () => {
    const page = await browser.get('/u/login', { query: { state: await beginLogin(browser) } })
    expect(page.header('content-security-policy')).toContain("script-src 'self';")
    expect([...page.text.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      '/comfort.js',
      '/simplewebauthn.js',
      '/passkeys.js',
    ])
  })
})

describe('signing in with a passkey', () => {
  it('needs no identifier, and counts as two factors if the user was verified', async () => {
    await addPasskey(server, userId, credential)
    const answer = await submitPasskey(browser, await beginLogin(browser), credential)
    const claims = await idTokenOf(answer)
    expect(claims).toMatchObject({ sub: userId, amr: ['swk', 'user', 'mfa'] })
    const [passkey] = await (await server.runtime()).passkeys.list(userId)
    expect(passkey?.lastUsedAt).toEqual(server.clock.now())
    expect(await lastAudited()).toMatchObject({ type: 'seacft' })
  })

  it('reports a key that never leaves its device', async () => {
    await addPasskey(server, userId, credential, { multiDevice: false })
    const answer = await submitPasskey(browser, await beginLogin(browser), credential, { multiDevice: false })
    expect((await idTokenOf(answer)).amr).toEqual(['hwk', 'user', 'mfa'])
  })

  it('satisfies a policy that requires a second factor', async () => {
    await demand(server)
    await addPasskey(server, userId, credential)
    const answer = await submitPasskey(browser, await beginLogin(browser), credential)
    expect(codeOf(answer)).not.toBe('')
  })

  it('does not without user verification, or where the connection says so', async () => {
    await demand(server, undefined, ['otp'])
    await addPasskey(server, userId, credential)
    const unverified = await submitPasskey(browser, await beginLogin(browser), credential, { uv: false })
    expect(locationOf(unverified).pathname).toBe('/u/mfa-enroll')
    await offerPasskeys(server, { counts_as_mfa: false })
    const verified = await submitPasskey(browser, await beginLogin(browser), credential)
    expect(locationOf(verified).pathname).toBe('/u/mfa-enroll')
  })

  it('is a whole login without user verification, unless the connection requires that', async () => {
    await addPasskey(server, userId, credential)
    const unverified = await submitPasskey(browser, await beginLogin(browser), credential, { uv: false })
    expect((await idTokenOf(unverified)).sub).toBe(userId)
    await offerPasskeys(server, { user_verification: 'required' })
    browser = server.browser()
    const state = await beginLogin(browser)
    const { text } = await browser.get('/u/login', { query: { state } })
    expect(ceremonyOn(text, 'get').options.userVerification).toBe('required')
    expect(noticeOf(await submitPasskey(browser, state, credential, { uv: false }))).toBe('passkey_failed')
    expect((await idTokenOf(await submitPasskey(browser, state, credential))).amr).toContain('mfa')
    await expect(addPasskey(server, userId, softCredential(), { uv: false })).rejects.toThrow('not added: invalid')
  })

  it('asks for the other factor after a passkey without user verification, whichever way the application demands one', async () => {
    await addPasskey(server, userId, credential)
    await demand(server, [], ['otp'])
    const acr = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: acr } } })
    const demands: Record<string, string>[] = [{ acr_values: acr }, { claims }]
    for (const extra of demands) {
      const answer = await submitPasskey(browser, await beginLogin(browser, extra), credential, { uv: false })
      expect(locationOf(answer).pathname).toBe('/u/mfa-enroll')
    }
  })

  it.each<[string, Partial<AuthenticatorCall>]>([
    ['on a page of another origin', { origin: 'https://evil.test' }],
    ['in a frame of another origin', { crossOrigin: true }],
    ['for another host', { rpId: 'evil.test' }],
    ['for another challenge', { challenge: 'YW5vdGhlciBjaGFsbGVuZ2U' }],
    ['without the user present', { up: false }],
    ['as a new credential', { type: 'webauthn.create' }],
    ['with another kind of key', { multiDevice: false }],
  ])('is refused %s', async (_how, change) => {
    await addPasskey(server, userId, credential)
    const answer = await submitPasskey(browser, await beginLogin(browser), credential, change)
    expect(noticeOf(answer)).toBe('passkey_failed')
    expect(await lastAudited()).toMatchObject({ type: 'f' })
  })

  it.each(['', 'x', '{}', '[]', 'null', '{"id":"x"}'])('is refused with the response %j', async (response) => {
    const answer = await submitPasskey(
      browser,
      await beginLogin(browser),
      credential,
      {},
      { passkey_response: response },
    )
    expect(noticeOf(answer)).toBe('passkey_failed')
  })

  it('is refused a second time with the same response, in the same login and in another', async () => {
    await addPasskey(server, userId, credential)
    const state = await beginLogin(browser)
    const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
    const passkey_response = JSON.stringify(credential.use({ ...HERE, challenge, counter: 1 }))
    const form = { action: 'passkey', passkey_session: session, passkey_response }
    const elsewhere = { ...form, state: await beginLogin(browser) }
    expect(noticeOf(await browser.post('/u/submit', { form: elsewhere }))).toBe('passkey_failed')
    const again = await browser.post('/u/submit', { form: { ...form, state } })
    expect(noticeOf(again)).toBe('passkey_failed')
  })

  it('is refused with the session of another login', async () => {
    await addPasskey(server, userId, credential)
    const other = await beginLogin(server.browser())
    const { challenge, session } = ceremonyOn(
      (await browser.get('/u/login', { query: { state: await beginLogin(browser) } })).text,
      'get',
    )
    expect(other).not.toBe('')
    const change = { passkey_session: session }
    const answer = await submitPasskey(browser, await beginLogin(browser), credential, { challenge }, change)
    expect(noticeOf(answer)).toBe('passkey_failed')
  })

  it('is refused with the credential of another person under the own handle', async () => {
    await addPasskey(server, userId, credential)
    const other = softCredential()
    await addPasskey(server, await server.addUser({ email: `other-${email}`, data: { emailVerified: true } }), other)
    const state = await beginLogin(browser)
    const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
    const mine = credential.use({ ...HERE, challenge })
    const theirs = other.use({ ...HERE, challenge })
    for (const response of [
      { ...mine, id: theirs.id, rawId: theirs.id },
      { ...theirs, response: { ...theirs.response, userHandle: mine.response.userHandle } },
    ]) {
      const form = { state, action: 'passkey', passkey_session: session, passkey_response: JSON.stringify(response) }
      expect(noticeOf(await browser.post('/u/submit', { form }))).toBe('passkey_failed')
    }
  })

  it('is refused for a counter that does not increase, which is recorded, if the key never leaves its device', async () => {
    await addPasskey(server, userId, credential, { counter: 5, multiDevice: false })
    const at = async (counter: number) =>
      submitPasskey(browser, await beginLogin(browser, { prompt: 'login' }), credential, {
        counter,
        multiDevice: false,
      })
    expect(codeOf(await at(6))).not.toBe('')
    for (const counter of [6, 3, 0]) {
      expect(noticeOf(await at(counter))).toBe('passkey_failed')
      expect(await lastAudited()).toMatchObject({ type: 'latchkey_passkey_copied' })
    }
    expect(codeOf(await at(7))).not.toBe('')
  })

  it('is accepted for a counter that does not increase, which is recorded, if the key may be backed up', async () => {
    await addPasskey(server, userId, credential, { counter: 5, backedUp: false })
    const signals = async () =>
      (await server.audited()).filter(({ type }) => type === 'latchkey_passkey_uncounted').length
    const seen: [number, number][] = []
    for (const counter of [5, 6, 2, 0, 0, 1]) {
      const before = await signals()
      const answer = await submitPasskey(browser, await beginLogin(browser, { prompt: 'login' }), credential, {
        counter,
      })
      expect(codeOf(answer)).not.toBe('')
      seen.push([counter, (await signals()) - before])
    }
    expect(seen).toEqual([
      [5, 1],
      [6, 0],
      [2, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ])
  })

  describe('is the same in another spelling of its bytes', () => {
    const bytes = (text: string) => Buffer.from(text, 'base64')
    const lines = (text: string) => bytes(text).toString('base64').replace(/.{20}/g, '$&\n')
    const spellings: [string, (text: string) => string][] = [
      ['base64 with padding', (text) => bytes(text).toString('base64')],
      ['base64 without padding', (text) => bytes(text).toString('base64').replace(/=+$/, '')],
      ['base64url with padding', (text) => bytes(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_')],
      ['base64 in lines', lines],
    ]

    it.each(spellings)('a passkey signs in with another spelling: %s', async (_name, spelt) => {
      for (let tries = 0; tries < 4; tries += 1) {
        const own = softCredential()
        await addPasskey(server, userId, own)
        const state = await beginLogin(browser, { prompt: 'login' })
        const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
        const { response, id, ...rest } = own.use({ ...HERE, challenge })
        const again = Object.fromEntries(Object.entries(response).map(([name, value]) => [name, spelt(value)]))
        const passkey_response = JSON.stringify({
          ...rest,
          id: tries % 2 ? id : spelt(id),
          rawId: spelt(id),
          response: again,
        })
        const form = { state, action: 'passkey', passkey_session: session, passkey_response }
        expect(codeOf(await browser.post('/u/submit', { form }))).not.toBe('')
      }
    })

    it.each<[string, (handle: string) => string]>([
      ['the characters of the handle in place of its bytes', (handle) => Buffer.from(handle).toString('base64url')],
      ['an empty handle', () => ''],
    ])('a passkey is refused with %s', async (_name, spelt) => {
      const other = softCredential()
      await addPasskey(server, userId, credential)
      await addPasskey(server, await server.addUser({ email: `other-${email}`, data: { emailVerified: true } }), other)
      const send = async (
        own: ReturnType<typeof softCredential>,
        handleOf: (challenge: string) => string | undefined,
      ) => {
        const state = await beginLogin(browser, { prompt: 'login' })
        const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
        const used = own.use({ ...HERE, challenge })
        const response = { ...used.response, userHandle: handleOf(challenge) }
        const form = {
          state,
          action: 'passkey',
          passkey_session: session,
          passkey_response: JSON.stringify({ ...used, response }),
        }
        return browser.post('/u/submit', { form })
      }
      const handle = (of: ReturnType<typeof softCredential>) =>
        of.use({ ...HERE, challenge: 'AAAA' }).response.userHandle ?? ''
      expect(codeOf(await send(credential, () => spelt(handle(credential))))).not.toBe('')
      if (spelt('AAAA') !== '')
        expect(noticeOf(await send(credential, () => spelt(handle(other))))).toBe('passkey_failed')
    })
  })

  it('is refused to a blocked user', async () => {
    await addPasskey(server, userId, credential)
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [userId])
    expect(noticeOf(await submitPasskey(browser, await beginLogin(browser), credential))).toBe('passkey_failed')
  })

  it('is refused before the address is verified, where the connection requires that', async () => {
    await addPasskey(server, userId, credential)
    await offerPasskeys(server, {}, { require_verified_email: true })
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [userId])
    expect(noticeOf(await submitPasskey(browser, await beginLogin(browser), credential))).toBe('verify_first')
    const links = (await mailsTo(server, email)).filter(({ link }) => link?.includes('/u/verify-email'))
    expect(links).toHaveLength(1)
  })

  it('is refused where the login expects another user', async () => {
    await addPasskey(server, userId, credential)
    const other = softCredential()
    await addPasskey(server, await server.addUser({ email: `x-${email}`, data: { emailVerified: true } }), other)
    const first = await submitPasskey(browser, await beginLogin(browser), other)
    const id_token_hint = String((await redeem(browser, codeOf(first))).json().id_token)
    const state = await beginLogin(browser, { id_token_hint, prompt: 'login' })
    expect(noticeOf(await submitPasskey(browser, state, credential))).toBe('session_changed')
  })

  it('signals a removed credential to the browser', async () => {
    const id = await addPasskey(server, userId, credential)
    const { passkeys } = await server.runtime()
    await passkeys.remove(userId, [id], null)
    const answer = await submitPasskey(browser, await beginLogin(browser), credential)
    expect(noticeOf(answer)).toBe('passkey_unknown')
    expect(await pageAfter(answer)).toContain(`data-stray="${credential.id}"`)
  })

  it('has one winner of twenty with one challenge', async () => {
    await addPasskey(server, userId, credential)
    const state = await beginLogin(browser)
    const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
    const passkey_response = JSON.stringify(credential.use({ ...HERE, challenge }))
    const form = { state, action: 'passkey', passkey_session: session, passkey_response }
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/u/submit', { form })))
    expect(answers.filter((answer) => codeOf(answer) !== '')).toHaveLength(1)
  })
})

describe('signing up with a passkey', () => {
  const signUp = async (fields: Record<string, string> = {}, change: Partial<AuthenticatorCall> = {}) => {
    const state = await beginLogin(browser, { screen_hint: 'signup' })
    const page = await browser.get('/u/signup', { query: { state } })
    const { challenge, session, options } = ceremonyOn(page.text, 'create')
    const handle = options.user?.id ?? ''
    const passkey_response = JSON.stringify(credential.create({ ...HERE, challenge, handle, ...change }))
    const form = { state, action: 'sign-up-passkey', email: `new-${email}`, password: '', passkey_session: session }
    return browser.post('/u/submit', { form: { ...form, passkey_response, ...fields } })
  }

  it('creates an account without a password and signs it in', async () => {
    const claims = await idTokenOf(await signUp())
    expect(claims).toMatchObject({ email: `new-${email}`, amr: ['swk', 'user', 'mfa'] })
    const { rows } = await server.database.pool.query(
      'SELECT password_hash, password_changed_at FROM identity WHERE email_key = $1',
      [`new-${email}`],
    )
    expect(rows).toEqual([{ password_hash: null, password_changed_at: null }])
    const state = await beginLogin(server.browser())
    expect(state).not.toBe('')
    const again = await submitPasskey(browser, await beginLogin(browser, { prompt: 'login' }), credential)
    expect(codeOf(again)).not.toBe('')
  })

  it('refuses every password of such an account', async () => {
    await signUp()
    const other = server.browser()
    expect(noticeOf(await submitPassword(other, await beginLogin(other), `new-${email}`))).toBe('wrong_credentials')
  })

  it('needs user verification where the connection says so', async () => {
    await offerPasskeys(server, { user_verification: 'required' })
    expect(noticeOf(await signUp({}, { uv: false }))).toBe('passkey_failed')
    expect((await idTokenOf(await signUp())).email).toBe(`new-${email}`)
  })

  it('refuses a taken address, and signals the credential to the browser', async () => {
    const answer = await signUp({ email })
    expect(noticeOf(answer)).toBe('invalid_signup')
    expect(await pageAfter(answer)).toContain(`data-stray="${credential.id}"`)
    expect(noticeOf(await submitPasskey(browser, await beginLogin(browser), credential))).toBe('passkey_unknown')
  })

  it.each<[string, Record<string, string>, Partial<AuthenticatorCall>]>([
    ['passkey_failed', { passkey_response: '{}' }, {}],
    ['passkey_failed', { passkey_session: 'x' }, {}],
    ['passkey_failed', {}, { origin: 'https://evil.test' }],
    ['missing_fields', { email: '' }, {}],
    ['invalid_email', { email: 'x' }, {}],
  ])('is refused with %s', async (notice, fields, change) => {
    expect(noticeOf(await signUp(fields, change))).toBe(notice)
    expect(await (await server.runtime()).passkeys.find(credential.id)).toBe(null)
  })

  it('is refused with a credential that another account has, and creates no account', async () => {
    await addPasskey(server, userId, credential)
    expect(noticeOf(await signUp())).toBe('passkey_failed')
    const { rowCount } = await server.database.pool.query('SELECT 1 FROM "user" WHERE email = $1', [`new-${email}`])
    expect(rowCount).toBe(0)
  })

  it.each(['require_verified_email', 'hide_existing_accounts'])('is not offered with %s', async (option) => {
    await offerPasskeys(server, {}, { [option]: true })
    const state = await beginLogin(browser, { screen_hint: 'signup' })
    expect((await browser.get('/u/signup', { query: { state } })).text).not.toContain('data-passkey')
  })

  it('of another person’s address leaves no passkey once its owner proves it', async () => {
    await signUp()
    const owner = server.browser()
    server.clock.advance(1)
    await owner.post('/u/submit', {
      form: { action: 'request-reset', email: `new-${email}`, state: await beginLogin(owner) },
    })
    const ticket = await ticketTo(server, `new-${email}`)
    const form = { ticket, action: 'reset-password', password: 'a lantern over the harbour' }
    expect((await owner.post('/u/reset-password', { form })).status).toBe(200)
    expect(await (await server.runtime()).passkeys.find(credential.id)).toBe(null)
    expect(noticeOf(await submitPasskey(owner, await beginLogin(owner), credential))).toBe('passkey_unknown')
  })
})

describe('after a login with a password', () => {
  const logIn = async (fields: Record<string, string> = { passkeys: 'true' }) => {
    const form = { state: await beginLogin(browser, { prompt: 'login' }), action: 'login', username: email }
    return browser.post('/u/submit', { form: { ...form, password: 'correct horse battery staple', ...fields } })
  }
  const offered = (answer: TestResponse): boolean => locationOf(answer).pathname === '/u/passkey-enroll'

  it('a passkey is offered once, and created', async () => {
    const answer = await logIn()
    expect(offered(answer)).toBe(true)
    const state = locationOf(answer).searchParams.get('state') ?? ''
    const page = await pageAfter(answer)
    expect(page).toContain(email)
    const { challenge, session, options } = ceremonyOn(page, 'create')
    const made = credential.create({ ...HERE, challenge, handle: options.user?.id ?? '' })
    const form = { state, action: 'add-passkey', passkey_session: session, passkey_response: JSON.stringify(made) }
    expect(codeOf(await browser.post('/u/submit', { form }))).not.toBe('')
    expect(codeOf(await submitPasskey(browser, await beginLogin(browser, { prompt: 'login' }), credential))).not.toBe(
      '',
    )
    browser.cookies.clear()
    expect(offered(await logIn())).toBe(false)
  })

  it('a passkey can be skipped, and is not offered again for a month', async () => {
    const state = locationOf(await logIn()).searchParams.get('state') ?? ''
    const skipped = await browser.post('/u/submit', { form: { state, action: 'skip-passkey' } })
    expect(codeOf(skipped)).not.toBe('')
    expect(skipped.headers.filter(([name]) => name === 'set-cookie').join()).toMatch(
      /latchkey_passkey=offered.*Max-Age=2592000/,
    )
    expect(codeOf(await logIn())).not.toBe('')
    browser.cookies.delete('__Host-latchkey_passkey')
    expect(offered(await logIn())).toBe(true)
  })

  it('a passkey is not offered to a browser that cannot create one', async () => {
    expect(offered(await logIn({}))).toBe(false)
    expect(offered(await logIn({ passkeys: '' }))).toBe(false)
  })

  it('a passkey is not offered where the connection says so, or before the address is verified', async () => {
    await offerPasskeys(server, { progressive_enrollment_enabled: false })
    expect(offered(await logIn())).toBe(false)
    await offerPasskeys(server)
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [userId])
    expect(offered(await logIn())).toBe(false)
  })

  it('a refused one is offered again', async () => {
    const answer = await logIn()
    const state = locationOf(answer).searchParams.get('state') ?? ''
    const { session } = ceremonyOn(await pageAfter(answer), 'create')
    const form = { state, action: 'add-passkey', passkey_session: session, passkey_response: '{}' }
    const refused = await browser.post('/u/submit', { form })
    expect(noticeOf(refused)).toBe('passkey_not_added')
    expect(ceremonyOn(await pageAfter(refused), 'create').session).not.toBe(session)
  })

  it('a passkey for this device is offered after one of another device', async () => {
    await addPasskey(server, userId, credential)
    const state = await beginLogin(browser)
    const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
    const made = { ...credential.use({ ...HERE, challenge }), authenticatorAttachment: 'cross-platform' }
    const form = {
      state,
      action: 'passkey',
      passkey_session: session,
      passkey_response: JSON.stringify(made),
      passkeys: 'true',
    }
    expect(offered(await browser.post('/u/submit', { form }))).toBe(true)
  })

  it('a passkey for this device is not offered where the connection says so', async () => {
    await offerPasskeys(server, { local_enrollment_enabled: false })
    await addPasskey(server, userId, credential)
    const state = await beginLogin(browser)
    const { challenge, session } = ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get')
    const made = { ...credential.use({ ...HERE, challenge }), authenticatorAttachment: 'cross-platform' }
    const passkey = { passkey_session: session, passkey_response: JSON.stringify(made) }
    const form = { state, action: 'passkey', ...passkey, passkeys: 'true' }
    expect(codeOf(await browser.post('/u/submit', { form }))).not.toBe('')
    await offerPasskeys(server)
  })

  it('single sign-on and prompt=none go on as before', async () => {
    await logIn({})
    const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(codeOf(answer)).not.toBe('')
  })
})

describe('beside another database', () => {
  beforeAll(async () => {
    await server.addConnection('Second', {}, 'con_second')
    await server.setTenant({ tenant: { default_directory: 'Second' } })
  })

  const setSecond = async (settings: object) => {
    await server.database.pool.query(`UPDATE connection SET settings = $1 WHERE id = 'con_second'`, [settings])
    server.clock.advance(2)
  }
  const verificationOn = async () => {
    const { text } = await browser.get('/u/login', { query: { state: await beginLogin(browser) } })
    return ceremonyOn(text, 'get').options.userVerification
  }
  const passkeysWith = (user_verification: string) => ({
    options: { authentication_methods: { passkey: { enabled: true } }, passkey_options: { user_verification } },
  })

  it('a passkey signs in at the database that has it, whichever is the default', async () => {
    await addPasskey(server, userId, credential)
    expect(codeOf(await submitPasskey(browser, await beginLogin(browser), credential))).not.toBe('')
    expect(await lastAudited()).toMatchObject({ user_id: userId, connection: 'Users' })
  })

  it('a passkey is refused at a database that the login is not for', async () => {
    await setSecond(passkeysWith('preferred'))
    await addPasskey(server, userId, credential)
    const state = await beginLogin(browser, { connection: 'Second' })
    expect(noticeOf(await submitPasskey(browser, state, credential))).toBe('passkey_failed')
  })

  it('user verification is asked for by the database of the passkey, and by the page only if all ask for it', async () => {
    await setSecond(passkeysWith('required'))
    expect(await verificationOn()).toBe('preferred')
    await addPasskey(server, userId, credential)
    const loose = await submitPasskey(browser, await beginLogin(browser), credential, { uv: false })
    expect(codeOf(loose)).not.toBe('')
    browser = server.browser()
    await offerPasskeys(server, { user_verification: 'required' })
    expect(await verificationOn()).toBe('required')
    const refused = await submitPasskey(browser, await beginLogin(browser), credential, { uv: false })
    expect(noticeOf(refused)).toBe('passkey_failed')
  })
})
