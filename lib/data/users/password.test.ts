import { hashSync } from '@node-rs/argon2'
import { describe, expect, it, vi } from 'vitest'
import { DomainError } from '../../kernel/errors'
import { createWorkQueue, hashingConcurrency } from '../../kernel/work-queue'
import { countTurns } from '../../testing/turns'
import { createPasswordHasher, MAX_PASSWORD_LENGTH } from './password'

const hasher = createPasswordHasher({ concurrency: 1, queueLimit: 100 })

describe('password hasher', () => {
  it('hashes to argon2id at 19 MiB, two passes, one lane', async () => {
    expect(await hasher.hash('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('salts: the same password is stored differently each time', async () => {
    expect(await hasher.hash('correct horse')).not.toBe(await hasher.hash('correct horse'))
  })

  it.each([
    ['beyond 72 bytes', `${'x'.repeat(72)}a`, `${'x'.repeat(72)}b`],
    ['after NUL', 'secret\0a', 'secret\0b'],
    ['trailing space', 'secret', 'secret '],
    ['case', 'Secret', 'secret'],
    ['composed and decomposed letters', '\u00e9t\u00e9', 'e\u0301te\u0301'],
    ['compatibility letters', '\ufb01sh', 'fish'],
  ])('compares exactly: %s', async (_, password, other) => {
    const stored = await hasher.hash(password)
    expect(await hasher.verify(stored, password)).toEqual({ ok: true, rehash: false })
    expect(await hasher.verify(stored, other)).toEqual({ ok: false, rehash: false })
  })

  it('accepts the longest password and refuses one character more', async () => {
    const longest = 'x'.repeat(MAX_PASSWORD_LENGTH)
    const stored = await hasher.hash(longest)
    expect((await hasher.verify(stored, longest)).ok).toBe(true)
    expect((await hasher.verify(stored, `${longest}x`)).ok).toBe(false)
    await expect(hasher.hash(`${longest}x`)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('refuses half a surrogate pair, which would be hashed as any other half', async () => {
    await expect(hasher.hash('\ud800')).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await hasher.verify(hashSync('\ufffd'), '\ud800')).ok).toBe(false)
  })

  it('asks for a re-hash when the parameters are older', async () => {
    const stored = hashSync('secret', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    expect(await hasher.verify(stored, 'secret')).toEqual({ ok: true, rehash: true })
    expect(await hasher.verify(stored, 'wrong')).toEqual({ ok: false, rehash: false })
  })

  it('does the same work for an unknown account and for an imported fast digest', async () => {
    const ordinary = await hasher.hash('secret')
    const imported = await hasher.keepImported({
      recipe: { kind: 'digest', digest: 'md5', encoding: 'utf8' },
      digest: Buffer.alloc(16),
    })
    expect(await hasher.verify(null, '')).toEqual({ ok: false, rehash: false })
    const [known, unknown, digest] = await workOf([ordinary, null, imported])
    for (const work of [unknown, digest]) {
      expect((work ?? 0) / (known ?? 0)).toBeGreaterThan(0.5)
      expect((work ?? 0) / (known ?? 0)).toBeLessThan(1.8)
    }
  })
})

/** Minimum CPU time of a wrong password per stored form. The forms are measured in turns, so a busy machine affects all alike. */
async function workOf(stored: (string | null)[]): Promise<number[]> {
  const least = stored.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < 8; round += 1) {
    for (const [index, form] of stored.entries()) {
      const before = process.cpuUsage()
      await hasher.verify(form, 'wrong')
      const { user, system } = process.cpuUsage(before)
      least[index] = Math.min(least[index] ?? 0, user + system)
    }
  }
  return least
}

describe('bounded queue', () => {
  it('runs at most its concurrency, keeps the order, and refuses beyond its limit', async () => {
    const queue = createWorkQueue({ concurrency: 2, queueLimit: 3 })
    let running = 0
    let most = 0
    const order: number[] = []
    const finish: (() => void)[] = []
    const work = (id: number) =>
      queue.run(async () => {
        order.push(id)
        running += 1
        most = Math.max(most, running)
        await new Promise<void>((resolve) => finish.push(resolve))
        running -= 1
      })
    const burst = Array.from({ length: 8 }, (_, id) => work(id))
    const settled = Promise.allSettled(burst)
    const release = setInterval(() => finish.shift()?.(), 1)
    const results = await settled
    clearInterval(release)
    expect(most).toBe(2)
    expect(order).toEqual([0, 1, 2, 3, 4])
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(3)
    for (const error of refused) {
      expect(error).toBeInstanceOf(DomainError)
      expect(error).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 })
    }
  })

  it('keeps no request in the queue longer than five seconds', async () => {
    vi.useFakeTimers()
    const queue = createWorkQueue({ concurrency: 1, queueLimit: 2 })
    let finish = (): void => {}
    const slow = queue.run(
      () =>
        new Promise<void>((done) => {
          finish = done
        }),
    )
    const late = queue.run(async () => 'late')
    const refused = expect(late).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    await vi.advanceTimersByTimeAsync(5_000)
    await refused
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
    const next = queue.run(async () => 'next')
    finish()
    await slow
    expect(await next).toBe('next')
    vi.useRealTimers()
  })

  it('frees its slot when the work fails', async () => {
    const queue = createWorkQueue({ concurrency: 1, queueLimit: 0 })
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue.run(async () => 'free')).toBe('free')
  })

  it('keeps the event loop free during a burst of logins', async () => {
    const burst = createPasswordHasher({ concurrency: 1, queueLimit: 4 })
    const turns = countTurns()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => burst.verify(null, 'x')))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(15)
    // Five passwords are verified one after the other: each that leaves the thread takes a turn or more.
    expect(turns.end()).toBeGreaterThanOrEqual(4)
  })

  it('leaves a core and a pool thread for signing', () => {
    expect([1, 2, 4, 64].map((cores) => hashingConcurrency(cores))).toEqual([1, 1, 3, 3])
    expect(hashingConcurrency(64, 1, 16)).toBe(15)
    expect([1, 2, 8].map((processes) => hashingConcurrency(8, processes))).toEqual([3, 3, 1])
  })
})
