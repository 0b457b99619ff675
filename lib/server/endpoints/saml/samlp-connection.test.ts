// Login at a SAML identity provider: request, response, and the return to the client; and the responses that sign no one in
// (threat-model.md SP1 to SP6). lib/crypto/saml/response-checks.test.ts tests the validity of responses.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signingKeyStore } from '../../../adapters/store/prisma/keys'
import { revokeKey, rotateKeys } from '../../../crypto/keys/keyring'
import { publicKeyOf } from '../../../crypto/saml/certificate'
import { STATUS } from '../../../crypto/saml/names'
import { parseXml } from '../../../crypto/saml/parse'
import { isSignedQuery } from '../../../crypto/saml/query-signature'
import { readAuthnRequest, readLogoutRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { verifiedRoot } from '../../../crypto/saml/verify'
import { hintOf } from '../../../kernel/reasons'
import { authorizeQuery, beginLogin, locationOf, payloadOf, redeem, SPA, signIn, WEB } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { encoded, IDP, type SamlAnswerOptions, samlAnswer } from '../../../testing/saml-idp'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { postedBy, RELYING_PARTY } from '../../../testing/wsfed'

const CALLBACK = 'https://id.test/login/callback'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const EMAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const VENDOR_MAP = [`${CLAIMS}/nameidentifier`, `${CLAIMS}/upn`, `${CLAIMS}/name`]
const METADATA_URL = 'https://idp.test/metadata.xml'

let server: TestServer
let idp: Partner
let fetched: string[] = []
let metadataStatus = 200
let describedBy: Partner

const metadataOf = ({ certificate }: Partner): string =>
  `<?xml version="1.0"?><!-- made by hand --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/slo"/><md:SingleSignOnService Binding="${POST}" Location="https://idp.test/post"/></md:IDPSSODescriptor></md:EntityDescriptor>`

const addSaml = (name: string, options: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) =>
  server.addConnection(
    name,
    {
      ...settings,
      options: { signInEndpoint: 'https://idp.test/sso?x=1', signingCert: idp.certificatePem, ...options } as never,
    } as never,
    `con_${name}`,
    'samlp',
  )

beforeAll(async () => {
  idp = await makePartner()
  server = await testServer({
    callOut: async (address) => {
      fetched.push(address)
      return { status: metadataStatus, headers: {}, body: new Uint8Array(Buffer.from(metadataOf(describedBy))) }
    },
  })
  await server.addClient(SPA)
  await server.addClient(WEB)
  await server.addClient({
    clientId: 'sp',
    settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } },
  })
  const idpinitiated = (client_id: string, client_protocol: string) => ({
    idpinitiated: {
      enabled: true,
      client_id,
      client_protocol,
      client_authorizequery: 'scope=openid email&state=fixed&RelayState=deep',
    },
  })
  const wsfed = (client_id: string, client_authorizequery: string) => ({
    idpinitiated: { enabled: true, client_id, client_protocol: 'wsfed', client_authorizequery },
  })
  await addSaml('corp', { signingCert: Buffer.from(idp.certificatePem).toString('base64') }, { show_as_button: true })
  await addSaml('usual', { idpEntityId: IDP, fieldsMap: { user_id: VENDOR_MAP } })
  await addSaml('named', { idpEntityId: IDP, entityId: 'urn:us', fieldsMap: { user_id: 'uid', name: ['cn', 'nick'] } })
  await addSaml('trusting', { should_trust_email_verified_connection: 'always_set_emails_as_verified' })
  await addSaml('plain', { signSAMLRequest: false })
  await addSaml('fetched', { metadataUrl: METADATA_URL, signInEndpoint: undefined, signingCert: undefined })
  await addSaml('away', { metadataUrl: METADATA_URL, signInEndpoint: undefined, signingCert: undefined })
  await addSaml('written', { metadataXml: metadataOf(idp), signInEndpoint: undefined, signingCert: undefined })
  await addSaml('empty', { signInEndpoint: undefined, signingCert: undefined })
  await addSaml('portal', idpinitiated('web', 'oidc'))
  await addSaml('suite', idpinitiated('sp', 'samlp'))
  await server.addClient({
    ...WEB,
    clientId: 'pushes',
    settings: { ...WEB.settings, require_pushed_authorization_requests: true },
  })
  await addSaml('pushed', idpinitiated('pushes', 'oidc'))
  await server.addClient(RELYING_PARTY)
  await addSaml('twin', { ...idpinitiated('web', 'oidc'), entityId: 'urn:twins' })
  await addSaml('sister', { ...idpinitiated('web', 'oidc'), entityId: 'urn:twins' })
  await addSaml('intranet', wsfed('portal', 'wctx=a b&wtrealm=https://portal.test/&wreply=https://portal.test/other'))
  await addSaml('lost', wsfed('nobody', ''))
  await addSaml('strange', wsfed('portal', 'wreply=https://evil.test/'))
  await addSaml('crossed', wsfed('portal', 'wtrealm=urn:web'))
})
afterAll(() => server.close())

let browser: Browser
beforeEach(() => {
  browser = server.browser()
  fetched = []
  metadataStatus = 200
  describedBy = idp
})

type SentRequest = { id: string; relayState: string; connection: string }

const requestIn = (
  sent: { SAMLRequest?: string | null; RelayState?: string | null },
  connection: string,
): SentRequest => {
  const { id } = readAuthnRequest(parseXml(decodeMessage(sent.SAMLRequest ?? '')))
  return { id, relayState: sent.RelayState ?? '', connection }
}

async function leave(connection: string, by = browser, extra = {}): Promise<SentRequest> {
  const answer = await by.get('/authorize', { query: authorizeQuery({ connection, ...extra }) })
  if (answer.status === 200) return requestIn(formOf(answer.text).fields, connection)
  return requestIn(Object.fromEntries(locationOf(answer).searchParams), connection)
}

const expected = (
  connection: string,
  inResponseTo: string | null,
  over: Partial<SamlAnswerOptions> = {},
): SamlAnswerOptions => ({
  now: server.clock.now(),
  recipient: `${CALLBACK}?connection=${connection}`,
  audience: connection === 'named' ? 'urn:us' : `urn:id.test:${connection}`,
  inResponseTo,
  attributes: { [EMAIL]: ['kim@mail.test'], uid: ['u-7'], nick: ['Kimmy'] },
  ...over,
})

/** Posted by the provider's page, without our cookies; returns the redirect. */
async function post(xml: string, relayState: string | undefined, connection: string): Promise<TestResponse> {
  const form = { SAMLResponse: encoded(xml), ...(relayState === undefined ? {} : { RelayState: relayState }) }
  const headers = { 'sec-fetch-site': 'cross-site' }
  return server.browser().post('/login/callback', { query: { connection }, form, headers })
}

async function answered(
  { id, relayState, connection }: SentRequest,
  over: Partial<SamlAnswerOptions> = {},
): Promise<string> {
  const posted = await post(await samlAnswer(idp, expected(connection, id, over)), relayState, connection)
  expect(posted.status).toBe(303)
  return posted.header('location') ?? ''
}

const enter = async (connection: string, over: Partial<SamlAnswerOptions> = {}, by = browser): Promise<TestResponse> =>
  by.get(await answered(await leave(connection, by), over))

async function claimsOf(answer: TestResponse, by = browser): Promise<Record<string, unknown>> {
  const code = locationOf(answer).searchParams.get('code') ?? ''
  return payloadOf((await redeem(by, code)).json().id_token)
}

const hasSession = ({ cookies }: Browser): boolean => cookies.has('__Host-latchkey_session')

describe('leaving', () => {
  it('goes to the provider with a signed request that says where to answer', async () => {
    const address = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'corp' }) }))
    expect(address.href).toMatch(/^https:\/\/idp\.test\/sso\?x=1&SAMLRequest=/)
    const us = publicKeyOf((await server.runtime()).keyring.current.certificate)
    expect(us && isSignedQuery(address.search.slice(1), 'SAMLRequest', [us])).toBe(true)
    const request = readAuthnRequest(parseXml(decodeMessage(address.searchParams.get('SAMLRequest') ?? '')))
    expect(request).toMatchObject({
      issuer: 'urn:id.test:corp',
      destination: 'https://idp.test/sso?x=1',
      assertionConsumerUrl: `${CALLBACK}?connection=corp`,
      protocolBinding: POST,
      forceAuthn: false,
    })
    expect(Buffer.byteLength(address.searchParams.get('RelayState') ?? '')).toBeLessThanOrEqual(80)
  })

  it('has it posted by a page of this server where the provider wants a form, from its button too', async () => {
    const direct = await browser.get('/authorize', { query: authorizeQuery({ connection: 'written' }) })
    const { action, fields } = formOf(direct.text)
    expect(action).toBe('https://idp.test/post')
    const us = publicKeyOf((await server.runtime()).keyring.current.certificate)
    expect(us && verifiedRoot(decodeMessage(fields.SAMLRequest ?? ''), [us])).not.toBeNull()
    const form = { state: await beginLogin(browser), action: 'federated', connection: 'written' }
    expect(formOf((await browser.post('/u/submit', { form })).text).action).toBe('https://idp.test/post')
  })

  it('asks for a fresh proof, and leaves a request unsigned, where that is wanted', async () => {
    const query = authorizeQuery({ connection: 'plain', prompt: 'login' })
    const { searchParams } = locationOf(await browser.get('/authorize', { query }))
    expect([...searchParams.keys()]).toEqual(['x', 'SAMLRequest', 'RelayState'])
    expect(readAuthnRequest(parseXml(decodeMessage(searchParams.get('SAMLRequest') ?? ''))).forceAuthn).toBe(true)
  })

  it('reads metadata at an address, again after ten minutes', async () => {
    for (let i = 0; i < 2; i++) await leave('fetched')
    expect(fetched).toEqual([METADATA_URL])
    server.clock.advance(601)
    await leave('fetched')
    expect(fetched).toEqual([METADATA_URL, METADATA_URL])
  })

  it('goes by the metadata that it had while the address fails, for a day at most', async () => {
    await leave('fetched')
    metadataStatus = 500
    server.clock.advance(601)
    for (let i = 0; i < 2; i++) expect((await leave('fetched')).id).toMatch(/^_/)
    expect(fetched.length).toBeLessThanOrEqual(2)
    server.clock.advance(86400)
    const answer = await browser.get('/authorize', { query: authorizeQuery({ connection: 'fetched' }) })
    expect(locationOf(answer).searchParams.get('notice')).toBe('upstream_failed')
    metadataStatus = 200
    server.clock.advance(6)
    expect((await leave('fetched')).id).toMatch(/^_/)
  })

  it('shows the login page where there is no way to the provider', async () => {
    metadataStatus = 500
    for (const connection of ['away', 'empty']) {
      const answer = await browser.get('/authorize', { query: authorizeQuery({ connection }) })
      expect(locationOf(answer).searchParams.get('notice')).toBe('upstream_failed')
    }
  })
})

describe('coming back', () => {
  it.each(['corp', 'written', 'fetched', 'plain'])('signs in by %s, as a user of the connection', async (name) => {
    expect(await claimsOf(await enter(name))).toMatchObject({
      sub: `samlp|${name}|kim`,
      email: 'kim@mail.test',
      email_verified: false,
    })
    expect(hasSession(browser)).toBe(true)
  })

  it('reads the claims where the connection says, and believes an address where it says so', async () => {
    expect(await claimsOf(await enter('named'))).toMatchObject({ sub: 'samlp|named|u-7', name: 'Kimmy' })
    const other = server.browser()
    expect(await claimsOf(await enter('trusting', {}, other), other)).toMatchObject({ email_verified: true })
  })

  it("identifies users by the vendor's default map, with a name identifier or without one", async () => {
    expect(await claimsOf(await enter('usual'))).toMatchObject({ sub: 'samlp|usual|kim', email: 'kim@mail.test' })
    const other = server.browser()
    const attributes = { [`${CLAIMS}/upn`]: ['kim@corp'], [`${CLAIMS}/name`]: ['Kim'] }
    const bend = (xml: string): string => xml.replace(/<saml:NameID .*<\/saml:NameID>/, '')
    expect((await claimsOf(await enter('usual', { attributes, bend }, other), other)).sub).toBe('samlp|usual|kim@corp')
    const unnamed = server.browser()
    await enter('usual', { attributes: { [`${CLAIMS}/name`]: ['Kim'] }, bend }, unnamed)
    expect(hasSession(unnamed)).toBe(false)
    expect(server.lines.at(-1)?.fields.detail).toMatch(/none of the names of a person/)
  })

  it('opens what is encrypted to us, to the key before as well, and not to one that was revoked', async () => {
    const { keyring } = await server.runtime()
    const expected: Partial<SamlAnswerOptions> = { encryptTo: keyring.current.certificate, sign: 'both' }
    expect((await claimsOf(await enter('corp', expected))).sub).toBe('samlp|corp|kim')
    const keys = signingKeyStore(server.db, 'default')
    const deps = { ...server, host: 'id.test' }
    await rotateKeys(keys, deps)
    server.clock.advance(2)
    expect((await server.runtime()).keyring.current.kid).not.toBe(keyring.current.kid)
    const [later, last] = [server.browser(), server.browser()]
    expect((await claimsOf(await enter('corp', expected, later), later)).sub).toBe('samlp|corp|kim')
    await revokeKey(keys, keyring.current.kid, deps)
    server.clock.advance(2)
    expect((await enter('corp', expected, last)).status).toBe(400)
  })

  it('keeps the users of two connections apart, whatever their names (SP5)', async () => {
    const subs = await Promise.all(
      ['corp', 'plain'].map(async (name) => {
        const own = server.browser()
        return (await claimsOf(await enter(name, { nameId: 'same@mail.test' }, own), own)).sub
      }),
    )
    expect(new Set(subs).size).toBe(2)
  })

  it('says so when the provider refused', async () => {
    const failed = { code: STATUS.responder, detail: STATUS.authnFailed }
    const answer = await enter('corp', { status: failed })
    expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
  })
})

/** What the page calls its reference: the id of the request in the log. */
const referenceIn = ({ text }: TestResponse): string | undefined =>
  /<dt>Reference<\/dt><dd[^>]*>([^<]+)</.exec(text)?.[1]

describe('an answer that is not ours', () => {
  const forged: [string, Partial<SamlAnswerOptions>][] = [
    ['of another audience', { audience: 'urn:id.test:plain' }],
    ['for another connection', { recipient: `${CALLBACK}?connection=plain` }],
    ['to another request', { inResponseTo: '_other' }],
    ['to no request', { inResponseTo: null }],
    ['unsigned', { sign: 'neither' }],
    ['too old', { now: new Date('2020-01-01T00:00:00Z') }],
  ]
  it.each(forged)('is refused: %s', async (_, over) => {
    expect((await enter('corp', over)).status).toBe(400)
    expect(hasSession(browser)).toBe(false)
    expect(server.lines.at(-1)?.fields).toBeTruthy()
  })

  it.each<[string, Partial<SamlAnswerOptions>, string, RegExp, string, string]>([
    [
      'another audience',
      { audience: 'urn:id.test:plain' },
      'unfit',
      /audience "urn:id.test:plain", .*"urn:id.test:corp"/,
      'upstream_audience',
      'it names another audience',
    ],
    [
      'an earlier time',
      { now: new Date('2020-01-01T00:00:00Z') },
      'unfit',
      /expired at 2020-01-01.*, and it is 20/,
      'upstream_expired',
      'has expired, or its clock differs',
    ],
    [
      'a later time',
      { now: new Date('2040-01-01T00:00:00Z') },
      'unfit',
      /not valid before 2040-01-01/,
      'upstream_early',
      'is not valid yet: its clock differs',
    ],
    [
      'SHA-1',
      { options: { signature: 'sha1', digest: 'sha1' } },
      'unfit',
      /digest .*sha1", is not accepted/,
      'signature_algorithm',
      'an algorithm that is not accepted',
    ],
    [
      'a signature by SHA-1',
      { options: { signature: 'sha1', digest: 'sha256' } },
      'unfit',
      /rsa-sha1", is not accepted/,
      'signature_algorithm',
      'an algorithm that is not accepted',
    ],
    [
      'another request',
      { inResponseTo: '_other' },
      'forged',
      /another request/,
      'upstream_other_request',
      'is to another sign-in',
    ],
    [
      'another address',
      { assertion: { recipient: 'https://evil.test/' } },
      'forged',
      /not confirmed for this address/,
      'upstream_address',
      'meant for another address',
    ],
    [
      'no signature',
      { sign: 'neither' },
      'forged',
      /neither it nor its assertion is signed/,
      'signature_missing',
      'is not signed, and it has to be',
    ],
  ])('is refused for its true cause, which log and page name: %s', async (_, over, failure, detail, reason, words) => {
    const answer = await enter('corp', over)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(words)
    const line = server.lines.find(({ fields }) => fields.failure === failure && fields.reason === reason)
    expect(line?.fields.detail).toMatch(detail)
    expect(referenceIn(answer)).toBe(server.lines.findLast(({ fields }) => fields.reason === reason)?.fields.request)
    for (const secret of ['kim@mail.test', 'urn:id.test', 'evil.test', '_other'])
      expect(answer.text).not.toContain(secret)
    expect(hasSession(browser)).toBe(false)
    server.lines.length = 0
  })

  it('is accepted by a key that the provider has had since its metadata was read, which is read again once', async () => {
    await leave('fetched')
    fetched = []
    const [current, stranger] = [await makePartner(), await makePartner()]
    const by = async (partner: Partner, own: Browser): Promise<TestResponse> => {
      const { id, relayState } = await leave('fetched', own)
      const posted = await post(await samlAnswer(partner, expected('fetched', id)), relayState, 'fetched')
      return own.get(posted.header('location') ?? '')
    }
    describedBy = current
    expect((await claimsOf(await by(current, browser))).sub).toBe('samlp|fetched|kim')
    expect(fetched).toEqual([METADATA_URL])
    for (let i = 0; i < 3; i++) expect((await by(stranger, server.browser())).status).toBe(400)
    expect(fetched).toEqual([METADATA_URL])
    server.clock.advance(31)
    for (let i = 0; i < 3; i++) expect((await by(stranger, server.browser())).status).toBe(400)
    expect(fetched).toEqual([METADATA_URL, METADATA_URL])
    server.clock.advance(601)
  })

  it('is refused when the provider of another connection made it', async () => {
    const stranger = await makePartner()
    const request = await leave('corp')
    const posted = await post(await samlAnswer(stranger, expected('corp', request.id)), request.relayState, 'corp')
    const refused = await browser.get(posted.header('location') ?? '')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('is not signed with a certificate that is known here')
    expect(server.lines.at(-1)?.fields.reason).toBe('signature_invalid')
  })

  it('is refused alike whether it can be decrypted or not, so that the page is no oracle', async () => {
    const stranger = await makePartner()
    const { keyring } = await server.runtime()
    const pages = []
    for (const over of [
      { encryptTo: stranger.certificate },
      { encryptTo: keyring.current.certificate, sign: 'neither' as const },
    ]) {
      const { text, status } = await enter('corp', over)
      expect(status).toBe(400)
      expect(server.lines.at(-1)?.fields.reason).toBe('upstream_undecryptable')
      pages.push(text.slice(text.indexOf('<main'), text.indexOf('common.details')).replace(/<dd[\s\S]*?<\/dd>/g, ''))
    }
    expect(pages[0]).toContain('belong to a sign-in')
    expect(pages[1]).toBe(pages[0])
  })

  it('is refused when another provider issued it', async () => {
    const issuer = 'https://other.test'
    const refused = await enter('named', { assertion: { issuer }, answer: { issuer } })
    expect(refused.text).toContain('comes from another issuer')
    expect(refused.text).not.toContain('other.test')
    expect(server.lines.at(-1)?.fields.reason).toBe('upstream_issuer')
  })

  describe.each([
    ['twin', 'sister'],
    ['sister', 'twin'],
  ])('of the connection %s at the address of %s, of one provider and one entity id (SP9)', (connection, other) => {
    const twins = { audience: 'urn:twins' }

    it('is refused, whatever address it names', async () => {
      for (const recipient of [`${CALLBACK}?connection=${connection}`, `${CALLBACK}?connection=${other}`, CALLBACK]) {
        const request = await leave(connection)
        const xml = await samlAnswer(idp, expected(connection, request.id, { ...twins, recipient }))
        expect((await post(xml, request.relayState, other)).status).toBe(400)
        expect(
          (await browser.get('/login/callback', { query: { connection: other, state: request.relayState } })).status,
        ).toBe(400)
      }
      const right = await leave(connection)
      const posted = await post(
        await samlAnswer(idp, expected(connection, right.id, twins)),
        right.relayState,
        connection,
      )
      expect((await claimsOf(await browser.get(posted.header('location') ?? ''))).sub).toBe(`samlp|${connection}|kim`)
    })

    it('is refused for a login that left for the other', async () => {
      const [request, wrong] = [await leave(connection), await leave(other)]
      const xml = await samlAnswer(idp, expected(connection, request.id, twins))
      const posted = await post(xml, wrong.relayState, other)
      expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
    })

    it.each([
      ['its own', `${CALLBACK}?connection=${connection}`],
      ['that of every connection', CALLBACK],
    ])('is refused if unsolicited and naming %s address', async (_, recipient) => {
      const xml = await samlAnswer(idp, expected(connection, null, { ...twins, recipient }))
      const posted = await post(xml, undefined, other)
      expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
      expect(hasSession(browser)).toBe(false)
      const named = await samlAnswer(
        idp,
        expected(connection, null, { ...twins, recipient: `${CALLBACK}?connection=${connection}` }),
      )
      const onward = (await post(named, undefined, connection)).header('location') ?? ''
      expect(locationOf(await browser.get(onward)).searchParams.get('code')).toBeTruthy()
    })
  })

  it('is taken at the address of every connection too, where it answers a request', async () => {
    const request = await leave('corp')
    const xml = await samlAnswer(idp, expected('corp', request.id, { recipient: CALLBACK }))
    const form = { SAMLResponse: encoded(xml), RelayState: request.relayState, connection: 'plain' }
    const posted = await server.browser().post('/login/callback', { form, headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await claimsOf(await browser.get(posted.header('location') ?? ''))).sub).toBe('samlp|corp|kim')
  })

  it('is refused in another browser, and counts once', async () => {
    const victim = server.browser()
    const onward = await answered(await leave('corp'))
    expect((await victim.get(onward)).status).toBe(403)
    const request = await leave('corp')
    const xml = await samlAnswer(idp, expected('corp', request.id))
    const first = await post(xml, request.relayState, 'corp')
    const second = await post(xml, request.relayState, 'corp')
    const all = await Promise.all([first, second].map((each) => browser.get(each.header('location') ?? '')))
    expect(all.map(({ status }) => status).sort()).toEqual([302, 400])
    expect((await post(xml, request.relayState, 'corp')).status).toBe(404)
  })

  it('is kept when it is large only if it is genuine', async () => {
    const attributes = {
      [EMAIL]: ['kim@mail.test'],
      groups: Array.from({ length: 300 }, (_, i) => `a long group name ${i}`),
    }
    const request = await leave('corp')
    const bare = await samlAnswer(idp, expected('corp', request.id, { attributes, sign: 'neither' }))
    expect(encoded(bare).length).toBeGreaterThan(16 * 1024)
    expect((await post(bare, request.relayState, 'corp')).status).toBe(400)
    expect((await post(bare, undefined, 'portal')).status).toBe(400)
    const onward = await answered(request, { attributes })
    expect((await claimsOf(await browser.get(onward))).sub).toBe('samlp|corp|kim')
    const started = await samlAnswer(idp, expected('portal', null, { attributes }))
    expect((await post(started, undefined, 'portal')).status).toBe(303)
  })

  it('is not taken at all where it is no message, or too long', async () => {
    expect((await post('<a/>', 'made up', 'corp')).status).toBe(404)
    const form = { state: 'x', code: 'y'.repeat(20_000) }
    expect((await browser.post('/login/callback', { form })).status).toBe(413)
  })
})

describe('a login that begins at the provider', () => {
  const start = async (
    connection: string,
    over: Partial<SamlAnswerOptions> = {},
    relayState?: string,
  ): Promise<TestResponse> => post(await samlAnswer(idp, expected(connection, null, over)), relayState, connection)

  it('leads to the application that the connection names, with the query that it sets', async () => {
    const posted = await start('portal', {}, 'https://evil.test/')
    const answer = await browser.get(posted.header('location') ?? '')
    expect(locationOf(answer).searchParams.get('code')).toBeTruthy()
    expect(locationOf(answer).searchParams.get('state')).toBe('fixed')
    expect(hasSession(browser)).toBe(true)
  })

  it('leads to no application that must push its requests (threat-model.md BF11)', async () => {
    const posted = await start('pushed')
    const answer = locationOf(await browser.get(posted.header('location') ?? '')).searchParams
    expect([answer.get('error'), answer.has('code'), hasSession(browser)]).toEqual(['invalid_request', false, false])
  })

  it('leads out by SAML as well', async () => {
    const posted = await start('suite')
    const { action, fields } = formOf((await browser.get(posted.header('location') ?? '')).text)
    expect(action).toBe('https://sp.test/acs')
    expect(decodeMessage(fields.SAMLResponse ?? '')).toContain('samlp|suite|kim')
    expect(fields.RelayState).toBe('deep')
  })

  it('leads out by WS-Federation, to an application that the query must fit', async () => {
    const posted = await start('intranet')
    const answer = postedBy(await browser.get(posted.header('location') ?? ''))
    expect([answer.action, answer.wctx]).toEqual(['https://portal.test/other', 'a b'])
    expect(answer.wresult).toContain('samlp|intranet|kim')
    expect(answer.wresult).toContain('<saml:Audience>https://portal.test/</saml:Audience>')
    for (const connection of ['lost', 'strange', 'crossed']) {
      const other = server.browser()
      const refused = await other.get((await start(connection)).header('location') ?? '')
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.status).toBeLessThan(500)
      expect(hasSession(other)).toBe(false)
    }
  })

  it.each(['corp', 'Users', 'nobody'])('is off unless the connection takes it: %s', async (connection) => {
    expect((await start(connection)).status).toBe(404)
  })

  it('is refused where it answers a request, which another browser made', async () => {
    const request = await leave('portal', server.browser())
    const posted = await start('portal', { inResponseTo: request.id })
    expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
  })

  it('does not replace a signed-in user (SP6)', async () => {
    await server.addUser({ email: 'lee@mail.test' })
    await signIn(browser, 'lee@mail.test')
    const before = new Map(browser.cookies)
    const posted = await start('portal')
    expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
    expect(browser.cookies.get('__Host-latchkey_session')).toBe(before.get('__Host-latchkey_session'))
  })

  it('counts once of twenty at the same time (SP4)', async () => {
    const xml = await samlAnswer(idp, expected('portal', null))
    const posted = await Promise.all(Array.from({ length: 20 }, () => post(xml, undefined, 'portal')))
    const all = await Promise.all(posted.map((each) => server.browser().get(each.header('location') ?? '')))
    expect(all.filter(({ status }) => status === 302)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  it('is refused where its assertion was used before, on a page that says so (SP4)', async () => {
    const xml = await samlAnswer(idp, expected('portal', null))
    const onward = async () => (await post(xml, undefined, 'portal')).header('location') ?? ''
    expect((await browser.get(await onward())).status).toBe(302)
    const stranger = server.browser()
    const refused = await stranger.get(await onward())
    expect([refused.status, hasSession(stranger)]).toEqual([400, false])
    expect(refused.text).toContain('The answer of the other service was used before.')
    expect(refused.text).not.toContain('kim@mail.test')
    const says = { reason: 'upstream_replayed', hint: hintOf('upstream_replayed') }
    expect(server.lines.at(-1)?.fields).toMatchObject(says)
    expect((await server.audited()).findLast(({ type }) => type === 'f')).toMatchObject({
      description: 'the assertion was used before',
      connection: 'portal',
      details: says,
    })
  })

  it('is over after two minutes, and its ticket is for one use', async () => {
    const late = (await start('portal')).header('location') ?? ''
    server.clock.advance(121)
    expect((await browser.get(late)).status).toBe(400)
    const once = (await start('portal')).header('location') ?? ''
    expect((await browser.get(once)).status).toBe(302)
    expect((await browser.get(once)).status).toBe(400)
  })
})

describe('signing out there', () => {
  it('leads to the provider with a signed request, and then to its target', async () => {
    await enter('written')
    const out = await browser.get('/v2/logout', { query: { federated: '' } })
    const address = locationOf(out)
    expect(address.origin + address.pathname).toBe('https://idp.test/slo')
    const us = publicKeyOf((await server.runtime()).keyring.current.certificate)
    expect(us && isSignedQuery(address.search.slice(1), 'SAMLRequest', [us])).toBe(true)
    const request = readLogoutRequest(parseXml(decodeMessage(address.searchParams.get('SAMLRequest') ?? '')))
    expect(request).toMatchObject({ nameId: 'kim', sessions: ['s1'], issuer: 'urn:id.test:written' })
    const form = { SAMLResponse: 'x', RelayState: address.searchParams.get('RelayState') ?? '' }
    expect([200, 303]).toContain((await browser.post('/logout/callback', { form })).status)
  })
})
