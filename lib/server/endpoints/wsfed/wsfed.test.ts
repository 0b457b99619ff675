// WS-Federation as a relying party sees it (WS-Federation 1.2, 13; threat-model.md WF1): accepted and refused requests, tokens
// as an unmodified library and xmlsec1 verify them, sign-out, metadata.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { parseXml } from '../../../crypto/saml/parse'
import { locationOf, submitPassword, WEB } from '../../../testing/journey'
import { type Browser, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, hasTool, schemaProblems, xmlsecHolds } from '../../../testing/tools'
import { judge, type Posted, postedBy, RELYING_PARTY, signInByWsFed } from '../../../testing/wsfed'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MARKUP = `"><script>alert('1')</script>&amp; é%20+`

let server: TestServer
let certificate: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient(RELYING_PARTY)
  await server.addClient(WEB)
  await server.addUser({ email: 'kim@mail.test', data: { name: 'Kim <Ö>', givenName: 'Kim', emailVerified: true } })
  const [current] = (await server.runtime()).keyring.certificates
  certificate = current ?? ''
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

/** The library uses the wall clock. */
function verdictOn(posted: Posted, realm = 'urn:portal') {
  vi.useFakeTimers({ now: server.clock.now(), toFake: ['Date'] })
  return judge(posted, { realm, cert: certificate })
}

async function change(settings: Record<string, unknown>): Promise<void> {
  await server.addClient({ ...RELYING_PARTY, settings: { ...RELYING_PARTY.settings, ...settings } })
}

const signedIn = async (): Promise<Browser> => {
  const browser = server.browser()
  await signInByWsFed(browser, 'kim@mail.test')
  return browser
}

describe('signing in', () => {
  it('posts a token that passport-wsfed-saml2 believes, to the first callback URL', async () => {
    const posted = await signInByWsFed(server.browser(), 'kim@mail.test')
    expect([posted.action, posted.wa, posted.wctx]).toEqual(['https://portal.test/wsfed', 'wsignin1.0', undefined])
    const { profile, error } = await verdictOn(posted)
    expect(error).toBeUndefined()
    expect(profile).toMatchObject({
      issuer: 'urn:id.test',
      email: 'kim@mail.test',
      [`${CLAIMS}/nameidentifier`]: expect.stringMatching(/^auth0\|/),
      [`${CLAIMS}/name`]: 'Kim <Ö>',
      [`${CLAIMS}/givenname`]: 'Kim',
      [`${CLAIMS}/upn`]: 'kim@mail.test',
      'http://schemas.auth0.com/email_verified': expect.any(String),
      'http://schemas.auth0.com/clientID': 'portal',
    })
  })

  it('writes the answer as the vendor does: the assertion first, SAML 1.1, signed last, for eight hours', async () => {
    const { wresult } = await signInByWsFed(server.browser(), 'kim@mail.test', { wctx: 'c' })
    expect(wresult).toMatch(
      /^<t:RequestSecurityTokenResponse xmlns:t="http:\/\/schemas\.xmlsoap\.org\/ws\/2005\/02\/trust" Context="c"><t:RequestedSecurityToken><saml:Assertion /,
    )
    expect(wresult).toMatch(
      /<\/ds:Signature><\/saml:Assertion><\/t:RequestedSecurityToken><\/t:RequestSecurityTokenResponse>$/,
    )
    const now = server.clock.now()
    const end = new Date(now.getTime() + 8 * 3600_000)
    expect(wresult).toContain(`NotBefore="${now.toISOString()}" NotOnOrAfter="${end.toISOString()}"`)
    expect(wresult).toContain('MajorVersion="1" MinorVersion="1" AssertionID="_')
    expect(wresult).toContain(`AttributeNamespace="${CLAIMS}" AttributeName="emailaddress"`)
    expect(
      wresult.match(/<saml:NameIdentifier Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">auth0\|/g),
    ).toHaveLength(2)
    expect(wresult).toContain('AuthenticationMethod="urn:oasis:names:tc:SAML:1.0:am:password"')
    expect(wresult).toContain('xmldsig-more#rsa-sha256')
    expect(() => parseXml(wresult)).not.toThrow()
  })

  it('is single sign-on, and hands back wctx byte for byte', async () => {
    const browser = await signedIn()
    const answer = await browser.get('/wsfed/portal', { query: { wctx: MARKUP, wreply: 'https://portal.test/other' } })
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.header('content-security-policy')).toContain("default-src 'none'")
    const posted = postedBy(answer)
    expect([posted.action, posted.wctx]).toEqual(['https://portal.test/other', MARKUP])
    expect((await verdictOn(posted)).error).toBeUndefined()
    expect(parseXml(posted.wresult).getAttribute('Context')).toBe(MARKUP)
  })

  it.each([
    ['its id in the path', '/wsfed/portal', {}, 'urn:portal'],
    ['its id in the path and its own realm', '/wsfed/portal', { wtrealm: 'urn:portal' }, 'urn:portal'],
    ['client-id', '/wsfed', { 'client-id': 'portal' }, 'urn:portal'],
    [
      'client-id and an alias',
      '/wsfed',
      { 'client-id': 'portal', wtrealm: 'https://portal.test/' },
      'https://portal.test/',
    ],
    ['an alias', '/wsfed', { wtrealm: 'https://portal.test/' }, 'https://portal.test/'],
    ['an alias that is no URI', '/wsfed/portal', { wtrealm: 'portal realm' }, 'urn:portal realm'],
  ])('knows the application by %s, and addresses the token to its realm', async (_how, path, query, audience) => {
    const posted = postedBy(await (await signedIn()).get(path, { query }))
    expect((await verdictOn(posted, audience)).error).toBeUndefined()
    expect((await verdictOn(posted, 'urn:web')).error?.message).toContain('Audience is invalid')
  })

  it('takes parameters without a value as not sent, as passport-wsfed-saml2 sends them', async () => {
    const query = 'wtrealm=urn%3Aportal&wa=wsignin1.0&whr='
    expect(postedBy(await (await signedIn()).get('/wsfed', { query })).action).toBe('https://portal.test/wsfed')
  })

  it('asks anew with wfresh=0, and with a session older than its minutes', async () => {
    const browser = await signedIn()
    const ask = (wfresh: string) => browser.get('/wsfed/portal', { query: { wfresh } })
    expect((await ask('5')).status).toBe(200)
    expect(locationOf(await ask('0')).pathname).toBe('/u/login')
    server.clock.advance(301)
    expect(locationOf(await ask('5')).pathname).toBe('/u/login')
    expect((await ask('6')).status).toBe(200)
  })

  it('asks for a second factor where wauth does', async () => {
    await server.setTenant({ guardianFactors: [{ name: 'otp', enabled: true }] })
    const browser = await signedIn()
    for (const wauth of [
      'http://schemas.microsoft.com/claims/multipleauthn',
      'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
    ]) {
      const answer = await browser.get('/wsfed/portal', { query: { wauth } })
      expect(answer.header('location')).toMatch(/\/u\/mfa-/)
    }
    expect((await browser.get('/wsfed/portal', { query: { wauth: 'urn:whatever' } })).status).toBe(200)
    await server.setTenant({})
  })

  it.each(['urn:Users', 'Users'])('continues with the connection that whr=%s names', async (whr) => {
    const browser = server.browser()
    const page = locationOf(await browser.get('/wsfed/portal', { query: { whr } }))
    const answer = await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')
    expect(postedBy(answer).wa).toBe('wsignin1.0')
  })

  it('permits a user with an expired login to start again', async () => {
    const browser = server.browser()
    const query = { wctx: 'a b', wreply: 'https://portal.test/other' }
    const page = locationOf(await browser.get('/wsfed/portal', { query }))
    server.clock.advance(3601)
    const { text } = await browser.get(page.pathname, { query: page.search.slice(1) })
    expect(text).toContain('https://id.test/wsfed/portal?wreply=https%3A%2F%2Fportal.test%2Fother&amp;wctx=a+b')
  })
})

describe('a refused request', () => {
  beforeAll(async () => {
    await server.addClient({
      clientId: 'twin',
      settings: { callbacks: ['https://twin.test/'], client_aliases: ['shared', 'urn:web'] },
    })
    await server.addClient({
      clientId: 'other-twin',
      settings: { callbacks: ['https://twin.test/'], client_aliases: ['shared'] },
    })
    await server.addClient({
      clientId: 'third',
      settings: { callbacks: ['https://third.test/'], is_first_party: false },
    })
    await server.addClient({ clientId: 'nowhere', settings: { callbacks: ['https://*.nowhere.test/cb'] } })
  })

  it.each<[string, string, string | Record<string, string>, string]>([
    ['a strange wreply', '/wsfed/portal', { wreply: 'https://evil.test/' }, 'Callback URL mismatch'],
    [
      'a wreply below a callback URL',
      '/wsfed/portal',
      { wreply: 'https://portal.test/wsfed/x' },
      'Callback URL mismatch',
    ],
    [
      'a wreply with more in its query',
      '/wsfed/portal',
      { wreply: 'https://portal.test/wsfed?x=1' },
      'Callback URL mismatch',
    ],
    ['a wreply of another client', '/wsfed/portal', { wreply: 'https://web.test/cb' }, 'Callback URL mismatch'],
    ['a script as wreply', '/wsfed/portal', { wreply: 'javascript:alert(1)' }, 'Callback URL mismatch'],
    ['a pattern as wreply', '/wsfed/nowhere', { wreply: 'https://*.nowhere.test/cb' }, 'Callback URL mismatch'],
    ['no wreply where there is no callback URL', '/wsfed/nowhere', {}, 'Missing required parameter: wreply'],
    ['the realm of another client', '/wsfed/portal', { wtrealm: 'urn:web' }, 'name different clients'],
    ['an alias that is the realm of another client', '/wsfed/twin', { wtrealm: 'urn:web' }, 'name different clients'],
    ['another client-id than the path', '/wsfed/portal', { 'client-id': 'web' }, 'name different clients'],
    [
      'another client-id than the realm',
      '/wsfed',
      { 'client-id': 'web', wtrealm: 'urn:portal' },
      'name different clients',
    ],
    ['an unknown alias', '/wsfed', { wtrealm: 'https://nobody.test/' }, 'Unknown client: https://nobody.test/'],
    [
      'an unknown realm beside a known client',
      '/wsfed/portal',
      { wtrealm: 'urn:nobody' },
      'Unknown client: urn:nobody',
    ],
    ['an alias of two clients', '/wsfed', { wtrealm: 'shared' }, 'Unknown client: shared'],
    ['an alias of two clients beside one of them', '/wsfed/twin', { wtrealm: 'shared' }, 'Unknown client: shared'],
    ['an unknown client in the path', '/wsfed/nobody', {}, 'Unknown client: nobody'],
    ['an unknown client-id', '/wsfed', { 'client-id': 'nobody' }, 'Unknown client: nobody'],
    ['nobody', '/wsfed', {}, 'Missing required parameter: wtrealm'],
    ['a third party without the add-on', '/wsfed/third', {}, 'not enabled'],
    ['an action that there is not', '/wsfed/portal', { wa: 'wattr1.0' }, 'Invalid parameter: wa'],
    ['two realms', '/wsfed', 'wtrealm=urn:portal&wtrealm=urn:web', 'Repeated parameter: wtrealm'],
    ['a NUL in the path', '/wsfed/a%00b', {}, 'Not found'],
    ['markup as realm', '/wsfed', { wtrealm: MARKUP }, 'Unknown client'],
    [
      'sign-out to a strange address',
      '/wsfed/portal',
      { wa: 'wsignout1.0', wreply: 'https://evil.test/' },
      'wreply URL is not among',
    ],
    [
      'sign-out to another client’s address',
      '/wsfed',
      { wa: 'wsignout1.0', wtrealm: 'urn:web', wreply: 'https://portal.test/bye' },
      'wreply URL is not among',
    ],
    [
      'sign-out to a client’s address without the client',
      '/wsfed',
      { wa: 'wsignoutcleanup1.0', wreply: 'https://portal.test/bye' },
      'wreply URL is not among',
    ],
  ])('a request is refused: %s', async (_what, path, query, text) => {
    const browser = await signedIn()
    const answer = await browser.get(path, { query })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.header('location')).toBeUndefined()
    expect(answer.text).not.toMatch(/<form[^>]+action="(?!\/)/)
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.text).toContain(text)
    expect((await browser.get('/wsfed/portal')).status).toBe(200)
  })

  it('other methods are refused', async () => {
    expect((await server.browser().post('/wsfed/portal', { form: {} })).status).toBe(405)
  })
})

describe('informs the application once its URL is validated', () => {
  const faultOf = (posted: Posted) => ({ action: posted.action, wctx: posted.wctx, fault: posted.wresult })

  it('a wrong parameter is sent as a fault that passport-wsfed-saml2 reads', async () => {
    const posted = postedBy(await server.browser().get('/wsfed/portal', { query: { wfresh: '-1', wctx: MARKUP } }))
    expect(faultOf(posted)).toMatchObject({ action: 'https://portal.test/wsfed', wctx: MARKUP })
    const { error } = await verdictOn(posted)
    expect(error?.message).toBe('Invalid parameter: wfresh')
  })

  it('the refusal of the user is sent to the application', async () => {
    const addons = { wsfed: {} }
    await server.addClient({
      clientId: 'guest',
      settings: { callbacks: ['https://guest.test/'], is_first_party: false, addons },
    })
    const browser = await signedIn()
    const page = locationOf(await browser.get('/wsfed/guest', { query: { wctx: 'c' } }))
    expect(page.pathname).toBe('/u/consent')
    const form = { state: page.searchParams.get('state') ?? '', action: 'deny' }
    const posted = postedBy(await browser.post('/u/submit', { form }))
    expect(posted).toMatchObject({ action: 'https://guest.test/', wctx: 'c' })
    expect((await verdictOn(posted)).profile).toBeUndefined()
    expect(posted.wresult).toContain('t:FailedAuthentication')
  })
})

describe('as the client’s add-on says', () => {
  afterEach(() => change({}))
  const issue = async () => postedBy(await (await signedIn()).get('/wsfed/portal'))

  it('the add-on issues SAML 2.0', async () => {
    await change({ addons: { wsfed: { tokenType: 'saml20', lifetimeInSeconds: 600 } } })
    const posted = await issue()
    const { profile, error } = await verdictOn(posted)
    expect(error).toBeUndefined()
    expect(profile).toMatchObject({ issuer: 'urn:id.test', email: 'kim@mail.test' })
    expect(posted.wresult).toContain('<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"')
  })

  it('issues a JWT, as passport-wsfed-saml2 takes them, that is good for nothing else', async () => {
    const wsfed = { tokenType: 'jwt', lifetimeInSeconds: 600, issuer: 'https://id.test/' }
    await change({ addons: { wsfed } })
    const posted = await issue()
    const jwt = { audience: 'urn:portal', issuer: 'urn:id.test', algorithms: ['RS256'] }
    vi.useFakeTimers({ now: server.clock.now(), toFake: ['Date'] })
    const { profile, error } = await judge(posted, { realm: 'urn:portal', cert: pemOf(certificate), jwt })
    expect(error).toBeUndefined()
    const { exp, iat, sub, user_id, ...rest } = profile ?? {}
    expect(rest).toMatchObject({ email: 'kim@mail.test', name: 'Kim <Ö>', given_name: 'Kim', email_verified: true })
    expect(sub).toMatch(/^auth0\|/)
    expect([user_id, Number(exp) - Number(iat)]).toEqual([sub, 600])
    expect(Object.keys(rest)).not.toContain('app_metadata')
    const [head, body, signature] = posted.wresult.split('.')
    const forged = Buffer.from(JSON.stringify({ ...profile, sub: 'auth0|eve' })).toString('base64url')
    const bent = { ...posted, wresult: [head, forged, signature].join('.') }
    expect(body).not.toBe(forged)
    expect((await judge(bent, { realm: 'urn:portal', cert: pemOf(certificate), jwt })).error).toBeDefined()
    vi.useRealTimers()
    const headers = { authorization: `Bearer ${posted.wresult}` }
    expect((await server.browser().get('/userinfo', { headers })).status).toBe(401)
  })

  it('maps claims, names the subject, addresses and signs otherwise', async () => {
    const wsfed = {
      mappings: { email: 'urn:mail', given_name: ['first', 'https://x.test/first'] },
      passthroughClaimsWithNoMapping: false,
      createUpnClaim: false,
      mapIdentities: false,
      nameIdentifierProbes: ['urn:mail'],
      nameIdentifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      audience: 'urn:elsewhere',
      issuer: 'https://issuer.test/',
      signatureAlgorithm: 'rsa-sha512',
      digestAlgorithm: 'sha512',
    }
    await change({ addons: { wsfed } })
    const posted = await issue()
    const { profile } = await verdictOn(posted, 'urn:elsewhere')
    expect(profile).toEqual({
      sessionIndex: undefined,
      '/urn:mail': 'kim@mail.test',
      '/first': 'Kim',
      'https://x.test/first': 'Kim',
      [`${CLAIMS}/nameidentifier`]: 'kim@mail.test',
      issuer: 'https://issuer.test/',
    })
    expect(posted.wresult).toContain('rsa-sha512')
  })

  it.each(['saml11', 'saml20', 'jwt'])(
    'leaves out of %s an address that was only typed at sign-up',
    async (tokenType) => {
      const email = `lee-${tokenType}@mail.test`
      await server.addUser({ email, data: { name: `Lee (${email})` } })
      const browser = server.browser()
      await signInByWsFed(browser, email)
      const tokenOf = async (wsfed: object): Promise<string> => {
        await change({ addons: { wsfed: { tokenType, ...wsfed } } })
        const { wresult } = postedBy(await browser.get('/wsfed/portal'))
        return tokenType === 'jwt' ? Buffer.from(wresult.split('.')[1] ?? '', 'base64url').toString() : wresult
      }
      expect(await tokenOf({})).not.toContain(email)
      expect(await tokenOf({ includeUnverifiedEmail: true })).toContain(email)
    },
  )

  it('cannot be modified: a changed token is refused', async () => {
    const posted = await issue()
    const bent = { ...posted, wresult: posted.wresult.replaceAll('kim@mail.test', 'eve@mail.test') }
    expect((await verdictOn(bent)).error?.message).toContain('Signature check errors')
  })
})

describe.each([
  ['saml11', 'urn:oasis:names:tc:SAML:1.0:assertion:Assertion'],
  ['saml20', 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion'],
])('a document of %s', (tokenType, name) => {
  afterEach(() => change({}))
  const issue = async (): Promise<string> => {
    await change({ addons: { wsfed: { tokenType } } })
    const { wresult } = postedBy(await (await signedIn()).get('/wsfed/portal'))
    return /<saml:Assertion .*<\/saml:Assertion>/s.exec(wresult)?.[0] ?? ''
  }

  it.runIf(hasTool('xmlsec1'))('xmlsec1 accepts the signature, and refuses anything that was changed', async () => {
    const assertion = await issue()
    expect(xmlsecHolds(assertion, name, pemOf(certificate))).toBe(true)
    const bent = assertion.replaceAll('kim@mail.test', 'eve@mail.test')
    expect(xmlsecHolds(bent, name, pemOf(certificate))).toBe(false)
  })

  it.runIf(hasSamlSchemas())('the document is valid by the published schema', async () => {
    expect(schemaProblems(await issue(), tokenType === 'saml11' ? 'assertion11' : 'assertion')).toBe('')
  })
})

describe('signing out', () => {
  const isOver = async (browser: Browser) => (await browser.get('/wsfed/portal')).status === 302

  it.each(['wsignout1.0', 'wsignoutcleanup1.0'])('ends the session by %s and goes where it may', async (wa) => {
    const browser = await signedIn()
    const answer = await browser.get('/wsfed/portal', { query: { wa, wreply: 'https://portal.test/bye' } })
    expect([answer.status, answer.header('location')]).toEqual([302, 'https://portal.test/bye'])
    expect(await isOver(browser)).toBe(true)
  })

  it('says so on a page where there is nowhere to go', async () => {
    const browser = await signedIn()
    const answer = await browser.get('/wsfed', { query: { wa: 'wsignout1.0', wtrealm: 'urn:portal' } })
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await isOver(browser)).toBe(true)
  })

  it('asks the other relying parties to clean up, in frames that its policy names', async () => {
    const wsfed = { addons: { wsfed: {} } }
    await change(wsfed)
    const settings = { callbacks: ['https://intranet.test/signin?a=1'], ...wsfed }
    await server.addClient({ clientId: 'intranet', settings })
    await server.addClient({ clientId: 'unused', settings: { callbacks: ['https://unused.test/'], ...wsfed } })
    await server.addClient({ clientId: 'app', settings: { callbacks: ['com.app:/cb'], ...wsfed } })
    const browser = await signedIn()
    expect((await browser.get('/wsfed/intranet')).status).toBe(200)
    const query = { wa: 'wsignout1.0', wtrealm: 'urn:portal', wreply: 'https://portal.test/bye' }
    const answer = await browser.get('/wsfed', { query })
    expect(answer.text).toContain('src="https://portal.test/wsfed?wa=wsignoutcleanup1.0"')
    expect(answer.text).toContain('src="https://intranet.test/signin?a=1&amp;wa=wsignoutcleanup1.0"')
    expect(answer.text).not.toContain('unused.test')
    const policy = answer.header('content-security-policy') ?? ''
    expect(policy).toMatch(/frame-src https:\/\/\S*portal\.test\S* https:\/\/intranet\.test/)
    expect(answer.header('refresh')).toContain('https://portal.test/bye')
    expect(await isOver(browser)).toBe(true)
    await change({})
  })

  it('notifies the other applications, in frames and in the back channel', async () => {
    await change({ frontchannel_logout_uri: 'https://portal.test/wsfed?wa=wsignoutcleanup1.0' })
    const browser = await signedIn()
    const { text } = await browser.get('/wsfed', { query: { wa: 'wsignout1.0' } })
    expect(text).toContain('<iframe')
    expect(text).toContain('https://portal.test/wsfed?wa=wsignoutcleanup1.0')
    await change({})
  })
})

describe('metadata', () => {
  it.each([
    ['of the server', '/wsfed', 'https://id.test/wsfed'],
    ['of one client', '/wsfed/portal', 'https://id.test/wsfed/portal'],
  ])('the metadata is valid: %s', async (_whose, path, endpoint) => {
    const answer = await server.browser().get(`${path}/FederationMetadata/2007-06/FederationMetadata.xml`)
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const root = parseXml(answer.text)
    expect([root.localName, root.getAttribute('entityID')]).toEqual(['EntityDescriptor', 'urn:id.test'])
    const [role] = Array.from(root.getElementsByTagName('RoleDescriptor'))
    expect(role?.getAttribute('xsi:type')).toBe('fed:SecurityTokenServiceType')
    const { keyring } = await server.runtime()
    const certificates = Array.from(root.getElementsByTagName('X509Certificate'), (one) => one.textContent)
    expect(certificates).toEqual(keyring.certificates)
    expect(certificates).toHaveLength(2)
    expect(root.getElementsByTagName('fed:TokenType')).toHaveLength(2)
    expect(root.getElementsByTagName('auth:ClaimType').length).toBeGreaterThan(3)
    expect(Array.from(role?.childNodes ?? [], ({ nodeName }) => nodeName)).toEqual([
      'KeyDescriptor',
      'KeyDescriptor',
      'fed:TokenTypesOffered',
      'fed:ClaimTypesOffered',
      'fed:PassiveRequestorEndpoint',
    ])
    const [passive] = Array.from(root.getElementsByTagName('fed:PassiveRequestorEndpoint'))
    expect(passive?.textContent).toBe(endpoint)
  })

  it.each(['nobody', 'third'])('is not there for %s', async (clientId) => {
    const answer = await server.browser().get(`/wsfed/${clientId}/FederationMetadata/2007-06/FederationMetadata.xml`)
    expect(answer.status).toBe(404)
  })
})
