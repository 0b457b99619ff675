import { expect, it } from 'vitest'
import { fixedClock } from '../kernel/clock'
import { createGate } from './gate'

it('lets each key through once a minute, and so many keys at most', () => {
  const clock = fixedClock()
  const gate = createGate(clock)
  expect([gate('a'), gate('a'), gate('b')]).toEqual([true, false, true])
  clock.advance(60)
  expect(gate('a')).toBe(true)
  for (let key = 0; key < 10_000; key += 1) gate(String(key))
  expect(gate('one more')).toBe(false)
})
