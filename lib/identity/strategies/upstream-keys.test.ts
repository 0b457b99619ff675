// Choosing the key of an OpenID Connect provider, and the difference of clocks (RFC 7517 4.5, RFC 7515 4.1.4, RFC 7519 4.1.4).
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { FederatedConnection } from '../../data/connections/connection'
import { sealSecret } from '../../data/connections/upstream/secrets'
import { fixedClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { TEST_SECRET } from '../../testing/database'
import { keyShelf } from '../../testing/keys'
import { providerDouble, published } from '../../testing/provider'
import { sampleConnection } from '../../testing/samples'
import { federated } from './federated'

const vault = createVault(TEST_SECRET)
const clock = fixedClock()
const double = providerDouble(['https://idp.test'])
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
  clock.advance(60)
})

const CORP = sampleConnection<FederatedConnection>(
  'oidc',
  {
    options: { client_id: 'us', issuer: 'https://idp.test' },
    sealed: { client_secret: sealSecret('client_secret', 'hush hush', vault, systemRandom) },
  },
  'corp',
)

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [first, second, third] = [pair(), pair(), pair()]
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })

let states = 0
async function signIn(more: Record<string, unknown> = {}): Promise<string> {
  const ask = { state: `state-${++states}`, loginHint: null, parameters: {}, anew: false }
  const address = await federated(CORP).start(ask, deps)
  const { state = '', ...answer } = double.answer(address, {
    sub: 'k-1',
    email: 'kim@mail.test',
    name: 'Kim Doe',
    ...more,
  })
  return (await federated(CORP).complete({ ...answer, state }, deps)).providerUserId
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
const reads = (): number => double.requests.filter(({ address }) => address.endsWith('/jwks')).length

/** The token is signed by the key; the header is its `kid`, or none. */
const signedBy = (key: KeyObject, kid?: string | undefined) => ({ key, header: { kid } })

describe('the key that signed', () => {
  it.each<[string, { kid?: string | undefined }, object[]]>([
    ['one of two, and the token names none', {}, [published(first.publicKey), published(second.publicKey)]],
    [
      'one of two that have names, and the token has none',
      {},
      [published(first.publicKey, { kid: 'a' }), published(second.publicKey, { kid: 'b' })],
    ],
    [
      'one that the token names otherwise',
      { kid: 'x' },
      [published(first.publicKey, { kid: 'a' }), published(second.publicKey)],
    ],
    [
      'one of two with the same name',
      { kid: 'a' },
      [published(first.publicKey, { kid: 'a' }), published(second.publicKey, { kid: 'a' })],
    ],
    ['the only one, without a name', { kid: 'x' }, [published(second.publicKey)]],
    [
      'one beside those of other types, uses and algorithms',
      {},
      [
        published(curve.publicKey),
        published(first.publicKey, { use: 'enc' }),
        published(first.publicKey, { alg: 'RS512' }),
        published(second.publicKey, { alg: 'RS256', key_ops: ['verify'], use: undefined }),
      ],
    ],
    ['one beside a malformed one', {}, [{ kty: 'RSA', n: 7 }, { kty: 'RSA' }, published(second.publicKey)]],
  ])('the key that signed is %s', async (_, { kid }, keys) => {
    double.mischief = { ...signedBy(second.privateKey, kid), keys: () => keys as never }
    expect(await signIn()).toBe('corp|k-1')
  })

  it.each<[string, object[]]>([
    ['is not there', [published(first.publicKey), published(third.publicKey)]],
    ['is for encryption', [published(second.publicKey, { use: 'enc' })]],
    ['is for another algorithm', [published(second.publicKey, { alg: 'PS256' })]],
    ['does not verify', [published(second.publicKey, { key_ops: ['encrypt'] })]],
    ['is not there, and neither is another', []],
  ])('is refused where it %s', async (_, keys) => {
    double.mischief = { ...signedBy(second.privateKey), keys: () => keys as never }
    expect(await failure(signIn())).toMatchObject({ failure: 'forged', message: expect.stringMatching(/keys/) })
  })

  it('a new key is found after the provider changed its keys, with a new name, the old name or no name', async () => {
    for (const kid of ['b', 'a', undefined]) {
      double.mischief = { ...signedBy(first.privateKey, 'a'), keys: () => [published(first.publicKey, { kid: 'a' })] }
      await signIn()
      const before = reads()
      double.mischief = {
        ...signedBy(second.privateKey, kid),
        keys: () => [published(second.publicKey, { kid: kid ?? 'c' })],
      }
      expect(await signIn()).toBe('corp|k-1')
      expect(await signIn()).toBe('corp|k-1')
      expect(reads()).toBe(before + 1)
      deps.upstreamServers.clear()
    }
  })

  it('has the set read again once for many tokens, and once more half a minute later', async () => {
    double.mischief = { ...signedBy(first.privateKey, 'a'), keys: () => [published(first.publicKey, { kid: 'a' })] }
    await signIn()
    const before = reads()
    double.mischief = { ...double.mischief, ...signedBy(second.privateKey, 'b') }
    for (const _ of [1, 2, 3]) expect(await failure(signIn())).toMatchObject({ failure: 'forged' })
    await Promise.all([1, 2, 3].map(() => failure(signIn())))
    expect(reads()).toBe(before + 1)
    clock.advance(31)
    await failure(signIn())
    expect(reads()).toBe(before + 2)
  })

  it('is not looked for where the set cannot be read, and that is no forgery', async () => {
    double.mischief = { keys: () => 'none' as never }
    expect(await failure(signIn())).toMatchObject({ failure: 'unreachable' })
    double.mischief = {}
    expect(await signIn()).toBe('corp|k-1')
  })

  it('is demanded of a user-info answer that is signed', async () => {
    const jwt = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"k-1"}').toString('base64url')}.AAAA`
    const { callOut } = double
    const signing = {
      ...deps,
      upstreamServers: new Map(),
      callOut: (async (address, request) =>
        address.endsWith('/userinfo')
          ? { status: 200, headers: { 'content-type': 'application/jwt' }, body: new Uint8Array(Buffer.from(jwt)) }
          : callOut(address, request)) as typeof callOut,
    }
    const ask = { state: 'signed', loginHint: null, parameters: {}, anew: false }
    const { state = '', ...answer } = double.answer(await federated(CORP).start(ask, signing), { sub: 'k-1' })
    expect(await failure(federated(CORP).complete({ ...answer, state }, signing))).toMatchObject({
      name: 'UpstreamError',
    })
  })
})

describe('clocks that differ', () => {
  const shifted = (claim: string, seconds: number) => ({
    claims: (claims: Record<string, unknown>) => ({ ...claims, [claim]: (claims.iat as number) + seconds }),
  })

  it.each([
    ['nbf', 170],
    ['iat', 170],
    ['exp', -170],
  ])('by less than three minutes are no obstacle: %s', async (claim, seconds) => {
    double.mischief = shifted(claim, seconds)
    expect(await signIn()).toBe('corp|k-1')
  })

  it.each([
    ['nbf', 240],
    ['exp', -240],
  ])('a clock that differs by more is refused: %s', async (claim, seconds) => {
    double.mischief = shifted(claim, seconds)
    expect(await failure(signIn())).toMatchObject({ name: 'UpstreamError' })
  })
})
