// A lock per checkout: launchers that install or build at once would delete each other's files. It is a file in the temporary folder
// with the process id of its holder. The lock of a process that has ended is free.
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './root.mjs'
import { step } from './step.mjs'

const POLL_MS = 200

/**
 * @template T
 * @param {string} name of the work
 * @param {() => Promise<T>} work
 * @param {string} [folder] whose turn it is
 * @returns {Promise<T>}
 */
export async function inTurn(name, work, folder = root) {
  const lock = join(tmpdir(), `latchkey-${name}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`)
  if (!(await take(lock))) await step('Waiting for another process that does the same', () => untilTaken(lock))
  return work().finally(() => rm(lock, { force: true }))
}

async function untilTaken(lock) {
  while (!(await take(lock))) await sleep(POLL_MS)
}

async function take(lock) {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  // Without a process id it is either new, or its holder died before it wrote the id: it is read once more.
  const holder = (await holderOf(lock)) || (await sleep(POLL_MS).then(() => holderOf(lock)))
  if (!isRunning(holder)) await rm(lock, { force: true })
  return false
}

const holderOf = async (lock) => Number(await readFile(lock, 'utf8').catch(() => ''))

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
