// Sign-up on the hosted page: from the client and back, and every refusal.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FormFields } from '../../../testing/browser'
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
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const NEW_PASSWORD = 'a lantern over the harbour wall'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', username: 'kimmy' })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser({ ip: `2001:db8:${server.random.hex(4)}::1` })
  await setOptions({})
})

async function setOptions(options: Record<string, unknown>): Promise<void> {
  await server.database.pool.query('UPDATE connection SET settings = $1', [JSON.stringify({ options })])
  server.clock.advance(2)
}

const signUp = (state: string, fields: FormFields): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, action: 'sign-up', ...fields } })
const pageAt = (path: string, state: string): Promise<TestResponse> => browser.get(path, { query: { state } })
const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const storedUser = async (email: string) =>
  (await server.database.pool.query('SELECT * FROM "user" WHERE email = $1', [email])).rows[0]

describe('the way there', () => {
  it('is a link on the login page, which stays open beside it', async () => {
    const state = await beginLogin(browser)
    const login = await pageAt('/u/login', state)
    expect(login.text).toContain(`href="/u/signup?state=${state}"`)
    const page = await pageAt('/u/signup', state)
    expect([page.status, page.text.includes(`href="/u/login?state=${state}"`)]).toEqual([200, true])
  })

  it('is taken at once with screen_hint=signup, and leads back to the login page by its link', async () => {
    const answer = await browser.get('/authorize', { query: authorizeQuery({ screen_hint: 'signup' }) })
    expect(locationOf(answer).pathname).toBe('/u/signup')
    const state = locationOf(answer).searchParams.get('state') ?? ''
    expect((await pageAt('/u/login', state)).status).toBe(200)
    expect(noticeOf(await submitPassword(browser, state, 'kim@mail.test', 'wrong'))).toBe('wrong_credentials')
    expect(locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.has('code')).toBe(true)
  })

  it('is closed if the connection says so, at every endpoint', async () => {
    await setOptions({ disable_signup: true })
    const answer = await browser.get('/authorize', { query: authorizeQuery({ screen_hint: 'signup' }) })
    expect(locationOf(answer).pathname).toBe('/u/login')
    const state = locationOf(answer).searchParams.get('state') ?? ''
    expect((await pageAt('/u/login', state)).text).not.toContain('/u/signup')
    expect(locationOf(await pageAt('/u/signup', state)).pathname).toBe('/u/login')
    const refused = await signUp(state, { email: 'door@mail.test', password: NEW_PASSWORD })
    expect(locationOf(refused).pathname).toBe('/u/login')
    expect(await storedUser('door@mail.test')).toBeUndefined()
  })

  it('is taken at once with prompt=create, also by a person who is signed in, and makes another account', async () => {
    const at = server.browser()
    await submitPassword(at, await beginLogin(at), 'kim@mail.test')
    const query = authorizeQuery({ prompt: 'create' })
    const page = locationOf(await at.get('/authorize', { query }))
    expect(page.pathname).toBe('/u/signup')
    const state = page.searchParams.get('state') ?? ''
    const form = { state, action: 'sign-up', email: 'create@mail.test', password: NEW_PASSWORD }
    const code = locationOf(await at.post('/u/submit', { form })).searchParams.get('code') ?? ''
    expect(payloadOf((await redeem(at, code)).json().id_token)).toMatchObject({ email: 'create@mail.test' })
  })

  it('is closed when a specific user is expected', async () => {
    const state = await beginLogin(browser)
    const code = locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.get('code') ?? ''
    const { id_token } = (await redeem(browser, code)).json()
    const again = await beginLogin(browser, { id_token_hint: String(id_token), prompt: 'login', screen_hint: 'signup' })
    expect((await pageAt('/u/login', again)).text).not.toContain('/u/signup')
    expect(locationOf(await pageAt('/u/signup', again)).pathname).toBe('/u/login')
  })
})

describe('signing up', () => {
  it('makes the account, signs in and sends a link to prove the address', async () => {
    const answer = await signUp(await beginLogin(browser), { email: ' Nia@Mail.test ', password: NEW_PASSWORD })
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ email: 'nia@mail.test', email_verified: false })
    const [mail, ...others] = await mailsTo(server, 'nia@mail.test')
    expect([others, mail?.link?.split('?')[0]]).toEqual([[], 'https://id.test/u/verify-email'])
    expect(await ticketTo(server, 'nia@mail.test')).not.toBe('')
  })

  it('can be signed in with afterwards', async () => {
    await signUp(await beginLogin(browser), { email: 'ola@mail.test', password: NEW_PASSWORD })
    const other = server.browser()
    const own = await beginLogin(other)
    expect(locationOf(await submitPassword(other, own, 'ola@mail.test', NEW_PASSWORD)).searchParams.has('code')).toBe(
      true,
    )
  })

  it('sends the mail in the requested language', async () => {
    const state = await beginLogin(browser, { ui_locales: 'de' })
    await signUp(state, { email: 'uwe@mail.test', password: NEW_PASSWORD })
    const [mail] = await mailsTo(server, 'uwe@mail.test')
    expect(mail?.html).toContain('lang="de"')
  })

  it('continues with consent if the application requires it', async () => {
    const state = await beginLogin(browser, { prompt: 'consent' })
    const answer = await signUp(state, { email: 'pia@mail.test', password: NEW_PASSWORD })
    expect(locationOf(answer).pathname).toBe('/u/consent')
  })

  it('replaces the session of another user', async () => {
    await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
    const state = await beginLogin(browser, { prompt: 'login' })
    const answer = await signUp(state, { email: 'rex@mail.test', password: NEW_PASSWORD })
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token).email).toBe('rex@mail.test')
  })

  it('ends at the login page where the address has to be proven first', async () => {
    await setOptions({ require_verified_email: true })
    const answer = await signUp(await beginLogin(browser), { email: 'tim@mail.test', password: NEW_PASSWORD })
    expect([locationOf(answer).pathname, noticeOf(answer)]).toEqual(['/u/login', 'verify_first'])
    const page = await browser.get(locationOf(answer).href)
    expect(page.text).toContain('we’ve sent you a link')
    expect(page.text).toContain('value="tim@mail.test"')
  })

  it('can be left without one', async () => {
    const answer = await browser.post('/u/submit', { form: { state: await beginLogin(browser), action: 'cancel' } })
    expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
  })
})

describe('a refusal', () => {
  it.each([
    ['an address that is taken', { email: 'KIM@mail.test' }, 'invalid_signup'],
    ['no address at all', { email: 'kim' }, 'invalid_email'],
    ['several addresses', { email: 'a@mail.test,b@mail.test' }, 'invalid_email'],
    ['nothing typed', { email: '', password: '' }, 'missing_fields'],
    ['no password', { password: '' }, 'missing_fields'],
    ['a short password', { password: 'short' }, 'weak_password'],
    ['a common password', { password: 'password123' }, 'weak_password'],
    ['a password made of the address', { email: 'montague@mail.test', password: 'montague-99' }, 'weak_password'],
  ])('%s is named, and what was typed is kept', async (_what, fields, notice) => {
    const sent = { email: 'new@mail.test', password: NEW_PASSWORD, ...fields }
    const answer = await signUp(await beginLogin(browser), sent)
    expect([answer.status, locationOf(answer).pathname, noticeOf(answer)]).toEqual([303, '/u/signup', notice])
    const page = await browser.get(locationOf(answer).href)
    expect(page.status).toBe(200)
    expect(page.text).toContain('role="alert"')
    expect(page.text).toContain(`value="${sent.email}"`)
    if (sent.password) expect(page.text + answer.header('location')).not.toContain(sent.password)
  })

  it('shows which rules the password broke, and no longer once the page is opened anew', async () => {
    await setOptions({ passwordPolicy: 'excellent' })
    const state = await beginLogin(browser)
    const answer = await signUp(state, { email: 'new@mail.test', password: 'aaab' })
    const unmet = (text: string) =>
      [...text.matchAll(/data-rule="(\w+)"[^>]* data-state="unmet"/g)].map(([, rule]) => rule)
    expect(unmet((await browser.get(locationOf(answer).href)).text)).toEqual(['length', 'classes', 'identical'])
    expect(unmet((await pageAt('/u/signup', state)).text)).toEqual([])
  })

  it('with a registered address notifies its owner by mail, and reveals nothing on the page (threat-model.md D6)', async () => {
    const page = async (email: string) => {
      const own = server.browser()
      const state = await beginLogin(own)
      const answer = await own.post('/u/submit', {
        form: { state, action: 'sign-up', email, password: NEW_PASSWORD },
      })
      return (await own.get(locationOf(answer).href)).text
    }
    const text = await page('kim@mail.test')
    expect(text).toContain('We couldn’t create an account with these details.')
    expect(text).not.toContain('kimmy')
    expect((await mailsTo(server, 'kim@mail.test')).length).toBeGreaterThan(0)
  })

  describe('of an address that is taken, where the connection hides existing accounts (threat-model.md D6)', () => {
    const shown = async (email: string) => {
      const answer = await signUp(await beginLogin(browser), { email, password: NEW_PASSWORD })
      const page = await browser.get(locationOf(answer).href)
      const { pathname, searchParams } = locationOf(answer)
      const text = page.text
        .replaceAll(searchParams.get('state') ?? '', '')
        .replaceAll(email, '')
        .replace(/nonce="[^"]+"/g, '')
      return {
        status: answer.status,
        names: answer.headers.map(([name]) => name),
        pathname,
        notice: noticeOf(answer),
        text,
      }
    }
    beforeEach(() => setOptions({ hide_existing_accounts: true }))

    it('is answered like a new one, and only its owner is notified', async () => {
      const made = await shown('new1@mail.test')
      expect(await shown('kim@mail.test')).toEqual(made)
      expect([made.pathname, made.notice]).toEqual(['/u/login', 'verify_first'])
      expect((await mailsTo(server, 'new1@mail.test')).map(({ subject }) => subject)).toEqual([
        expect.stringContaining('verify'),
      ])
      expect((await mailsTo(server, 'kim@mail.test')).at(0)?.subject).toContain('already have an account')
    })

    it('is not revealed by the chosen password, however often it is tried', async () => {
      await server.addUser({ id: 'own', email: 'own@mail.test' })
      const notices = async (email: string) => {
        await signUp(await beginLogin(browser), { email, password: NEW_PASSWORD })
        const state = await beginLogin(browser)
        const notices: (string | null)[] = []
        for (let i = 0; i < 12; i++) notices.push(noticeOf(await submitPassword(browser, state, email, NEW_PASSWORD)))
        return notices
      }
      const ofNew = await notices('new2@mail.test')
      expect(ofNew).toEqual([...Array(10).fill('wrong_credentials'), 'too_many_attempts', 'too_many_attempts'])
      expect(await notices('own@mail.test')).toEqual(ofNew)
    })

    it('lets the newcomer in once the address is verified', async () => {
      await signUp(await beginLogin(browser), { email: 'new3@mail.test', password: NEW_PASSWORD })
      const ticket = await ticketTo(server, 'new3@mail.test')
      await browser.post('/u/verify-email', { form: { ticket, action: 'verify' } })
      const answer = await submitPassword(browser, await beginLogin(browser), 'new3@mail.test', NEW_PASSWORD)
      expect(locationOf(answer).searchParams.has('code')).toBe(true)
    })
  })

  it('says that the address is taken where the tenant wants it said', async () => {
    await server.setTenant({ tenant: { flags: { enable_public_signup_user_exists_error: true } } })
    const answer = await signUp(await beginLogin(browser), { email: 'kim@mail.test', password: NEW_PASSWORD })
    await server.setTenant({})
    expect(noticeOf(answer)).toBe('user_exists')
  })

  it('changes nothing for another browser, a dead login or another site (threat-model.md SE4)', async () => {
    const state = await beginLogin(browser)
    const stranger = await server
      .browser()
      .post('/u/submit', { form: { state, action: 'sign-up', email: 'csrf@mail.test', password: NEW_PASSWORD } })
    expect(stranger.status).toBe(403)
    expect((await signUp('made-up', { email: 'csrf@mail.test', password: NEW_PASSWORD })).status).toBe(400)
    expect(await storedUser('csrf@mail.test')).toBeUndefined()
  })

  it('never takes what is not a field: no verified address, no metadata of the application, no other id', async () => {
    await signUp(await beginLogin(browser), {
      email: 'sly@mail.test',
      password: NEW_PASSWORD,
      email_verified: 'true',
      app_metadata: '{"admin":true}',
      user_id: 'auth0|root',
      field_admin: 'true',
      blocked: 'false',
    })
    expect(await storedUser('sly@mail.test')).toMatchObject({
      email_verified: false,
      app_metadata: {},
      user_metadata: {},
    })
  })
})

describe('a connection with usernames', () => {
  beforeEach(() => setOptions({ requires_username: true }))

  it('says that a username is taken whether or not the address is too (threat-model.md D6)', async () => {
    for (const hide_existing_accounts of [false, true]) {
      await setOptions({ requires_username: true, hide_existing_accounts })
      for (const email of ['kim@mail.test', 'nobody@mail.test']) {
        const answer = await signUp(await beginLogin(browser), { email, username: 'kimmy', password: NEW_PASSWORD })
        expect(noticeOf(answer)).toBe('username_taken')
      }
    }
  })

  it('asks for one, and it signs in', async () => {
    const state = await beginLogin(browser)
    expect((await pageAt('/u/signup', state)).text).toMatch(/<input[^>]*name="username"/)
    expect(noticeOf(await signUp(state, { email: 'zoe@mail.test', password: NEW_PASSWORD }))).toBe('missing_fields')
    const made = await signUp(state, { email: 'zoe@mail.test', username: 'Zoe.B', password: NEW_PASSWORD })
    expect(locationOf(made).searchParams.has('code')).toBe(true)
    const other = server.browser()
    const answer = await submitPassword(other, await beginLogin(other), 'zoe.b', NEW_PASSWORD)
    expect(locationOf(answer).searchParams.has('code')).toBe(true)
  })

  it.each([
    ['kimmy', 'username_taken'],
    ['has space', 'invalid_username'],
    ['someone@mail.test', 'invalid_username'],
    ['much-too-long-for-a-name', 'invalid_username'],
  ])('the username %j is refused', async (username, notice) => {
    const answer = await signUp(await beginLogin(browser), { email: 'yan@mail.test', username, password: NEW_PASSWORD })
    expect(noticeOf(answer)).toBe(notice)
    expect((await browser.get(locationOf(answer).href)).text).toMatch(/id="username"[^>]*aria-invalid="true"/)
  })
})

describe('a connection with custom fields', () => {
  const signup_fields = [
    { name: 'company', label: { en: 'Company', de: 'Firma' }, required: true },
    { name: 'city', label: 'City' },
    { name: 'terms', label: 'I agree', type: 'checkbox', required: true },
  ]
  const signup_terms = { terms_url: 'https://app.test/terms', privacy_url: 'https://app.test/privacy' }
  beforeEach(() => setOptions({ signup_fields, signup_terms }))

  it('shows them in the user’s language if available, and links to the terms and the privacy policy', async () => {
    const text = (await pageAt('/u/signup', await beginLogin(browser, { ui_locales: 'de' }))).text
    expect(text).toContain('Firma')
    expect(text).toContain('City (freiwillig)')
    expect(text).toMatch(/type="checkbox"[^>]*name="field_terms"/)
    expect(text).toContain('href="https://app.test/terms"')
    expect(text).toContain('href="https://app.test/privacy"')
  })

  it('asks for what is required and keeps the rest', async () => {
    const sent = { email: 'una@mail.test', password: NEW_PASSWORD, field_city: '"><b>Oslo' }
    const answer = await signUp(await beginLogin(browser), sent)
    expect(noticeOf(answer)).toBe('missing_fields')
    const { text } = await browser.get(locationOf(answer).href)
    expect(text).toContain('href="#field_company"')
    expect(text).toContain('href="#field_terms"')
    expect(text).not.toContain('href="#field_city"')
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;Oslo"')
  })

  it('keeps the answers as user_metadata and nothing else', async () => {
    await signUp(await beginLogin(browser), {
      email: 'vic@mail.test',
      password: NEW_PASSWORD,
      field_company: ' Acme ',
      field_terms: 'true',
      field_other: 'x',
    })
    expect((await storedUser('vic@mail.test')).user_metadata).toEqual({ company: 'Acme', terms: 'true' })
  })
})

it('too many sign-ups from one network are refused, and the login continues', async () => {
  await server.setTenant({
    attackProtection: { suspiciousIpThrottling: { stage: { 'pre-user-registration': { max_attempts: 2 } } } },
  })
  const state = await beginLogin(browser)
  const send = (name: string) => signUp(state, { email: 'kim@mail.test', password: `${NEW_PASSWORD} ${name}` })
  expect([(await send('1')).status, (await send('2')).status, (await send('3')).status]).toEqual([303, 303, 429])
  await server.setTenant({})
  expect(locationOf(await submitPassword(browser, state, 'kim@mail.test', PASSWORD)).searchParams.has('code')).toBe(
    true,
  )
})
