// SAML single logout: whose request ends a session, which clients are notified, and in which order (threat-model.md IP3).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { writeLogoutRequest, writeLogoutResponse } from '../../../crypto/saml/messages'
import { STATUS } from '../../../crypto/saml/names'
import { parseXml } from '../../../crypto/saml/parse'
import { signedAddress } from '../../../crypto/saml/query-signature'
import { signXml } from '../../../crypto/saml/sign'
import { decodeMessage, encodeForAddress, encodeForForm } from '../../../crypto/saml/transport'
import { attributeOf, elementsOf } from '../../../crypto/saml/xml'
import { authorizeQuery, locationOf, SPA, signIn } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, hasTool, schemaProblems, xmlsecHolds } from '../../../testing/tools'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const ENDPOINT = (clientId: string) => `https://id.test/samlp/${clientId}/logout`

let server: TestServer
let partner: Partner
let other: Partner
let certificate: string
let browser: Browser
let sid: string

const addSp = (clientId: string, samlp: Record<string, unknown> = {}) =>
  server.addClient({
    clientId,
    settings: {
      callbacks: [`https://${clientId}.test/acs`],
      addons: {
        samlp: { signingCert: partner.certificatePem, logout: { callback: `https://${clientId}.test/slo` }, ...samlp },
      },
    },
  })

beforeAll(async () => {
  server = await testServer()
  ;[partner, other] = [await makePartner(), await makePartner()]
  certificate = pemOf((await server.runtime()).keyring.current.certificate)
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, frontchannel_logout_uri: 'https://app.test/front' },
  })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

/** Signed in to three SAML clients. */
beforeEach(async () => {
  for (const name of ['one', 'two', 'three']) await addSp(name)
  await server.addClient(SPA)
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
  for (const name of ['one', 'two', 'three']) await browser.get(`/samlp/${name}`)
  const { rows } = await server.database.pool.query('SELECT sid FROM session ORDER BY created_at DESC LIMIT 1')
  sid = rows[0].sid
})

type Over = { nameId?: string; sessionIndex?: string; at?: Date; expiresAt?: Date; destination?: string }
let requests = 0
const logoutRequest = ({ nameId = 'auth0|kim', ...over }: Over = {}) => {
  requests += 1
  return writeLogoutRequest({
    id: `_lr${requests}`,
    issuer: 'urn:one',
    at: server.clock.now(),
    expiresAt: new Date(server.clock.now().getTime() + 60_000),
    destination: ENDPOINT('one'),
    nameId: { value: nameId, format: 'urn:x' },
    sessionIndex: sid,
    ...over,
  })
}

const inAddress = (xml: string, by = partner, relayState: string | null = 'r&s') =>
  signedAddress(ENDPOINT('one'), { name: 'SAMLRequest', xml, relayState }, { key: by.privateKey, hash: 'sha256' })
const inside = (xml: string, by = partner) => signXml(xml, by, { signature: 'sha256', digest: 'sha256' })
const ask = async (over?: Over, own = browser) => own.get(await inAddress(logoutRequest(over)))

type Sent = { to: string; name: string; xml: string; root: Element; relayState: string | undefined }
/** A message in a form or in a URL. */
function sentIn(answer: TestResponse): Sent {
  const posted = formOf(answer.text)
  const url = answer.status === 302 ? locationOf(answer) : null
  const fields = url ? Object.fromEntries(url.searchParams) : posted.fields
  const name = fields.SAMLRequest === undefined ? 'SAMLResponse' : 'SAMLRequest'
  const xml = decodeMessage(fields[name] ?? '')
  const to = url ? url.origin + url.pathname : posted.action
  return { to, name, xml, root: parseXml(xml), relayState: fields.RelayState }
}
const statusOf = ({ root }: Sent) =>
  elementsOf(root)
    .filter(({ localName }) => localName === 'StatusCode')
    .map((code) => attributeOf(code, 'Value')?.split(':').at(-1))

const isSignedIn = async () => {
  const answer = await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
  return locationOf(answer).searchParams.has('code')
}

/** Answers the request `asked` as its client would. */
async function reply(
  requested: Sent,
  over: { inResponseTo?: string; status?: string; by?: Partner; as?: string } = {},
) {
  const clientId = over.as ?? new URL(requested.to).hostname.replace('.test', '')
  const xml = writeLogoutResponse({
    id: '_a1',
    issuer: `urn:${clientId}`,
    at: server.clock.now(),
    destination: ENDPOINT(clientId),
    inResponseTo: over.inResponseTo ?? attributeOf(requested.root, 'ID') ?? '',
    status: { code: over.status ?? STATUS.success },
  })
  const form = { SAMLResponse: encodeForForm(await inside(xml, over.by)) }
  return server.browser().post(`/samlp/${clientId}/logout`, { form })
}

/** Follows our own redirects. */
async function follow(answer: TestResponse): Promise<TestResponse> {
  const to = answer.header('location') ?? ''
  return to.startsWith('https://id.test/samlp/') ? browser.get(to) : answer
}

describe('a request of an application', () => {
  it('ends the session, notifies the others one after the other, and is answered', async () => {
    const first = sentIn(await follow(await ask()))
    expect(await isSignedIn()).toBe(false)
    expect([first.to, first.name]).toEqual(['https://three.test/slo', 'SAMLRequest'])
    expect(first.xml).toContain('auth0|kim</saml:NameID>')
    expect(first.xml).toContain(`<samlp:SessionIndex>${sid}</samlp:SessionIndex>`)
    const second = sentIn(await reply(first))
    expect([second.to, second.name]).toEqual(['https://two.test/slo', 'SAMLRequest'])
    const last = sentIn(await reply(second))
    expect([last.to, last.name, last.relayState]).toEqual(['https://one.test/slo', 'SAMLResponse', 'r&s'])
    expect(attributeOf(last.root, 'InResponseTo')).toBe(`_lr${requests}`)
    expect(attributeOf(last.root, 'Destination')).toBe('https://one.test/slo')
    expect(statusOf(last)).toEqual(['Success'])
    for (const { xml, name } of [first, second, last]) {
      const element = name === 'SAMLRequest' ? 'LogoutRequest' : 'LogoutResponse'
      if (hasTool('xmlsec1')) expect(xmlsecHolds(xml, element, certificate)).toBe(true)
      if (hasSamlSchemas()) expect(schemaProblems(xml, 'protocol')).toBe('')
    }
  })

  it('reports that an application was not reached', async () => {
    const first = sentIn(await follow(await ask()))
    const second = sentIn(await reply(first, { status: STATUS.responder }))
    expect(statusOf(sentIn(await reply(second)))).toEqual(['Success', 'PartialLogout'])
  })

  it('is answered at once if there is no other application to notify', async () => {
    await addSp('two', { logout: { callback: 'https://two.test/slo', slo_enabled: false } })
    await addSp('three', { logout: {} })
    const answer = sentIn(await ask())
    expect([answer.to, ...statusOf(answer)]).toEqual(['https://one.test/slo', 'Success'])
    expect(await isSignedIn()).toBe(false)
  })

  it('travels by redirect where the setting says so, signed', async () => {
    for (const name of ['one', 'two', 'three']) {
      await addSp(name, {
        binding: REDIRECT,
        logout: { callback: `https://${name}.test/slo`, slo_enabled: name === 'one' },
      })
    }
    const answer = await ask()
    expect(answer.status).toBe(302)
    expect(locationOf(answer).searchParams.get('Signature')).toMatch(/^[A-Za-z0-9+/]{300,}=*$/)
    expect(statusOf(sentIn(answer))).toEqual(['Success'])
  })

  it('notifies OpenID applications too, and continues', async () => {
    const expected = { backchannel_logout_urls: ['https://app.test/back'] }
    await server.addClient({
      ...SPA,
      settings: { ...SPA.settings, frontchannel_logout_uri: 'https://app.test/front', oidc_logout: expected },
    })
    const page = await ask()
    expect(page.text).toContain('https://app.test/front')
    const onward = /url=(.*)$/.exec(page.header('refresh') ?? '')?.[1] ?? ''
    expect(sentIn(await browser.get(onward)).to).toBe('https://three.test/slo')
    const { rows } = await server.database.pool.query('SELECT recipient FROM outbox_message')
    expect(rows).toEqual([{ recipient: 'spa' }])
    await server.database.pool.query('TRUNCATE outbox_message')
  })

  it('from another site is repeated by the browser, so that the session cookie is sent', async () => {
    const form = { SAMLRequest: encodeForForm(await inside(logoutRequest())), RelayState: 'r' }
    const headers = { 'sec-fetch-site': 'cross-site' }
    const again = await server.browser().post('/samlp/one/logout', { form, headers })
    expect(await isSignedIn()).toBe(true)
    await browser.get(again.header('location') ?? '')
    expect(await isSignedIn()).toBe(false)
  })

  it('counts unsigned where the client has no key, if it names the session', async () => {
    await addSp('one', { signingCert: undefined })
    const query = (xml: string) => ({ query: { SAMLRequest: encodeForAddress(xml) } })
    const guessed = await browser.get('/samlp/one/logout', query(logoutRequest({ sessionIndex: 'guess' })))
    expect(statusOf(sentIn(guessed))).toEqual(['Requester', 'UnknownPrincipal'])
    const unnamed = logoutRequest().replace(/<samlp:SessionIndex>.*<\/samlp:SessionIndex>/, '')
    expect(statusOf(sentIn(await browser.get('/samlp/one/logout', query(unnamed))))).toEqual([
      'Requester',
      'UnknownPrincipal',
    ])
    expect(await isSignedIn()).toBe(true)
    await browser.get('/samlp/one/logout', query(logoutRequest()))
    expect(await isSignedIn()).toBe(false)
  })

  it('without an index ends the session if it is signed', async () => {
    const unnamed = logoutRequest().replace(/<samlp:SessionIndex>.*<\/samlp:SessionIndex>/, '')
    await browser.get(await inAddress(unnamed))
    expect(await isSignedIn()).toBe(false)
  })

  it('counts once, of ten at the same time too, and ends no later session', async () => {
    const address = await inAddress(logoutRequest().replace(/<samlp:SessionIndex>.*<\/samlp:SessionIndex>/, ''))
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(address)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9)
    expect(await isSignedIn()).toBe(false)
    await signIn(browser, 'kim@mail.test')
    await browser.get('/samlp/one')
    expect((await browser.get(address)).status).toBe(400)
    expect(await isSignedIn()).toBe(true)
    server.clock.advance(599)
    expect((await browser.get(address)).status).toBe(400)
    server.clock.advance(2)
    expect((await browser.get(address)).status).toBe(400)
  })

  it('without a session is answered, and notifies no application', async () => {
    expect(statusOf(sentIn(await ask({}, server.browser())))).toEqual(['Success'])
    expect(await isSignedIn()).toBe(true)
  })

  it.each<[string, Over]>([
    ['of another user', { nameId: 'auth0|lee' }],
    ['of another session', { sessionIndex: 'other' }],
  ])('%s ends nothing', async (_, over) => {
    expect(statusOf(sentIn(await ask(over)))).toEqual(['Requester', 'UnknownPrincipal'])
    expect(await isSignedIn()).toBe(true)
  })

  const minutes = (count: number) => new Date(server.clock.now().getTime() + count * 60_000)

  it.each<[string, () => Promise<TestResponse>]>([
    ['unsigned', () => browser.get('/samlp/one/logout', { query: { SAMLRequest: encodeForAddress(logoutRequest()) } })],
    ['by another key', async () => browser.get(await inAddress(logoutRequest(), other))],
    [
      'by another key inside',
      async () =>
        browser.post('/samlp/one/logout', {
          form: { SAMLRequest: encodeForForm(await inside(logoutRequest(), other)) },
        }),
    ],
    [
      'changed',
      async () =>
        browser.post('/samlp/one/logout', {
          form: { SAMLRequest: encodeForForm((await inside(logoutRequest())).replace(sid, 'x')) },
        }),
    ],
    ['for another address', () => ask({ destination: ENDPOINT('two') })],
    ['that is old', () => ask({ at: minutes(-15), expiresAt: minutes(5) })],
    ['that is over', () => ask({ expiresAt: minutes(-3) })],
    ['of the future', () => ask({ at: minutes(5), expiresAt: minutes(9) })],
    [
      'that is not a message',
      async () => browser.get(await inAddress(logoutRequest().replaceAll('LogoutRequest', 'AuthnRequest'))),
    ],
    [
      'without a NameID',
      async () => browser.get(await inAddress(logoutRequest().replace(/<saml:NameID.*<\/saml:NameID>/, ''))),
    ],
    ['without a message', () => browser.get('/samlp/one/logout')],
    ['of nobody', () => browser.get('/samlp/nobody/logout', { query: { SAMLRequest: 'x' } })],
  ])('%s is refused', async (_, send) => {
    expect((await send()).status).toBe(400)
    expect(await isSignedIn()).toBe(true)
  })
})

describe('an answer of an application', () => {
  const awaited = async () => sentIn(await follow(await ask()))

  it.each<[string, Parameters<typeof reply>[1]]>([
    [
      'by another key',
      {
        get by() {
          return other
        },
      },
    ],
    ['by another application', { as: 'two' }],
    ['to an unknown request', { inResponseTo: '_nothing' }],
    ['to no request', { inResponseTo: '' }],
  ])('%s is refused, and the sequence continues with a valid one', async (_, over) => {
    const response = await awaited()
    expect((await reply(response, over)).status).toBe(400)
    expect(sentIn(await reply(response)).to).toBe('https://two.test/slo')
  })

  it('counts once', async () => {
    const response = await awaited()
    await reply(response)
    expect((await reply(response)).status).toBe(400)
  })

  it('comes in time', async () => {
    const response = await awaited()
    server.clock.advance(601)
    expect((await reply(response)).status).toBe(400)
  })

  it('cannot be skipped by beginning the way where it stands', async () => {
    const response = await awaited()
    const chain = attributeOf(response.root, 'ID')?.slice(1) ?? ''
    expect((await browser.get('/samlp/one/logout', { query: { chain } })).status).toBe(400)
  })
})

describe('a logout of this server', () => {
  it('notifies the SAML applications on the way to its target', async () => {
    const out = await browser.get('/v2/logout', { query: { client_id: 'spa', returnTo: 'https://app.test/bye' } })
    let requested = sentIn(await follow(out))
    const expected = [requested.to]
    requested = sentIn(await reply(requested))
    expected.push(requested.to)
    const next = await reply(requested)
    expected.push(sentIn(next).to)
    const home = await reply(sentIn(next))
    expect(expected.sort()).toEqual(['https://one.test/slo', 'https://three.test/slo', 'https://two.test/slo'])
    expect(home.header('location')).toBe('https://app.test/bye')
  })

  it('a logout without a target ends on a page of this server', async () => {
    for (const name of ['two', 'three']) await addSp(name, { logout: {} })
    const requested = sentIn(await follow(await browser.get('/v2/logout')))
    const page = await reply(requested)
    expect([page.status, page.header('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).not.toContain('SAMLRe')
  })
})
