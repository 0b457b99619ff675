import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { locationOf, SPA, signIn } from '../../../testing/journey'
import type { Browser } from '../../../testing/server'
import { signInBy, type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

const KIM = { sub: 'k-1', name: 'Kim', email: 'kim@mail.test' }

let server: UpstreamTestServer

beforeAll(async () => {
  server = await upstreamTestServer()
  await server.addClient(SPA)
  await server.addProvider('corp', 'oidc', { show_as_button: true, options: { issuer: 'https://idp.test' } })
  await server.addProvider('github', 'github')
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())
afterEach(async () => {
  server.double.mischief = {}
  const { upstreamServers } = await server.runtime()
  upstreamServers.clear()
})

const logOut = async (browser: Browser, query: string): Promise<URL> =>
  locationOf(await browser.get('/v2/logout', { query: `client_id=spa&${query}` }))

async function signedIn(): Promise<Browser> {
  const browser = server.browser()
  await signInBy(browser, server, 'corp', KIM)
  return browser
}

describe('/v2/logout with federated', () => {
  it('leads through the provider and back to the address that was proven', async () => {
    const browser = await signedIn()
    const away = await logOut(browser, 'federated&returnTo=https://app.test/other')
    expect(away.origin + away.pathname).toBe('https://idp.test/logout')
    expect(browser.cookies.has('__Host-latchkey_session')).toBe(false)
    const { state, id_token_hint, ...rest } = Object.fromEntries(away.searchParams)
    expect(rest).toEqual({ client_id: 'us', post_logout_redirect_uri: 'https://id.test/logout/callback' })
    expect(id_token_hint).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const back = await browser.get('/logout/callback', { query: { state } })
    expect(back.header('location')).toBe('https://app.test/other')
    const again = await browser.get('/logout/callback', { query: { state } })
    expect([again.status, again.header('location')]).toEqual([200, undefined])
  })

  it('ends at the application if no provider signed the user in, or it has no logout, or is unavailable', async () => {
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    expect((await logOut(browser, 'federated')).href).toBe('https://app.test/bye')
    await signInBy(browser, server, 'github', { id: 1, login: 'kim' })
    expect((await logOut(browser, 'federated')).href).toBe('https://app.test/bye')
    const other = await signedIn()
    const { upstreamServers } = await server.runtime()
    upstreamServers.clear()
    server.double.mischief = { away: 'ECONNREFUSED' }
    expect((await logOut(other, 'federated')).href).toBe('https://app.test/bye')
    expect((await logOut(server.browser(), 'federated')).href).toBe('https://app.test/bye')
  })

  it('leaves the provider alone without it, and never goes to an address that is not allowed', async () => {
    expect((await logOut(await signedIn(), 'returnTo=https://app.test/bye')).href).toBe('https://app.test/bye')
    const browser = await signedIn()
    const answer = await browser.get('/v2/logout', {
      query: 'client_id=spa&federated&returnTo=https://evil.test/',
    })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  })

  it('redirects nowhere for an unknown state', async () => {
    for (const query of [{}, { state: 'made up' }, { state: 'x'.repeat(43), returnTo: 'https://evil.test' }]) {
      const answer = await server.browser().get('/logout/callback', { query })
      expect([answer.status, answer.header('location')]).toEqual([200, undefined])
    }
  })

  it('keeps the provider’s token sealed', async () => {
    await signedIn()
    const { rows } = await server.database.pool.query('SELECT evidence FROM session ORDER BY created_at DESC LIMIT 1')
    expect(rows[0].evidence[0]).toMatchObject({ method: 'fed', connection: 'corp', hint: expect.any(String) })
    expect(Buffer.from(rows[0].evidence[0].hint, 'base64').toString()).not.toContain('eyJ')
  })
})
