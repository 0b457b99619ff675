// Providers on third-party libraries, in separate processes, that sign users in to this server: `samlp` by both bindings, plain
// and encrypted, `wsfed`, and `oidc-provider`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Federation, startFederation } from './support/federation'
import { HttpBrowser, landing } from './support/http-browser'
import { travel } from './support/journey'
import { authorizeRequest, CALLBACK, FAREWELL, postToken, redeem } from './support/tenant'

const CLIENT = 'e2e-tide'

let world: Federation
let guild: string

beforeAll(async () => {
  world = await startFederation()
  guild = world.origins.guild
  await world.start('guild', 'mill', 'pier', 'chart', 'logbook')
})
afterAll(() => world?.end())

async function signIn(browser: HttpBrowser, name: string, query: Record<string, string>) {
  const { url, verifier } = authorizeRequest(world.url, { client_id: CLIENT, ...query })
  const arrived = await travel(browser, url, name)
  const { status, body } = await redeem(world.url, CLIENT, new URL(arrived.url), verifier)
  expect([arrived.url.split('?')[0], status]).toEqual([CALLBACK, 200])
  return claimsOf(body.id_token)
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

describe('a login by a foreign provider', () => {
  it.each([
    ['a signed assertion of samlp', 'guild', 'samlp|guild|kim', 'guild', false],
    ['an encrypted assertion in a signed response of samlp', 'vault', 'samlp|vault|kim', 'guild', false],
    ['a token of wsfed', 'mill', 'adfs|mill|kim', 'mill', false],
    ['an ID token of oidc-provider', 'pier', 'oidc|pier|kim', 'pier', true],
  ])('%s signs a user in', async (_, connection, sub, place, email_verified) => {
    const claims = await signIn(new HttpBrowser(), 'kim', { connection })
    expect(claims).toMatchObject({
      sub,
      name: `kim of the ${place}`,
      email: `kim@${place}.e2e.test`,
      email_verified,
    })
  })

  it('a user who enters an address of the provider’s domain is signed in', async () => {
    const claims = await signIn(new HttpBrowser(), 'lea@guild.e2e.test', {})
    expect(claims).toMatchObject({ sub: 'samlp|guild|lea', email: 'lea@guild.e2e.test' })
  })

  it('a provider signs a user in to a SAML application', async () => {
    const browser = new HttpBrowser()
    const query = new URLSearchParams({ connection: 'vault', RelayState: 'deep' })
    const { url } = await travel(browser, `${world.url}/samlp/e2e-chart?${query}`, 'kim')
    expect(url).toBe(`${world.origins.chart}/?relayState=deep`)
    const { json } = await travel(browser, world.origins.chart, '')
    expect(json()).toMatchObject({ signedIn: true, user: { nameID: 'samlp|vault|kim' } })
  })
})

describe('the SAML provider', () => {
  const leave = async (connection: string) => {
    const { url } = authorizeRequest(world.url, { client_id: CLIENT, connection })
    return landing(await new HttpBrowser().get(url), url)
  }

  it('takes no request of this server that was changed, or lost its signature', async () => {
    const changed = await leave('guild')
    changed.searchParams.set('RelayState', 'another')
    const bare = await leave('guild')
    bare.searchParams.delete('Signature')
    for (const [{ href }, reason] of [
      [changed, 'does not match'],
      [bare, 'MUST be signed'],
    ] as const) {
      expect((await travel(new HttpBrowser(), href, 'kim')).page.html).toContain(reason)
    }
  })

  it('begins a login that leads to a SAML application', async () => {
    const browser = new HttpBrowser()
    const { url } = await travel(browser, `${guild}/start/guild`, 'kim')
    expect(url).toBe(`${world.origins.chart}/?relayState=`)
    const { json } = await travel(browser, world.origins.chart, '')
    expect(json()).toMatchObject({ signedIn: true, user: { nameID: 'samlp|guild|kim' } })
  })

  it('begins a login that leads to a WS-Federation application', async () => {
    const browser = new HttpBrowser()
    const { url } = await travel(browser, `${guild}/start/bell`, 'kim')
    expect(url).toBe(`${world.origins.logbook}/?wctx=deep`)
    const { json } = await travel(browser, world.origins.logbook, '')
    expect(json()).toMatchObject({ signedIn: true, user: { email: 'kim@guild.e2e.test' } })
  })

  it('begins a login that leads to an OpenID application', async () => {
    const { url } = await travel(new HttpBrowser(), `${guild}/start/vault`, 'kim')
    const { status, body } = await postToken(world.url, {
      grant_type: 'authorization_code',
      client_id: 'e2e-web',
      client_secret: 'e2e-web-secret-of-the-harbour',
      redirect_uri: CALLBACK,
      code: new URL(url).searchParams.get('code') ?? '',
    })
    expect([status, claimsOf(body.id_token).sub]).toEqual([200, 'samlp|vault|kim'])
  })
})

describe('signs out of both', () => {
  it('as the SAML provider asks, with whatever they were signed in at, and answers it', async () => {
    const browser = new HttpBrowser()
    await signIn(browser, 'kim', { connection: 'guild' })
    await travel(browser, `${world.origins.chart}/login`, '')
    const { url, page } = await travel(browser, `${guild}/slo`, '')
    expect([url.split('?')[0], page.html]).toEqual([`${guild}/slo`, '200'])
    for (const place of [guild, world.origins.chart]) {
      expect((await travel(browser, place, '')).json()).toMatchObject({ signedIn: false })
    }
    const { url: requestUrl } = authorizeRequest(world.url, { client_id: CLIENT })
    expect((await browser.get(requestUrl)).location).toContain('/u/login')
  })

  it.each(['guild', 'mill', 'pier'])('a logout at %s ends both sessions and comes back', async (connection) => {
    const browser = new HttpBrowser()
    await signIn(browser, 'kim', { connection })
    const query = `client_id=${CLIENT}&federated&returnTo=${encodeURIComponent(FAREWELL)}`
    expect((await travel(browser, `${world.url}/v2/logout?${query}`, '')).url).toBe(FAREWELL)
    const { sub } = await signIn(browser, 'eve', { connection })
    expect(sub).toMatch(/\|eve$/)
  })
})
