import { describe, expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { isOverWithin } from '../../testing/in-time'
import { MAX_SECONDS, readThrough } from './cache'

function counting(read: (key: string) => Promise<string>) {
  const clock = fixedClock()
  const reads: string[] = []
  const get = readThrough(clock, (key: string) => {
    reads.push(key)
    return read(key)
  })
  return { clock, reads, get }
}

it('reads a key once within a second, and again after it', async () => {
  const { clock, reads, get } = counting(async (key) => `${key}${reads.length}`)
  expect([await get('a'), await get('a')]).toEqual(['a1', 'a1'])
  clock.advance(0.999)
  expect(await get('a')).toBe('a1')
  clock.advance(0.001)
  expect(await get('a')).toBe('a2')
})

it('reads a key again where time was taken back since (RE7)', async () => {
  const { clock, reads, get } = counting(async (key) => `${key}${reads.length}`)
  clock.advance(26 * 3600)
  expect(await get('a')).toBe('a1')
  clock.advance(-26 * 3600)
  expect([await get('a'), await get('a')]).toEqual(['a2', 'a2'])
})

it('lets concurrent readers of one key share one read, and no other', async () => {
  const { reads, get } = counting(async (key) => key)
  expect(await Promise.all([get('a'), get('a'), get('b'), get('a')])).toEqual(['a', 'a', 'b', 'a'])
  expect(reads).toEqual(['a', 'b'])
})

it('lets concurrent readers share the refresh too', async () => {
  const { clock, reads, get } = counting(async (key) => key)
  await get('a')
  clock.advance(2)
  await Promise.all([get('a'), get('a'), get('a')])
  expect(reads).toEqual(['a', 'a'])
})

it('remembers that there is nothing', async () => {
  const clock = fixedClock()
  let reads = 0
  const get = readThrough<string, string | null>(clock, async () => {
    reads++
    return null
  })
  expect([await get('a'), await get('a'), reads]).toEqual([null, null, 1])
})

describe('while the database is away (threat-model.md RE4)', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const flaky = () => {
    const state = { away: false, value: 'old' }
    return { state, ...counting(() => (state.away ? Promise.reject(away) : Promise.resolve(state.value))) }
  }

  it('keeps answering with the last known value, and asks again a second later', async () => {
    const { state, clock, reads, get } = flaky()
    await get('a')
    state.away = true
    clock.advance(5)
    expect([await get('a'), await get('a')]).toEqual(['old', 'old'])
    expect(reads).toHaveLength(2)
    Object.assign(state, { away: false, value: 'new' })
    clock.advance(1)
    expect(await get('a')).toBe('new')
  })

  it('says 503 for a key that was never read, and reads it when the database is back', async () => {
    const { state, get } = flaky()
    state.away = true
    await expect(get('a')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    state.away = false
    expect(await get('a')).toBe('old')
  })
})

it('reads anew what was changed here, however young', async () => {
  const { reads, get } = counting(async (key) => key)
  await get('a')
  await get('b')
  get.forget('a')
  await Promise.all([get('a'), get('b')])
  expect(reads).toEqual(['a', 'b', 'a'])
})

it('forgets the least recently read first, and grows no further', async () => {
  const { reads, get } = counting(async (key) => key)
  for (let i = 0; i <= 10_000; i++) await get(`k${i}`)
  reads.length = 0
  await get('k10000')
  await get('k0')
  expect(reads).toEqual(['k0'])
})

describe('where changes are announced', () => {
  const announced = () => {
    const state = { live: true, version: 0 }
    const clock = fixedClock()
    const reads: string[] = []
    const news = { live: () => state.live, version: () => state.version }
    const get = readThrough(clock, async (key: string) => `${key}${reads.push(key)}`, news)
    return { state, clock, reads, get }
  }

  it('reads a busy key four times a minute instead of sixty times', async () => {
    const { clock, reads, get } = announced()
    for (let tick = 0; tick < 600; tick++) {
      await get('a')
      clock.advance(0.1)
    }
    expect(reads.length).toBeLessThanOrEqual(5)
  })

  it('reads again within the second once a change is heard of', async () => {
    const { state, clock, get } = announced()
    expect(await get('a')).toBe('a1')
    clock.advance(5)
    state.version += 1
    expect(await get('a')).toBe('a2')
    state.version += 1
    clock.advance(0.5)
    expect(await get('a')).toBe('a3')
  })

  it('is not made to read more than twice a second, however much is announced', async () => {
    const { state, clock, reads, get } = announced()
    for (let tick = 0; tick < 100; tick++) {
      await get('a')
      state.version += 1
      clock.advance(0.01)
    }
    expect(reads.length).toBeLessThanOrEqual(2)
  })

  it('never keeps anything longer than fifteen seconds, though an announcement was missed', async () => {
    const { clock, get } = announced()
    await get('a')
    clock.advance(MAX_SECONDS)
    expect(await get('a')).toBe('a2')
  })

  it('reads every second once nothing is heard any more', async () => {
    const { state, clock, get } = announced()
    await get('a')
    state.live = false
    clock.advance(1)
    expect(await get('a')).toBe('a2')
  })

  it('takes a change that was announced during a read for one that the read may have missed', async () => {
    const state = { version: 0 }
    const clock = fixedClock()
    let value = 'old'
    const get = readThrough(
      clock,
      async (_key: 'a') => {
        const seen = value
        if (state.version === 0) Object.assign(state, { version: 1 })
        value = 'new'
        return seen
      },
      { live: () => true, version: () => state.version },
    )
    expect(await get('a')).toBe('old')
    clock.advance(0.5)
    expect(await get('a')).toBe('new')
  })
})

it('does not wait for a database that does not answer, and uses the answer when it comes', async () => {
  const clock = fixedClock()
  const answers: ((value: string) => void)[] = []
  const get = readThrough(clock, (_key: 'a') => new Promise<string>((resolve) => answers.push(resolve)))
  const first = get('a')
  answers.shift()?.('old')
  expect(await first).toBe('old')
  clock.advance(2)
  expect(await isOverWithin(2, async () => expect(await get('a')).toBe('old'))).toBe(true)
  clock.advance(2)
  expect(await get('a')).toBe('old')
  expect(answers).toHaveLength(1)
  answers.shift()?.('new')
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(0.1)
  expect(await get('a')).toBe('new')
})
