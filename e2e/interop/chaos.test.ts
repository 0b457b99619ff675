// A short `npm run chaos`: three faults under load must break no promise, and the harness must report so (docs/reliability.md).
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = ['bench/chaos/run.mjs', '--built', '--seconds', '6', '--faults', 'kill,ahead,log']

/** Six server starts and the final verification. */
const PATIENCE_MS = 900_000

it('breaks no promise when an instance is killed, when its clock is ahead for a while, and when logs cannot be written', {
  timeout: PATIENCE_MS,
}, async () => {
  // A run that breaks a promise ends with 1; its report says which one.
  const run = promisify(execFile)(process.execPath, COMMAND, { cwd: ROOT })
  const { stdout, stderr } = await run.catch((error: Awaited<typeof run>) => error)
  expect(stdout, stderr).toContain('**No promise was broken.**')
  expect(stdout).toMatch(/kill -9 of an instance, started again +\| \d/)
})
