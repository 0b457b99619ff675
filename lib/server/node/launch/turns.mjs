// A lock per checkout: concurrent installs would delete each other's node_modules. A lock is a folder in the temporary folder
// that contains its holder's process id. The lock of a process that has ended is free.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './root.mjs'

const POLL_MS = 200

/**
 * @template T
 * @param {string} name of the work
 * @param {() => Promise<T>} work
 * @param {string} [folder] whose turn it is
 * @returns {Promise<T>}
 */
export async function inTurn(name, work, folder = root) {
  const lock = join(tmpdir(), `latchkey-${name}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  while (!(await take(lock))) await sleep(POLL_MS)
  try {
    return await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function take(lock) {
  try {
    await mkdir(lock)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!(await isHeld(lock))) await rm(lock, { recursive: true, force: true })
    return false
  }
  await writeFile(join(lock, 'pid'), String(process.pid))
  return true
}

/** A lock without a process id is either new, or its holder died between the two steps: it is checked once more. */
async function isHeld(lock) {
  const holder = (await holderOf(lock)) ?? (await sleep(POLL_MS, undefined).then(() => holderOf(lock)))
  if (holder === undefined) return false
  try {
    process.kill(holder, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const holderOf = async (lock) => Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => '')) || undefined
