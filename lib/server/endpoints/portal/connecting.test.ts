// Connecting an account of a provider in the portal: what proves it, and what is refused (threat-model.md UP8).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { providerSetupOf } from '../../../data/connections/upstream/provider-setup'
import { beginLogin, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { offerPasskeys } from '../../../testing/passkeys'
import { confirmationOf, enterPortal, submitInPortal } from '../../../testing/portal'
import type { Browser, TestResponse } from '../../../testing/server'
import { comeBack, press, signInBy, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

const CORP = { issuer: 'https://idp.test' }

let server: UpstreamTestServer
let browser: Browser
let user: string
let sub: string
let count = 0

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  await server.setTenant({ tenant: { rate_limits: { submit: false, pages: false } } })
  await server.addProvider('corp', 'oidc', { show_as_button: true, display_name: 'Corp Ltd', options: CORP })
  await server.addProvider('google-oauth2', 'google-oauth2', { options: { store_tokens: true } })
  await server.addProvider('members', 'oidc', { options: { ...CORP, disable_signup: true } })
  await server.addProvider('closed', 'oidc', { enabled_clients: [], options: CORP })
})
afterAll(() => server.close())

const person = async (data = { emailVerified: true }) => {
  count += 1
  const own = { email: `user${count}@mail.test`, browser: server.browser() }
  const id = await server.addUser({ email: own.email, data })
  await enterPortal(own.browser, own.email)
  return { ...own, id }
}

beforeEach(async () => {
  ;({ browser, id: user } = await person())
  sub = `k-${count}`
})

const leave = async (connection = 'corp', own = browser): Promise<URL> =>
  locationOf(await submitInPortal(own, 'connections', { action: 'connect', connection }))

const noticeOf = (answer: TestResponse): string | null => {
  expect(locationOf(answer).pathname).toBe('/account/connections')
  return locationOf(answer).searchParams.get('notice')
}

const pageOf = async (answer: TestResponse, own = browser): Promise<string> => {
  const { pathname, search } = locationOf(answer)
  return (await own.get(pathname + search)).text
}

/** What was read of the providers is read again. */
const forgetServers = async () => (await server.runtime()).upstreamServers.clear()

const identitiesOf = async (id = user): Promise<string[]> => {
  const text = `SELECT connection_id || ' ' || provider_user_id AS identity FROM identity WHERE user_id = $1 ORDER BY 1`
  const { rows } = await server.database.pool.query(text, [id])
  return rows.map(({ identity }) => String(identity)).filter((each) => !each.startsWith('con_database '))
}

describe('an account of a provider', () => {
  it('is offered, connected by signing in there, and signs the user in', async () => {
    const { text } = await browser.get('/account/connections')
    for (const name of ['corp', 'google-oauth2']) expect(text).toContain(`name="connection" value="${name}"`)
    for (const name of ['members', 'closed', 'Users']) expect(text).not.toContain(`name="connection" value="${name}"`)
    const away = await leave()
    expect([away.origin, away.searchParams.get('prompt')]).toEqual(['https://idp.test', 'login'])
    const answer = await comeBack(browser, server.double, away, { sub, email: 'corp@mail.test' })
    expect([answer.status, noticeOf(answer)]).toEqual([303, 'portal_connected'])
    expect((await browser.get('/account/connections')).text).toContain('corp@mail.test')
    const other = server.browser()
    const code = locationOf(await signInBy(other, server, 'corp', { sub })).searchParams.get('code') ?? ''
    expect(payloadOf((await redeem(other, code)).json().id_token).sub).toBe(user)
  })

  it('is disconnected to a user of its own, and keeps the tokens of its connection sealed', async () => {
    await comeBack(browser, server.double, await leave('google-oauth2'), { sub })
    const text = `SELECT connected_at, sealed_tokens IS NOT NULL AS sealed FROM identity WHERE provider_user_id = $1`
    const stored = async () => (await server.database.pool.query(text, [sub])).rows
    expect(await stored()).toEqual([{ connected_at: server.clock.now(), sealed: true }])
    const fields = { action: 'unlink', provider: 'google-oauth2', user_id: sub }
    expect(noticeOf(await submitInPortal(browser, 'connections', fields))).toBe('portal_removed')
    expect(await identitiesOf(`google-oauth2|${sub}`)).toEqual([`con_google-oauth2 ${sub}`])
    expect(await stored()).toEqual([{ connected_at: null, sealed: true }])
  })

  it('an account that the user has already connected stays as it is', async () => {
    for (const _ of [1, 2])
      expect(noticeOf(await comeBack(browser, server.double, await leave(), { sub }))).toBe('portal_connected')
    expect(await identitiesOf()).toEqual([`con_corp corp|${sub}`])
  })
})

describe('a refused connection', () => {
  it('an account that belongs to another user is refused', async () => {
    await signInBy(server.browser(), server, 'corp', { sub })
    expect(noticeOf(await comeBack(browser, server.double, await leave(), { sub }))).toBe('connection_taken')
    expect([await identitiesOf(), await identitiesOf(`oidc|corp|${sub}`)]).toEqual([[], [`con_corp corp|${sub}`]])
  })

  it.each(['members', 'closed', 'Users', 'x', ''])(
    'a connection that is not offered is refused: %j',
    async (connection) => {
      expect((await leave(connection)).searchParams.get('notice')).toBe('portal_gone')
    },
  )

  it('the answer of another connection is refused, since it fits neither its state nor its keys', async () => {
    const away = await leave()
    const elsewhere = await leave('google-oauth2')
    const { code } = server.double.answer(elsewhere.href, { sub })
    const state = away.searchParams.get('state') ?? ''
    expect((await browser.get('/login/callback', { query: { state, code: code ?? '' } })).status).toBe(400)
    expect(await identitiesOf()).toEqual([])
  })

  it('a connection that was closed in the meantime is refused', async () => {
    await server.addProvider(`short${count}`, 'oidc', { options: CORP })
    const away = await leave(`short${count}`)
    await server.database.pool.query('DELETE FROM connection WHERE id = $1', [`con_short${count}`])
    server.clock.advance(2)
    expect(noticeOf(await comeBack(browser, server.double, away, { sub }))).toBe('connection_failed')
  })

  it('a replayed state is refused', async () => {
    const away = await leave()
    await comeBack(browser, server.double, away, { sub })
    expect((await comeBack(browser, server.double, away, { sub: 'other' })).status).toBe(400)
    expect(await identitiesOf()).toEqual([`con_corp corp|${sub}`])
  })

  it('another browser is refused, also of the same user, and the state stays valid', async () => {
    const away = await leave()
    const { browser: others } = await person()
    const second = server.browser()
    await enterPortal(second, `user${count - 1}@mail.test`)
    for (const stranger of [server.browser(), others, second])
      expect((await comeBack(stranger, server.double, away, { sub })).status).toBe(400)
    expect(await identitiesOf()).toEqual([])
    expect(noticeOf(await comeBack(browser, server.double, away, { sub }))).toBe('portal_connected')
  })

  it('a session that is older, a session that has ended, and a state after ten minutes are refused', async () => {
    const ended = await leave()
    await server.database.pool.query('UPDATE session SET ended_at = $2 WHERE user_id = $1', [user, server.clock.now()])
    expect((await comeBack(browser, server.double, ended, { sub })).status).toBe(400)
    ;({ browser, id: user } = await person())
    const late = await leave()
    server.clock.advance(601)
    expect((await comeBack(browser, server.double, late, { sub })).status).toBe(400)
    expect((await leave()).pathname).toBe('/u/login')
    expect(await identitiesOf()).toEqual([])
  })

  it('a user who was blocked or signed out everywhere while away is refused by the write itself', async () => {
    const { connectedAccounts } = await server.runtime()
    const account = {
      connectionId: 'con_corp',
      provider: 'oidc',
      providerUserId: `corp|${sub}`,
      isSocial: false,
      person: {
        email: null,
        emailVerified: false,
        name: null,
        givenName: null,
        familyName: null,
        nickname: null,
        picture: null,
        rest: {},
      },
      sealedTokens: null,
      userId: user,
      provenAt: server.clock.now(),
      mail: null,
      at: server.clock.now(),
    }
    const { rows } = await server.database.pool.query('SELECT sid FROM session WHERE user_id = $1', [user])
    const login = { sid: String(rows[0]?.sid) }
    const set = (change: string) => server.database.pool.query(`UPDATE "user" SET ${change} WHERE id = $1`, [user])
    await set('blocked = true')
    expect(await connectedAccounts.connect({ ...account, login })).toBe('ended')
    await set(`blocked = false, not_before = '${new Date(server.clock.now().getTime() + 1000).toISOString()}'`)
    expect(await connectedAccounts.connect({ ...account, login })).toBe('ended')
    await set('not_before = NULL')
    expect(await connectedAccounts.connect({ ...account, login: { sid: 'x' } })).toBe('ended')
    expect(
      await connectedAccounts.connect({ ...account, login: { familyId: '00000000-0000-4000-8000-000000000000' } }),
    ).toBe('ended')
    await set('email_verified = false')
    expect(await connectedAccounts.connect({ ...account, login })).toBe('address_unproven')
    await set('email_verified = true')
    expect(await connectedAccounts.connect({ ...account, login })).toEqual(server.clock.now())
  })

  it('an account whose address is unverified is refused', async () => {
    const { browser: own } = await person({ emailVerified: false })
    const form = { confirmation: await confirmationOf(own), action: 'connect', connection: 'corp' }
    expect((await own.post('/account/connections', { form })).status).toBe(403)
  })

  it('a refusal of the provider is named on the page and in the log', async () => {
    const state = (await leave()).searchParams.get('state') ?? ''
    const answer = await browser.get('/login/callback', { query: { state, error: 'access_denied' } })
    expect(noticeOf(answer)).toBe('upstream_denied')
    expect(await pageOf(answer)).toContain('The sign-in there was cancelled.')
    expect((await server.audited()).at(-1)).toMatchObject({
      type: 'fapi',
      user_id: user,
      connection: 'corp',
      description: 'the provider answered access_denied',
      details: { reason: 'upstream_denied' },
    })
  })

  it('an answer for another audience is refused on a page that says so', async () => {
    const answer = await comeBack(browser, server.double, await leave(), { sub, aud: 'another' })
    expect([answer.status, answer.text.includes('it names another audience')]).toEqual([400, true])
  })
})

describe('a provider that gives no answer', () => {
  afterEach(async () => {
    server.double.mischief = {}
    await forgetServers()
  })

  it.each([
    ['ENOTFOUND', 'Corp Ltd couldn’t be reached: its host name was not found.'],
    ['ABORT_ERR', 'Corp Ltd couldn’t be reached: it did not answer in time.'],
    ['EFORBIDDENADDRESS', 'Signing in with this provider didn’t work.'],
  ])('is named with the cause, before the way there as after it: %s', async (code, words) => {
    const away = await leave()
    server.double.mischief = { away: code }
    await forgetServers()
    for (const answer of [
      await submitInPortal(browser, 'connections', { action: 'connect', connection: 'corp' }),
      await comeBack(browser, server.double, away, { sub }),
    ]) {
      expect(noticeOf(answer)).toBe('upstream_failed')
      const page = await pageOf(answer)
      expect(page).toContain(words)
      expect(page).not.toContain(code)
    }
    expect((await server.audited()).at(-1)).toMatchObject({
      type: 'fapi',
      connection: 'corp',
      details: { reason: 'upstream_unreachable' },
    })
  })

  it('is named to the session that tried, and to no other', async () => {
    server.double.mischief = { away: 'ENOTFOUND' }
    await forgetServers()
    const answer = await submitInPortal(browser, 'connections', { action: 'connect', connection: 'corp' })
    const { browser: other } = await person()
    expect(await pageOf(answer)).toContain('Corp Ltd couldn’t be reached')
    expect(await pageOf(answer, other)).not.toContain('couldn’t be reached')
    const query = { notice: 'upstream_failed', cause: 'nonsense' }
    expect((await browser.get('/account/connections', { query })).text).not.toContain('couldn’t be reached')
  })
})

describe('of parallel attempts', () => {
  it('one of two parallel attempts to connect one account to two users succeeds', async () => {
    const other = await person()
    const away = [await leave(), await leave('corp', other.browser)]
    const answers = await Promise.all(
      [browser, other.browser].map((own, index) => comeBack(own, server.double, away[index] as URL, { sub })),
    )
    expect(answers.map(noticeOf).toSorted()).toEqual(['connection_taken', 'portal_connected'])
    expect([...(await identitiesOf()), ...(await identitiesOf(other.id))]).toEqual([`con_corp corp|${sub}`])
  })

  it('to connect an account and to sign in with it for the first time, both have an answer and one has the account', async () => {
    const newcomer = server.browser()
    const away = await leave()
    const first = await press(newcomer, await beginLogin(newcomer), 'corp')
    const [connected, signedIn] = await Promise.all([
      comeBack(browser, server.double, away, { sub }),
      comeBack(newcomer, server.double, first, { sub }),
    ])
    expect(['connection_taken', 'portal_connected']).toContain(noticeOf(connected))
    const code = locationOf(signedIn).searchParams.get('code') ?? ''
    const owner = noticeOf(connected) === 'portal_connected' ? user : `oidc|corp|${sub}`
    expect(payloadOf((await redeem(newcomer, code)).json().id_token).sub).toBe(owner)
    expect(await identitiesOf(owner)).toEqual([`con_corp corp|${sub}`])
  })
})

it('a person of a provider reads where the password and the addresses are changed, and that there are no passkeys', async () => {
  await offerPasskeys(server)
  const own = server.browser()
  const state = locationOf(await own.get('/account')).searchParams.get('state') ?? ''
  const away = await press(own, state, 'corp')
  const email = 'only-there@mail.test'
  const back = locationOf(await comeBack(own, server.double, away, { sub: 'only-there', email, email_verified: true }))
  expect(back.pathname).toBe('/account/profile')
  const password = (await own.get('/account/password')).text
  expect(password).toContain('You sign in with Corp Ltd. Change your password there.')
  expect(password).not.toContain('value="change"')
  expect((await own.get('/account/passkeys')).text).toContain('cannot have passkeys here')
})

it('a login begins at the provider where the address of its page names the connection', async () => {
  const { baseUrl, entityId, connections } = await server.runtime()
  const corp = (await connections.all()).find(({ name }) => name === 'corp')
  const { initiate_login_uri: address = '' } = corp ? providerSetupOf(corp, { baseUrl, entityId }) : {}
  const { pathname, searchParams } = new URL(address)
  const own = server.browser()
  const query = { ...Object.fromEntries(searchParams), iss: 'https://idp.test' }
  const away = locationOf(await own.get(pathname, { query }))
  expect(away.origin).toBe('https://idp.test')
  const back = await comeBack(own, server.double, away, {
    sub: 'begun',
    email: 'begun@mail.test',
    email_verified: true,
  })
  expect(locationOf(back).pathname).toBe('/account/profile')
})
