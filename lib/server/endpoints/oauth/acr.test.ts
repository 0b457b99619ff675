// The class of an authentication (OIDC Core 2, 3.1.2.1 and 5.5.1.1): asked for by `acr_values` or by claim, required by an essential
// claim, and stated in the tokens of the request alone (threat-model.md AZ13).
import { describe, expect } from 'vitest'
import { SINGLE_FACTOR_ACR as ONE, MULTI_FACTOR_ACR as TWO } from '../../../identity/mfa/acr'
import { makeClientKey, signAs } from '../../../testing/client-key'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  submitPassword,
} from '../../../testing/journey'
import { codeOf, demand, enrollApp } from '../../../testing/mfa'
import { mfaTest } from '../../../testing/mfa-test'
import type { Browser, TestResponse, TestServer } from '../../../testing/server'

const API = 'https://api.test'
const UNMET = 'unmet_authentication_requirements'
const KEY = makeClientKey()

let server: TestServer
let browser: Browser
let user: string

const it = mfaTest(async (server) => {
  await server.addClient({
    ...SPA,
    settings: {
      ...SPA.settings,
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
      jwks: { keys: [KEY.jwk] },
    },
  })
  await server.addClient({ ...SPA, clientId: 'by-default', settings: { ...SPA.settings, default_acr_values: [ONE] } })
  await server.addClient({ ...SPA, clientId: 'strong', settings: { ...SPA.settings, default_acr_values: [TWO] } })
  await server.addApi(API, { allow_offline_access: true, token_dialect: 'rfc9068_profile' })
})
it.beforeEach(async ({ mfa }) => {
  ;({ server, browser, user } = mfa)
  await demand(server, [], [])
})

const claim = (acr: unknown) => ({ claims: JSON.stringify({ id_token: { acr } }) })
const essential = (...values: string[]) => claim({ essential: true, values })

const signIn = async (extra: Record<string, string> = {}): Promise<TestResponse> =>
  submitPassword(browser, await beginLogin(browser, extra), user)
const tokensOf = async (answer: TestResponse, extra = {}) =>
  (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '', extra)).json()
const acrOf = async (answer: TestResponse, extra = {}) => payloadOf((await tokensOf(answer, extra)).id_token).acr
const send = (extra: Record<string, string>) => browser.get('/authorize', { query: authorizeQuery(extra) })
const errorOf = (answer: TestResponse) => locationOf(answer).searchParams.get('error')

/** A factor that the user has, so that the tenant can ask for one. */
async function withFactor(): Promise<(answer: TestResponse) => Promise<TestResponse>> {
  await demand(server)
  const { secret } = await enrollApp(server, browser, user)
  await demand(server, [], ['otp'])
  return async (answer) => {
    const page = locationOf(answer)
    expect(page.pathname).toBe('/u/mfa-challenge')
    const state = page.searchParams.get('state') ?? ''
    return browser.post('/u/submit', { form: { state, action: 'mfa-verify', code: codeOf(server, secret) } })
  }
}

describe('a login by password alone', () => {
  it.each<[string, Record<string, string>]>([
    ['acr_values', { acr_values: ONE }],
    ['acr_values that no login can have', { acr_values: '1 2' }],
    ['a voluntary claim', claim(null)],
    ['a voluntary claim with a value that no login can have', claim({ value: 'urn:other' })],
    ['a voluntary claim with a second factor that the tenant does not have', claim({ values: [TWO] })],
    ['an essential claim', claim({ essential: true })],
    ['an essential claim with its value', claim({ essential: true, value: ONE })],
    ['an essential claim with it among others', essential('urn:other', TWO, ONE)],
  ])('has the class that discovery names, where %s asks', async (_name, extra) => {
    expect(await acrOf(await signIn(extra))).toBe(ONE)
    expect(await acrOf(await send({ prompt: 'none', ...extra }))).toBe(ONE)
  })

  it('states no class where the request does not ask', async () => {
    const ofUserinfo = { claims: JSON.stringify({ userinfo: { acr: { essential: true } } }) }
    for (const extra of [{}, ofUserinfo] as Record<string, string>[]) {
      const tokens = await tokensOf(await signIn({ prompt: 'login', ...extra }))
      expect(payloadOf(tokens.id_token)).not.toHaveProperty('acr')
    }
  })

  it('the acr is in the access token and after a refresh as well', async () => {
    const tokens = await tokensOf(await signIn({ acr_values: ONE, audience: API }))
    const again = (await refresh(browser, tokens.refresh_token)).json()
    for (const token of [tokens.id_token, tokens.access_token, again.id_token, again.access_token])
      expect(payloadOf(token).acr).toBe(ONE)
  })

  it('states it in what the browser receives', async () => {
    const extra = { response_type: 'code id_token token', audience: API, ...claim(null) }
    const fragment = new URLSearchParams(locationOf(await signIn(extra)).hash.slice(1))
    for (const name of ['id_token', 'access_token']) expect(payloadOf(fragment.get(name)).acr).toBe(ONE)
  })

  it('follows the classes that the client registered, unless the request names others', async () => {
    const asking = { client_id: 'by-default' }
    expect(await acrOf(await signIn(asking), asking)).toBe(ONE)
    const strong = { client_id: 'strong' }
    expect(await acrOf(await send(strong), strong)).toBe(ONE)
    await demand(server, [], ['otp'])
    expect(locationOf(await send(strong)).pathname).toBe('/u/mfa-enroll')
    expect(await acrOf(await send({ ...strong, acr_values: ONE, prompt: 'none' }), strong)).toBe(ONE)
  })
})

describe('an essential class that no login can have', () => {
  const IMPOSSIBLE: [string, Record<string, string>][] = [
    ['an unknown one', essential('urn:other')],
    ['an unknown one as a value', claim({ essential: true, value: 'urn:other' })],
    ['a second factor where the tenant has none', essential(TWO)],
    ['none of an empty list', essential()],
    ['an unknown one beside acr_values that can be met', { ...essential('urn:other'), acr_values: ONE }],
  ]

  it.each(IMPOSSIBLE)('fails the authentication: %s', async (_name, extra) => {
    expect(errorOf(await send(extra))).toBe(UNMET)
    await signIn()
    for (const prompt of ['none', 'login', 'consent']) expect(errorOf(await send({ ...extra, prompt }))).toBe(UNMET)
  })

  it('fails in every response mode, and in a signed and a pushed request', async () => {
    const extra = essential('urn:other')
    const fragment = locationOf(await send({ ...extra, response_type: 'id_token' }))
    expect(new URLSearchParams(fragment.hash.slice(1)).get('error')).toBe(UNMET)
    const claims = { id_token: { acr: { essential: true, value: 'urn:other' } } }
    const request = await signAs(KEY, { ...authorizeQuery(), iss: 'spa', aud: 'https://id.test/', claims })
    expect(errorOf(await browser.get('/authorize', { query: { client_id: 'spa', request } }))).toBe(UNMET)
    const pushed = await browser.post('/oauth/par', { form: authorizeQuery(extra) })
    const { request_uri } = pushed.json()
    expect(
      errorOf(await browser.get('/authorize', { query: { client_id: 'spa', request_uri: String(request_uri) } })),
    ).toBe(UNMET)
  })

  it('fails a login that began while it could be met', async () => {
    await demand(server, [], ['otp'])
    const state = await beginLogin(browser, essential(TWO))
    await demand(server, [], [])
    expect(errorOf(await submitPassword(browser, state, user))).toBe(UNMET)
  })
})

describe('a second factor', () => {
  it('is asked for where an essential class needs it, and met by it', async () => {
    const prove = await withFactor()
    expect(await acrOf(await prove(await signIn(essential(TWO))))).toBe(TWO)
    expect(await acrOf(await send({ ...essential(TWO), prompt: 'none' }))).toBe(TWO)
  })

  it('is missing in a session that lacks it, which a page can change', async () => {
    const prove = await withFactor()
    await signIn()
    expect(errorOf(await send({ ...essential(TWO), prompt: 'none' }))).toBe('login_required')
    expect(errorOf(await send({ ...essential(TWO), acr_values: ONE, prompt: 'none' }))).toBe('login_required')
    expect(await acrOf(await prove(await send(essential('urn:other', TWO))))).toBe(TWO)
  })

  it('is not asked for where one factor is enough for the request', async () => {
    await withFactor()
    await signIn()
    for (const extra of [essential(TWO, ONE), essential(ONE), { acr_values: `${ONE} ${TWO}` }])
      expect(await acrOf(await send({ ...extra, prompt: 'none' }))).toBe(ONE)
  })

  it('gives the class that the request names, of those that the login has', async () => {
    const prove = await withFactor()
    await prove(await signIn({ acr_values: TWO }))
    const silently = async (extra: Record<string, string>) => acrOf(await send({ ...extra, prompt: 'none' }))
    expect(await silently({})).toBe(TWO)
    expect(await silently(claim(null))).toBe(TWO)
    expect(await silently(essential(ONE, TWO))).toBe(TWO)
    expect(await silently(essential(ONE))).toBe(ONE)
    expect(await silently({ ...essential(ONE), acr_values: TWO })).toBe(ONE)
    const { id_token } = await tokensOf(await send({ ...essential(ONE), prompt: 'none' }))
    expect(payloadOf(id_token).amr).toContain('mfa')
  })

  it('a second factor of the session meets the acr after the tenant has switched its factors off, for its own user alone', async () => {
    const prove = await withFactor()
    await prove(await signIn({ acr_values: TWO }))
    await demand(server, [], [])
    expect(await acrOf(await send({ ...essential(TWO), prompt: 'none' }))).toBe(TWO)
    const state =
      locationOf(await send({ ...essential(TWO), prompt: 'select_account' })).searchParams.get('state') ?? ''
    expect(errorOf(await browser.post('/u/submit', { form: { state, action: 'switch' } }))).toBe(UNMET)
  })
})
