import { beforeEach, describe, expect, it } from 'vitest'
import { createCallOut } from '../../adapters/channels/call-out'
import { type CallOut, CallOutError, type IncomingAnswer } from '../../kernel/call-out'
import { fixedClock } from '../../kernel/clock'
import { makeClientKey } from '../../testing/client-key'
import type { Jwks } from './credentials'
import { type ClientKeySets, createClientKeySets, withPublished } from './key-sets'

const URI = 'https://app.test/jwks.json'
const KEY = makeClientKey()
const setOf = (...kids: string[]) => ({ keys: kids.map((kid) => ({ ...KEY.jwk, kid })) })

let clock: ReturnType<typeof fixedClock>
let calls: string[]
let answer: () => Promise<IncomingAnswer>
let keySets: ClientKeySets

const answering = (body: unknown, status = 200) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  answer = async () => ({ status, headers: {}, body: new Uint8Array(Buffer.from(text)) })
}

beforeEach(() => {
  clock = fixedClock()
  calls = []
  answering(setOf('a'))
  keySets = createClientKeySets({
    clock,
    callOut: (address) => {
      calls.push(address)
      return answer()
    },
  })
})

const having = (kid: string) => (set: Jwks) => set.keys.some((key) => key.kid === kid)
const kidsFor = async (kid: string, uri = URI) => (await keySets.find(uri, having(kid)))?.keys.map((key) => key.kid)

describe('fetching', () => {
  it('asks once for ten minutes, and again after them', async () => {
    for (let i = 0; i < 3; i++) expect(await kidsFor('a')).toEqual(['a'])
    clock.advance(599)
    await kidsFor('a')
    expect(calls).toEqual([URI])
    clock.advance(1)
    answering(setOf('b'))
    expect(await kidsFor('b')).toEqual(['b'])
    expect(calls).toHaveLength(2)
  })

  it('waits five seconds at most, because a token request waits for it', async () => {
    const waits: unknown[] = []
    const callOut: CallOut = (_address, { seconds }) => {
      waits.push(seconds)
      return answer()
    }
    await createClientKeySets({ clock, callOut }).find(URI, having('a'))
    expect(waits).toEqual([5])
  })

  it('asks again where time was taken back since (RE7)', async () => {
    clock.advance(26 * 3600)
    await kidsFor('a')
    clock.advance(-26 * 3600)
    answering(setOf('b'))
    expect(await kidsFor('b')).toEqual(['b'])
    expect(calls).toHaveLength(2)
  })

  it('asks once for all who wait', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => kidsFor('a')))
    expect(all).toEqual(Array(20).fill(['a']))
    expect(calls).toHaveLength(1)
  })

  it('asks again for an unknown key, at most every thirty seconds', async () => {
    await kidsFor('a')
    answering(setOf('b'))
    for (let i = 0; i < 5; i++) expect(await kidsFor('b')).toEqual(['a'])
    expect(calls).toHaveLength(1)
    clock.advance(30)
    expect(await Promise.all([kidsFor('b'), kidsFor('b')])).toEqual([['b'], ['b']])
    for (let i = 0; i < 5; i++) await kidsFor('c')
    expect(calls).toHaveLength(2)
  })

  it('keeps the last set while the address fails, for a day at most', async () => {
    await kidsFor('a')
    answer = () => Promise.reject(new CallOutError('ETIMEDOUT'))
    clock.advance(86_399)
    expect(await kidsFor('a')).toEqual(['a'])
    clock.advance(31)
    expect(await kidsFor('a')).toBeUndefined()
  })

  it('forgets the oldest of a thousand addresses', async () => {
    for (let i = 0; i <= 1000; i++) await kidsFor('a', `${URI}?${i}`)
    await kidsFor('a', `${URI}?1000`)
    expect(calls).toHaveLength(1001)
    await kidsFor('a', `${URI}?0`)
    expect(calls).toHaveLength(1002)
  })

  it.each<[string, unknown, number?]>([
    ['an error', setOf('a'), 500],
    ['a redirect', setOf('a'), 302],
    ['no JSON', 'keys'],
    ['no set', ['a']],
    ['an empty set', { keys: [] }],
    ['a private key', { keys: [{ ...KEY.jwk, d: 'AQAB' }] }],
    ['a shared key alone', { keys: [{ kty: 'oct', k: 'AQAB' }] }],
    ['a key that is too short', { keys: [makeClientKey(1024).jwk] }],
    ['too many keys', { keys: Array.from({ length: 11 }, () => KEY.jwk) }],
    ['more than 64 KiB', { ...setOf('a'), more: 'x'.repeat(65_536) }],
  ])('takes no keys from %s', async (_what, body, status) => {
    answering(body, status)
    expect(await kidsFor('a')).toBeUndefined()
    clock.advance(29)
    expect(await kidsFor('a')).toBeUndefined()
    expect(calls).toHaveLength(1)
  })
})

describe('choosing', () => {
  const header = { alg: 'RS256', kid: 'a' }
  const publishing = { credentials: [], jwksUri: URI }
  const find = (over: object, registered: object = publishing) =>
    withPublished({ ...header, ...over }, { credentials: [], ...registered }, { keySets, clock })

  it('asks nothing for a client that publishes none, or whose stored key fits', async () => {
    expect(await find({}, {})).toEqual({ credentials: [] })
    await find({}, { ...publishing, credentials: [{ alg: 'RS256', kid: 'a', pem: KEY.pem }] })
    expect(calls).toEqual([])
  })

  it('has the published keys', async () => {
    expect((await find({})).jwks).toEqual(setOf('a'))
  })

  it('looks for the successor of a key without a name as often as it may', async () => {
    for (let i = 0; i < 3; i++) await find({ kid: undefined })
    expect(calls).toHaveLength(1)
    clock.advance(30)
    await find({ kid: undefined })
    expect(calls).toHaveLength(2)
  })
})

it.each([
  'https://127.0.0.1/jwks',
  'https://[::1]/jwks',
  'https://[::ffff:10.0.0.1]/jwks',
  'https://10.0.0.1/jwks',
  'https://172.16.0.1/jwks',
  'https://192.168.0.1/jwks',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/jwks',
  'https://0.0.0.0/jwks',
  'https://[fd00::1]/jwks',
  'https://[fe80::1]/jwks',
  'https://2130706433/jwks',
  'https://0x7f.1/jwks',
  'https://localhost/jwks',
  'https://app.localhost/jwks',
  'http://8.8.8.8/jwks',
  'file:///etc/passwd',
])('never calls %s', async (uri) => {
  const reasons: string[] = []
  const callOut = createCallOut({ allowLoopback: false, allowPrivate: false })
  const guarded = createClientKeySets({
    clock: fixedClock(),
    callOut: (address, request) =>
      callOut(address, request).catch((error: CallOutError) => {
        reasons.push(error.reason)
        throw error
      }),
  })
  expect(await guarded.find(uri, () => true)).toBeNull()
  expect(reasons).toHaveLength(1)
  expect(['EFORBIDDENADDRESS', 'EPLAINHTTP', 'EUNKNOWNSCHEME']).toContain(reasons[0])
})
