import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { createBreaker, withBreaker } from './breaker'
import type { SendRequest } from './exchange'

let now = 0
let calls = 0
let outcome: string | null = null
let exchange: SendRequest
beforeEach(() => {
  now = 1000
  calls = 0
  outcome = 'ECONNREFUSED'
  exchange = withBreaker(
    async () => {
      calls += 1
      if (outcome !== null) throw Object.assign(new Error(outcome), { code: outcome })
      return { status: 500, statusText: '', headers: [], body: Readable.from([]) }
    },
    createBreaker(() => now),
  )
})

async function request(host = 'a.test', { action = 'One', tenantId = 'shop' } = {}): Promise<string | number> {
  const { signal } = new AbortController()
  const sent = { method: 'GET', headers: {}, body: null, signal, tenantId, action, nested: false }
  try {
    return (await exchange(new URL(`https://${host}/`), sent)).status
  } catch (error) {
    return (error as { code: string }).code
  }
}
const times = async (count: number) => {
  for (let n = 0; n < count; n += 1) await request()
}

describe('a service that fails five times in a row', () => {
  it('is not requested for half a minute', async () => {
    await times(5)
    expect([await request(), calls]).toEqual(['EBREAKER', 5])
    now += 29_999
    expect([await request(), calls]).toEqual(['EBREAKER', 5])
  })

  it('is tried by one request then, and is open again if that fails', async () => {
    await times(5)
    now += 30_001
    const both = await Promise.all([request(), request()])
    expect([both, calls]).toEqual([['ECONNREFUSED', 'EBREAKER'], 6])
    expect(await request()).toBe('EBREAKER')
  })

  it('is requested as ever once it answers', async () => {
    await times(5)
    now += 30_001
    outcome = null
    expect([await request(), await request()]).toEqual([500, 500])
    outcome = 'ETIMEDOUT'
    await times(4)
    expect(await request()).toBe('ETIMEDOUT')
  })

  it('is requested by other actions, of other tenants, and other services are', async () => {
    await times(5)
    expect(await request('b.test')).toBe('ECONNREFUSED')
    expect(await request('a.test', { action: 'Two' })).toBe('ECONNREFUSED')
    expect(await request('a.test', { tenantId: 'other' })).toBe('ECONNREFUSED')
  })
})

it('an answer between, and a refusal of this server, count nothing', async () => {
  await times(4)
  outcome = null
  await request()
  outcome = 'ECONNRESET'
  await times(4)
  outcome = 'EFORBIDDENADDRESS'
  await times(20)
  outcome = 'ECONNRESET'
  expect([await request(), await request()]).toEqual(['ECONNRESET', 'EBREAKER'])
})
