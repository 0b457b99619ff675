import { expect, it } from 'vitest'
import { fixedClock } from '../../kernel/clock'
import { createOncePerMinute } from './once-per-minute'

it('lets each key through once a minute, and so many keys at most', () => {
  const clock = fixedClock()
  const oncePerMinute = createOncePerMinute(clock)
  expect([oncePerMinute('a'), oncePerMinute('a'), oncePerMinute('b')]).toEqual([true, false, true])
  clock.advance(60)
  expect(oncePerMinute('a')).toBe(true)
  for (let key = 0; key < 10_000; key += 1) oncePerMinute(String(key))
  expect(oncePerMinute('one more')).toBe(false)
})
