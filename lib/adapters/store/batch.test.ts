import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { batch, inOrder } from './batch'

/** A database whose answers the test releases. */
function slow() {
  const sent: number[][] = []
  const answers: (() => void)[] = []
  const find = batch(async (keys: readonly number[]) => {
    sent.push([...keys])
    await new Promise<void>((resolve) => answers.push(resolve))
    return keys.map((key) => (key < 0 ? null : `value ${key}`))
  })
  return { sent, find, answer: () => answers.shift()?.() }
}

it('asks at once for what comes at once, and for the rest when that is answered', async () => {
  const { sent, find, answer } = slow()
  const first = [find(1), find(2)]
  await turn()
  await turn()
  const second = [find(3), find(4), find(-5)]
  await turn()
  expect(sent).toEqual([[1, 2]])
  answer()
  expect(await Promise.all(first)).toEqual(['value 1', 'value 2'])
  await turn()
  await turn()
  expect(sent).toEqual([
    [1, 2],
    [3, 4, -5],
  ])
  answer()
  expect(await Promise.all(second)).toEqual(['value 3', 'value 4', null])
})

it('never asks for more than a hundred together', async () => {
  const sizes: number[] = []
  const find = batch(async (keys: readonly number[]) => {
    sizes.push(keys.length)
    return keys
  })
  const keys = Array.from({ length: 250 }, (_, i) => i)
  expect(await Promise.all(keys.map(find))).toEqual(keys)
  expect(sizes).toEqual([100, 100, 50])
})

it('fails for the callers of the statement, and works for the next', async () => {
  let failing = true
  const find = batch(async (keys: readonly number[]) => {
    if (failing) throw new Error('away')
    return keys
  })
  expect(await Promise.allSettled([find(1), find(2)])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  failing = false
  expect(await find(3)).toBe(3)
})

it('puts rows where their keys stand', () => {
  expect(inOrder([{ place: 3 }, { place: 1 }], 3)).toEqual([{ place: 1 }, null, { place: 3 }])
})
