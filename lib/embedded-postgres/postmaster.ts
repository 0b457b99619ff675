// The running PostgreSQL of a data folder: found by its postmaster.pid, started, stopped.
// The pid file is PostgreSQL's own lock: of two that start at once one takes it, and the other connects to that one.
import { readFileSync } from 'node:fs'
import { chmod, chown, type FileHandle, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { adopt, type Cluster, diskFull, lastLine } from './cluster'
import { EmbeddedError } from './error'
import type { Account, Placement } from './placement'
import { runProgram, startProgram } from './program'

export type Postmaster = { pid: number; host: string; port: number; status: string }

const SOCKET_PORT = 5432
/** What a socket address holds on every platform, less the terminating zero. */
const MAX_SOCKET_PATH_LENGTH = 103
const SHORT_SOCKET_FOLDER = join(tmpdir(), 'latchkey-socket-')

/** PostgreSQL's defaults assume a machine of its own; this one shares it with the server. */
const SETTINGS = {
  max_connections: '100',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Errors are reported by the server; in this log their details could hold personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Its users are tests, many at once with a pool each. */
const THROW_AWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

/** What postmaster.pid says, when the process it names is a living PostgreSQL. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder, address, , status] = text.split('\n')
  const id = Number(pid)
  if (!id || !isPostgres(id)) return undefined
  return { pid: id, host: socketFolder || address || '', port: Number(port), status: (status ?? '').trim() }
}

/** PostgreSQL writes its number at once into the pid file that it makes: one that stays empty was cut off. */
const EMPTY_FOR_MS = 10_000

/**
 * Two kinds of pid file keep PostgreSQL from starting for ever: one whose number now belongs to another program of the
 * same account, since its own check only asks whether that number is alive, and an empty one, which a crash left
 * between making and writing it. The file is moved aside before it is judged, so one that a start just made is put back
 * rather than lost.
 */
export async function dropForeignPidFile(
  data: string,
  { clock, random }: { clock: Clock; random: Random },
): Promise<void> {
  const file = join(data, 'postmaster.pid')
  const found = await readFile(file, 'utf8').catch(() => undefined)
  if (found === undefined || !(found === '' ? await isOlder(file, EMPTY_FOR_MS, clock) : isForeign(found))) return
  const aside = `${file}.${random.hex(8)}`
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await readFile(aside, 'utf8')) === found) await rm(aside)
  else await rename(aside, file)
}

/** Where it cannot be told, it is taken for a PostgreSQL. */
const isForeign = (pidFile: string): boolean =>
  process.platform === 'linux' && !isPostgres(Number.parseInt(pidFile, 10))

async function isOlder(file: string, ms: number, clock: Clock): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && clock.now().getTime() - found.mtimeMs > ms
}

export type Started = {
  pid: number | undefined
  /** What it said, once it has given up. */
  failure(): Promise<string> | undefined
}

export async function startPostmaster(cluster: Cluster, placement: Placement, durable: boolean): Promise<Started> {
  await adopt(cluster, placement)
  const logFile = join(cluster.instance, 'postgres.log')
  await rename(logFile, `${logFile}.previous`).catch(() => {})
  const log = await open(logFile, 'a+', 0o600)
  const args = [
    '-D',
    cluster.data,
    ...(await listenArgs(cluster.instance, placement.accounts?.runner)),
    ...settings(durable),
  ]
  const child = startProgram(join(placement.binaries, 'bin', 'postgres'), args, log.fd, placement.accounts?.runner)
  let said: Promise<string> | undefined
  const fail = (): void => {
    said ??= readAndClose(log)
  }
  child.on('exit', fail)
  child.on('error', fail)
  return { pid: child.pid, failure: () => said }
}

/** By the handle it was written to: by its name it may be the log of another start by now, which moved this one aside. */
async function readAndClose(log: FileHandle): Promise<string> {
  try {
    const { size } = await log.stat()
    const { buffer } = await log.read(Buffer.alloc(size), 0, size, 0)
    return buffer.toString()
  } catch {
    return ''
  } finally {
    await log.close()
  }
}

const STOP_POLL_MS = 20
const STOP_POLLS = 1500

/**
 * Fast shutdown: sessions are ended, everything is written, and the one that ran does not run when this returns. Judged
 * by its own process: the pid file goes a moment before the process does, and a next start may have made it anew.
 */
export async function stopPostmaster(cluster: Cluster, { binaries, accounts }: Placement): Promise<void> {
  const running = await findPostmaster(cluster.data)
  if (!running) return
  if (process.platform === 'win32')
    await runProgram(join(binaries, 'bin', 'pg_ctl'), pgCtlStop(cluster), accounts?.runner)
  else signal(running.pid, 'SIGINT')
  for (let polls = 0; isPostgres(running.pid); polls++) {
    if (polls === STOP_POLLS)
      throw new EmbeddedError(`The embedded database did not stop: see ${cluster.instance}/postgres.log.`)
    await sleep(STOP_POLL_MS)
  }
  if (running.host.startsWith(SHORT_SOCKET_FOLDER)) await rm(running.host, { recursive: true, force: true })
}

const pgCtlStop = (cluster: Cluster): string[] => ['stop', '-D', cluster.data, '-m', 'fast', '-W']

/** It may have gone by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Another start holds the folder, has made its pid file and not written it yet, or was the quicker to clear away an old
 * one; or the last postmaster's children are still leaving: worth another look.
 */
export const isTransient = (log: string): boolean =>
  /lock file ".*(postmaster\.pid|\.lock)" (already exists|is empty)|could not remove old lock file .*: No such file|pre-existing shared memory block/.test(
    log,
  )

export function explainFailure(log: string, instance: string): EmbeddedError {
  if (log.includes('No space left on device')) return diskFull(instance)
  const reason = /(?:FATAL|PANIC): {2}(.*)/.exec(log)?.[1] ?? lastLine(log)
  return new EmbeddedError(
    `The embedded database in ${instance} does not start (${reason || 'it said nothing'}): see postgres.log there.`,
  )
}

async function listenArgs(instance: string, account: Account | undefined): Promise<string[]> {
  if (process.platform === 'win32') return ['-c', 'listen_addresses=127.0.0.1', '-p', String(await freePort())]
  return ['-c', 'listen_addresses=', '-k', await socketFolder(instance, account), '-p', String(SOCKET_PORT)]
}

/** The instance's own folder, closed to others; a short one when its name is too long for a socket address. */
async function socketFolder(instance: string, account: Account | undefined): Promise<string> {
  if (Buffer.byteLength(`${instance}/.s.PGSQL.${SOCKET_PORT}`) <= MAX_SOCKET_PATH_LENGTH) return instance
  const folder = await mkdtemp(SHORT_SOCKET_FOLDER)
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

function settings(durable: boolean): string[] {
  const all = durable ? SETTINGS : { ...SETTINGS, ...THROW_AWAY }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** A pid may have been given to another program since; Linux tells. */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  if (process.platform !== 'linux') return true
  try {
    // One that has ended stays listed until its parent looks (Z); where nobody looks it would seem to live for ever.
    return /\(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
