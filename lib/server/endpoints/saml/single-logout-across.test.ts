// One session, three protocols: wherever it ends, its OpenID Connect, SAML and WS-Federation clients are notified.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeLogoutRequest, writeLogoutResponse } from '../../../crypto/saml/messages'
import { STATUS } from '../../../crypto/saml/names'
import { parseXml } from '../../../crypto/saml/parse'
import { signedAddress } from '../../../crypto/saml/query-signature'
import { readLogoutRequest, readLogoutResponse } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { authorizeQuery, locationOf, SPA, signIn } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let partner: Partner
let browser: Browser

const addSp = (clientId: string) =>
  server.addClient({
    clientId,
    settings: {
      callbacks: [`https://${clientId}.test/acs`],
      addons: { samlp: { signingCert: partner.certificatePem, logout: { callback: `https://${clientId}.test/slo` } } },
    },
  })

beforeAll(async () => {
  partner = await makePartner()
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, oidc_logout: { backchannel_logout_urls: ['https://app.test/back'] } },
  })
  for (const clientId of ['wiki', 'desk']) await addSp(clientId)
  await server.addClient({
    clientId: 'portal',
    settings: {
      callbacks: ['https://portal.test/'],
      allowed_logout_urls: ['https://portal.test/bye'],
      addons: { wsfed: {} },
    },
  })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.database.pool.query('TRUNCATE outbox_message')
  server.clock.advance(1)
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
  for (const path of ['/samlp/wiki', '/samlp/desk', '/wsfed/portal']) expect((await browser.get(path)).status).toBe(200)
})

const sid = async (): Promise<string> =>
  (await server.database.pool.query('SELECT sid FROM session ORDER BY created_at DESC LIMIT 1')).rows[0].sid

const signed = (clientId: string, name: 'SAMLRequest' | 'SAMLResponse', xml: string): Promise<string> =>
  signedAddress(
    `https://id.test/samlp/${clientId}/logout`,
    { name, xml, relayState: null },
    { key: partner.privateKey, hash: 'sha256' },
  )

const next = (answer: TestResponse): string =>
  /url=(.*)$/.exec(answer.header('refresh') ?? '')?.[1] ?? answer.header('location') ?? ''

/** Follows the chain through the SAML clients, each of which confirms; returns the notified clients and the end of the chain. */
async function round(
  answer: TestResponse,
  notified: string[] = [],
): Promise<{ notified: string[]; end: TestResponse }> {
  const { action, fields } = formOf(answer.text)
  if (fields.SAMLRequest !== undefined) {
    const clientId = new URL(action).hostname.split('.')[0] ?? ''
    const { id } = readLogoutRequest(parseXml(decodeMessage(fields.SAMLRequest)))
    const values = { id: '_a', issuer: clientId, at: server.clock.now(), destination: 'https://id.test' }
    const status = { code: STATUS.success }
    const destination = `https://id.test/samlp/${clientId}/logout`
    const xml = writeLogoutResponse({ ...values, destination, inResponseTo: id, status })
    return round(await browser.get(await signed(clientId, 'SAMLResponse', xml)), [...notified, clientId])
  }
  const to = next(answer)
  return to.startsWith('https://id.test/') ? round(await browser.get(to), notified) : { notified, end: answer }
}

async function expectAllNotified(): Promise<void> {
  const { rows } = await server.database.pool.query('SELECT recipient FROM outbox_message')
  expect(rows).toEqual([{ recipient: 'spa' }])
  const again = locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }))
  expect(again.searchParams.get('error')).toBe('login_required')
}

const CLEAN_UP = 'src="https://portal.test/?wa=wsignoutcleanup1.0"'

it('a logout of an OpenID Connect application ends the session everywhere', async () => {
  const out = await browser.get('/v2/logout', { query: { client_id: 'spa', returnTo: 'https://app.test/bye' } })
  expect(out.text).toContain(CLEAN_UP)
  const { notified, end } = await round(out)
  expect(notified.sort()).toEqual(['desk', 'wiki'])
  expect(end.header('location')).toBe('https://app.test/bye')
  await expectAllNotified()
})

it('a logout of a WS-Federation relying party ends the session everywhere', async () => {
  const query = { wa: 'wsignout1.0', wtrealm: 'urn:portal', wreply: 'https://portal.test/bye' }
  const out = await browser.get('/wsfed', { query })
  expect(out.text).toContain(CLEAN_UP)
  const { notified, end } = await round(out)
  expect(notified.sort()).toEqual(['desk', 'wiki'])
  expect(end.header('location')).toBe('https://portal.test/bye')
  await expectAllNotified()
})

it('a logout of a SAML service provider ends the session everywhere', async () => {
  const xml = writeLogoutRequest({
    id: '_lr',
    issuer: 'wiki',
    at: server.clock.now(),
    destination: 'https://id.test/samlp/wiki/logout',
    expiresAt: new Date(server.clock.now().getTime() + 60_000),
    nameId: { value: 'auth0|kim', format: 'urn:x' },
    sessionIndex: await sid(),
  })
  const out = await browser.get(await signed('wiki', 'SAMLRequest', xml))
  expect(out.text).toContain(CLEAN_UP)
  const { notified, end } = await round(out)
  expect(notified).toEqual(['desk'])
  const { action, fields } = formOf(end.text)
  expect(action).toBe('https://wiki.test/slo')
  const answer = readLogoutResponse(parseXml(decodeMessage(fields.SAMLResponse ?? '')))
  expect(answer).toMatchObject({ inResponseTo: '_lr', succeeded: true })
  await expectAllNotified()
})
