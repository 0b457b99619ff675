// Creates the folder of the embedded database atomically.
// - initdb works in a temporary folder beside the final one, which is renamed when it is complete. A killed start leaves only a
//   temporary folder, which a later start removes. If two starts run at once, one rename wins.
// - An existing folder that is incomplete or belongs to another PostgreSQL version is reported and never modified.
// - The password is random and stored beside the data, readable by the owner only. Every connection needs it (SCRAM).
import { access, chmod, chown, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, secondsBetween } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { POSTGRES_MAJOR } from './binaries'
import { EmbeddedError, errorCode } from './error'
import { handOver, makePrivateFolder } from './ownership'
import { INSTANCE, type Placement } from './placement'
import { runProgram } from './program'

export type Cluster = { instance: string; data: string; password: string }

export const SUPERUSER = 'latchkey'
const ABANDONED_AFTER_SECONDS = 600

type Options = { durable: boolean; clock: Clock; random: Random; note: (line: string) => void }

export async function ensureCluster(placement: Placement, options: Options): Promise<Cluster> {
  const instance = join(placement.home, INSTANCE)
  if (!(await exists(instance))) await createCluster(instance, placement, options)
  await checkComplete(instance)
  const password = await readFile(join(instance, 'password'), 'utf8')
  return { instance, data: join(instance, 'data'), password: password.trim() }
}

async function createCluster(instance: string, placement: Placement, options: Options): Promise<void> {
  options.note(`making the embedded database in ${placement.home}`)
  const partial = `${instance}.new-${options.random.hex(8)}`
  try {
    await sweepAbandoned(placement.home, options.clock)
    await initialize(partial, placement, options)
    await rename(partial, instance)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return
    throw explain(error, placement.home)
  }
}

async function initialize(folder: string, { accounts, binaries }: Placement, options: Options): Promise<void> {
  const data = await makePrivateFolder(folder, accounts)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${options.random.token()}\n`, { mode: 0o600 })
  if (accounts) {
    await chown(passwordFile, 0, accounts.maker.gid)
    await chmod(passwordFile, 0o640)
  }
  const { code, output } = await runProgram(
    join(binaries, 'bin', 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ],
    accounts?.maker,
  )
  if (code !== 0) throw new Error(reasonIn(output))
  if (!accounts) return
  // From here on only this process reads the file.
  await chown(passwordFile, 0, 0)
  await chmod(passwordFile, 0o600)
  await handOver(folder, accounts.runner)
}

/** initdb's last line reports its clean-up; the cause is on an earlier line. */
const reasonIn = (output: string): string =>
  /^.*No space left on device.*$/m.exec(output)?.[0] ??
  /^.*(?:error|FATAL|PANIC): +(.*)$/m.exec(output)?.[1] ??
  lastLine(output)

/**
 * Changes the owner of data that an earlier release created as an account shared with other services. Must not be called while
 * a server runs on the data.
 */
export async function adopt({ instance }: Cluster, { accounts }: Placement): Promise<void> {
  if (accounts && (await stat(instance)).uid !== accounts.runner.uid) await handOver(instance, accounts.runner)
}

async function checkComplete(instance: string): Promise<void> {
  const needed = ['password', 'data/PG_VERSION', 'data/global/pg_control']
  for (const name of needed) await readable(join(instance, name), instance)
  const version = (await readFile(join(instance, 'data', 'PG_VERSION'), 'utf8')).trim()
  if (version !== POSTGRES_MAJOR)
    throw new EmbeddedError(
      `The data in ${instance} belongs to PostgreSQL ${version}, and this version brings ${POSTGRES_MAJOR}: move the folder away to begin anew, or serve it with PostgreSQL ${version} and set DATABASE_URL.`,
    )
}

async function readable(path: string, instance: string): Promise<void> {
  try {
    await access(path)
  } catch (error) {
    if (errorCode(error) === 'EACCES')
      throw new EmbeddedError(
        `The data folder ${instance} belongs to another account: start as the account that made it, or choose another folder with LATCHKEY_DATA_DIR.`,
      )
    throw new EmbeddedError(
      `The data folder ${instance} is incomplete (${path.slice(instance.length + 1)} is missing): restore it from a backup, or move it away to begin with an empty database.`,
    )
  }
}

/** Removes the temporary folders of killed starts. The folder of a running start is younger than the limit. */
async function sweepAbandoned(home: string, clock: Clock): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(`${INSTANCE}.new-`)) continue
    const { mtime } = await stat(join(home, name))
    if (secondsBetween(mtime, clock.now()) > ABANDONED_AFTER_SECONDS)
      await rm(join(home, name), { recursive: true, force: true })
  }
}

function explain(error: unknown, home: string): EmbeddedError {
  const reason = error instanceof Error ? error.message : String(error)
  const code = errorCode(error)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new EmbeddedError(
      `The data folder ${home} cannot be written (${code}): give this account the right to it, or choose another with LATCHKEY_DATA_DIR.`,
      { cause: error },
    )
  if (code === 'ENOSPC' || reason.includes('No space left on device')) return diskFull(home, error)
  return new EmbeddedError(`The embedded database could not be made in ${home}: ${reason}`, { cause: error })
}

export const diskFull = (folder: string, cause?: unknown): EmbeddedError =>
  new EmbeddedError(`The disk that holds ${folder} is full: free some space and start again.`, { cause })

export const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? ''

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  )
