// The bounds of a process of a build.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isFull, runNode } from './process'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

const MOST = { bytes: 1_000_000, files: 50 }
const run = (code: string, milliseconds = 60_000) =>
  runNode({ args: ['-e', code], folder, environment: {}, input: 'given', milliseconds, most: MOST })

it('answers with code and output, and gets its input', async () => {
  const code = "process.stdin.on('data', (text) => { console.log(`got ${text}`); process.exitCode = 3 })"
  expect(await run(code)).toEqual({ code: 3, output: 'got given\n', stopped: null })
})

it('has the environment that it is given, and nothing else of this process', async () => {
  process.env.LATCHKEY_TEST_MARK = 'inherited'
  const { output } = await run('console.log(JSON.stringify(process.env))').finally(() => {
    delete process.env.LATCHKEY_TEST_MARK
  })
  expect(output).not.toContain('inherited')
  expect(Object.keys(JSON.parse(output)).filter((name) => name !== '__CF_USER_TEXT_ENCODING')).toEqual([])
})

it('ends at its time, with what it started', async () => {
  const child = "setInterval(() => require('fs').appendFileSync('alive', '.'), 20)"
  const code = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); for (;;) {}`
  expect(await run(code, 1500)).toMatchObject({ code: null, stopped: 'time' })
  const after = await readFile(join(folder, 'alive'), 'utf8').catch(() => '')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await readFile(join(folder, 'alive'), 'utf8').catch(() => '')).toBe(after)
})

it('ends where it prints too much', async () => {
  expect(await run("for (;;) require('fs').writeSync(1, 'x'.repeat(65536))")).toMatchObject({ stopped: 'size' })
})

it('ends where it writes too much', async () => {
  const code = "require('fs').writeFileSync('large', 'x'.repeat(1_000_001)); setInterval(() => {}, 1000)"
  expect(await run(code)).toMatchObject({ stopped: 'size' })
})

it('fills its folder with bytes or with files', async () => {
  await mkdir(join(folder, 'a/b'), { recursive: true })
  await writeFile(join(folder, 'a/b/c'), 'x'.repeat(100))
  await writeFile(join(folder, 'd'), 'x'.repeat(100))
  expect(await isFull(folder, { bytes: 200, files: 4 })).toBe(false)
  expect(await isFull(folder, { bytes: 199, files: 4 })).toBe(true)
  expect(await isFull(folder, { bytes: 200, files: 3 })).toBe(true)
  expect(await isFull(join(folder, 'gone'), MOST)).toBe(false)
})
