import { describe, expect, it } from 'vitest'
import { addSeconds } from '../../kernel/clock'
import type { ForwardingHeader } from '../../kernel/forwarded'
import { NOW } from '../../testing/samples'
import type { Arrival, Finding } from './finding'
import { worst } from './finding'
import {
  judgeAddress,
  judgeAddresses,
  judgeArrival,
  judgeClients,
  judgeClock,
  judgeConnections,
  judgeDatabase,
  judgeDelivering,
  judgeKeys,
  judgeMail,
  judgeOutbound,
  judgePasskeys,
  judgePlaces,
  judgeRedis,
} from './judge'

const APP = 'https://id.test'
const DAY = 86_400
const healths = (findings: Finding[]) => findings.map(({ health }) => health)
const sentences = (findings: Finding[]) => findings.map(({ says }) => says).join('\n')

describe('the address', () => {
  const answered = (issuer: string, days: number | null, life = 90) => ({
    outcome: 'answered' as const,
    issuer,
    certificate:
      days === null ? null : { begins: addSeconds(NOW, (days - life) * DAY), ends: addSeconds(NOW, days * DAY + 60) },
  })

  it('is well with the right issuer and a certificate that lasts', () => {
    expect(healths(judgeAddress(APP, false, answered(`${APP}/`, 60), NOW))).toEqual(['well', 'well'])
  })

  it.each([
    ['another issuer', answered('https://other.test/', 60), 'another server stands there'],
    ['no answer', { outcome: 'failed' as const, reason: 'ENOTFOUND' }, 'ENOTFOUND'],
    ['an ended certificate', answered(`${APP}/`, -3), 'renew it'],
    ['plain http in public', answered(`${APP}/`, null), 'Put TLS in front'],
  ])('is ill with %s', (_, found, words) => {
    const findings = judgeAddress(APP, false, found, NOW)
    expect(worst(findings)).toBe('ill')
    expect(sentences(findings)).toContain(words)
  })

  it('is doubtful a fortnight before the certificate ends, and plain http is well on this machine', () => {
    expect(worst(judgeAddress(APP, false, answered(`${APP}/`, 13), NOW))).toBe('doubtful')
    expect(worst(judgeAddress('http://localhost:3000', true, answered('http://localhost:3000/', null), NOW))).toBe(
      'well',
    )
  })

  it('is well with a certificate of a few days until its last quarter', () => {
    expect(worst(judgeAddress(APP, false, answered(`${APP}/`, 3, 6), NOW))).toBe('well')
    expect(worst(judgeAddress(APP, false, answered(`${APP}/`, 1, 6), NOW))).toBe('doubtful')
  })
})

describe('passkeys', () => {
  const PLAIN = 'http://id.test'
  const facts = { usable: false, connections: ['Users'], factors: ['webauthn-roaming', 'otp'] }

  it('are not mentioned where the tenant has none, and are well where browsers take them', () => {
    expect(judgePasskeys(PLAIN, { usable: false, connections: [], factors: ['otp'] })).toEqual([])
    expect(healths(judgePasskeys(APP, { ...facts, usable: true }))).toEqual(['well'])
  })

  it('are doubtful over plain http, and ill if a login cannot go on without one', () => {
    const findings = judgePasskeys(PLAIN, facts)
    expect(healths(findings)).toEqual(['doubtful', 'doubtful'])
    expect(sentences(findings)).toContain('Users offers passkeys')
    const alone = judgePasskeys(PLAIN, { ...facts, factors: ['webauthn-roaming', 'webauthn-platform'] })
    expect(healths(alone)).toEqual(['doubtful', 'ill'])
    expect(sentences(alone)).toContain('webauthn-roaming and webauthn-platform')
  })
})

describe('outgoing requests', () => {
  it('are no subject without a proxy, and well where it gets judged addresses', () => {
    expect(judgeOutbound(undefined)).toEqual([])
    expect(judgeOutbound({ resolves: false })).toMatchObject([{ about: 'outgoing requests', health: 'well' }])
  })

  it('are doubtful where the proxy looks names up', () => {
    expect(judgeOutbound({ resolves: true })).toMatchObject([
      { health: 'doubtful', says: expect.stringContaining('not judged here (LATCHKEY_OUTBOUND_PROXY_RESOLVES)') },
    ])
    expect(judgeOutbound({ resolves: 'always' })).toMatchObject([
      { health: 'doubtful', says: expect.stringContaining('looks up every name again') },
    ])
  })
})

describe('the way of a request', () => {
  const direct = {
    ip: '203.0.113.9',
    forwardedFor: undefined,
    forwarded: undefined,
    forwardedProto: undefined,
    host: 'id.test',
  }
  const judged = (arrival: Arrival, header: ForwardingHeader = 'x-forwarded-for') => judgeArrival(APP, arrival, header)

  it('is well without a proxy, and with one that is believed', () => {
    expect(worst(judged(direct))).toBe('well')
    expect(worst(judged({ ...direct, forwardedFor: '203.0.113.9', forwardedProto: 'https' }))).toBe('well')
  })

  it('is ill where a proxy is not believed, or speaks of another scheme', () => {
    const unlisted = judged({ ...direct, ip: '10.0.0.1', forwardedFor: '203.0.113.9' })
    expect(worst(unlisted)).toBe('ill')
    expect(sentences(unlisted)).toContain('LATCHKEY_TRUSTED_PROXIES')
    expect(worst(judged({ ...direct, forwardedProto: 'http' }))).toBe('ill')
  })

  it('does not take an address for one that it is a part of', () => {
    expect(worst(judged({ ...direct, ip: '10.0.0.1', forwardedFor: '210.0.0.1' }))).toBe('ill')
  })

  it('is well where the proxy writes a port, brackets, or the other header that is read', () => {
    expect(worst(judged({ ...direct, forwardedFor: '203.0.113.9:51234' }))).toBe('well')
    expect(worst(judged({ ...direct, ip: '2001:db8::9', forwardedFor: '[2001:DB8::9]:443' }))).toBe('well')
    expect(worst(judged({ ...direct, forwarded: 'for="203.0.113.9:1"' }, 'forwarded'))).toBe('well')
  })

  it('is doubtful where the proxy writes the header that is not read', () => {
    const found = judged({ ...direct, ip: '10.0.0.1', forwarded: 'for=203.0.113.9' })
    expect(worst(found)).toBe('doubtful')
    expect(sentences(found)).toContain('LATCHKEY_FORWARDING_HEADER=forwarded')
  })

  it('is doubtful where Host was changed', () => {
    expect(worst(judged({ ...direct, host: 'backend:3000' }))).toBe('doubtful')
  })
})

it('minds clocks that are more than five seconds apart', () => {
  expect(judgeClock(NOW, addSeconds(NOW, 4)).health).toBe('well')
  expect(judgeClock(NOW, addSeconds(NOW, -6)).health).toBe('ill')
})

describe('the database', () => {
  const good = {
    version: 160_004,
    maxConnections: 100,
    poolSize: 10,
    synchronousCommit: 'on',
    fsync: 'on',
    fullPageWrites: 'on',
    unusable: null,
    missingMigrations: [],
    roundTripMs: 0.4,
  }

  it('is well', () => expect(healths(judgeDatabase(good))).toEqual(['well']))

  it.each([
    [{ version: 140_009 }, 'ill', 'not supported'],
    [{ missingMigrations: ['1_init'] }, 'ill', '1_init'],
    [{ fsync: 'off' }, 'ill', 'power cut'],
    [{ fullPageWrites: 'off' }, 'ill', 'power cut'],
    [{ synchronousCommit: 'off' }, 'ill', 'synchronous_commit'],
    [{ poolSize: 60 }, 'doubtful', 'max_connections'],
    [{ roundTripMs: 35 }, 'doubtful', 'nearer'],
  ] as const)('minds %j', (change, health, words) => {
    const findings = judgeDatabase({ ...good, ...change })
    expect(worst(findings)).toBe(health)
    expect(sentences(findings)).toContain(words)
  })
})

it('minds a Redis that is away or forgets', () => {
  expect(judgeRedis(false, undefined, null).health).toBe('well')
  expect(judgeRedis(true, 'up', 'noeviction').health).toBe('well')
  expect(judgeRedis(true, 'down', null).health).toBe('ill')
  expect(judgeRedis(true, 'up', 'allkeys-lru').health).toBe('doubtful')
})

it('minds mail that cannot leave', () => {
  const good = { configured: true, without: 1, failure: null, outbox: false, oldestSeconds: 0 }
  expect(worst(judgeMail(good))).toBe('well')
  expect(worst(judgeMail({ ...good, configured: false, outbox: true }))).toBe('well')
  expect(worst(judgeMail({ ...good, configured: false }))).toBe('ill')
  expect(worst(judgeMail({ ...good, configured: false, without: 0 }))).toBe('well')
  expect(sentences(judgeMail({ ...good, failure: 'EAUTH 535' }))).toContain('EAUTH 535')
  expect(worst(judgeMail({ ...good, oldestSeconds: 900 }))).toBe('ill')
})

it.each([
  [[], [], 'ill'],
  [[], ['A'], 'well'],
  [[], ['A', 'B'], 'ill'],
  [['A'], ['A', 'B'], 'well'],
  [['A'], [], 'ill'],
  [['A', 'B'], ['A', 'B'], 'ill'],
] as const)('minds messages that no action delivers: bound %j, deployed %j', (bound, deployed, health) => {
  const findings = judgeDelivering([
    { tenant: 'acme', trigger: 'custom-phone-provider', bound: [...bound], deployed: [...deployed] },
  ])
  expect(findings.length > 0).toBe(health === 'ill')
  if (health === 'ill') expect(sentences(findings)).toContain('tenant acme')
})

it('minds keys that are missing or old', () => {
  const key = (state: string, days = 0) => ({
    algorithm: 'RS256',
    kid: state,
    state,
    createdAt: addSeconds(NOW, -days * DAY),
  })
  expect(worst(judgeKeys([key('current', 30), key('next')], NOW))).toBe('well')
  expect(worst(judgeKeys([key('current', 400), key('next')], NOW))).toBe('doubtful')
  expect(worst(judgeKeys([key('current')], NOW))).toBe('doubtful')
  expect(worst(judgeKeys([key('previous')], NOW))).toBe('ill')
})

describe('redirect URIs', () => {
  const client = (url: string, native = false) => [{ clientId: 'c', name: 'Shop', native, urls: [url] }]

  it.each([
    ['https://shop.test/cb', false, 'well'],
    ['com.shop.app:/cb', true, 'well'],
    ['http://127.0.0.1/cb', true, 'well'],
    ['http://localhost:3000/cb', false, 'doubtful'],
    ['https://*.shop.test/cb', false, 'doubtful'],
    ['http://shop.test/cb', false, 'ill'],
  ] as const)('%s (native: %s) is %s', (url, native, health) => {
    expect(worst(judgeClients(client(url, native), false))).toBe(health)
  })

  it('are missing where no application is registered', () => {
    const findings = judgeClients([], false)
    expect(worst(findings)).toBe('doubtful')
    expect(sentences(findings)).toContain('tenant file')
  })

  it('may be this machine while the server is', () => {
    expect(worst(judgeClients(client('http://localhost:3000/cb'), true))).toBe('well')
  })
})

it('names applications that no user can sign in to', () => {
  expect(judgeConnections([])).toEqual([])
  const findings = judgeConnections(Array.from({ length: 21 }, (_, index) => ({ clientId: `c${index}`, name: 'Shop' })))
  expect(worst(findings)).toBe('doubtful')
  expect(sentences(findings)).toContain('Shop (c0), Shop (c1)')
  expect(sentences(findings)).toContain('Shop (c19) and 1 more: no user can sign in')
})

describe('the addresses', () => {
  it('are well where each account is found, and name those that are not', () => {
    expect(worst(judgeAddresses([]))).toBe('well')
    const found = Array.from({ length: 23 }, (_, index) => ({ userId: `auth0|${index}`, connectionId: 'con_users' }))
    const findings = judgeAddresses(found)
    expect(worst(findings)).toBe('doubtful')
    expect(sentences(findings)).toContain('auth0|19 (con_users) and 3 more')
  })
})

it('names a file of places that cannot be read', () => {
  expect(judgePlaces(null)).toMatchObject([{ health: 'well' }])
  expect(judgePlaces('ENOENT')).toMatchObject([{ health: 'ill', says: expect.stringContaining('(ENOENT)') }])
})
