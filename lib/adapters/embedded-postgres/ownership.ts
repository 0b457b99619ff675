// Ownership of the database files, if the database runs as another account than this process.
import { chmod, chown, lchown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './error'
import type { Accounts, OsAccount } from './placement'

/** Creates a folder that only the account that creates the database can enter. Returns the path of its data folder. */
export async function makePrivateFolder(path: string, accounts: Accounts | undefined): Promise<string> {
  const data = join(path, 'data')
  await mkdir(path, { mode: 0o700 })
  await mkdir(data, { mode: 0o700 })
  if (accounts) {
    const { maker } = accounts
    await chown(data, maker.uid, maker.gid)
    // Access goes by the group: another process with the maker's user id cannot enter.
    await chown(path, 0, maker.gid)
    await chmod(path, 0o710)
  }
  return data
}

/** Closes the folder to every account except its new owner before the ownership of its content changes. */
export async function handOver(path: string, { uid, gid }: OsAccount): Promise<void> {
  await chown(path, 0, 0)
  await chmod(path, 0o700)
  const entries = await readdir(join(path, 'data'), { recursive: true })
  for (const entry of ['', ...entries]) await giveTo(join(path, 'data', entry), uid, gid)
  await chown(path, uid, gid)
}

/** A server that starts concurrently removes files of its own. */
async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  await lchown(path, uid, gid).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
