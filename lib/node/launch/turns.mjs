// One launcher at a time does a piece of work in this checkout: two that install at once would empty each other's
// node_modules. A lock is a folder in the temporary folder with its holder's process id; one whose holder is gone is free.
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

/** A lock without a number was taken this moment, or its holder died in that moment: looked at once more. */
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
