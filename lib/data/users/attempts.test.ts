// The budget of password guesses on PostgreSQL (threat-model.md RL1, RL2, RL4, BF6, BF7).
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { attemptStore } from '../../adapters/store/sql/attempts'
import type { FixedClock } from '../../kernel/clock'
import { temporarilyUnavailable } from '../../kernel/errors'
import { CONNECTION_ID } from '../../testing/seed'
import { inProcess, type TestServer, testServer } from '../../testing/server'
import { createLimiter, type Limiter } from '../rate-limit/limiter'
import { attackProtectionSection } from '../tenants/settings'
import { type AttemptGuard, type AttemptPort, CEILING, createAttemptGuard, type PasswordGuess } from './attempts'
import { readRecognition, recognitionFor } from './recognized-browser'

const subject: PasswordGuess = { connectionIds: [CONNECTION_ID], name: 'kim', ip: '198.51.100.7' }
const right = async () => 'kim'
const wrong = async () => null

const countersOf = (pool: Pool): AttemptPort =>
  attemptStore({ pool, prisma: () => Promise.reject(new Error('not asked')) }, 'default')

let server: TestServer
let clock: FixedClock
let port: AttemptPort
let limiter: Limiter

beforeAll(async () => {
  server = await testServer()
  clock = server.clock
  port = countersOf(server.database.pool)
  await server.addUser({ id: 'two', email: 'two@mail.test', username: 'two' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.pool.query('TRUNCATE attempt_counter')
  limiter = createLimiter('t', { login: false }, inProcess(clock))
})

const countsNow = async (): Promise<number[]> =>
  (await server.database.pool.query('SELECT count FROM attempt_counter ORDER BY key')).rows.map(({ count }) => count)

const guardWith = (settings: Parameters<typeof attackProtectionSection.parse>[0] = {}) =>
  createAttemptGuard(port, attackProtectionSection.parse(settings), limiter, clock)
/** Settles a successful guess, as callers do. */
const tryOnce = async <T>(guard: AttemptGuard, of: PasswordGuess, check: () => Promise<T | null>) => {
  const result = await guard.run(of, check)
  if (result.verdict === 'passed') await guard.settle(result.guess)
  return result
}
const fail = async (times: number, guard = guardWith(), of = subject) => {
  const verdicts: string[] = []
  for (let i = 0; i < times; i++) verdicts.push((await guard.run(of, wrong)).verdict)
  return verdicts
}

it('counts before it checks, so a check that never ends was counted', async () => {
  const counts = await new Promise((resolve) => {
    void guardWith().run(subject, () => {
      resolve(countsNow())
      return new Promise(() => {})
    })
  })
  expect(counts).toEqual([1, 1])
})

it('counts concurrent checks for an address, over all accounts', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 5 } } } })
  let started = 0
  let letGo = () => {}
  const all = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const slow = async () => {
    if (++started === 20) letGo()
    await all
    return null
  }
  const guesses = Array.from({ length: 20 }, (_, i) => guard.run({ ...subject, name: `user${i}` }, slow))
  const verdicts = (await Promise.all(guesses)).map(({ verdict }) => verdict)
  expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(5)
})

it('counts nothing on an address for good logins, however many at once', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 5 } } } })
  for (let round = 0; round < 4; round++) {
    const logins = Array.from({ length: 5 }, (_, i) => tryOnce(guard, { ...subject, name: `user${i}` }, right))
    expect((await Promise.all(logins)).map(({ verdict }) => verdict)).toEqual(Array(5).fill('passed'))
  }
})

it('lets ten failures be seen and blocks the eleventh, the right one too', async () => {
  expect(await fail(11)).toEqual([...Array(10).fill('failed'), 'blocked'])
  expect(await guardWith().run(subject, right)).toEqual({
    verdict: 'blocked',
    failures: [{ connectionId: CONNECTION_ID, account: null, blockedBy: 'account', blockedNow: false }],
  })
})

it('does not give the account of a blocked attempt to the check', async () => {
  const found: (string | undefined)[] = []
  for (let i = 0; i < 11; i++) {
    await guardWith().run({ ...subject, name: 'two@mail.test' }, async (account) => {
      found.push(account?.user.id)
      return null
    })
  }
  expect(found).toEqual([...Array(10).fill('auth0|two'), undefined])
})

it('says of the tenth alone that it blocked the account', async () => {
  const guard = guardWith()
  const expected: boolean[] = []
  for (let i = 0; i < 12; i++) {
    const result = await guard.run(subject, wrong)
    expected.push(result.verdict === 'failed' && result.failures.some(({ blockedNow }) => blockedNow))
  }
  expect(expected.indexOf(true)).toBe(9)
  expect(expected.filter(Boolean)).toHaveLength(1)
})

it('still makes the check that it throws away, so the lock shows in no timing', async () => {
  await fail(10)
  let checked = 0
  await guardWith().run(subject, async () => {
    checked += 1
    return 'kim'
  })
  expect(checked).toBe(1)
})

describe('a success', () => {
  it('forgets the failures of the account', async () => {
    await fail(9)
    expect(await tryOnce(guardWith(), subject, right)).toMatchObject({ verdict: 'passed', value: 'kim' })
    expect((await fail(10)).at(-1)).toBe('failed')
  })

  it('costs the address nothing', async () => {
    for (let i = 0; i < 200; i++) expect((await tryOnce(guardWith(), subject, right)).verdict).toBe('passed')
  })
})

it('counts no attempt that could not be checked', async () => {
  const busy = () => Promise.reject(temporarilyUnavailable('busy'))
  for (let i = 0; i < 20; i++)
    await expect(guardWith().run(subject, busy)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  expect((await guardWith().run(subject, right)).verdict).toBe('passed')
})

describe('a block', () => {
  it('is of one account at one address', async () => {
    await fail(11)
    for (const other of [
      { ...subject, ip: '198.51.100.8' },
      { ...subject, name: 'lee' },
      { ...subject, connectionIds: ['con_other'] },
    ]) {
      expect((await guardWith().run(other, right)).verdict).toBe('passed')
    }
  })

  it('is not left by another IPv6 address of the same network', async () => {
    const at = (ip: string) => ({ ...subject, ip })
    for (let i = 0; i < 11; i++) await fail(1, guardWith(), at(`2001:db8:1:2::${i.toString(16)}`))
    expect((await guardWith().run(at('2001:db8:1:2:ffff::1'), right)).verdict).toBe('blocked')
    expect((await guardWith().run(at('2001:db8:1:3::1'), right)).verdict).toBe('passed')
  })

  it('ends thirty days after the last failure', async () => {
    await fail(11)
    clock.advance(30 * 86_400 - 1)
    expect((await guardWith().run(subject, right)).verdict).toBe('blocked')
    clock.advance(30 * 86_400)
    expect((await guardWith().run(subject, right)).verdict).toBe('passed')
  })

  it('is lifted by its owner', async () => {
    await fail(11)
    await guardWith().unblock({ connectionId: CONNECTION_ID, identifier: 'kim', ip: subject.ip }, subject.ip)
    expect((await guardWith().run(subject, right)).verdict).toBe('passed')
  })
})

it('closes an address after a hundred failures over whatever accounts, for a day', async () => {
  for (let i = 0; i < 100; i++) await guardWith().run({ ...subject, name: `user${i}` }, wrong)
  expect((await guardWith().run(subject, right)).verdict).toBe('blocked')
  expect((await guardWith().run({ ...subject, ip: '198.51.100.8' }, right)).verdict).toBe('passed')
  clock.advance(86_401)
  expect((await guardWith().run(subject, right)).verdict).toBe('passed')
})

it('counts an address by the day, however steady the failures', async () => {
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 60; i++) await guardWith().run({ ...subject, name: `user${day}-${i}` }, wrong)
    expect((await guardWith().run(subject, right)).verdict, `day ${day}`).toBe('passed')
    clock.advance(86_400)
  }
})

describe('the tenant may', () => {
  it('choose the number', async () => {
    const guard = guardWith({ bruteForceProtection: { max_attempts: 3 } })
    expect(await fail(4, guard)).toEqual(['failed', 'failed', 'failed', 'blocked'])
  })

  it('an address on the allow-list is never blocked', async () => {
    const guard = guardWith({ bruteForceProtection: { allowlist: [subject.ip] } })
    expect(new Set(await fail(20, guard))).toEqual(new Set(['failed']))
  })

  it('the tenant may switch off either limit', async () => {
    const off = guardWith({ bruteForceProtection: { enabled: false }, suspiciousIpThrottling: { enabled: false } })
    expect(new Set(await fail(150, off))).toEqual(new Set(['failed']))
  })
})

it('counts an address by the day, so failures spread over days never add up', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 2 } } } })
  const of = (name: string) => ({ ...subject, name })
  for (const day of ['one', 'two', 'three']) {
    expect(await fail(2, guard, of(day))).toEqual(['failed', 'failed'])
    clock.advance(86400)
  }
})

describe('the pace of one account at one network (docs/rate-limits.md)', () => {
  const pacedGuard = () => {
    const paced = createLimiter('t', {}, inProcess(clock))
    return createAttemptGuard(port, attackProtectionSection.parse({}), paced, clock)
  }

  it('counts right ones too, and turns one too many away before anything is looked at or counted', async () => {
    const guard = pacedGuard()
    for (let i = 0; i < 20; i++) expect((await tryOnce(guard, subject, right)).verdict).toBe('passed')
    const before = await countsNow()
    const check = vi.fn(right)
    expect(await guard.run(subject, check)).toMatchObject({
      verdict: 'throttled',
      refusal: { code: 'too_many_requests', detail: 'login', retryAfter: 6 },
    })
    expect(check).not.toHaveBeenCalled()
    expect(await countsNow()).toEqual(before)
  })

  it('is counted per account', async () => {
    const guard = pacedGuard()
    for (let i = 0; i < 21; i++) await tryOnce(guard, subject, right)
    for (const other of [{ name: 'lee' }, { ip: '198.51.100.8' }, { connectionIds: ['con_other'] }])
      expect((await guard.run({ ...subject, ...other }, right)).verdict).toBe('passed')
    clock.advance(6)
    expect((await guard.run(subject, right)).verdict).toBe('passed')
  })

  it('is the same by either name of an account, and refused attempts are not counted', async () => {
    const guard = pacedGuard()
    const guess = (name: string) => tryOnce(guard, { ...subject, name }, wrong)
    for (let i = 0; i < 8; i++) expect((await guess('two')).verdict).toBe('failed')
    for (let i = 0; i < 12; i++) await guess('two@mail.test')
    const before = await countsNow()
    expect((await guess('two@mail.test')).verdict).toBe('throttled')
    expect((await guess('two')).verdict).toBe('throttled')
    expect(await countsNow()).toEqual(before)
  })
})

describe('the ceiling of an account over all networks (threat-model.md BF7)', () => {
  const from = (place: number, over: Partial<PasswordGuess> = {}): PasswordGuess => ({
    ...subject,
    ip: `203.0.113.${place}`,
    ...over,
  })
  const refusalFor = async (guess: PasswordGuess) => {
    const result = await guardWith().run(guess, right)
    return result.verdict === 'throttled' ? result.refusal : null
  }
  /** Attacks as a stranger with 45 networks, eight guesses from each; returns the verdicts. */
  const attack = async (name: string, times = 360, at = (place: number) => `203.0.113.${place % 45}`) => {
    const verdicts: string[] = []
    for (let place = 0; place < times; place++)
      verdicts.push((await guardWith().run({ ...subject, name, ip: at(place) }, wrong)).verdict)
    return verdicts
  }

  it.each(['two@mail.test', 'nobody@mail.test'])('slows guesses of %s down, whatever is sent', async (name) => {
    const verdicts = await attack(name)
    expect(verdicts).toEqual([...Array(CEILING.free + 1).fill('failed'), ...Array(309).fill('throttled')])
    expect(await refusalFor(from(99, { name }))).toMatchObject({
      code: 'too_many_requests',
      retryAfter: CEILING.stepSeconds,
      headers: [
        ['x-ratelimit-limit', '100'],
        ['x-ratelimit-remaining', '0'],
        ['x-ratelimit-reset', String(Math.floor(clock.now().getTime() / 1000) + CEILING.stepSeconds)],
      ],
    })
  })

  it('makes each attempt wait longer than the previous one, and checks at most a hundred a day', async () => {
    const waits: number[] = []
    let looked = 0
    const start = clock.now().getTime()
    for (let place = 0; clock.now().getTime() < start + 86_400_000; place++) {
      const result = await guardWith().run(from(place % 200), wrong)
      if (result.verdict === 'failed') looked += 1
      if (result.verdict === 'blocked') break
      if (result.verdict !== 'throttled') continue
      waits.push(result.refusal.retryAfter ?? 0)
      clock.advance(result.refusal.retryAfter ?? 0)
    }
    expect(looked).toBe(CEILING.most)
    expect(waits).toEqual(Array.from({ length: 50 }, (_, i) => (i + 1) * CEILING.stepSeconds).slice(0, waits.length))
    expect(waits.length).toBeGreaterThanOrEqual(49)
    clock.advance(3600)
    expect((await guardWith().run(from(250), right)).verdict).toBe('blocked')
    clock.advance(CEILING.seconds)
    expect((await guardWith().run(from(250), right)).verdict).toBe('passed')
  })

  it('is exact for a parallel burst from many networks, over two instances', async () => {
    const other = new Pool({ connectionString: server.database.url })
    const guards = [port, countersOf(other)].map((counters) =>
      createAttemptGuard(counters, attackProtectionSection.parse({}), limiter, clock),
    )
    const burst = Array.from({ length: 120 }, (_, i) => guards[i % 2]?.run(from(i), wrong))
    const verdicts = (await Promise.all(burst)).map((result) => result?.verdict)
    await other.end()
    expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(CEILING.free + 1)
  })

  it('counts every /64 of an IPv6 network for the account', async () => {
    const verdicts = await attack('two@mail.test', 60, (place) => `2001:db8:0:${place.toString(16)}::1`)
    expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(CEILING.free + 1)
  })

  it('is not used up by one network, which is stopped before', async () => {
    const verdicts = await attack('two@mail.test', 200, () => '203.0.113.1')
    expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(10)
    for (let place = 2; place < 6; place++) await fail(10, guardWith(), from(place, { name: 'two@mail.test' }))
    expect((await guardWith().run(from(9, { name: 'two@mail.test' }), right)).verdict).toBe('passed')
  })

  it('leaves its own guesses to a network from which the account signed in lately', async () => {
    const home = { ...subject, name: 'two@mail.test' }
    expect((await tryOnce(guardWith(), home, right)).verdict).toBe('passed')
    await attack(home.name)
    expect(await refusalFor(from(99, { name: home.name }))).toMatchObject({ code: 'too_many_requests' })
    expect(await fail(9, guardWith(), home)).toEqual(Array(9).fill('failed'))
    expect((await tryOnce(guardWith(), home, right)).verdict).toBe('passed')
    expect(await fail(11, guardWith(), home)).toEqual([...Array(10).fill('failed'), 'blocked'])
  })

  it('forgets a network without a sign-in for a month', async () => {
    const home = { ...subject, name: 'two@mail.test' }
    await tryOnce(guardWith(), home, right)
    clock.advance(32 * 86_400)
    await attack(home.name, 60)
    expect(await refusalFor(home)).toMatchObject({ code: 'too_many_requests' })
  })

  it('gets nothing back by a success but that guess', async () => {
    await attack('two@mail.test', CEILING.free, (place) => `203.0.113.${place}`)
    expect((await tryOnce(guardWith(), from(200, { name: 'two@mail.test' }), right)).verdict).toBe('passed')
    const more = await attack('two@mail.test', 3, (place) => `203.0.113.${100 + place}`)
    expect(more).toEqual(['failed', 'throttled', 'throttled'])
  })

  describe('leaves a browser that signed in before its own guesses', () => {
    const recognized = async (name: string) => {
      const result = await guardWith().run({ ...subject, name }, right)
      if (result.verdict !== 'passed') throw new Error('not signed in')
      await port.giveBack([result.guess.settlement.known ?? new Uint8Array()])
      const browser = readRecognition(recognitionFor(result.guess.account, server), server)
      return browser ? [browser] : []
    }

    it('wherever it is, ten of them', async () => {
      const browsers = await recognized('two@mail.test')
      await attack('two@mail.test')
      const away = from(99, { name: 'two@mail.test', browsers })
      expect(await fail(11, guardWith(), away)).toEqual([...Array(10).fill('failed'), 'blocked'])
      expect(await refusalFor(from(99, { name: 'two@mail.test' }))).toMatchObject({ code: 'too_many_requests' })
    })

    it('a browser keeps its guesses at a network whose own are used up, and its success gives that network nothing back', async () => {
      const browsers = await recognized('two@mail.test')
      const office = from(5, { name: 'two@mail.test' })
      await tryOnce(guardWith(), office, right)
      await fail(11, guardWith(), office)
      expect((await tryOnce(guardWith(), { ...office, browsers }, right)).verdict).toBe('passed')
      expect((await guardWith().run(office, right)).verdict).toBe('blocked')
    })

    it('a browser keeps its guesses for that account alone, and loses them once the password has changed', async () => {
      const browsers = await recognized('two@mail.test')
      await attack('other@mail.test')
      expect(await refusalFor(from(99, { name: 'other@mail.test', browsers }))).not.toBeNull()
      await server.database.pool.query(
        "UPDATE identity SET password_changed_at = now() WHERE email_key = 'two@mail.test'",
      )
      await attack('two@mail.test')
      expect(await refusalFor(from(99, { name: 'two@mail.test', browsers }))).not.toBeNull()
    })

    it('a forged recognition value gives a browser no guesses of its own', () => {
      const value = recognitionFor(new Uint8Array(32), server)
      expect(readRecognition(value, server)).not.toBeNull()
      for (const forged of ['', 'rubbish', `${value}A`, value.slice(0, -2), `B${value.slice(1)}`])
        expect(readRecognition(forged, server)).toBeNull()
    })
  })

  it('is lifted where its owner presses the button of the mail, and nowhere else', async () => {
    await attack('nobody@mail.test')
    const at = from(99, { name: 'nobody@mail.test' })
    const blocked = { connectionId: CONNECTION_ID, identifier: 'nobody@mail.test', ip: '203.0.113.1' }
    await guardWith().unblock(blocked, at.ip)
    expect((await guardWith().run(at, right)).verdict).toBe('passed')
    expect(await refusalFor(from(98, { name: 'nobody@mail.test' }))).not.toBeNull()
  })

  it('is off where brute-force protection is, and for addresses that are excepted', async () => {
    const off = guardWith({ bruteForceProtection: { enabled: false } })
    const allowlist = Array.from({ length: 70 }, (_, place) => from(place).ip)
    const excepted = guardWith({ bruteForceProtection: { allowlist } })
    for (const guard of [off, excepted])
      for (let place = 0; place < 70; place++) expect((await guard.run(from(place), wrong)).verdict).toBe('failed')
  })
})

describe('mode count_per_identifier', () => {
  const together = () => guardWith({ bruteForceProtection: { mode: 'count_per_identifier' } })
  const at = (place: number): PasswordGuess => ({ ...subject, ip: `203.0.113.${place}` })

  it('counts failures of an account together, from wherever they come', async () => {
    for (let place = 0; place < 10; place++) expect(await fail(1, together(), at(place))).toEqual(['failed'])
    expect((await together().run(at(99), right)).verdict).toBe('blocked')
    expect((await together().run({ ...at(99), name: 'lee' }, right)).verdict).toBe('passed')
  })

  it('leaves its own to a network from which the account signed in lately', async () => {
    await tryOnce(together(), at(1), right)
    for (let place = 10; place < 21; place++) await fail(1, together(), at(place))
    expect((await together().run(at(99), right)).verdict).toBe('blocked')
    expect((await tryOnce(together(), at(1), right)).verdict).toBe('passed')
  })

  it('is lifted by the owner', async () => {
    for (let place = 0; place < 11; place++) await fail(1, together(), at(place))
    await together().unblock({ connectionId: CONNECTION_ID, identifier: 'kim', ip: '203.0.113.9' }, at(50).ip)
    expect((await together().run(at(99), right)).verdict).toBe('passed')
  })
})

it('closes a /56 and a /48 of IPv6 after more failures than a /64, over whatever accounts', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 2 } } } })
  const failAt = async (ip: string, name: string) => (await guard.run({ ...subject, ip, name }, wrong)).verdict
  const of56: string[] = []
  for (let i = 0; i < 9; i++) of56.push(await failAt(`2001:db8:1:${i.toString(16)}::1`, `a${i}`))
  expect(of56).toEqual([...Array(8).fill('failed'), 'blocked'])
  const of48: string[] = []
  for (let i = 1; i < 25; i++) of48.push(await failAt(`2001:db8:1:${(i * 256).toString(16)}::1`, `b${i}`))
  expect(of48.filter((verdict) => verdict === 'failed')).toHaveLength(32 - 8)
  expect(await failAt('2001:db8:2::1', 'c')).toBe('failed')
})

it('lets no /64 of IPv6 use up what its /56 and /48 have', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 2 } } } })
  for (let i = 0; i < 40; i++) await guard.run({ ...subject, ip: '2001:db8:1:1::1', name: `a${i}` }, wrong)
  expect((await guard.run({ ...subject, ip: '2001:db8:1:1::2' }, right)).verdict).toBe('blocked')
  expect((await guard.run({ ...subject, ip: '2001:db8:1:2::1' }, right)).verdict).toBe('passed')
})

it('counts an IPv4 address and its spelling inside IPv6 together', async () => {
  await fail(10)
  expect((await guardWith().run({ ...subject, ip: '::ffff:198.51.100.7' }, right)).verdict).toBe('blocked')
})
