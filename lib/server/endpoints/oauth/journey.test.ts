import { afterAll, beforeAll, expect, it } from 'vitest'
import { locationOf, redeem, SPA, signIn } from '../../../testing/journey'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ email: 'kim@mail.test', data: { name: 'Kim', emailVerified: true } })
})
afterAll(() => server.close())

it('leads a user from /authorize to tokens, user-info, refresh and logout', async () => {
  const browser = server.browser()
  const answer = await signIn(browser, ' KIM@mail.test ')
  expect(answer.get('state')).toBe('s t+a/te')
  expect(answer.get('iss')).toBe('https://id.test/')

  const tokens = (await redeem(browser, answer.get('code') ?? '')).json()
  expect(tokens).toMatchObject({
    token_type: 'Bearer',
    expires_in: 86400,
    scope: 'openid profile email offline_access',
  })

  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const profile = (await browser.get('/userinfo', { headers })).json()
  expect(profile).toMatchObject({ name: 'Kim', email: 'kim@mail.test', email_verified: true })

  const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(tokens.refresh_token) }
  const refreshed = (await browser.post('/oauth/token', { form })).json()
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)

  const bye = await browser.get('/v2/logout', { query: { client_id: 'spa' } })
  expect(locationOf(bye).href).toBe('https://app.test/bye')
  expect(browser.cookies.has('__Host-latchkey_session')).toBe(false)
})
