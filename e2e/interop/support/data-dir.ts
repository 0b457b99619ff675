// A data folder of a test's own, and a look at the database process that serves it.
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type DataDir = {
  path: string
  postmasterPid(): Promise<number | null>
  /** Whether the database serves, rather than is being stopped or has been; what it writes last takes a slow disk a while. */
  serves(): Promise<boolean>
  remove(): Promise<void>
}

export async function makeDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(tmpdir(), 'latchkey-interop-'))
  // Started as root, the database runs as another account, which has to get in.
  await chmod(path, 0o711)
  const home = async () => (await readFile(join(path, 'location'), 'utf8').catch(() => path)).trim()
  const pidFile = async () => readFile(join(await home(), 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const postmasterPid = async () => {
    const pid = Number.parseInt(await pidFile(), 10)
    return pid > 0 && isAlive(pid) ? pid : null
  }
  return {
    path,
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

async function endPostmaster(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  while (isAlive(pid)) await sleep(20)
}

/** One that has ended is listed until its parent, or whoever inherits it, has looked: it does nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
