import { expect, it } from 'vitest'
import { lazy, once } from './lazy'

it('loads at the first use, and once for concurrent uses', async () => {
  let times = 0
  const load = lazy(async () => ++times)
  expect(times).toBe(0)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('tries again after a failure', async () => {
  const outcomes = [() => Promise.reject(new Error('not now')), () => Promise.resolve('there')]
  const load = lazy(() => outcomes.shift()?.() ?? Promise.reject(new Error('once too often')))
  await expect(load()).rejects.toThrow('not now')
  expect(await load()).toBe('there')
})

it('makes a value at the first use alone, also where it is undefined', () => {
  let times = 0
  const make = once(() => void ++times)
  expect(times).toBe(0)
  expect([make(), make()]).toEqual([undefined, undefined])
  expect(times).toBe(1)
})
