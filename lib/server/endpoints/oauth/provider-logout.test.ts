// Logout by a SAML identity provider: which sessions end, which clients are notified, and the response; and requests that end
// nothing (threat-model.md SP8).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publicKeyOf } from '../../../crypto/saml/certificate'
import { writeLogoutRequest, writeLogoutResponse } from '../../../crypto/saml/messages'
import { STATUS } from '../../../crypto/saml/names'
import { parseXml } from '../../../crypto/saml/parse'
import { isSignedQuery, signedAddress } from '../../../crypto/saml/query-signature'
import { readAuthnRequest, readLogoutRequest, readLogoutResponse } from '../../../crypto/saml/read'
import { signXml } from '../../../crypto/saml/sign'
import { decodeMessage, encodeForForm } from '../../../crypto/saml/transport'
import { verifiedRoot } from '../../../crypto/saml/verify'
import { authorizeQuery, locationOf, SPA, signIn } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { encoded, IDP, type SamlAnswerOptions, samlAnswer } from '../../../testing/saml-idp'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const ENDPOINT = 'https://id.test/logout/callback'

let server: TestServer
let idp: Partner
let stranger: Partner
let sp: Partner

const service = (binding: string, more = '') =>
  `<md:SingleLogoutService Binding="${binding}" Location="https://idp.test/slo"${more}/>`

const metadataOf = ({ certificate }: Partner, services: string): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>${services}<md:SingleSignOnService Binding="${REDIRECT}" Location="https://idp.test/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`

const add = (name: string, options: object) =>
  server.addConnection(name, { options: options as never } as never, `con_${name}`, 'samlp')

beforeAll(async () => {
  ;[idp, stranger, sp] = [await makePartner(), await makePartner(), await makePartner()]
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, oidc_logout: { backchannel_logout_urls: ['https://app.test/back'] } },
  })
  await server.addClient({
    clientId: 'wiki',
    settings: {
      callbacks: ['https://wiki.test/acs'],
      addons: { samlp: { signingCert: sp.certificatePem, logout: { callback: 'https://wiki.test/slo' } } },
    },
  })
  const answers = service(REDIRECT, ' ResponseLocation="https://idp.test/slo/answers"')
  await add('corp', { metadataXml: metadataOf(idp, answers + service(POST)) })
  await add('other', { metadataXml: metadataOf(idp, service(POST)) })
  await add('mute', { metadataXml: metadataOf(idp, '') })
  await add('keyed', { metadataXml: metadataOf(idp, answers), fieldsMap: { user_id: 'uid' } })
  await add('away', { metadataUrl: 'https://idp.test/metadata' })
  await server.addUser({ email: 'lee@mail.test' })
})
afterAll(() => server.close())

let browser: Browser
beforeEach(() => {
  browser = server.browser()
})

async function enter(connection: string, by = browser, over: Partial<SamlAnswerOptions> = {}): Promise<void> {
  const away = locationOf(await by.get('/authorize', { query: authorizeQuery({ connection }) }))
  const { id } = readAuthnRequest(parseXml(decodeMessage(away.searchParams.get('SAMLRequest') ?? '')))
  const recipient = `https://id.test/login/callback?connection=${connection}`
  const expected = {
    now: server.clock.now(),
    recipient,
    audience: `urn:id.test:${connection}`,
    inResponseTo: id,
    ...over,
  }
  const form = {
    SAMLResponse: encoded(await samlAnswer(idp, expected)),
    RelayState: away.searchParams.get('RelayState') ?? '',
  }
  const posted = await by.post('/login/callback', { query: { connection }, form })
  expect((await by.get(posted.header('location') ?? '')).status).toBe(302)
}

const isIn = async (by: Browser): Promise<boolean> =>
  locationOf(await by.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })).searchParams.has('code')

type Over = Partial<Parameters<typeof writeLogoutRequest>[0]> & { name?: string }

let requests = 0
const requestOf = ({ name = 'kim', ...over }: Over = {}): string => {
  requests += 1
  return writeLogoutRequest({
    id: `_out${requests}`,
    issuer: IDP,
    at: server.clock.now(),
    destination: ENDPOINT,
    expiresAt: new Date(server.clock.now().getTime() + 60_000),
    nameId: { value: name, format: 'urn:x' },
    sessionIndex: 's1',
    ...over,
  })
}

const addressOf = (xml: string, connection: string, by: Partner): Promise<string> =>
  signedAddress(
    `${ENDPOINT}?connection=${connection}`,
    { name: 'SAMLRequest', xml, relayState: 'r&s' },
    { key: by.privateKey, hash: 'sha256' },
  )

const ask = async (over: Over = {}, connection = 'corp', by = idp): Promise<TestResponse> =>
  browser.get(await addressOf(requestOf(over), connection, by))

/** Follows our own redirects to the first external one. */
async function onward(answer: TestResponse): Promise<TestResponse> {
  const to = answer.header('location')
  return to?.startsWith('https://id.test/') ? onward(await browser.get(to)) : answer
}

const us = async () => [publicKeyOf((await server.runtime()).keyring.current.certificate)].filter((key) => key !== null)

describe('a request of the provider', () => {
  it('ends the session, and is answered with a signed redirect', async () => {
    await enter('corp')
    const answer = locationOf(await onward(await ask()))
    expect(await isIn(browser)).toBe(false)
    expect(answer.origin + answer.pathname).toBe('https://idp.test/slo/answers')
    expect(isSignedQuery(answer.search.slice(1), 'SAMLResponse', await us())).toBe(true)
    expect(answer.searchParams.get('RelayState')).toBe('r&s')
    const response = readLogoutResponse(parseXml(decodeMessage(answer.searchParams.get('SAMLResponse') ?? '')))
    expect(response).toMatchObject({
      inResponseTo: `_out${requests}`,
      issuer: 'urn:id.test:corp',
      destination: 'https://idp.test/slo/answers',
      succeeded: true,
    })
  })

  it('comes in a form as well, though that brings no cookies, and is answered in one', async () => {
    await enter('other')
    const xml = await signXml(requestOf(), idp, { signature: 'sha256', digest: 'sha256' })
    const posted = await browser.post('/logout/callback', {
      query: { connection: 'other' },
      form: { SAMLRequest: encodeForForm(xml) },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    const again = formOf(posted.text)
    const own = again.action
      ? await browser.post(again.action, { form: again.fields })
      : await browser.get(posted.header('location') ?? '')
    const { action, fields } = formOf((await onward(own)).text)
    expect(action).toBe('https://idp.test/slo')
    expect(verifiedRoot(decodeMessage(fields.SAMLResponse ?? ''), await us())).not.toBeNull()
    expect(await isIn(browser)).toBe(false)
  })

  it('ends the session in other browsers too, and notifies their applications with the reason', async () => {
    const elsewhere = server.browser()
    await enter('corp', elsewhere)
    const { rows: before } = await server.database.pool.query('SELECT id FROM outbox_message')
    expect((await onward(await ask())).status).toBe(302)
    expect(await isIn(elsewhere)).toBe(false)
    const { rows } = await server.database.pool.query('SELECT notice FROM outbox_message')
    expect(rows).toHaveLength(before.length + 1)
    expect(rows.map(({ notice }) => notice.cause)).toContain('idp-logout')
  })

  it('passes through the SAML applications of the session before the response, which reports those not reached', async () => {
    await enter('corp')
    expect((await browser.get('/samlp/wiki')).status).toBe(200)
    const { action, fields } = formOf((await onward(await ask())).text)
    expect(action).toBe('https://wiki.test/slo')
    const { id, nameId } = readLogoutRequest(parseXml(decodeMessage(fields.SAMLRequest ?? '')))
    expect(nameId).toBe('samlp|corp|kim')
    expect(await isIn(browser)).toBe(false)
    const destination = 'https://id.test/samlp/wiki/logout'
    const status = { code: STATUS.responder }
    const failed = { id: '_f', issuer: 'wiki', at: server.clock.now(), destination, inResponseTo: id, status }
    const message = { name: 'SAMLResponse', xml: writeLogoutResponse(failed), relayState: null } as const
    const back = await signedAddress(destination, message, { key: sp.privateKey, hash: 'sha256' })
    const answer = locationOf(await onward(await browser.get(back)))
    const xml = decodeMessage(answer.searchParams.get('SAMLResponse') ?? '')
    expect(xml).toContain(STATUS.partialLogout)
    expect(readLogoutResponse(parseXml(xml))).toMatchObject({ inResponseTo: `_out${requests}`, succeeded: false })
  })

  it('ends only the named session', async () => {
    const [first, second] = [server.browser(), server.browser()]
    await enter('corp', first, { assertion: { sessionIndex: 'one' } })
    await enter('corp', second, { assertion: { sessionIndex: 'two' } })
    await onward(await ask({ sessionIndex: 'one' }))
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
    await onward(await ask({ sessionIndex: null }))
    expect(await isIn(second)).toBe(false)
  })

  it('applies to its own browser if an attribute identifies users', async () => {
    const elsewhere = server.browser()
    for (const by of [browser, elsewhere]) await enter('keyed', by, { attributes: { uid: ['u-1'] } })
    await onward(await ask({}, 'keyed'))
    expect([await isIn(browser), await isIn(elsewhere)]).toEqual([false, true])
  })

  it('ends on a page of this server where the provider takes no answer', async () => {
    await enter('mute')
    const answer = await onward(await ask({}, 'mute'))
    expect([answer.status, answer.header('location')]).toEqual([200, undefined])
    expect(await isIn(browser)).toBe(false)
  })
})

describe('a request that ends nothing', () => {
  const refused: [string, () => Promise<TestResponse>][] = [
    ['signed by a stranger', () => ask({}, 'corp', stranger)],
    ['of another issuer', () => ask({ issuer: 'https://other.test' })],
    ['for another address', () => ask({ destination: 'https://evil.test/' })],
    ['that is over', () => ask({ expiresAt: new Date(server.clock.now().getTime() - 181_000) })],
    ['of long ago', () => ask({ at: new Date(server.clock.now().getTime() - 601_000) })],
    ['of a connection that there is not', () => ask({}, 'nobody')],
    ['of a connection of another kind', () => ask({}, 'Users')],
    ['of a connection whose keys are not known', () => ask({}, 'away')],
    ['unsigned', () => browser.get(ENDPOINT, { query: { connection: 'corp', SAMLRequest: encoded(requestOf()) } })],
    ['that is not a message', () => browser.get(ENDPOINT, { query: { connection: 'corp', SAMLRequest: 'x' } })],
    ['changed on the way', async () => browser.get((await addressOf(requestOf(), 'corp', idp)).replace('r%26s', 'x'))],
  ]
  it.each(refused)('is refused: %s', async (_, send) => {
    await enter('corp')
    const answer = await send()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.header('location')).toBeUndefined()
    expect(await isIn(browser)).toBe(true)
  })

  it('is one about another user, session or connection', async () => {
    await enter('corp')
    const others: [Over, string][] = [
      [{ name: 'eve' }, 'corp'],
      [{ sessionIndex: 's2' }, 'corp'],
      [{}, 'other'],
    ]
    for (const [over, connection] of others) await onward(await ask(over, connection))
    expect(await isIn(browser)).toBe(true)
    const lee = server.browser()
    await signIn(lee, 'lee@mail.test')
    await lee.get(await addressOf(requestOf({ name: 'lee@mail.test', sessionIndex: null }), 'corp', idp))
    expect(await isIn(lee)).toBe(true)
  })

  it('is one in a form beside another that the address holds and the provider signed', async () => {
    await enter('corp')
    const signed = new URL(await addressOf(requestOf({ name: 'eve' }), 'corp', idp))
    const forged = { SAMLRequest: encodeForForm(requestOf()) }
    for (const form of [forged, { ...forged, Signature: 'x' }]) {
      const answer = await browser.post('/logout/callback', { query: Object.fromEntries(signed.searchParams), form })
      expect(answer.status).toBe(400)
    }
    expect(await isIn(browser)).toBe(true)
  })

  it('is one that was used before, of ten at the same time too', async () => {
    await enter('corp')
    const address = await addressOf(requestOf({ sessionIndex: null }), 'corp', idp)
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(address)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9)
    expect(await isIn(browser)).toBe(false)
    await enter('corp')
    expect((await browser.get(address)).status).toBe(400)
    expect(await isIn(browser)).toBe(true)
  })

  it('is an answer that is not due, or was given', async () => {
    await enter('corp')
    const first = (await ask()).header('location') ?? ''
    expect((await browser.get(first)).status).toBe(302)
    expect((await browser.get(first)).status).toBe(400)
    expect((await browser.get(ENDPOINT, { query: { connection: 'corp', answer: 'x' } })).status).toBe(400)
    expect((await browser.get(ENDPOINT, { query: { answer: 'x' } })).status).toBe(404)
  })
})

it('is announced in our metadata', async () => {
  const { text } = await browser.get('/samlp/metadata', { query: { connection: 'corp' } })
  expect(text).toContain(`Binding="${REDIRECT}" Location="${ENDPOINT}?connection=corp"`)
  expect(text).toContain(`Binding="${POST}" Location="${ENDPOINT}?connection=corp"`)
})
