// Chooses the account that runs the embedded PostgreSQL, and the location of its programs and data.
// - PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as the data's owner: a user id that no other
//   program uses, so that a service running as `nobody` cannot read the data or the password, nor reach the socket or the process.
// - initdb requires a user id with a name. It runs as `nobody` with the data's own group, in a folder that only this group may
//   enter. Its files change owner before the folder gets its final name.
// - Both accounts need access to the programs and the data. If they cannot enter the checkout (for example below /root), both live
//   under /var/lib/latchkey, and a file in the data folder records which data there belongs to this checkout.
import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../../kernel/random'
import { copyBinaries } from './binaries'
import { EmbeddedError, errorCode } from './error'

export type OsAccount = { uid: number; gid: number }

/** `runner` owns and runs the database; `maker` creates it. */
export type Accounts = { runner: OsAccount; maker: OsAccount }

export type Placement = {
  /** Undefined: the account of this process. */
  accounts: Accounts | undefined
  binaries: string
  /** The folder that contains the database's folder and the files beside it. */
  home: string
}

type Deps = { random: Random; note: (line: string) => void }

const SHARED = '/var/lib/latchkey'
const LOCATION = 'location'
export const INSTANCE = 'postgres'

export async function place(dataDir: string, binaries: string, deps: Deps): Promise<Placement> {
  await makeFolder(dataDir, 0o711)
  if (process.getuid?.() !== 0) return { accounts: undefined, binaries, home: dataDir }
  const home = await rememberedHome(dataDir)
  const accounts = await chooseAccounts(home)
  return {
    accounts,
    home: (await bothReach(home, accounts)) ? home : await moveHome(dataDir, deps),
    binaries: (await bothReach(join(binaries, 'bin'), accounts)) ? binaries : await shareBinaries(binaries, deps),
  }
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
  const version: unknown = JSON.parse(
    await readFile(join(/* turbopackIgnore: true */ binaries, '..', 'package.json'), 'utf8'),
  )
  const name = `${basename(dirname(binaries))}-${hasVersion(version) ? version.version : 'unknown'}`
  const target = join(SHARED, name)
  await makeFolder(SHARED, 0o755)
  if (await copyBinaries(binaries, target, random))
    note(`the database's account cannot enter ${binaries}: its programs were copied to ${target}`)
  return target
}

const hasVersion = (value: unknown): value is { version: string } =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string'

/** No distribution assigns user ids from here to 61183 (systemd.io/UIDS-GIDS), and every container maps them. */
const FIRST_UNUSED = 60706
const UNUSED = 478

async function chooseAccounts(home: string): Promise<Accounts> {
  const unprivileged = await findUnprivilegedAccount()
  const owner = await stat(join(home, INSTANCE)).catch(() => undefined)
  const isOwn = owner !== undefined && owner.uid !== 0 && owner.uid !== unprivileged?.uid
  const runner = isOwn ? { uid: owner.uid, gid: owner.gid } : accountFor(await realpath(home))
  // Existing data needs no maker.
  if (owner === undefined && unprivileged === undefined) throw new EmbeddedError(NO_MAKER)
  return { runner, maker: { uid: unprivileged?.uid ?? runner.uid, gid: runner.gid } }
}

const NO_MAKER =
  'PostgreSQL does not run as root, and the account `nobody`, which would create its data, does not exist: start as an ordinary user, or set DATABASE_URL.'

/** Deterministic, so that all processes that start on one folder choose the same account. */
function accountFor(home: string): OsAccount {
  const id = FIRST_UNUSED + (createHash('sha256').update(home).digest().readUInt32BE(0) % UNUSED)
  return { uid: id, gid: id }
}

async function findUnprivilegedAccount(): Promise<OsAccount | undefined> {
  const entry = (await readFile('/etc/passwd', 'utf8')).match(/^nobody:[^:]*:(\d+):(\d+):/m)
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : undefined
}

const bothReach = async (path: string, { runner, maker }: Accounts): Promise<boolean> =>
  (await canReach(path, runner)) && (await canReach(path, maker))

/** Whether the permission bits let the account enter every folder of the path. */
async function canReach(path: string, account: OsAccount): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    if (!(await mayEnter(at, account))) return false
    if (at === dirname(at)) return true
  }
}

async function mayEnter(folder: string, { uid, gid }: OsAccount): Promise<boolean> {
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
