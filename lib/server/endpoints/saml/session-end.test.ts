// SessionNotOnOrAfter of a SAML provider ends the session and the tokens that rely on it (SAML Core 2.7.2).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { addSeconds } from '../../../kernel/clock'
import { authorizeQuery, locationOf, payloadOf, redeem, refresh, SPA, userinfo } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { encoded, IDP, samlAnswer } from '../../../testing/saml-idp'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const CALLBACK = 'https://id.test/login/callback'
const ONLINE = 'openid profile email'

let server: TestServer
let idp: Partner
let browser: Browser

beforeAll(async () => {
  idp = await makePartner()
  server = await testServer()
  await server.addClient(SPA)
  await server.addApi('https://api.test', {})
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } } })
  const options = { signInEndpoint: 'https://idp.test/sso', signingCert: idp.certificatePem, idpEntityId: IDP }
  for (const [name, more] of [
    ['corp', {}],
    ['strict', { end_refresh_tokens_with_session: true }],
  ] as const) {
    await server.addConnection(name, { options: { ...options, ...more } as never } as never, `con_${name}`, 'samlp')
  }
})
afterAll(() => server.close())
beforeEach(() => {
  browser = server.browser()
})

/** Signs in with a session of the provider that ends in so many seconds; null for one without an end. */
async function enter(
  seconds: number | null,
  extra: Record<string, string> = {},
  connection = 'corp',
): Promise<TestResponse> {
  const left = await browser.get('/authorize', { query: authorizeQuery({ connection, ...extra }) })
  const { searchParams } = locationOf(left)
  const { id } = readAuthnRequest(parseXml(decodeMessage(searchParams.get('SAMLRequest') ?? '')))
  const now = server.clock.now()
  const xml = await samlAnswer(idp, {
    now,
    recipient: `${CALLBACK}?connection=${connection}`,
    audience: `urn:id.test:${connection}`,
    inResponseTo: id,
    bend: (assertion) =>
      seconds === null
        ? assertion
        : assertion.replace(
            'SessionIndex=',
            `SessionNotOnOrAfter="${addSeconds(now, seconds).toISOString()}" SessionIndex=`,
          ),
  })
  const form = { SAMLResponse: encoded(xml), RelayState: searchParams.get('RelayState') ?? '' }
  const posted = await server
    .browser()
    .post('/login/callback', { query: { connection }, form, headers: { 'sec-fetch-site': 'cross-site' } })
  return browser.get(posted.header('location') ?? '')
}

const codeOf = (answer: TestResponse): string => locationOf(answer).searchParams.get('code') ?? ''
const silently = async (extra: Record<string, string> = {}): Promise<URLSearchParams> =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none', ...extra }) })).searchParams

describe('a session at the provider that ends', () => {
  it('is stated to SAML applications, too', async () => {
    await enter(600)
    const xml = async (): Promise<string> =>
      decodeMessage(formOf((await browser.get('/samlp/sp')).text).fields.SAMLResponse ?? '')
    const end = addSeconds(server.clock.now(), 600).toISOString()
    expect(await xml()).toContain(` SessionNotOnOrAfter="${end}"`)
    browser = server.browser()
    await enter(null)
    expect(await xml()).not.toContain('SessionNotOnOrAfter')
  })

  it('ends the session here at the same time', async () => {
    await enter(600)
    server.clock.advance(599)
    expect((await silently()).get('code')).toBeTruthy()
    server.clock.advance(1)
    expect((await silently()).get('error')).toBe('login_required')
  })

  it('leaves a session without an end as it is', async () => {
    await enter(null)
    server.clock.advance(601)
    expect((await silently()).get('code')).toBeTruthy()
  })

  it('lengthens no session', async () => {
    await enter(10 * 365 * 86_400)
    server.clock.advance(31 * 86_400)
    expect((await silently()).get('error')).toBe('login_required')
  })

  it('ends tokens without offline_access, of this login and of later ones by its session', async () => {
    const first = (await redeem(browser, codeOf(await enter(600, { scope: ONLINE })))).json()
    expect(first.expires_in).toBe(600)
    const { iat, exp } = payloadOf(first.id_token) as { iat: number; exp: number }
    expect(exp - iat).toBe(600)
    server.clock.advance(300)
    const code = (await silently({ scope: ONLINE, audience: 'https://api.test' })).get('code') ?? ''
    const later = (await redeem(browser, code)).json()
    expect(later.expires_in).toBe(300)
    for (const { access_token } of [first, later]) expect((await userinfo(browser, access_token)).status).toBe(200)
    server.clock.advance(300)
    for (const { access_token } of [first, later]) expect((await userinfo(browser, access_token)).status).toBe(401)
  })

  it('ends a code that is redeemed too late', async () => {
    const code = codeOf(await enter(30, { scope: ONLINE }))
    server.clock.advance(30)
    expect((await redeem(browser, code)).json().error).toBe('invalid_grant')
  })

  it('leaves refresh tokens with offline_access, unless the connection ends them', async () => {
    const tokens = (await redeem(browser, codeOf(await enter(600)))).json()
    expect(tokens.expires_in).toBeGreaterThan(600)
    server.clock.advance(601)
    const refreshed = (await refresh(browser, tokens.refresh_token)).json()
    expect(refreshed.expires_in).toBeGreaterThan(600)
    expect((await userinfo(browser, refreshed.access_token)).status).toBe(200)
  })

  it('ends refresh tokens where the connection says so, and what is refreshed before', async () => {
    const tokens = (await redeem(browser, codeOf(await enter(600, {}, 'strict')))).json()
    expect(tokens.expires_in).toBe(600)
    server.clock.advance(500)
    const refreshed = (await refresh(browser, tokens.refresh_token)).json()
    expect(refreshed.expires_in).toBe(100)
    const narrowed = (await refresh(browser, refreshed.refresh_token, { scope: 'openid' })).json()
    expect(narrowed.expires_in).toBe(100)
    server.clock.advance(100)
    expect((await refresh(browser, narrowed.refresh_token)).json().error).toBe('invalid_grant')
    expect((await userinfo(browser, refreshed.access_token)).status).toBe(401)
  })

  it('gives way to that of a later login', async () => {
    await enter(600)
    server.clock.advance(1)
    await enter(1200, { prompt: 'login' })
    server.clock.advance(601)
    expect((await silently()).get('code')).toBeTruthy()
    server.clock.advance(600)
    expect((await silently()).get('error')).toBe('login_required')
  })

  it('is a reason to refuse the login where it is over already', async () => {
    expect((await enter(-200)).status).toBe(400)
    expect((await silently()).get('error')).toBe('login_required')
    expect(server.lines.find(({ fields }) => fields.failure === 'unfit')?.fields.detail).toMatch(/ended at/)
  })
})
