// Which buckets a request takes from: its network, and for guesses and messages the larger networks of IPv6 (BF7, BF8).
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { inProcess } from '../../testing/server'
import { createLimiter } from './limiter'
import type { LimitName } from './limits'
import { openMeter } from './meter'

const TWO = { burst: 2, per_minute: 1 }
const CONFIGURED = { activate: TWO, authorize: TWO, passwordless_start: TWO }

/** Counts like a shared store: asynchronously. */
const SHARED = [
  ['in this process', false],
  ['in a shared store', true],
] as const

describe.each(SHARED)('counted %s', (_, isShared) => {
  function requests() {
    const { own } = inProcess(fixedClock())
    const shared = isShared ? { take: async (...args: Parameters<typeof own.take>) => own.take(...args) } : own
    const limiter = createLimiter('here', CONFIGURED, { own, shared })
    /** Whether the limit allows the request, and the remaining requests that it reports. */
    return async (name: LimitName, ip: string, who: string | null = null) => {
      const meter = openMeter(name, ip, limiter)
      const allowed = await Promise.resolve()
        .then(() => meter.count(who))
        .then(
          () => true,
          ({ code }) => code !== 'too_many_requests',
        )
      const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': limit } = Object.fromEntries(meter.headers)
      return { allowed, remaining: Number(remaining), limit: Number(limit) }
    }
  }

  const allowedOf = (answers: { allowed: boolean }[]): number => answers.filter(({ allowed }) => allowed).length

  async function ask(from: ReturnType<typeof requests>, name: LimitName, ips: string[]) {
    const answers = []
    for (const ip of ips) answers.push(await from(name, ip))
    return answers
  }

  const times = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, i) => of(i))

  it('a /56 holds four times the limit, over its /64', async () => {
    const from = requests()
    const answers = await ask(
      from,
      'activate',
      times(12, (i) => `2001:db8:0:${i.toString(16)}::1`),
    )
    expect(allowedOf(answers)).toBe(8)
    expect(answers[0]).toEqual({ allowed: true, remaining: 1, limit: 2 })
    expect(answers.at(-1)).toEqual({ allowed: false, remaining: 0, limit: 8 })
    expect(await from('activate', '2001:db8:0:100::1')).toMatchObject({ allowed: true })
  })

  it('a /48 holds sixteen times the limit, over its /56', async () => {
    const from = requests()
    const answers = await ask(
      from,
      'activate',
      times(40, (i) => `2001:db8:1:${(i * 256).toString(16)}::1`),
    )
    expect(allowedOf(answers)).toBe(32)
    expect(answers.at(-1)).toMatchObject({ allowed: false, limit: 32 })
    expect(await from('activate', '2001:db8:2::1')).toMatchObject({ allowed: true })
  })

  it('what the /64 refuses takes nothing from its neighbours', async () => {
    const from = requests()
    expect(
      allowedOf(
        await ask(
          from,
          'activate',
          times(100, () => '2001:db8::1'),
        ),
      ),
    ).toBe(2)
    expect(
      allowedOf(
        await ask(
          from,
          'activate',
          times(6, (i) => `2001:db8:0:${i + 1}::1`),
        ),
      ),
    ).toBe(6)
  })

  it('an IPv4 address counts by itself', async () => {
    const from = requests()
    expect(
      allowedOf(
        await ask(
          from,
          'activate',
          times(100, (i) => `192.0.2.${i}`),
        ),
      ),
    ).toBe(100)
  })

  it('the address that a trusted client tells counts in the same way', async () => {
    const from = requests()
    const answers = []
    for (let i = 0; i < 12; i++) answers.push(await from('passwordless_start', '192.0.2.1', `2001:db8:0:${i}::1`))
    expect(allowedOf(answers)).toBe(8)
  })

  it('requests that neither guess nor cause messages count for the /64 alone', async () => {
    const from = requests()
    expect(
      allowedOf(
        await ask(
          from,
          'authorize',
          times(100, (i) => `2001:db8:0:${i.toString(16)}::1`),
        ),
      ),
    ).toBe(100)
  })
})
