// Providers that answer in the less common forms which the specifications permit, do not follow them fully, or fail in part.
import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readUnverified } from '../../crypto/keys/client-jwt'
import type { FederatedConnection } from '../../data/connections/connection'
import { PROVIDERS, type ProviderRow, type ProviderStrategy } from '../../data/connections/upstream/providers'
import { sealSecret, sealValues } from '../../data/connections/upstream/secrets'
import type { UpstreamAsk, UpstreamDeps, UpstreamIdentity } from '../../data/connections/upstream/upstream'
import type { IncomingAnswer } from '../../kernel/call-out'
import { fixedClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { TEST_SECRET } from '../../testing/database'
import { keyShelf } from '../../testing/keys'
import {
  json,
  ownSigning,
  type ProviderPerson,
  providerDouble,
  published,
  type Signing,
  signedBy,
} from '../../testing/provider'
import { sampleConnection } from '../../testing/samples'
import { APPLE_KEY } from '../../testing/upstream'
import { federated } from './federated'

const vault = createVault(TEST_SECRET)
const clock = fixedClock()
const rows = Object.entries<ProviderRow>(PROVIDERS)
const issuers = rows.flatMap(([, { issuer }]) =>
  issuer ? [issuer.replace(/\{\w+\}/, 'corp.test').replace(/\/$/, '')] : [],
)
const plain = rows.filter(([, { authorization }]) => authorization !== undefined)
const PLAIN_TOKEN = 'https://plain.test/token'
const PLAIN_ME = 'https://plain.test/me'
const IDP = 'https://idp.test'

const double = providerDouble([IDP, ...issuers], {
  tokens: [PLAIN_TOKEN, ...plain.map(([, { token = '' }]) => token)],
  apis: {
    [PLAIN_ME]: (person) => person,
    ...Object.fromEntries(
      plain.map(([, { userinfo = '' }]) => [userinfo, ({ emails: _, ...person }: ProviderPerson) => person]),
    ),
    ...Object.fromEntries(
      plain.flatMap(([, { addresses }]) =>
        addresses ? [[addresses.url, ({ emails }: ProviderPerson) => emails]] : [],
      ),
    ),
  },
})
const deps: UpstreamDeps = {
  baseUrl: 'https://id.test',
  vault,
  random: systemRandom,
  clock,
  callOut: double.callOut,
  upstreamServers: new Map(),
  keyring: await (await keyShelf()).keyring(),
}
beforeEach(() => {
  double.requests.length = 0
})
afterEach(() => {
  double.mischief = {}
  deps.upstreamServers.clear()
})

const connectionOf = (strategy: ProviderStrategy, options: Record<string, unknown> = {}, name: string = strategy) =>
  sampleConnection<FederatedConnection>(
    strategy,
    {
      options: { client_id: 'us', ...options },
      sealed: {
        client_secret: sealSecret('client_secret', 'hush hush', vault, systemRandom),
        app_secret: sealSecret('app_secret', APPLE_KEY, vault, systemRandom),
      },
    },
    name,
  )

const corp = (options: Record<string, unknown> = {}) => connectionOf('oidc', { issuer: IDP, ...options }, 'corp')
const oauth2 = (options: Record<string, unknown> = {}) =>
  connectionOf('oauth2', {
    authorizationURL: 'https://plain.test/authorize',
    tokenURL: PLAIN_TOKEN,
    userinfo_endpoint: PLAIN_ME,
    ...options,
  })

/** What a strategy demands, for a server of the double. */
const NEEDED: Readonly<Record<string, Record<string, unknown>>> = {
  oidc: { issuer: IDP },
  okta: { domain: 'corp.test' },
  keycloak: { domain: 'corp.test' },
  'auth0-oidc': { domain: 'corp.test' },
  waad: { tenant_domain: 'corp.test' },
  apple: { team_id: 'TEAM', kid: 'KEY' },
}

let states = 0
const asking = (ask: Partial<UpstreamAsk> = {}): UpstreamAsk => ({
  state: `state-${++states}`,
  loginHint: null,
  parameters: {},
  anew: false,
  ...ask,
})

const startAt = async (connection: FederatedConnection, ask: Partial<UpstreamAsk> = {}): Promise<URL> =>
  new URL(await federated(connection).start(asking(ask), deps))

async function signIn(connection: FederatedConnection, person: ProviderPerson, more = {}): Promise<UpstreamIdentity> {
  const { state = '', ...answer } = { ...double.answer((await startAt(connection)).href, person), ...more }
  return federated(connection).complete({ ...answer, state }, deps)
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
const scopeOf = async (connection: FederatedConnection, ask: Partial<UpstreamAsk> = {}): Promise<string | null> =>
  (await startAt(connection, ask)).searchParams.get('scope')

const text = (body: string, type: string, status = 200): IncomingAnswer => ({
  status,
  headers: { 'content-type': type },
  body: new Uint8Array(Buffer.from(body)),
})
const form = (answer: Record<string, unknown>): string =>
  new URLSearchParams(Object.entries(answer).map(([name, value]): [string, string] => [name, String(value)])).toString()

/** The vendor's notation, which the linter takes for a template. */
const vendorPath = (path: string): string => ['$', `{context.${path}}`].join('')

const KIM = { sub: 'k-1', email: 'kim@mail.test', email_verified: true, name: 'Kim Doe' }
const EMAILS = [{ email: 'octo@mail.test', verified: true, primary: true }]
const OCTO = { id: 583231, login: 'octo', email: 'public@mail.test', emails: EMAILS }
const withoutName = ({ name: _, ...claims }: Record<string, unknown>): Record<string, unknown> => claims

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PAIRS: Readonly<Record<string, { publicKey: KeyObject; privateKey: KeyObject }>> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
  Ed25519: generateKeyPairSync('ed25519'),
}
const ALGORITHMS = Object.keys(PAIRS)

/** From now on the provider signs by this algorithm, with a key that it publishes. */
function signs(alg: string): Signing {
  const { publicKey, privateKey } = PAIRS[alg] ?? rsa
  const signing = { alg, key: privateKey }
  double.mischief = { ...double.mischief, signing, keys: () => [published(publicKey, { kid: 'k2' })] }
  return signing
}

const BY_HAND = {
  issuer: IDP,
  authorization_endpoint: `${IDP}/authorize`,
  token_endpoint: `${IDP}/token`,
  jwks_uri: `${IDP}/jwks`,
}
const METADATA = { ...BY_HAND, userinfo_endpoint: `${IDP}/userinfo` }

describe('the algorithm of an ID token', () => {
  it.each(ALGORITHMS)('%s counts if the connection lists it, whatever the metadata says', async (alg) => {
    signs(alg)
    for (const options of [{}, BY_HAND]) {
      const listing = corp({ ...options, id_token_signed_response_algs: ['RS256', alg] })
      expect((await signIn(listing, KIM)).providerUserId).toBe('corp|k-1')
      deps.upstreamServers.clear()
    }
  })

  it.each(ALGORITHMS)('%s counts by a published key if nothing lists algorithms', async (alg) => {
    signs(alg)
    expect((await signIn(corp(BY_HAND), KIM)).providerUserId).toBe('corp|k-1')
  })

  it('takes the two names of Ed25519 for one', async () => {
    signs('EdDSA')
    expect((await signIn(corp({ id_token_signed_response_algs: ['Ed25519'] }), KIM)).providerUserId).toBe('corp|k-1')
  })

  it('must be in the list of the connection, or else of the metadata', async () => {
    signs('ES256')
    expect(await failure(signIn(corp({ id_token_signed_response_algs: ['PS256'] }), KIM))).toMatchObject({
      failure: 'unfit',
      message: 'the ID token is signed with ES256, which id_token_signed_response_algs does not list',
    })
    expect(await failure(signIn(corp(), KIM))).toMatchObject({ message: expect.stringContaining('the provider') })
    deps.upstreamServers.clear()
    double.mischief.metadata = { id_token_signing_alg_values_supported: ['RS256', 'ES256'] }
    expect((await signIn(corp(), KIM)).providerUserId).toBe('corp|k-1')
  })

  it.each(['none', 'HS256'])('is never %s, even if everything lists it', async (alg) => {
    const secret = createSecretKey(PAIRS.RS256?.publicKey.export({ type: 'spki', format: 'pem' }) as string, 'utf8')
    signs('RS256')
    double.mischief.signing = { alg, key: secret }
    double.mischief.metadata = { id_token_signing_alg_values_supported: [alg] }
    for (const options of [
      {},
      BY_HAND,
      { oidc_metadata: { ...METADATA, id_token_signing_alg_values_supported: [alg] } },
    ]) {
      expect(await failure(signIn(corp(options), KIM))).toMatchObject({ failure: 'forged' })
      deps.upstreamServers.clear()
    }
  })

  it('does not matter in an encrypted one, which is refused by name', async () => {
    double.mischief = { token: (answer) => ({ ...answer, id_token: 'a.b.c.d.e' }) }
    expect(await failure(signIn(corp(), KIM))).toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('encrypted'),
    })
  })
})

describe('the metadata of a provider', () => {
  const discoveries = (): number => double.requests.filter(({ address }) => /openid-configuration/.test(address)).length

  it('by hand in oidc_metadata needs no discovery', async () => {
    signs('ES256')
    const oidc_metadata = { ...METADATA, id_token_signing_alg_values_supported: ['ES256'], claims_supported: null }
    const connection = connectionOf('oidc', { oidc_metadata }, 'corp')
    double.mischief.claims = withoutName
    expect((await signIn(connection, KIM)).profile.name).toBe('Kim Doe')
    expect(discoveries()).toBe(0)
    const beside = connectionOf(
      'oidc',
      { oidc_metadata, discovery_url: `${IDP}/.well-known/openid-configuration` },
      'beside',
    )
    expect((await signIn(beside, KIM)).providerUserId).toBe('beside|k-1')
    expect(discoveries()).toBe(0)
  })

  it('is completed by the document where oidc_metadata does not say all', async () => {
    const connection = corp({ oidc_metadata: { end_session_endpoint: `${IDP}/bye` } })
    expect((await signIn(connection, KIM)).providerUserId).toBe('corp|k-1')
    const out = { returnTo: 'https://id.test/logout/callback', state: 's', hint: null }
    expect(await federated(connection).logoutUrl(out, deps)).toMatch(/^https:\/\/idp\.test\/bye\?/)
  })

  it('is read at discovery_url beside endpoints by hand, which win', async () => {
    signs('ES256')
    double.mischief.metadata = {
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint: `${IDP}/elsewhere`,
      end_session_endpoint: `${IDP}/discovered`,
    }
    const connection = corp({ ...BY_HAND, discovery_url: `${IDP}/.well-known/openid-configuration` })
    double.mischief.claims = withoutName
    expect((await signIn(connection, KIM)).profile.name).toBe('Kim Doe')
    expect(discoveries()).toBe(1)
    const out = { returnTo: 'https://id.test/logout/callback', state: 's', hint: null }
    expect(await federated(connection).logoutUrl(out, deps)).toMatch(/^https:\/\/idp\.test\/discovered\?/)
  })

  it('whose document cannot be read stops no login if the rest is known by hand', async () => {
    const connection = corp({ ...BY_HAND, discovery_url: `${IDP}/.well-known/openid-configuration` })
    double.mischief = {
      at: (address) => (/openid-configuration/.test(address) ? text('<h1>', 'text/html', 500) : undefined),
    }
    expect((await signIn(connection, KIM)).providerUserId).toBe('corp|k-1')
  })

  it('of another issuer than the connection names is refused beside endpoints by hand, too', async () => {
    double.mischief = { metadata: { issuer: 'https://evil.test' } }
    const connection = corp({ ...BY_HAND, discovery_url: `${IDP}/.well-known/openid-configuration` })
    expect(await failure(signIn(connection, KIM))).toMatchObject({ failure: 'unreachable' })
  })

  it('is taken with single endpoints by hand', async () => {
    double.mischief = { metadata: { token_endpoint: `${IDP}/broken` } }
    expect((await signIn(corp({ token_endpoint: `${IDP}/token` }), KIM)).providerUserId).toBe('corp|k-1')
  })

  it('of a customer’s Okta may be another authorization server’s', async () => {
    const okta = connectionOf('okta', { domain: 'corp.test', issuer: IDP })
    expect((await signIn(okta, KIM)).providerUserId).toBe('okta|k-1')
  })

  it('names the same issuer with or without a last slash, as tokens do', async () => {
    expect((await signIn(corp({ issuer: `${IDP}/` }), KIM)).providerUserId).toBe('corp|k-1')
  })

  it('says how this server authenticates, unless the connection does', async () => {
    const sent = async (supported: string[] | undefined, options = {}) => {
      deps.upstreamServers.clear()
      double.requests.length = 0
      double.mischief = { metadata: { token_endpoint_auth_methods_supported: supported } }
      await signIn(corp(options), KIM)
      const { form: body, headers } = double.requests.find(({ address }) => address === `${IDP}/token`) ?? {}
      return [body?.client_secret !== undefined, /^Basic /.test(headers?.authorization ?? '')]
    }
    expect(await sent(undefined)).toEqual([true, false])
    expect(await sent(['client_secret_basic', 'client_secret_post'])).toEqual([true, false])
    expect(await sent(['client_secret_basic'])).toEqual([false, true])
    expect(await sent(['private_key_jwt'])).toEqual([true, false])
    expect(await sent(['client_secret_basic'], { token_endpoint_auth_method: 'client_secret_post' })).toEqual([
      true,
      false,
    ])
  })

  it('is JSON under any content type', async () => {
    const document = { ...METADATA, id_token_signing_alg_values_supported: ['RS256'] }
    double.mischief = {
      at: (address) =>
        /openid-configuration/.test(address) ? text(JSON.stringify(document), 'text/plain') : undefined,
    }
    expect((await signIn(corp(), KIM)).providerUserId).toBe('corp|k-1')
  })
})

describe('a user-info answer', () => {
  const info = (answer: (person: ProviderPerson) => IncomingAnswer | 'away'): void => {
    double.mischief = {
      claims: withoutName,
      at: (address, person) => (address === `${IDP}/userinfo` && person ? answer(person) : undefined),
    }
  }
  const signedInfo = (claims: Record<string, unknown>, signing: Signing = ownSigning, type = 'application/jwt') =>
    info(() => text(signedBy(signing, { sub: 'k-1', name: 'Signed', ...claims }, { kid: 'k1' }), type))

  it.each(['application/jwt', 'Application/JWT; charset=utf-8', 'text/plain'])(
    'may be signed, announced or not: %s',
    async (type) => {
      signedInfo({ iss: IDP, aud: 'us' }, ownSigning, type)
      expect((await signIn(corp(), KIM)).profile.name).toBe('Signed')
      signedInfo({ iss: IDP, aud: ['us', 'them'] }, ownSigning, type)
      expect((await signIn(corp(), KIM)).profile.name).toBe('Signed')
      signedInfo({}, ownSigning, type)
      expect((await signIn(corp(), KIM)).profile.name).toBe('Signed')
    },
  )

  it.each<[string, Record<string, unknown>, Signing?]>([
    ['another issuer', { iss: 'https://evil.test' }],
    ['another audience', { aud: 'them' }],
    ['other audiences', { aud: ['them'] }],
    ['an end in the past', { exp: 1 }],
    ['another subject', { sub: 'k-2' }],
    ['a key that is not published', {}, { alg: 'RS256', key: rsa.privateKey }],
    ['no algorithm', {}, { alg: 'none', key: rsa.privateKey }],
    ['a symmetric algorithm', {}, { alg: 'HS256', key: createSecretKey('hush hush', 'utf8') }],
  ])('that is signed with %s is refused', async (_, claims, signing = ownSigning) => {
    signedInfo(claims, signing)
    expect(await failure(signIn(corp(), KIM))).toMatchObject({ failure: 'forged' })
  })

  it.each(['application/jwt', 'application/json', 'text/plain'])(
    'that is encrypted is refused by name: %s',
    async (type) => {
      info(() => text('eyJh.b.c.d.e', type))
      expect(await failure(signIn(corp(), KIM))).toMatchObject({ message: expect.stringContaining('encrypted') })
    },
  )

  it('of another subject is refused', async () => {
    info((person) => json({ ...person, sub: 'k-2' }))
    expect(await failure(signIn(corp(), KIM))).toMatchObject({ failure: 'forged' })
  })

  it.each(['application/json; charset=UTF-8', 'text/plain', 'application/scim+json'])(
    'is JSON as %s, too',
    async (type) => {
      info((person) => text(JSON.stringify(person), type))
      expect((await signIn(corp(), KIM)).profile.name).toBe('Kim Doe')
    },
  )

  it.each<[string, (person: ProviderPerson) => IncomingAnswer | 'away']>([
    ['403', () => json({ error: 'insufficient_scope' }, 403)],
    [
      '401 with a challenge',
      () => ({ ...json({}, 401), headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    ],
    ['404', () => text('', 'text/plain', 404)],
    ['429', () => text('', 'text/plain', 429)],
    ['500', () => json({}, 500)],
    ['a redirect', () => ({ ...text('', 'text/plain', 302), headers: { location: 'https://idp.test/x' } })],
    ['no content', () => text('', 'text/plain', 204)],
    ['HTML', () => text('<!doctype html><h1>Maintenance</h1>', 'text/html')],
    ['half of it', () => text('{"sub":"k-1","na', 'application/json')],
    ['a list', () => json([])],
    ['null', () => json(null)],
    ['no subject', () => json({ name: 'Somebody' })],
    ['nothing in time', () => 'away'],
  ])('that is %s loses no identity', async (_, answer) => {
    info(answer)
    const identity = await signIn(corp({ trust_email_claim: true }), KIM)
    expect(identity).toMatchObject({
      providerUserId: 'corp|k-1',
      profile: { email: 'kim@mail.test', emailVerified: true, name: null },
      missed: expect.any(String),
    })
  })

  it('that fails leaves it open whether an address is verified', async () => {
    info(() => json({}, 500))
    double.mischief.claims = ({ name: _, email_verified: __, ...claims }) => claims
    const verified = async (options: Record<string, unknown>) =>
      (await signIn(corp(options), KIM)).profile.emailVerified
    expect(await verified({ trust_email_claim: true })).toBeNull()
    expect(await verified({})).toBe(false)
    expect(await verified({ should_trust_email_verified_connection: 'always_set_emails_as_verified' })).toBe(true)
  })

  it('that fails never makes another account of the same person', async () => {
    const mapped = corp({ attribute_map: { attributes: { user_id: 'employee|sub' } } })
    expect((await signIn(mapped, { ...KIM, employee: 7 })).providerUserId).toBe('corp|7')
    double.mischief = {
      claims: ({ employee: _, ...claims }) => claims,
      at: (address) => (address.endsWith('/userinfo') ? json({}, 503) : undefined),
    }
    expect(await failure(signIn(mapped, { ...KIM, employee: 7 }))).toMatchObject({ failure: 'unreachable' })
  })

  it('is request for what the connection maps, though name and address are known', async () => {
    double.mischief = { claims: ({ mail: _, ...claims }) => claims }
    const connection = corp({ attribute_map: { attributes: { email: vendorPath('userinfo.mail') } } })
    expect((await signIn(connection, { ...KIM, mail: 'other@mail.test' })).profile.email).toBe('other@mail.test')
  })
})

describe('the answer of a token endpoint', () => {
  const tokenAnswers: [string, (answer: Record<string, unknown>) => Record<string, unknown>][] = [
    ['the lifetime is a text', (answer) => ({ ...answer, expires_in: '3600' })],
    ['the lifetime is null', (answer) => ({ ...answer, expires_in: null })],
    ['the lifetime is empty', (answer) => ({ ...answer, expires_in: '' })],
    ['optional members are absent', ({ expires_in: _, refresh_token: __, ...answer }) => answer],
    ['optional members are null', (answer) => ({ ...answer, scope: null, refresh_token: null })],
    ['optional members are empty', (answer) => ({ ...answer, scope: '', refresh_token: '' })],
    ['the scope is a list', (answer) => ({ ...answer, scope: ['a', 'b'] })],
    ['the type is in capitals', (answer) => ({ ...answer, token_type: 'BEARER' })],
    ['the type is BearerToken', (answer) => ({ ...answer, token_type: 'BearerToken' })],
    ['the type is absent', ({ token_type: _, ...answer }) => answer],
    ['there are other members', (answer) => ({ ...answer, error: null, user: { id: 1 }, 'not-before-policy': 0 })],
  ]

  it.each(tokenAnswers)('is read where %s', async (_, token) => {
    double.mischief = { token }
    expect((await signIn(corp(), KIM)).providerUserId).toBe('corp|k-1')
    expect((await signIn(oauth2(), KIM)).providerUserId).toBe('oauth2|k-1')
  })

  it.each(['text/plain', 'text/javascript', 'application/json;charset=utf-8', 'text/html'])(
    'is JSON as %s, too',
    async (type) => {
      double.mischief = { tokens: (answer) => text(JSON.stringify(answer), type) }
      expect((await signIn(corp(), KIM)).providerUserId).toBe('corp|k-1')
      expect((await signIn(oauth2(), KIM)).tokens?.expiresIn).toBe(3600)
    },
  )

  it.each(['application/x-www-form-urlencoded', 'text/plain; charset=utf-8'])(
    'is a form as %s, at a plain OAuth 2.0 server alone',
    async (type) => {
      double.mischief = { tokens: (answer) => text(form(answer), type) }
      expect(await signIn(oauth2(), KIM)).toMatchObject({
        providerUserId: 'oauth2|k-1',
        tokens: { expiresIn: 3600, refreshToken: 'refresh-me' },
      })
      expect(await failure(signIn(corp(), KIM))).toMatchObject({ failure: 'unreachable' })
    },
  )

  it('is a form with the two members of the oldest servers', async () => {
    double.mischief = { tokens: ({ access_token }) => text(form({ access_token, expires: 5184000 }), 'text/plain') }
    expect((await signIn(oauth2(), KIM)).tokens?.expiresIn).toBe(5184000)
  })

  it.each<[string, IncomingAnswer, string]>([
    ['a form', text('error=invalid_grant&error_description=The+code+is+old', 'text/plain', 400), 'forged'],
    ['a form with status 200', text('error=bad_verification_code', 'application/x-www-form-urlencoded'), 'forged'],
    ['a form, not the code’s fault', text('error=temporarily_unavailable', 'text/plain', 503), 'unreachable'],
    ['a form beside a token', text('error=invalid_grant&access_token=x&token_type=bearer', 'text/plain'), 'forged'],
    ['JSON with status 200', json({ error: 'bad_verification_code' }), 'forged'],
    ['JSON as text', text('{"error":"invalid_grant"}', 'text/html', 400), 'forged'],
    ['an object', json({ error: { code: 190, message: 'Invalid' } }, 400), 'unreachable'],
    ['HTML', text('<h1>access_token=x</h1>', 'text/html'), 'unreachable'],
    ['empty', text('', 'text/plain'), 'unreachable'],
    ['another type of token', json({ access_token: 'x', token_type: 'mac' }), 'unreachable'],
    ['no token', json({ token_type: 'bearer' }), 'unreachable'],
  ])('stays an error: %s', async (_, answer, kind) => {
    double.mischief = { tokens: () => answer }
    expect(await failure(signIn(oauth2(), KIM))).toMatchObject({ name: 'UpstreamError', failure: kind })
  })
})

describe('a list of addresses', () => {
  it.each<[string, IncomingAnswer | 'away']>([
    ['403', json({ message: 'Resource not accessible' }, 403)],
    ['404', json({}, 404)],
    ['500', text('<h1>', 'text/html', 500)],
    ['HTML', text('<h1>', 'text/html')],
    ['no list', json({ message: 'x' })],
    ['nothing in time', 'away'],
  ])('that is %s loses no identity, and no address counts as verified', async (_, answer) => {
    double.mischief = { at: (address) => (address.endsWith('/emails') ? answer : undefined) }
    const identity = await signIn(connectionOf('github'), OCTO)
    expect(identity).toMatchObject({
      providerUserId: '583231',
      profile: { name: 'octo', email: 'public@mail.test', emailVerified: null },
      missed: expect.stringContaining('addresses'),
    })
    const always = { should_trust_email_verified_connection: 'always_set_emails_as_verified' }
    expect((await signIn(connectionOf('github', always), OCTO)).profile.emailVerified).toBeNull()
  })

  it('is no matter where the profile itself fails: nothing is proven', async () => {
    for (const answer of [json({}, 403), text('<h1>', 'text/html'), 'away' as const]) {
      double.mischief = { at: (address) => (address === 'https://api.github.com/user' ? answer : undefined) }
      expect(await failure(signIn(connectionOf('github'), OCTO))).toMatchObject({ failure: 'unreachable' })
    }
  })
})

describe('the scope that is requested', () => {
  it('is the connection’s list and nothing else, or the strategy’s own', async () => {
    expect(await scopeOf(corp({ scope: 'openid groups' }))).toBe('openid groups')
    expect(await scopeOf(corp({ scope: ['openid', 'groups'] }))).toBe('openid groups')
    expect(await scopeOf(corp())).toBe('openid profile email')
    for (const scope of ['', ' ', []]) expect(await scopeOf(corp({ scope }))).toBe('openid profile email')
    expect(await scopeOf(connectionOf('github'))).toBe('read:user user:email')
    expect(await scopeOf(connectionOf('github', { scope: 'read:user' }))).toBe('read:user')
    expect(await scopeOf(oauth2())).toBeNull()
    expect(await scopeOf(oauth2({ scope: 'a b' }))).toBe('a b')
  })

  it('has openid wherever the ID token proves the person', async () => {
    expect(await scopeOf(corp({ scope: 'email' }))).toBe('openid email')
    expect(await scopeOf(connectionOf('google-oauth2', { scope: ['email', 'profile'] }))).toBe('openid email profile')
    expect(await scopeOf(connectionOf('apple', { ...NEEDED.apple, scope: 'name' }))).toBe('openid name')
    expect(await scopeOf(connectionOf('linkedin', { scope: 'email' }))).toBe('openid email')
    expect(await scopeOf(connectionOf('discord', { scope: 'identify' }))).toBe('identify')
  })

  it('is widened by connection_scope, and joined as the server expects', async () => {
    const parameters = { connection_scope: 'x,y' }
    expect(await scopeOf(corp({ scope: 'openid email' }), { parameters })).toBe('openid email x y')
    expect(await scopeOf(oauth2({ scope: 'read,write' }))).toBe('read,write')
    expect(await scopeOf(oauth2({ scope: ['read', 'write'] }))).toBe('read write')
    expect(await scopeOf(oauth2({ scope: ['read', 'write'], useOauthSpecScope: false }))).toBe('read write')
    const commas = { scope: ['read', 'write'], useOauthSpecScope: false }
    expect(await scopeOf(oauth2(commas), { parameters })).toBe('read,write,x,y')
    expect(await scopeOf(oauth2({ ...commas, useOauthSpecScope: true }), { parameters })).toBe('read write x y')
  })
})

describe('an option for providers of their own kind', () => {
  it('adds parameters: constants, and those of the application’s request under another name', async () => {
    const connection = oauth2({
      authParams: { access_type: 'offline', state: 'theirs' },
      authParamsMap: { company: 'tenant', absent: 'nothing', prompt: 'force' },
    })
    const request = { parameters: { company: 'acme' }, used: { prompt: 'login' } }
    const { state, ...query } = Object.fromEntries((await startAt(connection, request)).searchParams)
    expect(query).toMatchObject({ access_type: 'offline', tenant: 'acme', force: 'login' })
    expect(query).not.toHaveProperty('nothing')
    expect(state).toMatch(/^state-/)
  })

  it('copies parameters that this server uses itself by an alias only', async () => {
    const upstream_params = { prompt: { alias: 'prompt' }, acr: { alias: 'acr_values' }, gone: null }
    const used = { prompt: 'login', acr_values: 'high', ui_locales: 'de' }
    const query = Object.fromEntries((await startAt(corp({ upstream_params }), { used })).searchParams)
    expect(query).toMatchObject({ prompt: 'login', acr: 'high' })
    expect(query).not.toHaveProperty('ui_locales')
    expect(query).not.toHaveProperty('gone')
  })

  it('adds headers to the token request alone', async () => {
    const { shown, sealed: headers } = sealValues(
      'customHeaders',
      { 'X-Api-Key': 'k', Authorization: 'Basic eA==' },
      {},
      vault,
      systemRandom,
    )
    expect(Object.values(shown)).toEqual(['********', '********'])
    const connection = oauth2({ customHeaders: shown })
    const sealed = { ...connection.sealed, ...headers }
    await signIn({ ...connection, sealed }, KIM)
    const [token, me] = double.requests.map(({ headers }) => headers)
    expect(token).toMatchObject({ 'x-api-key': 'k', authorization: 'Basic eA==' })
    expect(me?.authorization).toMatch(/^Bearer /)
    expect(me).not.toHaveProperty('x-api-key')
  })

  it('maps fields of a plain OAuth 2.0 profile, and names where to sign out', async () => {
    const connection = oauth2({ fieldsMap: { user_id: 'no', email: 'mail' }, logoutUrl: 'https://plain.test/bye' })
    expect(await signIn(connection, { no: 7, mail: 'kim@mail.test' })).toMatchObject({
      providerUserId: 'oauth2|7',
      profile: { email: 'kim@mail.test' },
    })
    const out = { returnTo: 'https://id.test/logout/callback', state: 's', hint: null }
    expect(await federated(connection).logoutUrl(out, deps)).toMatch(/^https:\/\/plain\.test\/bye\?/)
  })

  it('decides how claims are mapped', async () => {
    const attributes = { name: [vendorPath('tokenset.first'), vendorPath('tokenset.last')].join(' '), email: 'mail' }
    const person = { ...KIM, first: 'Kim', last: 'Lee', mail: 'kim@corp.test', nickname: 'kimmy' }
    const profile = async (mapping_mode?: string) =>
      (await signIn(corp({ attribute_map: { attributes, ...(mapping_mode && { mapping_mode }) } }), person)).profile
    for (const mode of [undefined, 'bind_all'])
      expect(await profile(mode)).toMatchObject({ name: 'Kim Lee', email: 'kim@corp.test', nickname: 'kimmy' })
    expect(await profile('use_map')).toMatchObject({ name: 'Kim Lee', email: 'kim@corp.test', nickname: null })
    expect(await profile('basic_profile')).toMatchObject({ name: 'Kim Doe', email: 'kim@mail.test' })
  })

  it('sends no nonce where send_back_channel_nonce is off, but never without PKCE', async () => {
    const quiet = corp({ send_back_channel_nonce: false })
    expect((await startAt(quiet)).searchParams.has('nonce')).toBe(false)
    expect((await signIn(quiet, KIM)).providerUserId).toBe('corp|k-1')
    const loud = corp({ send_back_channel_nonce: false, pkce_enabled: false })
    expect((await startAt(loud)).searchParams.has('nonce')).toBe(true)
    double.mischief = { claims: ({ nonce: _, ...claims }) => claims }
    expect(await failure(signIn(loud, KIM))).toMatchObject({ failure: 'forged' })
    expect(await failure(signIn(corp({ send_back_channel_nonce: true }), KIM))).toMatchObject({ failure: 'forged' })
  })

  it.each([
    [{}, 'RS256', `${IDP}/token`],
    [{ token_endpoint_jwtca_aud_format: 'issuer' }, 'RS256', IDP],
    [
      { token_endpoint_auth_signing_alg: 'ES256', token_endpoint_jwtca_aud_format: 'token_endpoint' },
      'ES256',
      `${IDP}/token`,
    ],
  ])('authenticates by a JWT that the published key signs: %j', async (options, alg, aud) => {
    const connection = corp({ token_endpoint_auth_method: 'private_key_jwt', ...options })
    expect((await signIn(connection, KIM)).providerUserId).toBe('corp|k-1')
    const sent = double.requests.find(({ address }) => address === `${IDP}/token`)?.form ?? {}
    expect(sent).toMatchObject({
      client_id: 'us',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect(sent).not.toHaveProperty('client_secret')
    const { header, claims } = readUnverified(sent.client_assertion ?? '') ?? {}
    expect(header?.alg).toBe(alg)
    expect(claims).toMatchObject({ iss: 'us', sub: 'us', aud, jti: expect.stringMatching(/^\w{32}$/) })
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(120)
  })

  it.each(['https://id.test/', 'https://id.test'])('signs nothing in the name of an issuer: %s', async (client_id) => {
    const connection = corp({ token_endpoint_auth_method: 'private_key_jwt', client_id })
    expect(await failure(startAt(connection))).toMatchObject({ failure: 'unreachable' })
  })
})

describe('Apple’s name', () => {
  const apple = connectionOf('apple', NEEDED.apple)
  const named = async (name: object) =>
    (
      await signIn(
        apple,
        { sub: '001', email: 'a@mail.test', email_verified: 'true' },
        { user: JSON.stringify({ name }) },
      )
    ).profile

  it.each<[object, object]>([
    [
      { firstName: 'Ann', lastName: 'Lee' },
      { name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
    ],
    [{ firstName: 'Ann' }, { name: 'Ann', givenName: 'Ann', familyName: null }],
    [{ lastName: 'Lee' }, { name: 'Lee', givenName: null, familyName: 'Lee' }],
    [
      { firstName: 'Ann', lastName: '' },
      { name: 'Ann', familyName: null },
    ],
    [
      { firstName: ' ', lastName: ' Lee ' },
      { name: 'Lee', givenName: null, familyName: 'Lee' },
    ],
    [{ firstName: null, lastName: 'Lee' }, { name: 'Lee' }],
    [{ firstName: '', lastName: '' }, { name: null }],
    [{}, { name: null }],
  ])('the name %j of Apple is read', async (name, expected) => {
    expect(await named(name)).toMatchObject(expected)
  })
})

/** A person in the form of each provider's own API. */
const PEOPLE: Readonly<Record<string, ProviderPerson>> = {
  paypal: { ...KIM, payer_id: 'P1' },
  salesforce: { ...KIM, user_id: 'S1' },
  'salesforce-sandbox': { ...KIM, user_id: 'S1' },
  twitch: { sub: 'k-1', preferred_username: 'kim', email: 'kim@mail.test', email_verified: true },
  windowslive: { id: 'w1', displayName: 'Kim Doe', mail: 'kim@mail.test' },
  github: OCTO,
  facebook: { id: 'f1', name: 'Kim Doe', email: 'kim@mail.test' },
  linkedin: KIM,
  twitter: { data: { id: 't1', name: 'Kim Doe', username: 'kim' } },
  discord: { id: 'd1', username: 'kim', email: 'kim@mail.test', verified: true },
  spotify: { id: 's1', display_name: 'Kim Doe', email: 'kim@mail.test' },
  amazon: { user_id: 'a1', name: 'Kim Doe', email: 'kim@mail.test' },
  bitbucket: {
    account_id: 'b1',
    display_name: 'Kim Doe',
    emails: { values: [{ email: 'kim@mail.test', is_confirmed: true, is_primary: true }] } as never,
  },
  line: { userId: 'l1', displayName: 'Kim Doe', pictureUrl: 'https://pics.test/1' },
  wordpress: { ID: 12, display_name: 'Kim Doe', email: 'kim@mail.test' },
  box: { id: 'x1', name: 'Kim Doe', login: 'kim@mail.test' },
}

describe.each(rows.filter(([strategy]) => strategy !== 'oauth2'))('%s', (strategy, row) => {
  const connection = connectionOf(strategy as ProviderStrategy, NEEDED[strategy])
  const person = PEOPLE[strategy] ?? KIM
  const idOf = async (): Promise<string> => (await signIn(connection, person)).providerUserId

  it('signs in with odd answers of its token endpoint and its API', async () => {
    const usual = await idOf()
    double.mischief = {
      token: ({ token_type: _, ...answer }) => ({ ...answer, expires_in: '60', scope: null }),
      tokens: (answer) => text(JSON.stringify(answer), 'text/plain'),
    }
    expect(await idOf()).toBe(usual)
    if (row.protocol === 'oauth2') {
      double.mischief = { tokens: (answer) => text(form(answer), 'text/plain') }
      expect(await idOf()).toBe(usual)
      double.mischief = { tokens: () => text('error=invalid_grant', 'text/plain', 400) }
      expect(await failure(idOf())).toMatchObject({ failure: 'forged' })
    }
  })

  it('signs in, or fails as a failure, where its API is away', async () => {
    const usual = await idOf()
    double.mischief = {
      claims: withoutName,
      at: (address, known) => (known && !address.endsWith('/token') ? 'away' : undefined),
    }
    if (row.protocol === 'oidc') expect(await idOf()).toBe(usual)
    else expect(await failure(idOf())).toMatchObject({ failure: 'unreachable' })
  })

  it('is request for the scopes of the connection alone', async () => {
    const scope = await scopeOf(connectionOf(strategy as ProviderStrategy, { ...NEEDED[strategy], scope: ['only'] }))
    expect(scope).toBe(row.scope.includes('openid') ? 'openid only' : 'only')
  })
})
