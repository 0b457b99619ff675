// What an action does with a refresh token, where it is issued and where it is exchanged: metadata and an earlier end.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction, bindActions, postLogin } from '../../../testing/bind-action'
import {
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signInForTokens,
  submitPassword,
} from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const CLAIM = 'https://acme.example/said'
const KIM = 'kim@mail.test'
const API = 'https://orders.test'
const tenant = { default_directory: 'Users' }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  const grants = ['authorization_code', 'refresh_token', 'password', DEVICE]
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: grants } })
  const bounded = { expiration_type: 'expiring', token_lifetime: 86_400, idle_token_lifetime: 3600, leeway: 0 }
  await server.addClient({
    clientId: 'bounded',
    settings: { ...SPA.settings, grant_types: grants, refresh_token: { ...bounded, rotation_type: 'rotating' } },
  })
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: true })
  await server.addUser({ id: 'kim', email: KIM })
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.advance(600)
  await server.setTenant({ tenant })
})

const at = (body: string) => bindAction(server, 'post-login', postLogin(body), { tenant })
const showing = `api.idToken.setCustomClaim('${CLAIM}', event.refresh_token ?? 'none')`
const shownIn = (answer: Record<string, unknown>) => payloadOf(answer.id_token)[CLAIM] as Record<string, unknown>
const exchanged = async (token: unknown, client_id = 'spa') =>
  (await refresh(server.browser(), token, { client_id })).json()
const byPassword = async (client_id = 'spa', scope = 'openid offline_access') => {
  const form = { grant_type: 'password', client_id, username: KIM, password: PASSWORD, scope }
  return (await server.browser().post('/oauth/token', { form })).json()
}
const stored = async () =>
  (
    await server.database.pool.query(
      `SELECT id, metadata, (extract(epoch FROM expires_at - created_at))::int AS life,
        (extract(epoch FROM idle_expires_at - created_at))::int AS idle FROM token_family ORDER BY created_at DESC LIMIT 1`,
    )
  ).rows[0]
const now = () => server.clock.now().getTime()

describe('metadata', () => {
  it.each([
    ['a code', async () => (await signInForTokens(server.browser(), KIM)).refresh_token],
    ['a password', async () => (await byPassword()).refresh_token],
  ])('is set where the token of %s is issued, and read where it is exchanged', async (_what, tokenOf) => {
    await at(`api.refreshToken.setMetadata('device', 'Phone').refreshToken.setMetadata('gone', null); ${showing}`)
    const token = await tokenOf()
    const { id, metadata } = await stored()
    expect(metadata).toEqual({ device: 'Phone' })
    expect((await manager.get(`/refresh-tokens/${id}`)).json().refresh_token_metadata).toEqual({ device: 'Phone' })
    expect(shownIn(await exchanged(token)).metadata).toEqual({ device: 'Phone' })
  })

  it('is set for a device', async () => {
    await at("api.refreshToken.setMetadata('device', 'TV')")
    const browser = server.browser()
    const form = { client_id: 'spa', scope: 'openid offline_access' }
    const { device_code, user_code } = (await browser.post('/oauth/device/code', { form })).json()
    const type = (more = {}) => browser.post('/activate', { form: { user_code: String(user_code), ...more } })
    const confirmation = /name="confirmation" value="([^"]+)"/.exec((await type()).text)?.[1] ?? ''
    const confirmed = await type({ action: 'confirm', confirmation })
    const state = locationOf(confirmed).searchParams.get('state') ?? ''
    await submitPassword(browser, state, KIM)
    await browser.post('/oauth/token', {
      form: { grant_type: DEVICE, client_id: 'spa', device_code: String(device_code) },
    })
    expect((await stored()).metadata).toEqual({ device: 'TV' })
  })

  it('large metadata does not travel in the code', async () => {
    await at("for (let n = 0; n < 25; n++) api.refreshToken.setMetadata('n' + n, 'v'.repeat(255))")
    const browser = server.browser()
    const answer = await submitPassword(browser, await beginLogin(browser), KIM)
    expect(answer.header('location')?.length).toBeLessThan(2000)
    const tokens = (await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')).json()
    expect(tokens).toHaveProperty('refresh_token')
    expect(Object.keys((await stored()).metadata)).toHaveLength(25)
  })

  it('is changed where the token is exchanged, beside what managers attached, and seen by later actions', async () => {
    const { refresh_token } = await byPassword()
    const { id } = await stored()
    await manager.patch(`/refresh-tokens/${id}`, { refresh_token_metadata: { ours: 'a', other: 'b' } })
    await bindActions(
      server,
      'post-login',
      [postLogin("api.refreshToken.setMetadata('ours', 'c').refreshToken.setMetadata('new', 'd')"), postLogin(showing)],
      { tenant },
    )
    const first = await exchanged(refresh_token)
    expect(shownIn(first).metadata).toEqual({ ours: 'c', other: 'b', new: 'd' })
    expect((await stored()).metadata).toEqual({ ours: 'c', other: 'b', new: 'd' })
    await at("api.refreshToken.deleteMetadata('ours')")
    const second = await exchanged(first.refresh_token)
    expect((await stored()).metadata).toEqual({ other: 'b', new: 'd' })
    await at('api.refreshToken.evictMetadata()')
    await exchanged(second.refresh_token)
    expect((await stored()).metadata).toBeNull()
  })

  it('is not changed where the refresh is denied', async () => {
    const { refresh_token } = await byPassword()
    await at("api.refreshToken.setMetadata('a', 'b'); api.access.deny('No')")
    expect((await exchanged(refresh_token)).error).toBe('access_denied')
    expect((await stored()).metadata).toBeNull()
  })

  it('has no effect where there is no refresh token', async () => {
    await at(`api.refreshToken.setMetadata('a', 'b').refreshToken.setExpiresAt(${now()})`)
    expect(await byPassword('spa', 'openid')).not.toHaveProperty('refresh_token')
    expect(await stored()).toMatchObject({ metadata: null, life: 30 * 86_400 })
  })

  it.each([
    "setMetadata('x', 1)",
    "setMetadata('x'.repeat(256), 'y')",
    'deleteMetadata()',
    "setExpiresAt('soon')",
    'setIdleExpiresAt(-1)',
    'revoke()',
  ])('the call %s sets nothing and denies the login', async (call) => {
    await at(`api.refreshToken.${call}`)
    expect(await byPassword()).toEqual({
      error: 'access_denied',
      error_description: 'An action of this tenant could not be run',
    })
  })

  it('has 25 members at most', async () => {
    await at("for (let n = 0; n < 25; n++) api.refreshToken.setMetadata('n' + n, 'v')")
    const { refresh_token } = await byPassword()
    await at("api.refreshToken.setMetadata('another', 'v')")
    expect((await exchanged(refresh_token)).error).toBe('access_denied')
  })
})

describe('an earlier end', () => {
  it.each(['setExpiresAt', 'setIdleExpiresAt'])('by %s holds where the token is issued', async (method) => {
    await at(`api.refreshToken.${method}(${now() + 60_000})`)
    const { refresh_token } = await byPassword()
    await server.setTenant({ tenant })
    server.clock.advance(61)
    expect((await exchanged(refresh_token)).error).toBe('invalid_grant')
  })

  it('of a token that would never end holds where it is exchanged; the idle one until the next exchange', async () => {
    const { refresh_token } = await byPassword()
    await at(`api.refreshToken.setIdleExpiresAt(${now() + 600_000}).refreshToken.setExpiresAt(${now() + 900_000})`)
    const first = await exchanged(refresh_token)
    expect(await stored()).toMatchObject({ life: 900, idle: 600 })
    await server.setTenant({ tenant })
    const second = await exchanged(first.refresh_token)
    const { life, idle } = await stored()
    expect([life, idle > 600]).toEqual([900, true])
    server.clock.advance(901)
    expect((await exchanged(second.refresh_token)).error).toBe('invalid_grant')
  })

  it('is never later than what the application has, and the earliest of several', async () => {
    const later = now() + 30 * 86_400_000
    await at(`api.refreshToken.setExpiresAt(${later}).refreshToken.setIdleExpiresAt(${later})`)
    const { refresh_token } = await byPassword('bounded')
    expect(await stored()).toMatchObject({ life: 86_400, idle: 3600 })
    await exchanged(refresh_token, 'bounded')
    expect(await stored()).toMatchObject({ life: 86_400, idle: 3600 })
    await at(`api.refreshToken.setExpiresAt(${now() + 60_000}).refreshToken.setExpiresAt(${later})`)
    await byPassword('bounded')
    expect((await stored()).life).toBeLessThanOrEqual(60)
  })
})

it('the event has what the vendor documents of a refresh token, at a refresh alone', async () => {
  await at(showing)
  const form = { grant_type: 'password', client_id: 'bounded', username: KIM, password: PASSWORD, audience: API }
  const ask = { form: { ...form, scope: 'openid read offline_access' } }
  const tokens = (await server.browser().post('/oauth/token', ask)).json()
  expect(payloadOf(tokens.id_token)[CLAIM]).toBe('none')
  const text = expect.any(String)
  expect(shownIn(await exchanged(tokens.refresh_token, 'bounded'))).toEqual({
    ...{
      id: text,
      client_id: 'bounded',
      user_id: 'auth0|kim',
      created_at: text,
      expires_at: text,
      idle_expires_at: text,
    },
    ...{ rotating: true, metadata: {}, resource_servers: [{ audience: API, scopes: 'openid read offline_access' }] },
  })
})
