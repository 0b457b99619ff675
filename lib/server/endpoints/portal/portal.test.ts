// The account portal: who sees it, what its buttons change, and what they refuse (threat-model.md AP1 to AP4).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PORTAL_PAGES } from '../../../pages/view'
import {
  authorizeQuery,
  codeBySession,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
} from '../../../testing/journey'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { confirmationOf, enterPortal, submitInPortal } from '../../../testing/portal'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let browser: Browser
let email: string
let user: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: ['authorization_code', 'refresh_token'] },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({})
  count += 1
  email = `user${count}@mail.test`
  user = await server.addUser({ email, data: { name: 'Kim', emailVerified: true } })
  browser = server.browser({ ip: `203.0.113.${count}` })
})

const enter = (own = browser, address = email, path = '/account'): Promise<URL> => enterPortal(own, address, path)

const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')

const press = (
  page: string,
  action: string,
  fields: Record<string, string> = {},
  own = browser,
): Promise<TestResponse> => submitInPortal(own, page, { action, ...fields })

describe('access to the portal', () => {
  it('a user who signed in for the portal sees each page', async () => {
    expect((await browser.get('/account')).status).toBe(302)
    expect((await enter()).href).toBe('https://id.test/account/profile')
    for (const page of PORTAL_PAGES) {
      const answer = await browser.get(`/account/${page}`)
      expect([page, answer.status, answer.header('cache-control')]).toEqual([page, 200, 'no-store'])
      // This tenant has no passkeys and no factors, and the user no organization.
      const isOff = ['passkeys', 'factors', 'organizations'].includes(page)
      expect([page, answer.text.includes(`href="/account/${page}" aria-current="page"`)]).toEqual([page, !isOff])
    }
    expect((await browser.get('/account')).text).toContain(email)
  })

  it('a user whose session is from an application enters without a password, after the pipeline has let it in', async () => {
    await signIn(browser, email)
    const first = await browser.get('/account/sessions')
    expect(locationOf(first).href).toBe('https://id.test/account/sessions')
    expect((await browser.get('/account/sessions')).status).toBe(200)
  })

  it('a user without the second factor that the policy demands does not see the portal', async () => {
    await enter()
    await server.setTenant({
      guardianFactors: [{ name: 'otp', enabled: true }],
      guardianPolicies: { policies: ['all-applications'] },
    })
    expect(locationOf(await browser.get('/account/profile')).pathname).toBe('/u/mfa-enroll')
    expect(locationOf(await browser.post('/account/profile', { form: { action: 'save' } })).pathname).toBe(
      '/u/mfa-enroll',
    )
  })

  it('a user whose account is blocked or whose session has ended does not see the portal', async () => {
    await enter()
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [user])
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
  })

  it.each(['x', 'Profile', '__proto__', 'constructor', '%00'])('the page %s does not exist', async (name) => {
    await enter()
    expect((await browser.get(`/account/${name}`)).status).toBe(404)
    expect((await browser.post(`/account/${name}`, { form: { action: 'save' } })).status).toBe(404)
  })

  it('another protocol cannot use the name of the portal', async () => {
    const query = authorizeQuery({ client_id: '$account', redirect_uri: 'https://id.test/account' })
    expect((await browser.get('/authorize', { query })).status).toBe(400)
    for (const grant_type of ['client_credentials', 'password', 'authorization_code', 'refresh_token']) {
      const form = { grant_type, client_id: '$account', username: email, password: PASSWORD, code: 'x' }
      expect((await browser.post('/oauth/token', { form })).status).toBe(401)
    }
  })

  it('the portal is named in the language of the page, and in the activity', async () => {
    const login = async (headers = {}) => {
      const own = server.browser()
      const { pathname, search } = locationOf(await own.get('/account', { headers }))
      return (await own.get(pathname + search, { headers })).text
    }
    expect(await login()).toContain('to continue to Account portal')
    expect(await login({ 'accept-language': 'de' })).toContain('und weiter zu Kontoportal')
    await enter()
    await server.audited()
    expect((await browser.get('/account/activity')).text).toContain('<bdi>Account portal</bdi>')
  })

  it('a login goes back to the requested page, and to no other address', async () => {
    expect((await enter(browser, email, '/account/data?notice=portal_saved&to=https://evil.test')).href).toBe(
      'https://id.test/account/data?notice=portal_saved',
    )
    expect((await browser.get('/account/data?notice=<script>')).text).not.toContain('<script>')
  })
})

describe('forms (threat-model.md AP2)', () => {
  beforeEach(() => enter())

  const nameNow = async () => {
    const { rows } = await server.database.pool.query('SELECT name FROM "user" WHERE id = $1', [user])
    return rows[0]?.name
  }

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ])('of another page are refused: %o', async (headers) => {
    const confirmation = await confirmationOf(browser)
    const form = { confirmation, action: 'save', name: 'Mallory' }
    expect((await browser.post('/account/profile', { form, headers: headers as never })).status).toBe(403)
    expect(await nameNow()).toBe('Kim')
  })

  it('without the confirmation of this session change nothing', async () => {
    const other = server.browser()
    await enter(other)
    const foreign = await confirmationOf(other)
    for (const confirmation of ['', 'x', foreign]) {
      const answer = await browser.post('/account/profile', { form: { confirmation, action: 'save', name: 'Mallory' } })
      expect(noticeOf(answer)).toBe('session_changed')
    }
    expect(await nameNow()).toBe('Kim')
  })

  it.each(['', 'x', '__proto__', 'constructor', 'run'])('with the action %j do nothing', async (action) => {
    expect(locationOf(await press('profile', action)).href).toBe('https://id.test/account/profile')
  })
})

describe('the profile', () => {
  beforeEach(() => enter())

  it('gets names and a language, which pages then have', async () => {
    const answer = await press('profile', 'save', {
      name: ' Kim Ito ',
      given_name: 'Kim',
      family_name: '',
      nickname: 'k',
    })
    expect(noticeOf(answer)).toBe('portal_saved')
    const { rows } = await server.database.pool.query(
      'SELECT name, given_name, family_name, nickname FROM "user" WHERE id = $1',
      [user],
    )
    expect(rows).toEqual([{ name: 'Kim Ito', given_name: 'Kim', family_name: null, nickname: 'k' }])
    expect(noticeOf(await press('profile', 'language', { locale: 'ar' }))).toBe('portal_saved')
    expect((await browser.get('/account/profile')).text).toContain('<html lang="ar" dir="rtl">')
  })

  it.each(['x'.repeat(151), 'a\u202eb', 'a\nb'])('refuses the name %j', async (name) => {
    expect(noticeOf(await press('profile', 'save', { name }))).toBe('invalid_name')
  })

  it('refuses a language that the tenant does not have', async () => {
    for (const locale of ['xx', '', 'EN'])
      expect(noticeOf(await press('profile', 'language', { locale }))).toBe('portal_gone')
  })
})

describe('a change of how the user signs in (threat-model.md AP3)', () => {
  beforeEach(() => enter())

  it.each([
    ['factors', 'add'],
    ['factors', 'remove'],
    ['connections', 'unlink'],
    ['connections', 'connect'],
    ['data', 'download'],
  ])('%s %s needs a sign-in of the last ten minutes', async (page, action) => {
    server.clock.advance(601)
    const sent = await press(page, action)
    expect(locationOf(sent).pathname).toBe('/u/login')
    const back = locationOf(await submitPassword(browser, locationOf(sent).searchParams.get('state') ?? '', email))
    expect(back.href).toBe(`https://id.test/account/${page}?notice=portal_repeat`)
    expect(locationOf(await press(page, 'x')).pathname).toBe(`/account/${page}`)
    expect((await press(page, action, { provider: 'x', user_id: 'y' })).status).not.toBe(302)
  })

  it('other changes do not', async () => {
    server.clock.advance(601)
    expect(noticeOf(await press('profile', 'save', { name: 'Kim' }))).toBe('portal_saved')
  })
})

describe('a new password', () => {
  const CHOSEN = 'another correct horse battery'
  beforeEach(() => enter())

  const begin = async () => locationOf(await press('password', 'change'))
  const submit = async (login: URL, password?: string, own = browser) =>
    locationOf(await submitPassword(own, login.searchParams.get('state') ?? '', email, password))
  const choose = (step: URL, password = CHOSEN) =>
    browser.post('/u/reset-password', {
      form: { ticket: step.searchParams.get('ticket') ?? '', action: 'reset-password', password },
    })

  it('asks for the present one, however recent the sign-in is', async () => {
    const login = await begin()
    expect(login.pathname).toBe('/u/login')
    expect((await browser.get(`${login.pathname}${login.search}`)).text).toContain('please sign in once more')
    expect((await submit(login, 'wrong')).pathname).toBe('/u/login')
    expect((await submit(login)).pathname).toBe('/u/reset-password')
  })

  it('takes no other person’s proof', async () => {
    await server.addUser({ email: `other${count}@mail.test` })
    const login = await begin()
    const state = login.searchParams.get('state') ?? ''
    expect(locationOf(await submitPassword(browser, state, `other${count}@mail.test`)).pathname).toBe('/u/login')
  })

  it('is set once, keeps the session that did it, and ends every other with its tokens', async () => {
    const elsewhere = server.browser({ ip: '198.51.100.9' })
    await enter(elsewhere)
    const tokens = await signInForTokens(elsewhere, email)
    const own = await redeem(browser, await codeBySession(browser))
    const link = server.browser()
    const step = await submit(await begin())
    expect((await browser.get(`${step.pathname}${step.search}`)).text).toContain('on every other device')
    server.clock.advance(60)
    const saved = await choose(step)
    expect([saved.status, locationOf(saved).href]).toEqual([
      303,
      'https://id.test/account/password?notice=portal_saved',
    ])
    expect((await browser.get('/account/password')).status).toBe(200)
    expect(locationOf(await elsewhere.get('/account')).pathname).toBe('/u/login')
    expect((await refresh(elsewhere, tokens.refresh_token)).status).toBe(403)
    expect((await refresh(browser, own.json().refresh_token)).status).toBe(200)
    expect((await choose(step, 'yet another correct horse')).status).toBe(400)
    expect((await enterPortal(link, email)).pathname).toBe('/u/login')
  })

  it('leaves the session able to do what a recent one may, and to finish a login that asks something', async () => {
    const step = await submit(await begin())
    server.clock.advance(500)
    expect((await choose(step)).status).toBe(303)
    server.clock.advance(200)
    expect(locationOf(await press('factors', 'add')).pathname).toBe('/u/enroll')
    const asking = locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'consent' }) }))
    const state = asking.searchParams.get('state') ?? ''
    expect(asking.pathname).toBe('/u/consent')
    const done = await browser.post('/u/submit', { form: { state, action: 'accept' } })
    expect(locationOf(done).searchParams.get('code')).toBeTruthy()
  })
})

describe('passkeys', () => {
  beforeEach(() => enter())

  const addTo = async (owner: string, account: string) => {
    await server.database.pool.query(
      `INSERT INTO webauthn_credential (tenant_id, id, connection_id, provider_user_id, credential_id, public_key, counter,
        transports, aaguid, multi_device, backed_up, rp_id, user_handle, name, created_at)
      SELECT tenant_id, 'passkey|' || $2, connection_id, provider_user_id, $2, 'k', 0, '{}', '', true, true, 'id.test', 'h',
        'Key of ' || $2, now() FROM identity WHERE user_id = $1`,
      [owner, account],
    )
  }

  it('are shown and removed after a recent sign-in only', async () => {
    await addTo(user, `own${count}`)
    expect((await browser.get('/account/passkeys')).text).toContain(`Key of own${count}`)
    server.clock.advance(601)
    expect(locationOf(await browser.get('/account/passkeys')).pathname).toBe('/u/login')
    await enter(browser, email, '/account/passkeys')
    expect(noticeOf(await press('passkeys', 'remove', { passkey: `passkey|own${count}` }))).toBe('portal_removed')
    expect((await browser.get('/account/passkeys')).text).not.toContain(`Key of own${count}`)
  })

  it('are renamed by their owner after a recent sign-in only', async () => {
    await addTo(user, `own${count}`)
    await addTo(await server.addUser({ email: `other${count}@mail.test` }), `other${count}`)
    const rename = (name: string, id: string) => press('passkeys', 'rename', { passkey: `passkey|${id}`, name })
    const named = async () =>
      (
        await server.database.pool.query(
          'SELECT name FROM webauthn_credential WHERE credential_id IN ($1, $2) ORDER BY 1',
          [`own${count}`, `other${count}`],
        )
      ).rows.map(({ name }) => name)
    for (const id of [`other${count}`, '', 'x']) expect(noticeOf(await rename('Mine', id))).toBe('portal_gone')
    for (const name of ['', '   ', 'x'.repeat(101)])
      expect(noticeOf(await rename(name, `own${count}`))).toBe('passkey_name')
    expect(await named()).toEqual([`Key of other${count}`, `Key of own${count}`])
    expect(noticeOf(await rename(' Kitchen <tablet> ', `own${count}`))).toBe('portal_saved')
    expect((await browser.get('/account/passkeys')).text).toContain('<bdi>Kitchen &lt;tablet&gt;</bdi>')
    const records = (await server.audited()).map((record) => JSON.stringify(record))
    expect(records.filter((record) => record.includes('passkey renamed') && record.includes(user))).toHaveLength(1)
    server.clock.advance(601)
    expect(locationOf(await rename('Late', `own${count}`)).pathname).toBe('/u/login')
    expect(await named()).toEqual([`Key of other${count}`, 'Kitchen <tablet>'])
  })

  const signalsOf = ({ text }: TestResponse) =>
    JSON.parse(/data-passkey-signals="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '[]')

  it('are signalled to the browser, also when the last one was removed, with the name of now', async () => {
    expect(signalsOf(await browser.get('/account/profile'))).toEqual([])
    await addTo(user, `own${count}`)
    await press('profile', 'save', { name: 'Kim' })
    const handle = Buffer.from('h').toString('base64url')
    const signal = { rpId: 'id.test', handle, ids: [`own${count}`], name: email, displayName: 'Kim' }
    expect(signalsOf(await browser.get('/account/profile'))).toEqual([signal])
    expect(signalsOf(await browser.get('/account/passkeys'))).toEqual([signal])
    const to = locationOf(await press('passkeys', 'remove', { passkey: `passkey|own${count}` }))
    expect(signalsOf(await browser.get(`${to.pathname}${to.search}`))).toEqual([{ ...signal, ids: [] }])
  })

  it('are not signalled as removed on the word of an address, or for another user', async () => {
    await addTo(user, `own${count}`)
    expect(signalsOf(await browser.get('/account/passkeys?removed=aA'))).toMatchObject([{ ids: [`own${count}`] }])
    const to = locationOf(await press('passkeys', 'remove', { passkey: `passkey|own${count}` }))
    const other = await server.addUser({ email: `other${count}@mail.test` })
    await addTo(other, `other${count}`)
    const stranger = server.browser()
    await enter(stranger, `other${count}@mail.test`)
    expect(signalsOf(await stranger.get(`${to.pathname}${to.search}`))).toMatchObject([{ ids: [`other${count}`] }])
  })

  it('of another host are not signalled', async () => {
    await addTo(user, `own${count}`)
    await server.database.pool.query("UPDATE webauthn_credential SET rp_id = 'old.test' WHERE credential_id = $1", [
      `own${count}`,
    ])
    expect(signalsOf(await browser.get('/account/passkeys'))).toEqual([])
  })

  it('of another user are not removed', async () => {
    await addTo(await server.addUser({ email: `other${count}@mail.test` }), `other${count}`)
    for (const passkey of [`passkey|other${count}`, '', 'x'])
      expect(noticeOf(await press('passkeys', 'remove', { passkey }))).toBe('portal_gone')
    const { rows } = await server.database.pool.query('SELECT 1 FROM webauthn_credential WHERE credential_id = $1', [
      `other${count}`,
    ])
    expect(rows).toHaveLength(1)
  })

  it.each([{}, { passkey_session: 'x', passkey_response: '{}' }, { passkey_response: '{' }])(
    'are not added by %o',
    async (fields) => {
      expect(noticeOf(await press('passkeys', 'add', fields as Record<string, string>))).toBe('passkey_not_added')
    },
  )
})

describe('second factors', () => {
  beforeEach(async () => {
    await server.setTenant({
      guardianFactors: [
        { name: 'otp', enabled: true },
        { name: 'sms', enabled: true },
      ],
    })
    await enter()
  })

  const addTo = (owner: string) =>
    server.database.pool.query(
      `INSERT INTO authenticator (tenant_id, id, user_id, type, channel, active, phone_number)
      VALUES ('default', $1, $2, 'oob', 'sms', true, '+491711234567')`,
      [`sms|dev_${owner}`, owner],
    )

  it('are added on the page for it', async () => {
    const to = locationOf(await press('factors', 'add'))
    expect(to.pathname).toBe('/u/enroll')
    expect((await browser.get(`${to.pathname}${to.search}`)).text).toContain('value="otp"')
  })

  it('are not added while the address is unverified', async () => {
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [user])
    expect((await press('factors', 'add')).status).toBe(403)
  })

  it('are removed by their owner after the factor was proven, and by no other user', async () => {
    await addTo(user)
    expect(locationOf(await press('factors', 'remove', { factor: `sms|dev_${user}` })).pathname).toBe(
      '/u/mfa-challenge',
    )
    const other = await server.addUser({ email: `other${count}@mail.test` })
    await addTo(other)
    await server.database.pool.query('DELETE FROM authenticator WHERE user_id = $1', [user])
    expect(noticeOf(await press('factors', 'remove', { factor: `sms|dev_${other}` }))).toBe('portal_gone')
    const { rows } = await server.database.pool.query('SELECT 1 FROM authenticator WHERE user_id = $1', [other])
    expect(rows).toHaveLength(1)
  })

  it('shows them without what they consist of', async () => {
    await addTo(user)
    const { text } = await browser.get('/account/factors')
    expect(text).toContain('XXXXXXXX4567')
    expect(text).not.toContain('+491711234567')
  })
})

describe('sessions', () => {
  beforeEach(() => enter())

  const sidsIn = (page: TestResponse) =>
    [...page.text.matchAll(/name="session" value="([^"]+)"/g)].map(([, sid]) => sid ?? '')

  it('are listed, this one first, and ended one by one', async () => {
    const [own] = sidsIn(await browser.get('/account/sessions'))
    const other = server.browser()
    server.clock.advance(60)
    await enter(other)
    expect(sidsIn(await browser.get('/account/sessions'))[0]).toBe(own)
    const sids = sidsIn(await other.get('/account/sessions'))
    expect(sids).toHaveLength(2)
    expect(noticeOf(await press('sessions', 'end', { session: sids.find((sid) => sid !== own) ?? '' }))).not.toBeNull()
    const alive = await Promise.all([browser, other].map(async (each) => (await each.get('/account/sessions')).status))
    expect(alive.toSorted()).toEqual([200, 302])
  })

  it('show the browser, the system and the address that they began with', async () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const [named, unnamed] = [
      { ip: '2001:db8::7', userAgent },
      { ip: '2001:db8::8', userAgent: '<b>x</b>' },
    ]
    for (const where of [named, unnamed]) await enter(server.browser(where))
    const { text } = await browser.get('/account/sessions')
    for (const shown of ['Firefox · Linux', named.ip, unnamed.ip]) expect(text).toContain(`<bdi>${shown}</bdi>`)
    expect(text).not.toContain('<b>x')
  })

  it('of another user cannot be ended', async () => {
    const stranger = server.browser()
    const address = `stranger${count}@mail.test`
    await server.addUser({ email: address })
    await enter(stranger, address)
    const [sid = ''] = sidsIn(await stranger.get('/account/sessions'))
    for (const session of [sid, '', 'x'])
      expect(noticeOf(await press('sessions', 'end', { session }))).toBe('portal_gone')
    expect((await stranger.get('/account/sessions')).status).toBe(200)
  })

  it('all end at once, with what stays signed in', async () => {
    const code = (await signIn(server.browser(), email, { scope: 'openid offline_access' })).get('code') ?? ''
    const { refresh_token } = (await redeem(server.browser(), code)).json()
    await press('sessions', 'end-all')
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
    expect((await refresh(server.browser(), refresh_token)).status).toBe(403)
  })

  it('forgets the browsers that need no factor', async () => {
    await server.database.pool.query(
      `INSERT INTO known_browser (tenant_id, user_id, digest, seen_at, created_at) VALUES ('default', $1, 'x', now(), now())`,
      [user],
    )
    expect(noticeOf(await press('sessions', 'forget-browsers'))).toBe('portal_removed')
    const { rows } = await server.database.pool.query('SELECT 1 FROM known_browser WHERE user_id = $1', [user])
    expect(rows).toEqual([])
  })
})

describe('applications', () => {
  beforeEach(() => enter())

  it('lose their access', async () => {
    const code = (await signIn(server.browser(), email, { scope: 'openid offline_access' })).get('code') ?? ''
    const { refresh_token } = (await redeem(server.browser(), code)).json()
    expect((await browser.get('/account/applications')).text).toContain('name="client" value="spa"')
    expect(noticeOf(await press('applications', 'revoke', { client: 'spa' }))).toBe('portal_removed')
    expect((await refresh(server.browser(), refresh_token)).status).toBe(403)
    expect((await browser.get('/account/applications')).text).not.toContain('name="client"')
  })

  it.each(['spa', '', '__proto__'])('an unknown application cannot be revoked: %j', async (client) => {
    expect(noticeOf(await press('applications', 'revoke', { client }))).toBe('portal_gone')
  })
})

describe('connected accounts', () => {
  it('the account itself and an unknown account cannot be unlinked', async () => {
    await enter()
    expect((await browser.get('/account/connections')).text).toContain('Users')
    const own = { provider: 'auth0', user_id: user.slice('auth0|'.length) }
    expect(noticeOf(await press('connections', 'unlink', own))).toBe('portal_gone')
    expect(noticeOf(await press('connections', 'unlink', { provider: 'google-oauth2', user_id: 'x' }))).toBe(
      'portal_gone',
    )
  })

  it('are disconnected, which signs out everywhere', async () => {
    await enter()
    const second = await server.addUser({ id: `second${count}`, email: `second${count}@mail.test` })
    await server.database.pool.query('UPDATE identity SET user_id = $1 WHERE user_id = $2', [user, second])
    await server.database.pool.query('DELETE FROM "user" WHERE id = $1', [second])
    const other = { provider: 'auth0', user_id: `second${count}` }
    expect(noticeOf(await press('connections', 'unlink', other))).toBe('portal_removed')
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
  })
})

describe('activity', () => {
  beforeEach(() => enter())

  it('is shown in words, newest first, of the user alone', async () => {
    await press('profile', 'save', { name: 'Kim' })
    await server.audited()
    const { text } = await browser.get('/account/activity')
    expect(text).toContain('Signed in')
    expect(text.indexOf('The account was changed')).toBeLessThan(text.indexOf('Signed in'))
    expect(text).toContain(`203.0.113.${count}`)
    expect(text).not.toContain(`203.0.113.${count - 1}<`)
  })

  it('a report of foreign activity ends every login and the password, and mails a link', async () => {
    expect(noticeOf(await press('activity', 'not-me'))).toBe('portal_reset_sent')
    expect(locationOf(await browser.get('/account')).pathname).toBe('/u/login')
    expect((await enter(browser)).pathname).toBe('/u/login')
    const form = { ticket: await ticketTo(server, email), action: 'reset-password', password: `${PASSWORD} again` }
    expect((await browser.post('/u/reset-password', { form })).status).toBe(200)
  })

  it('keeps the password where no link could reach the owner', async () => {
    await server.database.pool.query('UPDATE "user" SET email_verified = false WHERE id = $1', [user])
    const before = (await mailsTo(server, email)).length
    expect(noticeOf(await press('activity', 'not-me'))).toBe('portal_ended')
    expect((await mailsTo(server, email)).length).toBe(before)
    expect((await enter(browser)).pathname).toBe('/account/profile')
  })
})

it('gives a copy of the data as a file, without secrets and without what operators keep', async () => {
  await server.database.pool.query(`UPDATE "user" SET app_metadata = '{"note":"secret note"}' WHERE id = $1`, [user])
  await enter()
  const answer = await press('data', 'download')
  expect([answer.status, answer.header('content-disposition')]).toEqual([200, 'attachment; filename="account.json"'])
  expect(answer.json()).toMatchObject({ profile: { user_id: user, email }, sessions: [{ clients: ['$account'] }] })
  expect(answer.text).not.toContain('secret note')
  expect(answer.text).not.toContain('argon2')
})
