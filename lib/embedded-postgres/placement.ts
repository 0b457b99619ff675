// Which account runs the embedded PostgreSQL, and where its programs and data then have to be.
// - PostgreSQL refuses to run as root. Started as root it runs as the data's owner: a number that no other program runs as,
//   so that a service running as `nobody` reads neither data nor password, and reaches neither socket nor process.
// - initdb demands a number with a name. It runs as `nobody` in a group of the data's own, inside a folder that this group
//   alone may enter, and what it made is handed over before it gets its final name.
// - Both must be able to walk to the programs and the data. A checkout under /root is closed to it: both then
//   live under /var/lib/latchkey, and a note in the data folder remembers which data there belongs to this checkout.
import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../kernel/random'
import { copyBinaries } from './binaries'
import { EmbeddedError, errorCode } from './error'

export type Account = { uid: number; gid: number }

/** Who owns and runs the database, and who makes it. */
export type Accounts = { runner: Account; maker: Account }

export type Placement = {
  /** Undefined: the account this process runs as. */
  accounts: Accounts | undefined
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

/** Users are given no number from here to 61183 (systemd.io/UIDS-GIDS), and every container maps it. */
const FIRST_UNUSED = 60706
const UNUSED = 478

async function chooseAccounts(home: string): Promise<Accounts> {
  const nobody = await findNobody()
  const owner = await stat(join(home, INSTANCE)).catch(() => undefined)
  const isOwn = owner !== undefined && owner.uid !== 0 && owner.uid !== nobody?.uid
  const runner = isOwn ? { uid: owner.uid, gid: owner.gid } : accountFor(await realpath(home))
  // Data that is there needs no maker.
  if (owner === undefined && nobody === undefined) throw new EmbeddedError(NO_MAKER)
  return { runner, maker: { uid: nobody?.uid ?? runner.uid, gid: runner.gid } }
}

const NO_MAKER =
  'PostgreSQL does not run as root and there is no account `nobody` to make its data as: start as an ordinary user, or set DATABASE_URL.'

/** The same for all that start on one folder at once. */
function accountFor(home: string): Account {
  const id = FIRST_UNUSED + (createHash('sha256').update(home).digest().readUInt32BE(0) % UNUSED)
  return { uid: id, gid: id }
}

async function findNobody(): Promise<Account | undefined> {
  const entry = (await readFile('/etc/passwd', 'utf8')).match(/^nobody:[^:]*:(\d+):(\d+):/m)
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : undefined
}

const bothReach = async (path: string, { runner, maker }: Accounts): Promise<boolean> =>
  (await canReach(path, runner)) && (await canReach(path, maker))

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
