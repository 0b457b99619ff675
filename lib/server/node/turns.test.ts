import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inTurn } from './launch/turns.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turns-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('lets one work at a time, and the next when that failed', async () => {
  let working = 0
  let most = 0
  const work = async (fails: boolean) => {
    working += 1
    most = Math.max(most, working)
    await sleep(20)
    working -= 1
    if (fails) throw new Error('failed')
    return 'done'
  }
  const outcomes = await Promise.allSettled(
    [true, false, true, false].map((fails) => inTurn('x', () => work(fails), folder)),
  )
  expect(most).toBe(1)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
})

it('takes the turn of a process that was killed at its work', async () => {
  const module = pathToFileURL('lib/server/node/launch/turns.mjs').href
  const holding = `const { inTurn } = await import(${JSON.stringify(module)})
await inTurn('x', () => { console.log('working'); return new Promise((done) => setTimeout(done, 60000)) }, ${JSON.stringify(folder)})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await inTurn('x', async () => 'mine', folder)).toBe('mine')
})
