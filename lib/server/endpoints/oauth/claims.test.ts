// Claims requested by name (OIDC Core 5.5), from the request to the ID token and user-info.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', phoneNumber: '+4912345' } })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
})
afterAll(() => server.close())

const NAMES = JSON.stringify({ userinfo: { name: { essential: true }, email: null }, id_token: { phone_number: null } })

describe('beyond the scopes', () => {
  it('claims are returned only where they were requested', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', { scope: 'openid', claims: NAMES })
    expect(payloadOf(tokens.id_token)).toMatchObject({ phone_number: '+4912345' })
    expect(payloadOf(tokens.id_token)).not.toHaveProperty('email')
    const { sub, ...rest } = (await userinfo(browser, tokens.access_token)).json()
    expect([sub, rest]).toEqual(['auth0|kim', { name: 'Kim', email: 'kim@mail.test' }])
    expect(tokens.scope).toBe('openid')
  })

  it('a requested claim is returned after a refresh as before', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', { scope: 'openid offline_access', claims: NAMES })
    const renewed = (await refresh(browser, tokens.refresh_token)).json()
    expect(payloadOf(renewed.id_token)).toHaveProperty('phone_number')
    expect((await userinfo(browser, renewed.access_token)).json()).toHaveProperty('email')
  })

  it('an essential claim without a value is not an error', async () => {
    const claims = JSON.stringify({ id_token: { birthdate: { essential: true }, 'urn:x': { essential: true } } })
    expect(await signInForTokens(server.browser(), 'kim@mail.test', { claims })).toHaveProperty('id_token')
  })

  it('auth_time is returned when requested', async () => {
    const claims = JSON.stringify({ id_token: { auth_time: { essential: true } } })
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { claims })
    expect(payloadOf(tokens.id_token)).toHaveProperty('auth_time')
  })
})

describe('the permitted claims (threat-model.md AZ10)', () => {
  it('a third-party client gets only what the user consented to, scope by scope', async () => {
    const browser = server.browser()
    const query = { client_id: 'third', scope: 'openid', claims: NAMES }
    const state = await beginLogin(browser, query)
    const due = locationOf(await submitPassword(browser, state, 'kim@mail.test'))
    expect(due.pathname).toBe('/u/consent')
    expect((await browser.get(due.href)).text).toMatch(/value="accept"/)
    const code = locationOf(await browser.post('/u/submit', { form: { state, action: 'accept' } })).searchParams
    const tokens = (await redeem(browser, code.get('code') ?? '', { client_id: 'third' })).json()
    expect((await userinfo(browser, tokens.access_token)).json()).toHaveProperty('email')

    const silent = (extra: Record<string, string>) =>
      browser.get('/authorize', { query: authorizeQuery({ ...query, prompt: 'none', ...extra }) })
    expect(locationOf(await silent({})).searchParams.has('code')).toBe(true)
    const wider = locationOf(await silent({ claims: JSON.stringify({ userinfo: { address: null } }) }))
    expect(wider.searchParams.get('error')).toBe('consent_required')
  })
})

describe('a required subject', () => {
  const ask = async (sub: string, extra: Record<string, string> = {}) => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    const claims = JSON.stringify({ id_token: { sub: { value: sub } } })
    const hint = extra.hint === 'kim' ? { id_token_hint: String(tokens.id_token) } : {}
    const query = authorizeQuery({ prompt: 'none', claims, ...hint })
    return locationOf(await browser.get('/authorize', { query })).searchParams
  }

  it('is the one that is named, and no other', async () => {
    expect((await ask('auth0|kim')).has('code')).toBe(true)
    expect((await ask('auth0|lee')).get('error')).toBe('login_required')
  })

  it('cannot be two', async () => {
    expect((await ask('auth0|kim', { hint: 'kim' })).has('code')).toBe(true)
    expect((await ask('auth0|lee', { hint: 'kim' })).get('error')).toBe('invalid_request')
  })
})

it('a malformed request is an error for the application', async () => {
  const answer = await server.browser().get('/authorize', { query: authorizeQuery({ claims: '{' }) })
  expect(locationOf(answer).searchParams.get('error_description')).toBe('Invalid parameter: claims')
})

it('keeps unknown members for an upstream provider, and no secret', async () => {
  const browser = server.browser()
  await beginLogin(browser, { 'ext-hint': 'x', connection_scope: 'a b', login_ticket: 'secret', auth0Client: 'sdk' })
  const { rows } = await server.database.pool.query(
    'SELECT wants FROM login_transaction ORDER BY created_at DESC, handle_digest LIMIT 50',
  )
  const kept = rows.map(({ wants }) => wants.extra).filter((extra) => extra !== undefined)
  expect(kept).toEqual([{ 'ext-hint': 'x', connection_scope: 'a b' }])
})
