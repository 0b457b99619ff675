import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapBounded } from './map-bounded.mjs'

/** Doubles after a turn of the event loop, and counts what runs at once. */
function counted() {
  let running = 0
  const seen = { most: 0, started: 0 }
  const double = async (item: number): Promise<number> => {
    running += 1
    seen.started += 1
    seen.most = Math.max(seen.most, running)
    await sleep(0)
    running -= 1
    if (item < 0) throw new Error('refused')
    return 2 * item
  }
  return { seen, double }
}

it.each([0, 1, 5, 1000])(
  'returns the results of %i items in their order, and runs no more at once than allowed',
  async (size) => {
    const { seen, double } = counted()
    const items = Array.from({ length: size }, (_, place) => place)
    expect(await mapBounded(items, double, 7)).toEqual(items.map((item) => 2 * item))
    expect(seen.most).toBe(Math.min(7, size))
  },
)

it('starts nothing more after a failure, and rejects with it', async () => {
  const { seen, double } = counted()
  const items = Array.from({ length: 100 }, (_, place) => (place === 3 ? -1 : place))
  await expect(mapBounded(items, double, 4)).rejects.toThrow('refused')
  await sleep(5)
  expect(seen.started).toBeLessThan(12)
})
