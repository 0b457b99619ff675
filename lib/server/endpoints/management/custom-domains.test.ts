// Custom domains: what the Management API stores, what proves one, and the server under a proven host.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCallOut } from '../../../adapters/channels/call-out'
import { proofMissing } from '../../../data/tenants/domain-proof'
import { type CallOut, CallOutError } from '../../../kernel/call-out'
import { TextLookupError } from '../../../kernel/domain'
import { inWords } from '../../../kernel/network-failure'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { ceremonyOn, offerPasskeys } from '../../../testing/passkeys'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

const API = 'https://id.test/api/v2/'
const SELF = { type: 'self_managed_certs' }

/** What the world publishes: TXT records by name, documents by address. */
const records = new Map<string, string[]>()
const documents = new Map<string, string>()
const callOut: CallOut = async (address) => {
  const text = documents.get(address)
  if (text === undefined) throw new CallOutError('ENOTFOUND')
  return { status: 200, headers: {}, body: new TextEncoder().encode(text) }
}
const world = { callOut, findTexts: async (name: string) => records.get(name) ?? [] }

let server: TestServer
let manager: Manager
let made = 0

beforeAll(async () => {
  server = await testServer(world)
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.pool.query('DELETE FROM custom_domain')
  records.clear()
  documents.clear()
  server.clock.advance(2)
})

const nextDomain = (): string => `login${++made}.example.com`

const create = (body: Body) => manager.post('/custom-domains', { type: 'auth0_managed_certs', ...body })
const verify = (id: unknown, by: Manager = manager) => by.send('POST', `/custom-domains/${String(id)}/verify`)

type Method = { domain: string; record: string }
const methodOf = (answer: TestResponse): Method => {
  const { methods } = answer.json().verification as { methods: Method[] }
  return methods[0] as Method
}

function publish(answer: TestResponse): void {
  const { domain, record } = methodOf(answer)
  records.set(domain, ['v=spf1 -all', ...(records.get(domain) ?? []), record])
}

/** A domain that is in use. */
async function addDomain(domain: string, body: Body = {}): Promise<{ id: string; verified: TestResponse }> {
  const created = await create({ domain, ...body })
  expect(created.status, created.text).toBe(201)
  publish(created)
  const id = String(created.json().custom_domain_id)
  const verified = await verify(id)
  expect(verified.json(), verified.text).toMatchObject({ status: 'ready' })
  server.clock.advance(2)
  return { id, verified }
}

const discovery = async (host: string, headers: Record<string, string> = {}): Promise<unknown> =>
  (await server.browser({ host }).get('/.well-known/openid-configuration', { headers })).json().issuer

describe('a domain in the Management API', () => {
  it('says what its owner must publish, and is not in use before', async () => {
    const created = await create({ domain: 'LOGIN.Example.com', domain_metadata: { region: 'eu' } })
    expect(created.status, created.text).toBe(201)
    const { custom_domain_id: id } = created.json()
    expect(created.json()).toEqual({
      custom_domain_id: expect.stringMatching(/^cd_[0-9a-f]{16}$/),
      domain: 'login.example.com',
      type: 'auth0_managed_certs',
      status: 'pending_verification',
      primary: false,
      is_default: false,
      origin_domain_name: 'id.test',
      verification: {
        methods: [
          {
            name: 'txt',
            record: expect.stringMatching(/^latchkey-domain-verification=[\w-]{43}$/),
            domain: '_latchkey-challenge.login.example.com',
          },
        ],
        status: 'pending',
      },
      tls_policy: 'recommended',
      custom_client_ip_header: null,
      domain_metadata: { region: 'eu' },
    })
    const failed = await verify(id)
    expect(failed.status).toBe(200)
    expect(failed.json()).toMatchObject({
      status: 'pending_verification',
      verification: {
        status: 'failed',
        error_msg: expect.stringContaining('has no TXT record'),
        last_verified_at: server.clock.now().toISOString(),
      },
    })
    expect(failed.json()).not.toHaveProperty('cname_api_key')
    server.clock.advance(2)
    expect(await discovery('login.example.com')).toBe('https://id.test/')
  })

  it.each([
    ['an address', { domain: '192.0.2.1' }],
    ['an IPv6 address', { domain: '[2001:db8::1]' }],
    ['one label', { domain: 'localhost' }],
    ['a port', { domain: 'login.example.com:8443' }],
    ['a URL', { domain: 'https://login.example.com' }],
    ['a wildcard', { domain: '*.example.com' }],
    ['a label that ends with a hyphen', { domain: 'login-.example.com' }],
    ['an underscore', { domain: '_latchkey-challenge.example.com' }],
    ['a name that is too long', { domain: `${'a.'.repeat(120)}com` }],
    ['no domain', {}],
    ['another type', { domain: 'login.example.com', type: 'none' }],
    ['another method', { domain: 'login.example.com', verification_method: 'cname' }],
    ['another TLS policy', { domain: 'login.example.com', tls_policy: 'compatible' }],
    ['a foreign relying party', { domain: 'login.example.com', relying_party_identifier: 'example.org' }],
    ['a sibling as relying party', { domain: 'login.example.com', relying_party_identifier: 'in.example.com' }],
    ['a top-level domain as relying party', { domain: 'login.example.com', relying_party_identifier: 'com' }],
    [
      'too much metadata',
      { domain: 'login.example.com', domain_metadata: Object.fromEntries([...'abcdefghijk'].map((a) => [a, a])) },
    ],
    ['a header without a key', { domain: 'login.example.com', custom_client_ip_header: 'true-client-ip' }],
    ['an unknown header', { domain: 'login.example.com', ...SELF, custom_client_ip_header: 'x-real-ip' }],
  ])('a custom domain is refused: %s', async (_what, body) => {
    expect((await create(body)).status).toBe(400)
  })

  it('refuses hosts that this server has anyway, and a domain twice', async () => {
    await server.addTenant('own', 'https://own.test')
    for (const domain of ['id.test', 'own.test']) expect((await create({ domain })).status).toBe(409)
    const domain = nextDomain()
    expect((await create({ domain })).status).toBe(201)
    expect((await create({ domain: domain.toUpperCase() })).status).toBe(409)
  })

  it('changes settings, but neither name nor type', async () => {
    const { id } = await addDomain('login.brand.example.com')
    const change = (body: Body) => manager.patch(`/custom-domains/${id}`, body)
    expect((await change({ relying_party_identifier: 'brand.example.com' })).json()).toMatchObject({
      relying_party_identifier: 'brand.example.com',
      status: 'ready',
    })
    const cleared = await change({
      relying_party_identifier: null,
      custom_client_ip_header: '',
      domain_metadata: { a: 'b' },
    })
    expect(cleared.json()).not.toHaveProperty('relying_party_identifier')
    expect(cleared.json()).toMatchObject({ custom_client_ip_header: null, domain_metadata: { a: 'b' } })
    for (const body of [SELF, { domain: 'other.example.com' }, { relying_party_identifier: 'example.org' }])
      expect((await change(body)).status).toBe(400)
    expect((await change({ domain: 'login.brand.example.com', type: 'auth0_managed_certs' })).status).toBe(200)
  })

  it('has a default: the tenant’s own domain, or a verified one', async () => {
    const [first, second] = [nextDomain(), nextDomain()]
    const choose = (domain: string) => manager.patch('/custom-domains/default', { domain })
    const current = async () => (await manager.get('/custom-domains/default')).json()
    expect(await current()).toEqual({ domain: 'id.test' })
    await create({ domain: second })
    expect((await choose(second)).status).toBe(400)
    expect((await choose('stranger.example.com')).status).toBe(400)
    const { id } = await addDomain(first)
    expect((await choose(first)).json()).toMatchObject({ domain: first, is_default: true, primary: true })
    expect(await current()).toMatchObject({ custom_domain_id: id })
    expect((await choose('id.test')).json()).toEqual({ domain: 'id.test' })
    await choose(first)
    await manager.remove(`/custom-domains/${id}`)
    expect(await current()).toEqual({ domain: 'id.test' })
  })

  it('are at most fifty', async () => {
    await server.database.pool.query(`INSERT INTO custom_domain (id, tenant_id, domain, type, challenge, metadata, kept, created_at, updated_at)
      SELECT 'cd_' || n, 'default', n || '.example.com', 'self_managed_certs', '', '{}', '{}', now(), now() FROM generate_series(1, 50) n`)
    const refused = await create({ domain: nextDomain() })
    expect(refused.status).toBe(409)
    expect(refused.json().errorCode).toBe('too_many_custom_domains')
  })
})

describe('a proof', () => {
  it('is a TXT record or a document below the domain', async () => {
    const created = await create({ domain: 'documented.example.com' })
    const { record } = methodOf(created)
    const address = 'https://documented.example.com/.well-known/latchkey-domain-verification.txt'
    const test = async () =>
      (await manager.send('POST', `/custom-domains/${created.json().custom_domain_id}/test`)).json()
    documents.set(address, `see ${record} here`)
    expect(await test()).toMatchObject({ success: false })
    documents.set(address, `# proofs\r\n${record}\r\n`)
    expect(await test()).toMatchObject({ success: true })
    expect((await verify(created.json().custom_domain_id)).json()).toMatchObject({ status: 'ready' })
  })

  it('is never a document of this server, which a domain reaches by pointing here', async () => {
    await expect(() => server.browser().get('/.well-known/latchkey-domain-verification.txt')).rejects.toThrow(
      'no endpoint',
    )
  })

  it('of a deleted domain proves nothing for a new one', async () => {
    const domain = nextDomain()
    const { id } = await addDomain(domain)
    expect(await discovery(domain)).toBe(`https://${domain}/`)
    await manager.remove(`/custom-domains/${id}`)
    server.clock.advance(2)
    expect(await discovery(domain)).toBe('https://id.test/')
    const again = await create({ domain })
    expect((await verify(again.json().custom_domain_id)).json()).toMatchObject({ status: 'pending_verification' })
    expect((await verify(id)).status).toBe(404)
  })

  it('of one tenant proves nothing for another', async () => {
    const other = await managerOf('stranger', 'https://stranger.test')
    const domain = nextDomain()
    publish(await create({ domain }))
    const theirs = await other.post('/custom-domains', { domain, ...SELF })
    expect((await verify(theirs.json().custom_domain_id, other)).json()).toMatchObject({
      status: 'pending_verification',
    })
  })

  it('of both tenants gives the domain to one of them', async () => {
    const other = await managerOf('rival', 'https://rival.test')
    const domain = nextDomain()
    const [mine, theirs] = [await create({ domain }), await other.post('/custom-domains', { domain, ...SELF })]
    publish(mine)
    publish(theirs)
    const attempts = [0, 1, 2].flatMap(() => [
      verify(mine.json().custom_domain_id),
      verify(theirs.json().custom_domain_id, other),
    ])
    const answers = await Promise.all(attempts)
    const ready = answers.filter(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409])
    expect(new Set(ready.map((answer) => answer.json().custom_domain_id)).size).toBe(1)
    const { rows } = await server.database.pool.query(
      'SELECT tenant_id FROM custom_domain WHERE verified_at IS NOT NULL',
    )
    expect(rows).toHaveLength(1)
  })

  it('gives the key of a proxy once, and stores its digest alone', async () => {
    const { id, verified } = await addDomain(nextDomain(), SELF)
    const key = String(verified.json().cname_api_key)
    expect(key).toMatch(/^[\w-]{43}$/)
    for (const later of [await verify(id), await manager.get(`/custom-domains/${id}`)])
      expect(later.json()).not.toHaveProperty('cname_api_key')
    const { rows } = await server.database.pool.query('SELECT custom_domain::text AS text FROM custom_domain')
    expect(JSON.stringify([rows, await server.audited()])).not.toContain(key)
  })

  it('is not looked for in a private network', async () => {
    const guarded = createCallOut({ allowLoopback: false, allowPrivate: false })
    const missing = await proofMissing('proof.localhost', 'c', { callOut: guarded, findTexts: async () => [] })
    expect(missing).toContain(`: ${inWords('EFORBIDDENADDRESS')}`)
  })

  it('is missing, not an error, where a resolver fails', async () => {
    const findTexts = () => Promise.reject(new TextLookupError('ETIMEOUT'))
    expect(await proofMissing('login.example.com', 'c', { callOut, findTexts })).toContain(`: ${inWords('ETIMEOUT')}`)
  })
})

describe('the server under a verified domain', () => {
  let domain: string
  let there: Browser
  beforeEach(async () => {
    domain = nextDomain()
    await addDomain(domain, SELF)
    there = server.browser({ host: domain })
  })

  it('is an issuer of its own', async () => {
    expect(await discovery('id.test')).toBe('https://id.test/')
    const metadata = (await there.get('/.well-known/openid-configuration')).json()
    expect(metadata).toMatchObject({
      issuer: `https://${domain}/`,
      authorization_endpoint: `https://${domain}/authorize`,
      jwks_uri: `https://${domain}/.well-known/jwks.json`,
    })
    const keys = await there.get('/.well-known/jwks.json')
    expect(keys.text).toBe((await server.browser().get('/.well-known/jwks.json')).text)
  })

  it('signs a person in by the domain alone, with tokens of it', async () => {
    const page = locationOf(await there.get('/authorize', { query: authorizeQuery() }))
    expect(page.origin).toBe(`https://${domain}`)
    const tokens = await signInForTokens(there, 'kim@mail.test')
    expect(payloadOf(tokens.id_token).iss).toBe(`https://${domain}/`)
    expect((await userinfo(there, tokens.access_token)).json()).toMatchObject({ sub: 'auth0|kim' })
    const again = (await refresh(there, tokens.refresh_token)).json()
    expect(payloadOf(again.id_token).iss).toBe(`https://${domain}/`)
    expect([...there.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true)
  })

  it('redeems no code of the tenant’s own domain, and the reverse', async () => {
    const here = server.browser()
    const code = (await signIn(here, 'kim@mail.test')).get('code') ?? ''
    expect((await redeem(there, code)).json()).toMatchObject({ error: 'invalid_grant' })
    const other = (await signIn(there, 'kim@mail.test')).get('code') ?? ''
    expect((await redeem(here, other)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('takes no login of another domain, whose cookies it does not get', async () => {
    const state = await beginLogin(server.browser())
    expect((await submitPassword(there, state, 'kim@mail.test')).status).toBe(403)
  })

  it('names its own endpoints in SAML metadata, under the entity id of the tenant', async () => {
    await server.addClient({ clientId: 'sp', settings: { addons: { samlp: {} }, callbacks: ['https://sp.test/acs'] } })
    const metadata = (await there.get('/samlp/metadata/sp')).text
    expect(metadata).toContain('entityID="urn:id.test"')
    expect(metadata).toContain(`https://${domain}/samlp/sp`)
  })

  it('opens the Management API for tokens of any of its domains, under its one audience', async () => {
    const form = { grant_type: 'client_credentials', client_id: MANAGER, client_secret: 'the secret of the manager' }
    const answer = await there.post('/oauth/token', { form: { ...form, audience: API } })
    const token = String(answer.json().access_token)
    expect(payloadOf(token)).toMatchObject({ iss: `https://${domain}/`, aud: API })
    const headers = { authorization: `Bearer ${token}` }
    for (const browser of [there, server.browser()])
      expect((await browser.get('/api/v2/roles', { headers })).status).toBe(200)
    const own = await there.post('/oauth/token', { form: { ...form, audience: `https://${domain}/api/v2/` } })
    expect(own.status).toBe(403)
    await server.database.pool.query('DELETE FROM custom_domain')
    server.clock.advance(2)
    expect((await server.browser().get('/api/v2/roles', { headers })).status).toBe(401)
  })

  describe('whose built-in APIs are its own', () => {
    const CHANGE = 'create:me:authentication_methods'
    const FACTORS = 'remove:authenticators'
    const OWN: [path: string, scope: string, opens: string][] = [
      ['/me/', CHANGE, '/me/v1/authentication-methods'],
      ['/mfa/', FACTORS, '/mfa/authenticators'],
      ['/userinfo', CHANGE, '/userinfo'],
    ]
    /** `at` accepts the audience; `from` gives a token for a registered API of that name. */
    const addressesOf = (where: 'a custom domain' | 'the base URL') =>
      where === 'a custom domain' ? { at: domain, from: 'id.test' } : { at: 'id.test', from: domain }
    const register = async (identifier: string, scope: string) => {
      const token = await manager.token(['create:resource_servers'])
      const scopes = [scope, `read${scope.slice(scope.indexOf(':'))}`].map((value) => ({ value }))
      return manager.send('POST', '/resource-servers', { token, json: { identifier, scopes } })
    }
    const silently = async (browser: Browser, audience: string, scope: string): Promise<string | null> => {
      const query = authorizeQuery({ audience, scope: `openid ${scope}`, prompt: 'none' })
      const code = locationOf(await browser.get('/authorize', { query })).searchParams.get('code')
      return code && String((await redeem(browser, code)).json().access_token)
    }
    const call = (host: string, path: string, token: string) =>
      server.browser({ host }).get(path, { headers: { authorization: `Bearer ${token}` } })

    const cases = (['a custom domain', 'the base URL'] as const).flatMap((where) =>
      OWN.map(([path, scope, opens]) => ({ where, path, scope, opens })),
    )
    it.each(cases)(
      'opens $path of $where for no token that another address gave for a registered API',
      async (each) => {
        const { at, from } = addressesOf(each.where)
        const audience = `https://${at}${each.path}`
        await register(audience, each.scope)
        const browser = server.browser({ host: from })
        await signIn(browser, 'kim@mail.test', { scope: 'openid' })
        const token = await silently(browser, audience, each.scope)
        if (each.path === '/userinfo') expect((await call(at, each.opens, String(token))).status).toBe(401)
        else expect(token).toBeNull()
      },
    )

    it.each(OWN)('opens %s for no token that was given before the domain was in use', async (path, scope, opens) => {
      const later = nextDomain()
      const audience = `https://${later}${path}`
      expect((await register(audience, scope)).status).toBe(201)
      const browser = server.browser()
      await signIn(browser, 'kim@mail.test', { scope: 'openid' })
      const token = String(await silently(browser, audience, scope))
      expect(payloadOf(token).aud).toContain(audience)
      await addDomain(later)
      expect((await call(later, opens, token)).status).toBe(401)
    })
  })

  it('has nothing for tokens of it at another tenant', async () => {
    await server.addTenant('next', 'https://next.test').catch(() => {})
    const { access_token: opaque } = await signInForTokens(there, 'kim@mail.test')
    const [token, stranger] = [await manager.token(), server.browser({ host: 'next.test' })]
    expect((await userinfo(stranger, opaque)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await stranger.get('/api/v2/roles', { headers })).status).toBe(401)
  })

  it('is chosen by Host alone, and only exactly', async () => {
    const own = 'https://id.test/'
    expect(await discovery('id.test', { 'x-forwarded-host': domain, forwarded: `host=${domain}` })).toBe(own)
    for (const host of [
      `evil.${domain}`,
      `${domain}.`,
      `${domain}:8443`,
      `${domain}@evil.test`,
      `${domain},evil.test`,
      '',
    ])
      expect((await server.runtime(host)).issuer).toBe(own)
    expect(await discovery(domain.toUpperCase())).toBe(`https://${domain}/`)
  })

  it('is known to another instance, which learns its end, too', async () => {
    const other = server.instance(world).browser({ host: domain })
    const issuer = async () => (await other.get('/.well-known/openid-configuration')).json().issuer
    expect(await issuer()).toBe(`https://${domain}/`)
    await server.database.pool.query('DELETE FROM custom_domain')
    server.clock.advance(2)
    expect(await issuer()).toBe('https://id.test/')
  })

  it('does not answer in place of a tenant’s own host', async () => {
    await server.database.pool.query("UPDATE custom_domain SET domain = 'id.test'")
    server.clock.advance(2)
    expect(await discovery('id.test')).toBe('https://id.test/')
    expect((await server.runtime('id.test')).baseUrl).toBe('https://id.test')
    expect((await manager.get('/roles')).status).toBe(200)
  })
})

describe('passkeys under a domain', () => {
  it('belong to it, or to the relying party that it names', async () => {
    await offerPasskeys(server)
    const domain = 'login.passkeys.example.com'
    const { id } = await addDomain(domain)
    const browser = server.browser({ host: domain })
    const options = async () => {
      const state = await beginLogin(browser)
      return ceremonyOn((await browser.get('/u/login', { query: { state } })).text, 'get').options
    }
    expect((await options()).rpId).toBe(domain)
    await manager.patch(`/custom-domains/${id}`, { relying_party_identifier: 'passkeys.example.com' })
    server.clock.advance(2)
    expect((await options()).rpId).toBe('passkeys.example.com')
  })
})

describe('links', () => {
  const link = async (headers: Record<string, string> = {}): Promise<string> => {
    const json = { user_id: 'auth0|kim' }
    const answer = await manager.send('POST', '/tickets/password-change', { json, headers })
    return answer.status === 201 ? new URL(String(answer.json().ticket)).host : `${answer.status}`
  }

  it('of a manager name the domain of the header, else the default, else the tenant’s own', async () => {
    const [one, two] = [nextDomain(), nextDomain()]
    await addDomain(one)
    await addDomain(two)
    expect(await link()).toBe('id.test')
    expect(await link({ 'auth0-custom-domain': one.toUpperCase() })).toBe(one)
    await manager.patch('/custom-domains/default', { domain: two })
    server.clock.advance(2)
    expect(await link()).toBe(two)
    expect(await link({ 'auth0-custom-domain': 'id.test' })).toBe('id.test')
    const pending = nextDomain()
    await create({ domain: pending })
    for (const foreign of [pending, 'stranger.example.com', ''])
      expect(await link({ 'auth0-custom-domain': foreign })).toBe('400')
  })

  it('of a person’s own mail name the domain that the person used', async () => {
    const [used, standard] = [nextDomain(), nextDomain()]
    await addDomain(used)
    await addDomain(standard)
    await manager.patch('/custom-domains/default', { domain: standard })
    server.clock.advance(2)
    const json = { email: 'kim@mail.test', connection: 'Users', client_id: 'spa' }
    await server.browser({ host: used }).post('/dbconnections/change_password', { json })
    const [mail] = await mailsTo(server, 'kim@mail.test')
    expect(new URL(mail?.link ?? '').host).toBe(used)
  })
})

describe('the address of a client behind a proxy', () => {
  const KIM = { json: { client_id: 'spa', connection: 'Users', email: 'kim@mail.test' } }
  const addressSeen = async (browser: Browser, headers: Record<string, string>): Promise<unknown> => {
    await browser.post('/dbconnections/change_password', { ...KIM, headers })
    return (await server.audited()).at(-1)?.ip
  }

  it('is believed with the key of the domain, and only there', async () => {
    const domain = nextDomain()
    const { verified } = await addDomain(domain, { ...SELF, custom_client_ip_header: 'x-forwarded-for' })
    const key = String(verified.json().cname_api_key)
    const browser = server.browser({ host: domain })
    const named = { 'x-forwarded-for': '203.0.113.66, 203.0.113.5' }
    expect(await addressSeen(browser, { ...named, 'cname-api-key': key })).toBe('203.0.113.5')
    const withPort = { 'x-forwarded-for': '203.0.113.66:1, [2001:db8::5]:443', 'cname-api-key': key }
    expect(await addressSeen(browser, withPort)).toBe('2001:db8::5')
    expect(await addressSeen(browser, { ...named, 'cname-api-key': `${key}x` })).toBe('198.51.100.7')
    expect(await addressSeen(browser, named)).toBe('198.51.100.7')
    expect(await addressSeen(browser, { 'x-forwarded-for': 'nobody', 'cname-api-key': key })).toBe('198.51.100.7')
    expect(await addressSeen(server.browser(), { ...named, 'cname-api-key': key })).toBe('198.51.100.7')
  })
})

async function managerOf(tenantId: string, baseUrl: string): Promise<Manager> {
  const seed = await server.addTenant(tenantId, baseUrl)
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'] }
  await seed.addClient({ clientId: 'other', secret: 'the secret of the other', settings })
  const scopes = ['create:custom_domains', 'read:custom_domains']
  await seed.addClientGrant('other', `${baseUrl}/api/v2/`, scopes)
  server.clock.advance(2)
  const browser = server.browser({ host: new URL(baseUrl).host })
  const form = { grant_type: 'client_credentials', client_id: 'other', client_secret: 'the secret of the other' }
  const answer = await browser.post('/oauth/token', { form: { ...form, audience: `${baseUrl}/api/v2/` } })
  const authorization = `Bearer ${answer.json().access_token}`
  const send: Manager['send'] = (method, path, ask = {}) =>
    browser.send(method, `/api/v2${path}`, { ...ask, headers: { authorization } })
  return { ...manager, send, post: (path, json) => send('POST', path, { json }) }
}
