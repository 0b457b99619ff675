// A test's own data folder, and the state of its database process.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from '../../../lib/testing/scratch.mjs'

export type DataDir = {
  path: string
  /** Where the database is: the folder itself, or one that its account can reach. */
  home(): Promise<string>
  postmasterPid(): Promise<number | null>
  /** Whether the database serves and is not stopping or stopped; its last writes take a while on a slow disk. */
  serves(): Promise<boolean>
  remove(): Promise<void>
}

export async function makeDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(scratchFolder(), 'latchkey-interop-'))
  // If this process runs as root, the database runs as another account, which needs access.
  await chmod(path, 0o711)
  const home = async () => (await readFile(join(path, 'location'), 'utf8').catch(() => path)).trim()
  const pidFile = async () => readFile(join(await home(), 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const postmasterPid = async () => {
    const pid = Number.parseInt(await pidFile(), 10)
    return pid > 0 && isAlive(pid) ? pid : null
  }
  return {
    path,
    home,
    postmasterPid,
    serves: async () => (await postmasterPid()) !== null && (await pidFile()).includes('\nready'),
    async remove() {
      // A killed server leaves its database running.
      const postmaster = await postmasterPid()
      if (postmaster !== null) await endPostmaster(postmaster)
      await rm(await home(), { recursive: true, force: true })
      await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * The same with the tenant of TENANT, which a server served from it before (served-data.ts): a first start, which makes a database
 * and its keys, takes more than twice as long.
 */
export async function makeServedDataDir(): Promise<DataDir> {
  const data = await makeDataDir()
  const served = process.env[SERVED_DATA]
  if (served === undefined) throw new Error('served-data.ts has to run first')
  // Node's own copy would not keep the owner.
  execFileSync('cp', ['-a', `${served}/.`, data.path])
  return data
}

/** The environment variable with the folder that is copied. */
export const SERVED_DATA = 'E2E_SERVED_DATA'

async function endPostmaster(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  while (isAlive(pid)) await sleep(20)
}

/** An exited process is listed until its parent has waited for it; it does nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
