// Measures processes of their own, because the flag is the whole process's. Bytes, not times.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { HEAP_GROWTH } from './heap'

/** Keeps 60 MB, replaces them again and again, and prints the largest heap after the first collections. */
const CHURN = `
const { setFlagsFromString, getHeapStatistics } = require('node:v8')
if (process.argv[1]) setFlagsFromString(process.argv[1])
const kept = new Array(60_000).fill(null)
let highest = 0
for (let round = 0; round < 700_000; round++) {
  kept[round % kept.length] = new Array(125).fill(round)
  if (round > 350_000 && round % 1000 === 0) highest = Math.max(highest, getHeapStatistics().used_heap_size)
}
console.log(Math.round(highest / 1024 / 1024))
`

async function highestHeap(...flags: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', CHURN, ...flags])
  return Number(stdout)
}

it('lets garbage grow to half of what lives', async () => {
  const [bounded, free] = [await highestHeap(HEAP_GROWTH), await highestHeap()]
  expect(bounded).toBeLessThan(150)
  expect(free).toBeGreaterThan(bounded * 1.3)
})
