import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadOf, refresh, SPA, signInForTokens } from '../../../testing/journey'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'
const scopes = [{ value: 'read:things' }, { value: 'write:things' }, { value: 'grow:things' }]
const ALL = 'openid offline_access read:things write:things'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'web', secret: 'web-secret', settings: { grant_types: ['password'] } })
  const shared = { scopes, allow_offline_access: true }
  await server.addApi(API, { ...shared, enforce_policies: true, token_dialect: 'access_token_authz' })
  await server.addApi('https://quiet.test', { ...shared, enforce_policies: true })
  await server.addApi('https://open.test', { ...shared, token_dialect: 'access_token_authz' })
  await server.addApi('https://rfc.test', {
    ...shared,
    enforce_policies: true,
    token_dialect: 'rfc9068_profile_authz',
  })
  const everywhere = (...names: string[]) =>
    Object.fromEntries([API, 'https://quiet.test', 'https://rfc.test'].map((api) => [api, names]))
  await server.addRole('Reader', everywhere('read:things', 'grow:things'))
  await server.addRole('Writer', everywhere('write:things', 'long:gone'))
  await server.giveRole(await server.addUser({ id: 'kim', email: 'kim@mail.test' }), 'Reader')
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
})
afterAll(() => server.close())

const tokensOf = (audience: string, name = 'kim') =>
  signInForTokens(server.browser(), `${name}@mail.test`, { audience, scope: ALL })

describe('an API that enforces roles', () => {
  it('contains the scopes that the roles allow, and all permissions of the user', async () => {
    const tokens = await tokensOf(API)
    expect(tokens.scope).toBe('openid offline_access read:things')
    expect(payloadOf(tokens.access_token)).toMatchObject({
      scope: 'openid offline_access read:things',
      permissions: ['grow:things', 'read:things'],
    })
  })

  it('contains none of a user without a role', async () => {
    const tokens = await tokensOf(API, 'lee')
    expect(tokens.scope).toBe('openid offline_access')
    expect(payloadOf(tokens.access_token).permissions).toEqual([])
  })

  it('says no permissions in the plain dialect, and does in that of RFC 9068', async () => {
    expect(payloadOf((await tokensOf('https://quiet.test')).access_token)).not.toHaveProperty('permissions')
    expect(payloadOf((await tokensOf('https://rfc.test')).access_token)).toMatchObject({
      client_id: 'spa',
      permissions: ['grow:things', 'read:things'],
      auth_time: expect.any(Number),
      amr: ['pwd'],
    })
  })

  it('sees a role come and go with the next refresh', async () => {
    const tokens = await tokensOf(API)
    await server.giveRole('auth0|kim', 'Writer')
    const wider = (await refresh(server.browser(), tokens.refresh_token)).json()
    expect(wider.scope).toBe(ALL)
    expect(payloadOf(wider.access_token).permissions).toEqual(['grow:things', 'read:things', 'write:things'])
    await server.takeRole('auth0|kim', 'Writer')
    const narrower = (await refresh(server.browser(), wider.refresh_token)).json()
    expect(narrower.scope).toBe('openid offline_access read:things')
  })

  it('applies to the password grant without a requested scope', async () => {
    const form = { client_id: 'web', client_secret: 'web-secret', audience: API, username: 'kim@mail.test' }
    const answer = await server
      .browser()
      .post('/oauth/token', { form: { ...form, grant_type: 'password', password: PASSWORD } })
    expect(answer.json().scope).toBe('read:things grow:things')
  })
})

it('an API that does not enforce roles reads no roles', async () => {
  const tokens = await tokensOf('https://open.test', 'lee')
  expect(tokens.scope).toBe(ALL)
  expect(payloadOf(tokens.access_token)).not.toHaveProperty('permissions')
})
