// One tenant is the upstream provider of another. Both are this server, and each is as strict with the other as with any party.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealSecret } from '../../../data/connections/upstream/secrets'
import type { CallOut } from '../../../kernel/call-out'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  submitPassword,
  WEB,
} from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { press } from '../../../testing/upstream'

let latchkey: TestServer

/** Requests from one tenant to the other go through the same endpoints as all requests. */
const callOut: CallOut = async (address, { method, headers, body }) => {
  const url = new URL(address)
  const server = latchkey.browser({ host: url.host })
  const sent = body === undefined ? {} : { body: Buffer.from(body) }
  const answer = await server.send(method, url.pathname + url.search, { headers: { ...headers }, ...sent })
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: new Uint8Array(Buffer.from(answer.body)),
  }
}

beforeAll(async () => {
  latchkey = await testServer({ callOut })
  // openid-client uses the machine's clock.
  latchkey.clock.advance((Date.now() - latchkey.clock.now().getTime()) / 1000)
  const up = await latchkey.addTenant('up', 'https://up.test')
  const callbacks = ['https://id.test/login/callback']
  const logouts = ['https://id.test/logout/callback']
  await up.addClient({ ...WEB, settings: { ...WEB.settings, callbacks, allowed_logout_urls: logouts } })
  await up.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim Doe', emailVerified: true } })
  await latchkey.addClient(SPA)
  const sealed = { client_secret: sealSecret('client_secret', WEB.secret, latchkey.vault, latchkey.random) }
  const options = { client_id: 'web', domain: 'up.test', trust_email_claim: true }
  await latchkey.addConnection('sister', { show_as_button: true, options, sealed }, 'con_sister', 'auth0-oidc')
})
afterAll(() => latchkey.close())

/** At the other server: from its /authorize to the redirect back. */
async function signInThere(there: Browser, address: URL): Promise<URL> {
  const page = locationOf(await there.get(address.pathname + address.search))
  if (page.pathname !== '/u/login') return page
  return locationOf(await submitPassword(there, page.searchParams.get('state') ?? '', 'kim@mail.test'))
}

const comeBack = (here: Browser, back: URL): Promise<TestResponse> => here.get(back.pathname + back.search)

describe('another Latchkey as the provider', () => {
  it('signs in, with state, nonce, PKCE, issuer and signature, and identifies the user', async () => {
    const [here, there] = [latchkey.browser(), latchkey.browser({ host: 'up.test' })]
    const address = await press(here, await beginLogin(here), 'sister')
    expect(address.origin).toBe('https://up.test')
    const back = await signInThere(there, address)
    expect(back.searchParams.get('iss')).toBe('https://up.test/')
    const code = locationOf(await comeBack(here, back)).searchParams.get('code') ?? ''
    expect(payloadOf((await redeem(here, code)).json().id_token)).toMatchObject({
      sub: 'auth0-oidc|sister|auth0|kim',
      name: 'Kim Doe',
      email: 'kim@mail.test',
      email_verified: true,
    })
  })

  it('signs in without a page with a session there, and is signed out of by a federated logout', async () => {
    const [here, there] = [latchkey.browser(), latchkey.browser({ host: 'up.test' })]
    await comeBack(here, await signInThere(there, await press(here, await beginLogin(here), 'sister')))
    const query = 'client_id=spa&federated&returnTo=https://app.test/other'
    const out = locationOf(await here.get('/v2/logout', { query }))
    expect(out.origin + out.pathname).toBe('https://up.test/oidc/logout')
    const back = locationOf(await there.get(out.pathname + out.search))
    expect(back.origin + back.pathname).toBe('https://id.test/logout/callback')
    expect(there.cookies.has('__Host-latchkey_session')).toBe(false)
    expect((await comeBack(here, back)).header('location')).toBe('https://app.test/other')
  })

  it('reports a cancelled login', async () => {
    const [here, there] = [latchkey.browser(), latchkey.browser({ host: 'up.test' })]
    const start = await here.get('/authorize', { query: authorizeQuery({ connection: 'sister' }) })
    const address = locationOf(start)
    const state = locationOf(await there.get(address.pathname + address.search)).searchParams.get('state') ?? ''
    const refused = locationOf(await there.post('/u/submit', { form: { state, action: 'cancel' } }))
    const answer = locationOf(await comeBack(here, refused))
    expect(answer.host).toBe('app.test')
    expect(answer.searchParams.get('error')).toBe('access_denied')
  })

  it('refuses its own code for another user’s request', async () => {
    const [here, there] = [latchkey.browser(), latchkey.browser({ host: 'up.test' })]
    const [first, second] = [
      await press(here, await beginLogin(here), 'sister'),
      await press(here, await beginLogin(here), 'sister'),
    ]
    const back = await signInThere(there, first)
    back.searchParams.set('state', second.searchParams.get('state') ?? '')
    expect((await comeBack(here, back)).status).toBe(400)
  })
})
