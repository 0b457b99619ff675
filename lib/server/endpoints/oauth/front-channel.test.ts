// Tokens from /authorize itself: implicit and hybrid responses (OIDC Core 3.2, 3.3; threat-model.md D1, AZ4, AZ6).
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLogins } from '../../../adapters/store/sql/end-logins'
import { leftHalfHash } from '../../../kernel/secret'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  const grants = (...grant_types: string[]) => ({ ...SPA.settings, grant_types })
  await server.addClient({ ...SPA, settings: grants('authorization_code', 'implicit', 'refresh_token') })
  await server.addClient({ clientId: 'codes', settings: grants('authorization_code') })
  await server.addClient({ clientId: 'tokens', settings: grants('implicit') })
  await server.addClient({ clientId: 'neither', settings: grants('client_credentials') })
  await server.addClient({ clientId: 'unsaid', settings: SPA.settings })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], token_lifetime_for_web: 600 })
  await server.addApi('https://brief.test', { scopes: [], token_lifetime: 300 })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  browser = server.browser()
  await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
})
afterAll(() => server.close())

const ask = (response_type: string, extra: Record<string, string | undefined> = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery({ response_type, ...extra }) })
const fragmentOf = (answer: TestResponse) =>
  Object.fromEntries(new URLSearchParams(locationOf(answer).hash.slice(1))) as Record<string, string>
const fieldsFor = async (response_type: string, extra: Record<string, string | undefined> = {}) =>
  fragmentOf(await ask(response_type, extra))

const ACCESS = ['access_token', 'token_type', 'expires_in']

describe('what leaves in the fragment', () => {
  it.each<[string, string[]]>([
    ['token', [...ACCESS, 'id_token', 'scope', 'state', 'iss']],
    ['id_token', ['id_token', 'state', 'iss']],
    ['token id_token', [...ACCESS, 'id_token', 'scope', 'state', 'iss']],
    ['id_token token', [...ACCESS, 'id_token', 'scope', 'state', 'iss']],
    ['code id_token', ['code', 'id_token', 'state', 'iss']],
    ['token code', ['code', ...ACCESS, 'scope', 'state', 'iss']],
    ['token id_token code', ['code', ...ACCESS, 'id_token', 'scope', 'state', 'iss']],
  ])('the fragment for %s holds its parameters', async (type, names) => {
    const answer = await ask(type)
    expect([answer.status, locationOf(answer).search]).toEqual([302, ''])
    const fields = fragmentOf(answer)
    expect(Object.keys(fields).sort()).toEqual([...names].sort())
    expect(fields).toMatchObject({ state: 's t+a/te', iss: 'https://id.test/' })
  })

  it('the response type none sends only state and iss, in the query', async () => {
    expect([...locationOf(await ask('none')).searchParams.keys()]).toEqual(['state', 'iss'])
  })

  it('the response type token without openid gives no ID token', async () => {
    expect(await fieldsFor('token', { scope: 'profile' })).not.toHaveProperty('id_token')
  })

  it('the fragment leaves after the login form as well', async () => {
    const fresh = server.browser()
    const state = await beginLogin(fresh, { response_type: 'id_token token' })
    const fields = fragmentOf(await submitPassword(fresh, state, 'kim@mail.test'))
    expect((await userinfo(fresh, fields.access_token)).json().sub).toBe('auth0|kim')
  })

  it('a refresh token never leaves, and its scope is dropped without a code', async () => {
    for (const type of ['token', 'code token', 'code id_token token']) {
      expect(await fieldsFor(type)).not.toHaveProperty('refresh_token')
    }
    expect((await fieldsFor('token')).scope).toBe('openid profile email')
  })
})

describe('the other modes', () => {
  const hidden = (answer: TestResponse, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(answer.text)?.[1]

  it('the mode form_post is a form that posts itself', async () => {
    const answer = await ask('id_token token', { response_mode: 'form_post' })
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-store'])
    expect(payloadOf(hidden(answer, 'id_token')).sub).toBe('auth0|kim')
    expect(hidden(answer, 'expires_in')).toBe('7200')
  })

  it('a message to a registered origin, as auth0.js asks for it', async () => {
    const answer = await ask('token id_token', { response_mode: 'web_message', prompt: 'none' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('"access_token":"')
    expect(answer.text).toContain(',"https://app.test")')
  })

  it.each(['token', 'id_token', 'code id_token', 'code token'])('%s never leaves in the query', async (type) => {
    const answer = await ask(type, { response_mode: 'query' })
    expect(locationOf(answer).search).toBe('')
    expect(fragmentOf(answer)).toMatchObject({ error: 'invalid_request', state: 's t+a/te' })
    expect(fragmentOf(answer)).not.toHaveProperty('access_token')
  })

  it('carry errors as well, in the fragment by default', async () => {
    const answer = await server
      .browser()
      .get('/authorize', { query: authorizeQuery({ response_type: 'token', prompt: 'none' }) })
    expect(fragmentOf(answer)).toMatchObject({ error: 'login_required', error_description: 'Login required' })
  })
})

describe('clients that may receive them (threat-model.md D1)', () => {
  const errorFor = async (client_id: string, response_type: string) => {
    const location = locationOf(await ask(response_type, { client_id }))
    return new URLSearchParams(location.hash.slice(1) || location.search).get('error')
  }

  it.each<[string, string, string | null]>([
    ['unsaid', 'token', 'unauthorized_client'],
    ['unsaid', 'code id_token', 'unauthorized_client'],
    ['codes', 'id_token', 'unauthorized_client'],
    ['codes', 'code token', 'unauthorized_client'],
    ['codes', 'none', null],
    ['tokens', 'code', 'unauthorized_client'],
    ['tokens', 'code id_token token', 'unauthorized_client'],
    ['tokens', 'id_token token', null],
    ['tokens', 'none', null],
    ['neither', 'none', 'unauthorized_client'],
  ])('the client %s that requests %s gets %s', async (client, type, error) => {
    expect(await errorFor(client, type)).toBe(error)
  })
})

describe('the nonce (threat-model.md AZ6)', () => {
  it.each(['id_token', 'id_token token', 'code id_token', 'code id_token token'])('%s needs one', async (type) => {
    const fields = await fieldsFor(type, { nonce: undefined })
    expect(fields).toMatchObject({
      error: 'invalid_request',
      error_description: 'Missing required parameter: nonce',
    })
  })

  it.each(['token', 'code token'])('a request for %s needs no nonce', async (type) => {
    expect(await fieldsFor(type, { nonce: undefined })).toHaveProperty('access_token')
  })

  it('comes back in the ID token', async () => {
    expect(payloadOf((await fieldsFor('id_token')).id_token).nonce).toBe('n1')
  })

  it('needs openid beside it', async () => {
    expect(await fieldsFor('id_token', { scope: 'profile' })).toMatchObject({ error: 'invalid_request' })
  })
})

describe('the ID token is bound to what leaves beside it', () => {
  it('the ID token has at_hash, c_hash and s_hash', async () => {
    const { access_token = '', code = '', id_token } = await fieldsFor('code id_token token')
    expect(payloadOf(id_token)).toMatchObject({
      at_hash: leftHalfHash(access_token),
      c_hash: leftHalfHash(code),
      s_hash: leftHalfHash('s t+a/te'),
    })
  })

  it('the ID token has no hash of what does not leave beside it', async () => {
    const claims = payloadOf((await fieldsFor('id_token', { state: undefined })).id_token)
    for (const name of ['at_hash', 'c_hash', 's_hash']) expect(claims).not.toHaveProperty(name)
    expect(claims).toMatchObject({ sub: 'auth0|kim', email: 'kim@mail.test', aud: 'spa' })
  })
})

describe('the access token', () => {
  it.each([
    [undefined, '7200'],
    ['https://api.test', '600'],
    ['https://brief.test', '300'],
  ])('the access token for %s lives %s seconds', async (audience, seconds) => {
    const { access_token, expires_in } = await fieldsFor('token', { audience })
    expect(expires_in).toBe(seconds)
    if (audience !== undefined) {
      const { iat, exp } = payloadOf(access_token)
      expect(Number(exp) - Number(iat)).toBe(Number(seconds))
    }
  })

  it('ends when its time is over', async () => {
    const { access_token } = await fieldsFor('token')
    expect((await userinfo(browser, access_token)).status).toBe(200)
    server.clock.advance(7200)
    expect((await userinfo(browser, access_token)).status).toBe(401)
  })

  it('ends with everything else when its owner is signed out everywhere (threat-model.md RT7)', async () => {
    const { own, token } = await ofLee()
    await everywhereOut((client) => endLogins(client, 'default', 'auth0|lee', server.clock.now()))
    expect((await userinfo(own, token)).status).toBe(401)
  })

  it('is not issued when its session ends at the same moment (threat-model.md RT4)', async () => {
    const { own } = await ofLee()
    const answer = await everywhereOut(async (client) => {
      await endLogins(client, 'default', 'auth0|lee', server.clock.now())
      const pending = own.get('/authorize', { query: authorizeQuery({ response_type: 'token' }) })
      await waitForLock()
      return { pending }
    })
    const fields = fragmentOf(await answer.pending)
    expect(fields).toMatchObject({ error: 'login_required' })
    expect(fields).not.toHaveProperty('access_token')
  })

  async function ofLee(): Promise<{ own: Browser; token: string | undefined }> {
    const own = server.browser()
    const state = await beginLogin(own, { response_type: 'token' })
    return { own, token: fragmentOf(await submitPassword(own, state, 'lee@mail.test')).access_token }
  }

  async function everywhereOut<T>(during: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await server.database.pool.connect()
    try {
      await client.query('BEGIN')
      const result = await during(client)
      await client.query('COMMIT')
      return result
    } finally {
      client.release()
    }
  }

  async function waitForLock(): Promise<void> {
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while ((await server.database.pool.query(waiting)).rowCount === 0) await sleep(10)
  }

  it('of a hybrid answer ends with the replay of its code (threat-model.md CO2)', async () => {
    const { code = '', access_token } = await fieldsFor('code token')
    const tokens = (await redeem(browser, code)).json()
    expect(tokens).toHaveProperty('refresh_token')
    for (const token of [access_token, tokens.access_token]) expect((await userinfo(browser, token)).status).toBe(200)
    expect((await redeem(browser, code)).status).toBe(403)
    for (const token of [access_token, tokens.access_token]) expect((await userinfo(browser, token)).status).toBe(401)
  })
})

it('demands a challenge of a public client only where there is a code', async () => {
  const bare = { code_challenge: undefined, code_challenge_method: undefined }
  expect(await fieldsFor('id_token', bare)).toHaveProperty('id_token')
  expect(await fieldsFor('code token', bare)).toMatchObject({ error: 'invalid_request' })
})
