import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { FederatedConnection } from '../../data/connections/connection'
import { sealSecret } from '../../data/connections/upstream/secrets'
import type { UpstreamAsk, UpstreamDeps, UpstreamIdentity } from '../../data/connections/upstream/upstream'
import { fixedClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { TEST_SECRET } from '../../testing/database'
import { keyShelf } from '../../testing/keys'
import { type ProviderPerson, providerDouble } from '../../testing/provider'
import { sampleConnection } from '../../testing/samples'
import { federated } from './federated'

const vault = createVault(TEST_SECRET)
const clock = fixedClock()
const APPLE = 'https://appleid.apple.com'
const applePair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const double = providerDouble(['https://idp.test', 'https://accounts.google.com', APPLE], {
  tokens: ['https://github.com/login/oauth/access_token', 'https://plain.test/token'],
  apis: {
    'https://api.github.com/user': ({ emails: _, ...person }) => person,
    'https://api.github.com/user/emails': ({ emails }) => emails,
    'https://plain.test/me': (person) => person,
  },
})
const deps = {
  baseUrl: 'https://id.test',
  vault,
  random: systemRandom,
  clock,
  callOut: double.callOut,
  upstreamServers: new Map(),
  keyring: await (await keyShelf()).keyring(),
}
afterEach(() => {
  double.mischief = {}
  deps.upstreamServers.clear()
})

type Strategy = FederatedConnection['strategy']

const connectionOf = (strategy: Strategy, options: Record<string, unknown> = {}, name: string = strategy) =>
  sampleConnection<FederatedConnection>(
    strategy,
    {
      options: { client_id: 'us', ...options },
      sealed: { client_secret: sealSecret('client_secret', 'hush hush', vault, systemRandom) },
    },
    name,
  )

const OIDC = connectionOf('oidc', { issuer: 'https://idp.test' }, 'corp')
const PLAIN = connectionOf('oauth2', {
  authorizationURL: 'https://plain.test/authorize',
  tokenURL: 'https://plain.test/token',
  userinfo_endpoint: 'https://plain.test/me',
})

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
  const address = await federated(connection).start(asking(), deps)
  const { state = '', ...answer } = { ...double.answer(address, person), ...more }
  return federated(connection).complete({ ...answer, state }, deps)
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
const KIM = { sub: 'k-1', email: 'Kim@Mail.test', email_verified: true, name: 'Kim Doe', given_name: 'Kim' }

describe('an OpenID Connect provider', () => {
  it('receives state, nonce and PKCE, and the configured scopes', async () => {
    const url = await startAt(OIDC, { loginHint: 'kim@mail.test', anew: true, parameters: { connection_scope: 'x,y' } })
    expect(url.origin + url.pathname).toBe('https://idp.test/authorize')
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({
      client_id: 'us',
      response_type: 'code',
      redirect_uri: 'https://id.test/login/callback',
      scope: 'openid profile email x y',
      code_challenge_method: 'S256',
      login_hint: 'kim@mail.test',
      prompt: 'login',
    })
    for (const value of [nonce, code_challenge]) expect(value).toMatch(/^[\w-]{43}$/)
    expect(new Set([state, nonce, code_challenge]).size).toBe(3)
  })

  it('is sent the parameters of the request and the connection, but none that the protocol hangs on', async () => {
    const connection = connectionOf('google-oauth2', {
      upstream_params: { prompt: { value: 'consent' }, hd: { alias: 'company' }, missing: { alias: 'absent' } },
    })
    const taken = { state: 'theirs', nonce: 'theirs', redirect_uri: 'https://evil.test', code_challenge: 'theirs' }
    const parameters = { access_type: 'offline', company: 'mail.test', 'ext-x': '1', client_id: 'theirs', ...taken }
    const query = Object.fromEntries((await startAt(connection, { parameters })).searchParams)
    expect(query).toMatchObject({ access_type: 'offline', prompt: 'consent', hd: 'mail.test', client_id: 'us' })
    expect(Object.keys(query)).not.toContain('ext-x')
    expect(Object.keys(query)).not.toContain('missing')
    expect(Object.values(query)).not.toContain('theirs')
    expect(query.redirect_uri).toBe('https://id.test/login/callback')
  })

  it('identifies the user: an id under the connection, bounded claims, tokens', async () => {
    const identity = await signIn(OIDC, { ...KIM, picture: 'javascript:alert(1)', locale: 'de' })
    expect(identity).toEqual({
      logoutHint: identity.tokens?.idToken,
      provider: 'oidc',
      providerUserId: 'corp|k-1',
      profile: {
        email: 'kim@mail.test',
        emailVerified: false,
        name: 'Kim Doe',
        givenName: 'Kim',
        familyName: null,
        nickname: null,
        picture: null,
        rest: { locale: 'de' },
      },
      tokens: {
        accessToken: expect.any(String),
        refreshToken: 'refresh-me',
        idToken: expect.any(String),
        expiresIn: 3600,
        scope: null,
      },
      received: { kind: 'id_token', claims: expect.objectContaining({ sub: 'k-1', email: 'Kim@Mail.test' }) },
    })
    const exchange = double.requests.find(({ address }) => address === 'https://idp.test/token')
    expect(exchange?.form).toMatchObject({ client_id: 'us', client_secret: 'hush hush' })
  })

  it('is asked for user-info when the ID token lacks name or address, and only for the same user', async () => {
    const before = double.requests.length
    expect((await signIn(OIDC, { sub: 'k-1', email: 'kim@mail.test' })).profile.email).toBe('kim@mail.test')
    expect(double.requests.slice(before).map(({ address }) => address)).toContain('https://idp.test/userinfo')
  })

  it('is believed about addresses only where its row or the connection says so (UP3)', async () => {
    const verified = async (connection: FederatedConnection, claim: unknown) =>
      (await signIn(connection, { ...KIM, email_verified: claim })).profile.emailVerified
    const with_ = (options: object) => connectionOf('oidc', { issuer: 'https://idp.test', ...options })
    expect(await verified(OIDC, true)).toBe(false)
    expect(await verified(with_({ trust_email_claim: true }), true)).toBe(true)
    expect(await verified(with_({ trust_email_claim: true }), false)).toBe(false)
    expect(await verified(connectionOf('google-oauth2'), true)).toBe(true)
    expect(await verified(connectionOf('google-oauth2'), 'yes')).toBe(false)
    const always = { should_trust_email_verified_connection: 'always_set_emails_as_verified' }
    expect(await verified(with_(always), false)).toBe(true)
    const never = { should_trust_email_verified_connection: 'never_set_emails_as_verified' }
    expect(await verified(connectionOf('google-oauth2', never), true)).toBe(false)
  })

  it('keeps apart two connections of one social provider, and needs no name for the one called like it', async () => {
    const google = { ...KIM, sub: '1078' }
    expect((await signIn(connectionOf('google-oauth2'), google)).providerUserId).toBe('1078')
    const second = connectionOf('google-oauth2', {}, 'google-partners')
    expect((await signIn(second, google)).providerUserId).toBe('google-partners|1078')
  })

  it.each<[string, object]>([
    ['another nonce', { claims: (claims: object) => ({ ...claims, nonce: 'stale' }) }],
    ['no nonce', { claims: ({ nonce: _, ...claims }: Record<string, unknown>) => claims }],
    ['a key that it does not publish', { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }],
    ['no algorithm', { header: { alg: 'none' } }],
    ['a symmetric algorithm', { header: { alg: 'HS256' } }],
    ['no ID token at all', { token: ({ id_token: _, ...answer }: Record<string, unknown>) => answer }],
  ])('refuses an ID token with %s (UP1)', async (_, mischief) => {
    double.mischief = mischief
    expect(await failure(signIn(OIDC, KIM))).toMatchObject({ name: 'UpstreamError', failure: 'forged' })
  })

  it('is asked without PKCE where the connection switches it off', async () => {
    const url = await startAt(connectionOf('oidc', { issuer: 'https://idp.test', pkce_enabled: false }, 'corp'))
    expect(url.searchParams.has('code_challenge')).toBe(false)
    const connection_settings = { pkce: 'disabled' }
    const other = await startAt(connectionOf('oidc', { issuer: 'https://idp.test', connection_settings }, 'other'))
    expect(other.searchParams.has('code_challenge')).toBe(false)
  })

  it('the common endpoint of Microsoft is used where the connection says so, and else the endpoint of its tenant', async () => {
    const called: string[] = []
    const callOut: UpstreamDeps['callOut'] = async (address) => {
      called.push(new URL(address).pathname.split('/')[1] ?? '')
      throw new Error('asked')
    }
    for (const options of [{ use_common_endpoint: true, tenant_domain: 'a.test' }, { tenant_domain: 'a.test' }]) {
      const start = federated(connectionOf('waad', options)).start
      await failure(start(asking(), { ...deps, upstreamServers: new Map(), callOut }))
    }
    expect(called).toEqual(['common', 'a.test'])
  })

  it('refuses an ID token with an algorithm that the connection does not allow', async () => {
    const allowing = (...algorithms: string[]) =>
      connectionOf('oidc', { issuer: 'https://idp.test', id_token_signed_response_algs: algorithms }, 'corp')
    expect((await signIn(allowing('ES256', 'RS256'), KIM)).providerUserId).toBe('corp|k-1')
    expect(await failure(signIn(allowing('ES256'), KIM))).toMatchObject({ failure: 'unfit' })
  })

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an end in the past', { exp: 1_000_000 }, /"exp".*exp is 1000000, expected \d{10}/],
    ['a beginning to come', { nbf: 4_000_000_000 }, /"nbf".*nbf is 4000000000/],
    ['the audience of another client', { aud: 'others' }, /"aud".*aud is "others", expected "us"/],
    [
      'another issuer',
      { iss: 'https://idp.test/v2' },
      /"iss".*iss is "https:\/\/idp.test\/v2", expected "https:\/\/idp.test"/,
    ],
  ])(
    'refuses an ID token that is no forgery, and names what it cannot accept: %s (UP1)',
    async (_what, wrong, reason) => {
      double.mischief = { claims: (claims) => ({ ...claims, ...wrong }) }
      expect(await failure(signIn(OIDC, KIM))).toMatchObject({
        failure: 'unfit',
        message: expect.stringMatching(reason),
      })
    },
  )

  it('refuses a response of another issuer (RFC 9207), with another code, or without one (UP1)', async () => {
    expect(await failure(signIn(OIDC, KIM, { iss: 'https://evil.test' }))).toMatchObject({ failure: 'forged' })
    expect(await failure(signIn(OIDC, KIM, { code: 'made up' }))).toMatchObject({ failure: 'forged' })
    expect(await failure(federated(OIDC).complete({ state: 'x' }, deps))).toMatchObject({ failure: 'forged' })
    expect((await signIn(OIDC, KIM, { iss: 'https://idp.test' })).providerUserId).toBe('corp|k-1')
  })

  it('demands the issuer of a server that promises to name it', async () => {
    double.mischief = { metadata: { authorization_response_iss_parameter_supported: true } }
    expect(await failure(signIn(OIDC, KIM))).toMatchObject({ failure: 'forged' })
  })

  it('cannot complete with the verifier of another state', async () => {
    const [first, second] = [await startAt(OIDC), await startAt(OIDC)]
    const { code = '' } = double.answer(first.href, KIM)
    const reply = { code, state: second.searchParams.get('state') ?? '' }
    expect(await failure(federated(OIDC).complete(reply, deps))).toMatchObject({ failure: 'forged' })
  })

  it('distinguishes a refusal, a failure and a forgery', async () => {
    const answers = (error: string) => failure(signIn(OIDC, KIM, { error }))
    for (const refusal of ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']) {
      expect(await answers(refusal)).toMatchObject({ failure: 'denied' })
    }
    expect(await answers('temporarily_unavailable')).toMatchObject({ failure: 'unreachable' })
    const page = { status: 502, headers: { 'content-type': 'text/html' }, body: new Uint8Array(Buffer.from('<h1>')) }
    for (const mischief of [{ away: 'ECONNREFUSED' }, { answer: page }, { answer: { ...page, status: 200 } }]) {
      const url = await startAt(OIDC)
      const reply = { ...double.answer(url.href, KIM), state: url.searchParams.get('state') ?? '' }
      double.mischief = mischief
      expect(await failure(federated(OIDC).complete(reply, deps))).toMatchObject({ failure: 'unreachable' })
      double.mischief = {}
    }
  })

  it('is looked up again some seconds after a failure, and when the connection changes (UP6)', async () => {
    double.mischief = { away: 'ECONNREFUSED' }
    const requestCount = double.requests.length
    for (let i = 0; i < 3; i++) expect(await failure(startAt(OIDC))).toMatchObject({ failure: 'unreachable' })
    expect(double.requests).toHaveLength(requestCount + 1)
    double.mischief = {}
    clock.advance(5)
    await startAt(OIDC)
    const changed = sampleConnection<FederatedConnection>(
      'oidc',
      { options: { issuer: 'https://idp.test', client_id: 'else' } },
      'corp',
    )
    expect((await startAt(changed)).searchParams.get('client_id')).toBe('else')
  })

  it('must be the issuer that the connection names', async () => {
    double.mischief = { metadata: { issuer: 'https://evil.test' } }
    expect(await failure(startAt(OIDC))).toBeInstanceOf(Error)
    const elsewhere = connectionOf('oidc', {
      issuer: 'https://corp.test',
      discovery_url: 'https://idp.test/.well-known/openid-configuration',
    })
    double.mischief = {}
    expect(await failure(startAt(elsewhere))).toMatchObject({ failure: 'unreachable' })
  })

  it('signs users out at its own endpoint and redirects them back', async () => {
    const out = { returnTo: 'https://id.test/logout/callback', state: 's', hint: 'a.b.c' }
    const url = new URL((await federated(OIDC).logoutUrl(out, deps)) ?? '')
    expect(url.origin + url.pathname).toBe('https://idp.test/logout')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'us',
      post_logout_redirect_uri: 'https://id.test/logout/callback',
      state: 's',
      id_token_hint: 'a.b.c',
    })
    expect(await federated(connectionOf('github')).logoutUrl(out, deps)).toBeNull()
    const known = {
      issuer: 'https://idp.test',
      jwks_uri: 'https://idp.test/jwks',
      end_session_endpoint: 'https://idp.test/end',
    }
    const endpoints = { authorization_endpoint: 'https://idp.test/authorize', token_endpoint: 'https://idp.test/token' }
    const whole = connectionOf('oidc', { ...known, ...endpoints }, 'whole')
    expect(await federated(whole).logoutUrl(out, deps)).toMatch(/^https:\/\/idp\.test\/end\?/)
  })
})

describe('Apple', () => {
  const apple = sampleConnection<FederatedConnection>('apple', {
    options: { client_id: 'test.latchkey', team_id: 'TEAM', kid: 'KEY' },
    sealed: {
      app_secret: sealSecret(
        'app_secret',
        applePair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        vault,
        systemRandom,
      ),
    },
  })

  it('posts its response, and receives a signed secret', async () => {
    expect((await startAt(apple)).searchParams.get('response_mode')).toBe('form_post')
    await signIn(apple, { sub: '001.a', email: 'a@privaterelay.test', email_verified: 'true' })
    const secret = double.requests.findLast(({ address }) => address === `${APPLE}/token`)?.form.client_secret ?? ''
    const [header = '', payload = '', signature = ''] = secret.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: 'KEY' })
    const now = Math.floor(clock.now().getTime() / 1000)
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      iss: 'TEAM',
      sub: 'test.latchkey',
      aud: APPLE,
      iat: now,
      exp: now + 3600,
    })
    const key = { key: createPublicKey(applePair.privateKey), dsaEncoding: 'ieee-p1363' as const }
    const signed = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  it('says a name beside its first answer, which proves nothing', async () => {
    const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' }, email: 'evil@mail.test', sub: 'else' })
    const person = { sub: '001.a', email: 'a@mail.test', email_verified: 'true' }
    const { profile, providerUserId } = await signIn(apple, person, { user })
    expect(profile).toMatchObject({ name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee', emailVerified: true })
    expect(profile.email).toBe('a@mail.test')
    expect(providerUserId).toBe('001.a')
    expect((await signIn(apple, person, { user: 'no JSON' })).profile.name).toBeNull()
  })
})

describe('an OAuth 2.0 provider', () => {
  const emails = [
    { email: 'old@mail.test', verified: true, primary: false },
    { email: 'kim@mail.test', verified: true, primary: true },
    { email: 'unproven@mail.test', verified: false, primary: false },
  ]
  const octo = { id: 583231, login: 'octokim', name: null, avatar_url: 'https://pics.test/1', emails }

  it('is asked for the user at its API, in its own format: GitHub', async () => {
    double.mischief = { token: (answer) => ({ access_token: answer.access_token, scope: ['read:user'] }) }
    const identity = await signIn(connectionOf('github'), octo)
    expect(identity).toMatchObject({ provider: 'github', providerUserId: '583231' })
    expect(identity.profile).toMatchObject({
      email: 'kim@mail.test',
      emailVerified: true,
      name: 'octokim',
      nickname: 'octokim',
      picture: 'https://pics.test/1',
    })
    const calls = double.requests.filter(({ address }) => address.startsWith('https://api.github.com'))
    expect(calls.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringMatching(/^Bearer token-/),
      expect.stringMatching(/^Bearer token-/),
    ])
  })

  it('gives no address that it did not verify', async () => {
    const identity = await signIn(connectionOf('github'), { ...octo, email: undefined, emails: emails.slice(2) })
    expect(identity.profile).toMatchObject({ email: null, emailVerified: false })
  })

  it('is any that the connection describes', async () => {
    const mapped = connectionOf('oauth2', {
      ...PLAIN.settings.options,
      attribute_map: {
        attributes: { user_id: 'account.no', email: ['$', '{context.userinfo.mail}'].join(''), name: 'a.b' },
      },
    })
    const identity = await signIn(mapped, { account: { no: 7 }, mail: 'kim@mail.test', 'a.b': 'Kim' })
    expect(identity).toMatchObject({ provider: 'oauth2', providerUserId: 'oauth2|7' })
    expect(identity.profile).toMatchObject({ email: 'kim@mail.test', emailVerified: false, name: 'Kim' })
  })

  it.each([
    ['no id', {}],
    ['an empty one', { sub: '' }],
    ['one with a control character', { sub: 'a\nb' }],
    ['one that is too long', { sub: 'x'.repeat(256) }],
    ['one that is no text', { sub: { a: 1 } }],
    ['one that it only inherits', { ['__proto__']: { sub: 'x' } }],
  ])('refuses a user who has %s', async (_, person) => {
    expect(await failure(signIn(PLAIN, person as ProviderPerson))).toMatchObject({ failure: 'unreachable' })
  })

  it('is refused if its API is malformed', async () => {
    const url = await startAt(PLAIN)
    const reply = { ...double.answer(url.href, { sub: '1' }), state: url.searchParams.get('state') ?? '' }
    const original = deps.callOut
    const failing = {
      ...deps,
      upstreamServers: new Map(),
      callOut: (async (address, request) =>
        address.endsWith('/me')
          ? { status: 500, headers: {}, body: new Uint8Array() }
          : original(address, request)) as typeof deps.callOut,
    }
    expect(await failure(federated(PLAIN).complete(reply, failing))).toMatchObject({ failure: 'unreachable' })
  })
})
