// Login at a WS-Federation provider: request, token, and the return to the client; and the tokens that sign no one in
// (threat-model.md SP7). lib/crypto/saml/token-checks.test.ts tests the validity of tokens.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeMessage } from '../../../crypto/saml/transport'
import { authorizeQuery, beginLogin, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { postedBy, RELYING_PARTY } from '../../../testing/wsfed'
import { ADFS_IDP, federationMetadataOf, type IssuedToken, tokenAnswer } from '../../../testing/wsfed-idp'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims'
const METADATA = 'FederationMetadata/2007-06/FederationMetadata.xml'
const ENTRA = 'https://login.microsoftonline.com/corp.example/'

let server: TestServer
let idp: Partner
let next: Partner
let fetched: string[] = []
let keys: Partner[] = []

const addAdfs = (name: string, options: object, strategy = 'adfs') =>
  server.addConnection(name, { options: options as never } as never, `con_${name}`, strategy)

beforeAll(async () => {
  ;[idp, next] = [await makePartner(), await makePartner()]
  keys = [idp]
  server = await testServer({
    callOut: async (address) => {
      fetched.push(address)
      const metadata = federationMetadataOf(...keys)
      const common = metadata.replace(ADFS_IDP, 'https://sts.windows.net/{tenantid}/')
      const body = new Uint8Array(Buffer.from(address.includes('common') ? common : metadata))
      return { status: 200, headers: {}, body }
    },
  })
  await server.addClient(SPA)
  await server.addClient(RELYING_PARTY)
  await server.addClient({ clientId: 'wiki', settings: { callbacks: ['https://wiki.test/acs'] } })
  await addAdfs('corp', { adfs_server: 'adfs.test', domain_aliases: ['corp.test'], upstream_params: HINT })
  await addAdfs('other', { adfs_server: 'https://adfs.test/metadata.xml', entityId: 'urn:us' })
  await addAdfs('written', { fedMetadataXml: federationMetadataOf(idp) })
  await addAdfs('byhand', {
    signInEndpoint: 'https://adfs.test/sts?tenant=1',
    signOutEndpoint: 'https://adfs.test/out',
    signingCert: idp.certificatePem,
    idpEntityId: ADFS_IDP,
    fieldsMap: { name: `${MICROSOFT}/displayname` },
    should_trust_email_verified_connection: 'always_set_emails_as_verified',
  })
  await addAdfs('keyed', { adfs_server: 'adfs.test', user_id_attribute: 'employee' })
  await addAdfs(
    'entra',
    { tenant_domain: 'corp.example', waad_protocol: 'ws-federation', userid_attribute: 'oid' },
    'waad',
  )
  await addAdfs('everybody', { tenant_domain: 'common', use_wsfed: true }, 'waad')
  await addAdfs('empty', {})
})
afterAll(() => server.close())

const HINT = { username: { alias: 'login_hint' }, whr: { value: 'corp' } }

let browser: Browser
beforeEach(() => {
  browser = server.browser()
  fetched = []
  keys = [idp]
})

const leave = async (connection: string, by = browser, extra = {}): Promise<URL> =>
  locationOf(await by.get('/authorize', { query: authorizeQuery({ connection, ...extra }) }))

const expected = (away: URL, over: Partial<IssuedToken> = {}): IssuedToken => ({
  now: server.clock.now(),
  audience: away.searchParams.get('wtrealm') ?? '',
  attributes: { [`${CLAIMS}/emailaddress`]: ['Kim@mail.test'], [`${CLAIMS}/name`]: ['Kim'] },
  ...over,
})

/** Posted by the provider's page, without our cookies. */
const post = (wresult: string, wctx: string | null, query: Record<string, string> = {}): Promise<TestResponse> =>
  server.browser().post('/login/callback', {
    query,
    form: { wa: 'wsignin1.0', wresult, ...(wctx === null ? {} : { wctx }) },
    headers: { 'sec-fetch-site': 'cross-site' },
  })

async function answered(away: URL, over: Partial<IssuedToken> = {}): Promise<string> {
  const posted = await post(await tokenAnswer(idp, expected(away, over)), away.searchParams.get('wctx'))
  expect(posted.status).toBe(303)
  return posted.header('location') ?? ''
}

const enter = async (connection: string, over: Partial<IssuedToken> = {}, by = browser): Promise<TestResponse> =>
  by.get(await answered(await leave(connection, by), over))

const claimsOf = async (answer: TestResponse, by = browser): Promise<Record<string, unknown>> =>
  payloadOf((await redeem(by, locationOf(answer).searchParams.get('code') ?? '')).json().id_token)

const hasSession = ({ cookies }: Browser): boolean => cookies.has('__Host-latchkey_session')

describe('leaving', () => {
  it('asks at the passive endpoint of the metadata, with a state that only this login has', async () => {
    const away = await leave('corp', browser, { login_hint: 'kim@corp.test' })
    expect(away.origin + away.pathname).toBe('https://adfs.test/adfs/ls/')
    const { wctx, wct, ...rest } = Object.fromEntries(away.searchParams)
    expect(rest).toEqual({
      wa: 'wsignin1.0',
      wtrealm: 'urn:id.test:corp',
      wreply: 'https://id.test/login/callback',
      username: 'kim@corp.test',
      whr: 'corp',
    })
    expect(wctx).toMatch(/^[\w-]{43}$/)
    expect(wct).toBe(server.clock.now().toISOString())
    expect(fetched).toEqual([`https://adfs.test/${METADATA}`])
  })

  it('asks for a fresh proof, under the name and at the address that the connection says', async () => {
    const away = await leave('byhand', browser, { prompt: 'login' })
    expect(away.href).toMatch(/^https:\/\/adfs\.test\/sts\?tenant=1&wa=/)
    expect(away.searchParams.get('wfresh')).toBe('0')
    expect((await leave('other')).searchParams.get('wtrealm')).toBe('urn:us')
    expect(fetched).toEqual(['https://adfs.test/metadata.xml'])
    expect((await leave('entra')).pathname).toBe('/adfs/ls/')
    expect(fetched.at(-1)).toBe(ENTRA + METADATA)
  })

  it('is where a button, and an address of its domain, lead to', async () => {
    const state = await beginLogin(browser)
    const pressed = await browser.post('/u/submit', { form: { state, action: 'federated', connection: 'corp' } })
    expect(locationOf(pressed).host).toBe('adfs.test')
    const form = { state: await beginLogin(browser), action: 'identify', username: 'kim@corp.test' }
    expect(locationOf(await browser.post('/u/submit', { form })).searchParams.get('username')).toBe('kim@corp.test')
  })

  it.each(['empty', 'everybody'])('shows the login page where the provider is not known: %s', async (connection) => {
    expect((await leave(connection)).searchParams.get('notice')).toBe('upstream_failed')
  })
})

describe('coming back', () => {
  it.each(['corp', 'other', 'written'])('signs in by %s, as a user of the connection', async (name) => {
    expect(await claimsOf(await enter(name))).toMatchObject({
      sub: `adfs|${name}|kim`,
      email: 'kim@mail.test',
      email_verified: false,
      name: 'Kim',
    })
    expect(hasSession(browser)).toBe(true)
  })

  it('takes SAML 2.0 as well, and what is encrypted to us', async () => {
    expect((await claimsOf(await enter('corp', { version: '2.0' }))).sub).toBe('adfs|corp|kim')
    const encryptTo = (await server.runtime()).keyring.current.certificate
    const other = server.browser()
    const answer = await enter('corp', { version: '2.0', encryptTo }, other)
    expect((await claimsOf(answer, other)).sub).toBe('adfs|corp|kim')
  })

  it('reads the claims where the connection says, and believes an address where it says so', async () => {
    const attributes = { [`${CLAIMS}/emailaddress`]: ['kim@mail.test'], [`${MICROSOFT}/displayname`]: ['Kim D.'] }
    const claims = await claimsOf(await enter('byhand', { attributes }))
    expect(claims).toMatchObject({ sub: 'adfs|byhand|kim', name: 'Kim D.', email_verified: true })
  })

  it('identifies users by the configured attribute, and refuses a token without it', async () => {
    const attributes = { employee: ['e-7'] }
    expect((await claimsOf(await enter('keyed', { attributes }))).sub).toBe('adfs|keyed|e-7')
    const answer = await enter('keyed', {}, server.browser())
    expect(locationOf(answer).searchParams.get('notice') ?? answer.status).not.toBe(302)
    const entra = server.browser()
    const oid = { [`${MICROSOFT}/objectidentifier`]: ['o-1'] }
    expect((await claimsOf(await enter('entra', { attributes: oid }, entra), entra)).sub).toBe('waad|entra|o-1')
  })

  it('identifies users by their upn if the token has no name identifier', async () => {
    const bend = (xml: string) => xml.replaceAll(/<saml:NameIdentifier .*?<\/saml:NameIdentifier>/g, '')
    const attributes = { [`${CLAIMS}/upn`]: ['kim@corp.test'] }
    expect((await claimsOf(await enter('corp', { bend, attributes }))).sub).toBe('adfs|corp|kim@corp.test')
    const unknown = await enter('corp', { bend, attributes: { a: ['b'] } }, server.browser())
    expect(locationOf(unknown).searchParams.get('error') ?? locationOf(unknown).pathname).toBe('/u/login')
  })

  it('takes the next key of the provider as soon as its metadata names it', async () => {
    keys = [idp, next]
    server.clock.advance(601)
    const away = await leave('corp')
    const posted = await post(await tokenAnswer(next, expected(away)), away.searchParams.get('wctx'))
    expect((await browser.get(posted.header('location') ?? '')).status).toBe(302)
    expect(hasSession(browser)).toBe(true)
    server.clock.advance(601)
  })

  it('refuses a blocked user, and informs the application in its own protocol', async () => {
    await enter('corp', { nameId: 'bad' }, server.browser())
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'adfs|corp|bad'`)
    const query = locationOf(await enter('corp', { nameId: 'bad' })).searchParams
    expect([query.get('error'), query.get('error_description')]).toEqual(['unauthorized', 'user is blocked'])
    const away = locationOf(await browser.get('/wsfed/portal', { query: { whr: 'urn:corp', wctx: 'c' } }))
    const posted = postedBy(await browser.get(await answered(away, { nameId: 'bad' })))
    expect([posted.action, posted.wctx]).toEqual(['https://portal.test/wsfed', 'c'])
    expect(posted.wresult).toContain('user is blocked')
    expect(posted.wresult).toContain('t:FailedAuthentication')
    const toSaml = locationOf(await browser.get('/samlp/wiki', { query: { connection: 'corp' } }))
    const { fields } = formOf((await browser.get(await answered(toSaml, { nameId: 'bad' }))).text)
    expect(decodeMessage(fields.SAMLResponse ?? '')).toMatch(/RequestDenied.*user is blocked/)
    expect(hasSession(browser)).toBe(false)
  })

  it('says so when the provider refused', async () => {
    const away = await leave('corp')
    const fault =
      '<s:Fault xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>t:FailedAuthentication</s:Value></s:Subcode></s:Code></s:Fault>'
    const posted = await post(fault, away.searchParams.get('wctx'))
    const answer = await browser.get(posted.header('location') ?? '')
    expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
  })
})

describe('an answer that is not ours', () => {
  const forged: [string, Partial<IssuedToken>][] = [
    ['of another realm', { audience: 'urn:id.test:other' }],
    ['of another issuer', { assertion: { issuer: 'https://other.test/' } }],
    ['for another address', { version: '2.0', assertion: { recipient: 'https://evil.test/' } }],
    ['unsigned', { sign: false }],
    ['too old', { now: new Date('2020-01-01T00:00:00Z') }],
  ]
  it.each(forged)('is refused: %s', async (_, over) => {
    expect((await enter('corp', over)).status).toBe(400)
    expect(hasSession(browser)).toBe(false)
  })

  it('is refused when the provider of another connection made it', async () => {
    const away = await leave('corp')
    const posted = await post(await tokenAnswer(next, expected(away)), away.searchParams.get('wctx'))
    expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
  })

  it('is refused at the address of another connection (SP9)', async () => {
    const away = await leave('written')
    const wctx = away.searchParams.get('wctx')
    const token = await tokenAnswer(idp, expected(away))
    expect((await post(token, wctx, { connection: 'corp' })).status).toBe(400)
    expect((await post(token, wctx, { connection: 'nobody' })).status).toBe(400)
    const onward = (await post(token, wctx, { connection: 'written' })).header('location') ?? ''
    expect((await claimsOf(await browser.get(onward))).sub).toBe('adfs|written|kim')
  })

  it('is refused in another browser', async () => {
    const onward = await answered(await leave('corp'))
    expect((await server.browser().get(onward)).status).toBe(403)
  })

  it('is refused where the token was used before, by another login too', async () => {
    const away = await leave('corp')
    const xml = await tokenAnswer(idp, expected(away))
    const first = await post(xml, away.searchParams.get('wctx'))
    expect((await browser.get(first.header('location') ?? '')).status).toBe(302)
    expect((await post(xml, away.searchParams.get('wctx'))).status).toBe(400)
    const thief = server.browser()
    const again = await post(xml, (await leave('corp', thief)).searchParams.get('wctx'))
    const refused = await thief.get(again.header('location') ?? '')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The answer of the other service was used before.')
    expect(server.lines.at(-1)?.fields.reason).toBe('upstream_replayed')
  })

  it('counts once of ten logins at the same time', async () => {
    const browsers = Array.from({ length: 10 }, () => server.browser())
    const aways = await Promise.all(browsers.map((each) => leave('corp', each)))
    const xml = await tokenAnswer(idp, expected(aways[0] as URL))
    const all = await Promise.all(
      browsers.map(async (each, i) =>
        each.get((await post(xml, aways[i]?.searchParams.get('wctx') ?? '')).header('location') ?? ''),
      ),
    )
    expect(all.filter(({ status }) => status === 302)).toHaveLength(1)
  })

  it.each([null, 'made up', 'x'.repeat(43)])('an answer with an unknown state is refused: %s', async (wctx) => {
    const answer = await post(await tokenAnswer(idp, expected(await leave('corp'))), wctx)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.header('location')).toBeUndefined()
  })

  it('is kept when it is large only if it is genuine', async () => {
    const attributes = { groups: Array.from({ length: 300 }, (_, i) => `a long group name of the directory ${i}`) }
    const away = await leave('corp')
    const wctx = away.searchParams.get('wctx')
    const bare = await tokenAnswer(idp, expected(away, { attributes, sign: false }))
    expect(bare.length).toBeGreaterThan(16 * 1024)
    expect((await post(bare, wctx)).status).toBe(400)
    expect((await post('x'.repeat(400_000), wctx)).status).toBe(413)
    expect((await claimsOf(await browser.get(await answered(away, { attributes })))).sub).toBe('adfs|corp|kim')
  })

  it('is no SAML response, nor the other way about', async () => {
    const away = await leave('corp')
    const form = { SAMLResponse: Buffer.from(await tokenAnswer(idp, expected(away))).toString('base64') }
    const RelayState = away.searchParams.get('wctx') ?? ''
    const posted = await server.browser().post('/login/callback', { form: { ...form, RelayState } })
    expect((await browser.get(posted.header('location') ?? '')).status).toBe(400)
  })
})

describe('signing out there', () => {
  it('leads to the provider, and then to its target', async () => {
    await enter('corp')
    const query = 'client_id=spa&federated&returnTo=https://app.test/other'
    const out = locationOf(await browser.get('/v2/logout', { query }))
    expect(out.origin + out.pathname).toBe('https://adfs.test/adfs/ls/')
    const { wreply = '', ...rest } = Object.fromEntries(out.searchParams)
    expect(rest).toEqual({ wa: 'wsignout1.0', wtrealm: 'urn:id.test:corp' })
    const back = new URL(wreply)
    expect(back.origin + back.pathname).toBe('https://id.test/logout/callback')
    const answer = await browser.get(back.pathname, { query: back.search.slice(1) })
    expect(answer.header('location')).toBe('https://app.test/other')
    expect(hasSession(browser)).toBe(false)
  })

  it('goes where the connection says', async () => {
    await enter('byhand')
    const out = locationOf(await browser.get('/v2/logout', { query: { federated: '' } }))
    expect(out.href).toMatch(/^https:\/\/adfs\.test\/out\?wa=wsignout1\.0/)
  })
})
