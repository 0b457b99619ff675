import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fixedClock } from '../kernel/clock'
import { temporarilyUnavailable } from '../kernel/errors'
import { digest } from '../kernel/secret'
import { createLimiter, type Limiter } from '../rate-limit/limiter'
import { attackProtectionSection } from '../tenants/settings'
import { inProcess } from '../testing/house'
import { type AttemptGuard, type AttemptPort, createAttemptGuard, type Guess } from './attempts'
import { type Account, guessedOf, type User } from './user'

const subject = { connectionId: 'con', name: 'kim', ip: '198.51.100.7' }
const kimsAccount: Account = {
  user: { id: 'auth0|kim' } as User,
  connectionId: 'con',
  providerUserId: 'kim',
  email: 'kim@mail.test',
  passwordHash: null,
  passwordChangedAt: null,
}
const countsOf = (counted: [string, { count: number }][]) => counted.map(([key, { count }]) => [key, count])
const right = async () => 'kim'
const wrong = async () => null

let clock: ReturnType<typeof fixedClock>
let counters: Map<string, { count: number; until: number }>
let port: AttemptPort
let limiter: Limiter
let accounts: Map<string, Account>

/** The store's rules over a map: count first, begin again after the end. */
beforeEach(() => {
  clock = fixedClock()
  counters = new Map()
  accounts = new Map()
  limiter = createLimiter('t', { login: false }, inProcess(clock))
  const name = (key: Uint8Array) => Buffer.from(key).toString('hex')
  port = {
    async reserve(entries, now) {
      return entries.map(({ key, until }) => {
        const known = counters.get(name(key))
        const count = known && known.until > now.getTime() ? known.count + 1 : 1
        counters.set(name(key), { count, until: until.getTime() })
        return count
      })
    },
    async clear(key) {
      counters.delete(name(key))
    },
    forget: (key) => port.clear(key),
    async giveBack(key) {
      const known = counters.get(name(key))
      if (known && known.count > 0) known.count -= 1
    },
    async count(key, now) {
      const known = counters.get(name(key))
      return known && known.until > now.getTime() ? known.count : 0
    },
    async countGuess({ name: typed, around: [before, after], until }, address, now) {
      const account = accounts.get(typed) ?? null
      const key = digest(before + JSON.stringify(account ? guessedOf(account) : typed) + after)
      const [guesses = 0] = await port.reserve([{ key, until }], now)
      const known = counters.get(name(address))
      return { account, key, guesses, failures: known && known.until > now.getTime() ? known.count : 0 }
    },
  }
})

const guardWith = (settings: Parameters<typeof attackProtectionSection.parse>[0] = {}) =>
  createAttemptGuard(port, attackProtectionSection.parse(settings), limiter, clock)
/** As a caller does: a good one has the failures forgotten. */
const tryOnce = async <T>(guard: AttemptGuard, of: Guess, check: () => Promise<T | null>) => {
  const result = await guard.run(of, check)
  if (result.verdict === 'passed') await guard.forget(result.failures)
  return result
}
const fail = async (times: number, guard = guardWith(), of = subject) => {
  const verdicts: string[] = []
  for (let i = 0; i < times; i++) verdicts.push((await guard.run(of, wrong)).verdict)
  return verdicts
}

it('counts before it checks, so a check that never ends was counted', async () => {
  void guardWith().run(subject, () => new Promise(() => {}))
  await Promise.resolve()
  expect([...counters.values()].map(({ count }) => count)).toEqual([1])
})

it('counts what it is checking for an address at this moment, over whatever accounts', async () => {
  const guard = guardWith({ suspiciousIpThrottling: { stage: { 'pre-login': { max_attempts: 5 } } } })
  const guesses = Array.from({ length: 20 }, (_, i) => guard.run({ ...subject, name: `user${i}` }, wrong))
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
  expect(await guardWith().run(subject, right)).toEqual({ verdict: 'blocked', account: null, by: 'account' })
})

it('tells the check of a blocked attempt, which then need not look', async () => {
  const told: boolean[] = []
  for (let i = 0; i < 11; i++) {
    await guardWith().run(subject, async (_found, blocked) => {
      told.push(blocked)
      return null
    })
  }
  expect(told).toEqual([...Array(10).fill(false), true])
})

it('says of the tenth alone that it blocked the account', async () => {
  const guard = guardWith()
  const told: boolean[] = []
  for (let i = 0; i < 12; i++) {
    const result = await guard.run(subject, wrong)
    told.push(result.verdict === 'failed' && result.blockedNow)
  }
  expect(told.indexOf(true)).toBe(9)
  expect(told.filter(Boolean)).toHaveLength(1)
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
      { ...subject, connectionId: 'x' },
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
    await guardWith().unblock({ ...subject, identifier: 'kim' })
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

  it('except an address', async () => {
    const guard = guardWith({ bruteForceProtection: { allowlist: [subject.ip] } })
    expect(new Set(await fail(20, guard))).toEqual(new Set(['failed']))
  })

  it('switch either off', async () => {
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
  const hurriedGuard = () => {
    const paced = createLimiter('t', {}, inProcess(clock))
    return createAttemptGuard(port, attackProtectionSection.parse({}), paced, clock)
  }

  it('counts right ones too, and turns one too many away before anything is looked at or counted', async () => {
    const guard = hurriedGuard()
    for (let i = 0; i < 20; i++) expect((await tryOnce(guard, subject, right)).verdict).toBe('passed')
    const before = JSON.stringify([...counters])
    const check = vi.fn(right)
    expect(await guard.run(subject, check)).toMatchObject({
      verdict: 'hurried',
      refusal: { code: 'too_many_requests', detail: 'login', retryAfter: 6 },
    })
    expect(check).not.toHaveBeenCalled()
    expect(JSON.stringify([...counters])).toBe(before)
  })

  it('is that of nobody else', async () => {
    const guard = hurriedGuard()
    for (let i = 0; i < 21; i++) await tryOnce(guard, subject, right)
    for (const other of [{ name: 'lee' }, { ip: '198.51.100.8' }, { connectionId: 'other' }])
      expect((await guard.run({ ...subject, ...other }, right)).verdict).toBe('passed')
    clock.advance(6)
    expect((await guard.run(subject, right)).verdict).toBe('passed')
  })

  it('is the same by either name of an account, and what it turns away is not counted', async () => {
    const guard = hurriedGuard()
    accounts.set('kim@mail.test', kimsAccount).set('kim', kimsAccount)
    const guess = (name: string) => tryOnce(guard, { ...subject, name }, wrong)
    for (let i = 0; i < 8; i++) expect((await guess('kim')).verdict).toBe('failed')
    for (let i = 0; i < 12; i++) await guess('kim@mail.test')
    const before = JSON.stringify([...counters])
    expect((await guess('kim@mail.test')).verdict).toBe('hurried')
    expect((await guess('kim')).verdict).toBe('hurried')
    expect(countsOf([...counters])).toEqual(countsOf(JSON.parse(before)))
  })
})
