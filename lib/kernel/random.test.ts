import { describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from './random'

describe.each([
  ['the system source', () => systemRandom],
  ['the seeded source', () => seededRandom('a test')],
])('%s', (_name, make) => {
  const random = make()

  it('returns exactly the requested length', () => {
    expect(random.bytes(33)).toHaveLength(33)
    expect(random.hex(7)).toMatch(/^[0-9a-f]{7}$/)
    expect(random.digits(6)).toMatch(/^\d{6}$/)
    expect(Buffer.from(random.token(), 'base64url')).toHaveLength(32)
  })

  it('gives URL-safe tokens', () => {
    for (let i = 0; i < 50; i++) expect(random.token(33)).toMatch(/^[A-Za-z0-9_-]{44}$/)
  })

  it('gives version 4 UUIDs', () => {
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('does not repeat itself', () => {
    expect(new Set(Array.from({ length: 200 }, () => random.token(16))).size).toBe(200)
  })
})

it('repeats a seeded stream exactly, and another seed gives another', () => {
  const stream = (seed: string) => {
    const random = seededRandom(seed)
    return [random.token(), random.uuid(), random.digits(8)]
  }
  expect(stream('one')).toEqual(stream('one'))
  expect(stream('one')).not.toEqual(stream('two'))
})
