// Independent, unmodified WS-Federation providers: the package `saml` (which the vendor's own providers use) writes tokens, and
// we read them; and another tenant of this server is the provider, configured only by its metadata document.
import { Saml11, Saml20 } from 'saml'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { postedBy } from '../../../testing/wsfed'
import { answerAround } from '../../../testing/wsfed-idp'

let server: TestServer
let idp: Partner

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  server = await testServer()
  idp = await makePartner()
  await server.addClient(SPA)
  const options = {
    signInEndpoint: 'https://vendor.test/wsfed',
    signingCert: idp.certificatePem,
    idpEntityId: 'urn:vendor',
  }
  await server.addConnection('vendor', { options }, 'con_vendor', 'adfs')
})
afterAll(async () => {
  vi.useRealTimers()
  await server.close()
})

async function claimsOf(browser: Browser, answer: TestResponse): Promise<Record<string, unknown>> {
  const code = locationOf(answer).searchParams.get('code') ?? ''
  return payloadOf((await redeem(browser, code)).json().id_token)
}

const leave = async (browser: Browser, connection: string): Promise<URL> =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection }) }))

const send = (browser: Browser, form: Record<string, string>): Promise<TestResponse> =>
  browser.post('/login/callback', { form, headers: { 'sec-fetch-site': 'cross-site' } })

it.each([
  ['1.1', Saml11],
  ['2.0', Saml20],
])('the package `saml` signs in by SAML %s', async (_, { create }) => {
  vi.setSystemTime(server.clock.now())
  const browser = server.browser()
  const away = await leave(browser, 'vendor')
  const token = await new Promise<string>((resolve, reject) => {
    const made = {
      cert: idp.certificatePem,
      key: idp.privatePem,
      issuer: 'urn:vendor',
      audiences: away.searchParams.get('wtrealm') ?? '',
      lifetimeInSeconds: 300,
      nameIdentifier: 'auth0|kim',
      sessionIndex: 's-1',
      attributes: { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name': 'Kim & Co <ö>', roles: ['a', 'b'] },
      signatureAlgorithm: 'rsa-sha256' as const,
      digestAlgorithm: 'sha256' as const,
    }
    create(made, (error, assertion) => (error ? reject(error) : resolve(assertion)))
  })
  const posted = await send(browser, { wresult: answerAround(token), wctx: away.searchParams.get('wctx') ?? '' })
  const claims = await claimsOf(browser, await browser.get(posted.header('location') ?? ''))
  expect(claims).toMatchObject({ sub: 'adfs|vendor|auth0|kim', name: 'Kim & Co <ö>' })
})

it.each(['saml11', 'saml20'])(
  'another tenant signs in by its metadata document, and signs out: %s',
  async (tokenType) => {
    const name = `far-${tokenType}`
    const there = await server.addTenant(tokenType, `https://${tokenType}.test`)
    await there.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', emailVerified: true } })
    const far = server.browser({ host: `${tokenType}.test` })
    await there.addClient({
      clientId: 'latchkey',
      settings: {
        callbacks: ['https://id.test/login/callback'],
        client_aliases: [`urn:id.test:${name}`],
        addons: { wsfed: { tokenType } },
      },
    })
    const fedMetadataXml = (await far.get('/wsfed/latchkey/FederationMetadata/2007-06/FederationMetadata.xml')).text
    await server.addConnection(name, { options: { fedMetadataXml } }, `con_${name}`, 'adfs')
    server.clock.advance(2)

    const near = server.browser()
    const away = await leave(near, name)
    const page = locationOf(await far.get(away.pathname, { query: away.search.slice(1) }))
    const answer = postedBy(await submitPassword(far, page.searchParams.get('state') ?? '', 'kim@mail.test'))
    expect(answer.action).toBe('https://id.test/login/callback')
    const posted = await send(near, { wa: answer.wa, wresult: answer.wresult, wctx: answer.wctx ?? '' })
    const claims = await claimsOf(near, await near.get(posted.header('location') ?? ''))
    expect(claims).toMatchObject({ sub: `adfs|${name}|auth0|kim`, email: 'kim@mail.test', email_verified: false })

    const out = locationOf(await near.get('/v2/logout', { query: 'federated' }))
    expect(out.pathname).toBe('/wsfed/latchkey')
    expect(out.searchParams.get('wa')).toBe('wsignout1.0')
  },
)
