// The files of the database in the hands of the account that runs it, where that is not this process's own.
import { chmod, chown, lchown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './error'
import type { Account, Accounts } from './placement'

/** A folder for whoever makes the database, closed to everyone else; answers the path of its data folder. */
export async function makePrivateFolder(path: string, accounts: Accounts | undefined): Promise<string> {
  const data = join(path, 'data')
  await mkdir(path, { mode: 0o700 })
  await mkdir(data, { mode: 0o700 })
  if (accounts) {
    const { maker } = accounts
    await chown(data, maker.uid, maker.gid)
    // By the group: another process of the maker's user cannot enter.
    await chown(path, 0, maker.gid)
    await chmod(path, 0o710)
  }
  return data
}

/** The folder is closed to everyone but its new owner before anything in it changes hands. */
export async function handOver(path: string, { uid, gid }: Account): Promise<void> {
  await chown(path, 0, 0)
  await chmod(path, 0o700)
  const entries = await readdir(join(path, 'data'), { recursive: true })
  for (const entry of ['', ...entries]) await giveTo(join(path, 'data', entry), uid, gid)
  await chown(path, uid, gid)
}

/** A server that is starting meanwhile removes files of its own. */
async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  await lchown(path, uid, gid).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
