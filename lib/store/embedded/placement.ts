// Which account runs the embedded PostgreSQL, and where its programs and data then have to be.
// - PostgreSQL refuses to run as root: started as root it runs as the data's owner, or as `nobody`.
// - That account must be able to walk to the programs and the data. A checkout under /root is closed to it: both then
//   live under /var/lib/latchkey, and a note in the data folder remembers which data there belongs to this checkout.
import { chown, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../../kernel/random'
import { copyBinaries } from './binaries'
import { EmbeddedError, errorCode } from './error'

export type Account = { uid: number; gid: number }

export type Placement = {
  /** Undefined: the account this process runs as. */
  account: Account | undefined
  binaries: string
  /** The folder that holds the database's folder, and what is kept beside it. */
  home: string
}

type Deps = { random: Random; note: (line: string) => void }

const SHARED = '/var/lib/latchkey'
const LOCATION = 'location'
export const INSTANCE = 'postgres'

export async function place(dataDir: string, binaries: string, deps: Deps): Promise<Placement> {
  await makeFolder(dataDir, 0o711)
  if (process.getuid?.() !== 0) return { account: undefined, binaries, home: dataDir }
  const home = await rememberedHome(dataDir)
  const account = await chooseAccount(home)
  return {
    account,
    home: (await canReach(home, account)) ? home : await moveHome(dataDir, deps),
    binaries: (await canReach(join(binaries, 'bin'), account)) ? binaries : await shareBinaries(binaries, deps),
  }
}

/** Makes a folder of its own for an account, closed to everyone else. */
export async function makePrivateFolder(path: string, account: Account | undefined): Promise<void> {
  await makeFolder(path, 0o700)
  if (account) await chown(path, account.uid, account.gid)
}

async function rememberedHome(dataDir: string): Promise<string> {
  const noted = await readFile(join(dataDir, LOCATION), 'utf8').catch(() => '')
  return noted.trim() || dataDir
}

async function moveHome(dataDir: string, { random, note }: Deps): Promise<string> {
  const home = join(SHARED, `data-${random.hex(12)}`)
  await makeFolder(home, 0o711)
  await writeFile(join(dataDir, LOCATION), `${home}\n`)
  note(`the database's account cannot enter ${dataDir}: the data lives in ${home}`)
  return home
}

async function shareBinaries(binaries: string, { random, note }: Deps): Promise<string> {
  const version: unknown = JSON.parse(await readFile(join(binaries, '..', 'package.json'), 'utf8'))
  const name = `${basename(dirname(binaries))}-${hasVersion(version) ? version.version : 'unknown'}`
  const target = join(SHARED, name)
  await makeFolder(SHARED, 0o755)
  if (await copyBinaries(binaries, target, random))
    note(`the database's account cannot enter ${binaries}: its programs were copied to ${target}`)
  return target
}

const hasVersion = (value: unknown): value is { version: string } =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string'

async function chooseAccount(home: string): Promise<Account> {
  const owner = await stat(join(home, INSTANCE)).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const entry = (await readFile('/etc/passwd', 'utf8')).match(/^nobody:[^:]*:(\d+):(\d+):/m)
  if (!entry)
    throw new EmbeddedError(
      'PostgreSQL does not run as root and there is no account `nobody` to run it as: start as an ordinary user, or set DATABASE_URL.',
    )
  return { uid: Number(entry[1]), gid: Number(entry[2]) }
}

/** May the account enter every folder on the way, by the permission bits? */
async function canReach(path: string, account: Account): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    if (!(await mayEnter(at, account))) return false
    if (at === dirname(at)) return true
  }
}

async function mayEnter(folder: string, { uid, gid }: Account): Promise<boolean> {
  const found = await stat(folder)
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0
  return ((found.mode >> shift) & 0o1) === 1
}

async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode })
  } catch (error) {
    throw new EmbeddedError(
      `The data folder ${path} cannot be made (${errorCode(error) ?? 'unknown reason'}): choose another with LATCHKEY_DATA_DIR.`,
      { cause: error },
    )
  }
}
