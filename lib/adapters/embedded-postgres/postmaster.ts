// The running PostgreSQL of a data folder: finds it by its postmaster.pid, starts it and stops it.
// The pid file is PostgreSQL's own lock: if two starts run at once, one takes it, and the other process connects to that server.
import { readFileSync } from 'node:fs'
import { chmod, chown, type FileHandle, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { adopt, type Cluster, diskFull, lastLine } from './cluster'
import { EmbeddedError } from './error'
import type { OsAccount, Placement } from './placement'
import { runProgram, startProgram } from './program'

export type Postmaster = { pid: number; host: string; port: number; status: string }

const SOCKET_PORT = 5432
/** The limit of a socket address on every platform, without the terminating zero. */
const MAX_SOCKET_PATH_LENGTH = 103
const SHORT_SOCKET_FOLDER = join(tmpdir(), 'latchkey-socket-')

/** PostgreSQL's defaults assume a dedicated machine; here it shares the machine with the server. */
const SETTINGS = {
  max_connections: '100',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // The server reports errors. Their details in this log could contain personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** For tests: many run at once, with a pool each. */
const THROW_AWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

/** The content of postmaster.pid, if its pid is a live PostgreSQL process. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder, address, , status] = text.split('\n')
  const id = Number(pid)
  if (!id || !isPostgres(id)) return undefined
  return { pid: id, host: socketFolder || address || '', port: Number(port), status: (status ?? '').trim() }
}

/** PostgreSQL writes its pid immediately after creating the file: a file that stays empty is the result of a crash. */
const EMPTY_FOR_MS = 10_000

/**
 * Two kinds of pid file keep PostgreSQL from starting: a file whose pid now belongs to another program of the same account, since
 * PostgreSQL only checks that the pid is alive; and an empty file, left by a crash between creating and writing it. The file is
 * renamed before it is judged, so that the fresh file of a concurrent start is put back and not lost.
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

/** Platforms other than Linux cannot identify the process: the pid then counts as a PostgreSQL. */
const isForeign = (pidFile: string): boolean =>
  process.platform === 'linux' && !isPostgres(Number.parseInt(pidFile, 10))

async function isOlder(file: string, ms: number, clock: Clock): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && clock.now().getTime() - found.mtimeMs > ms
}

export type StartedPostgres = {
  pid: number | undefined
  /** The log of the server, once it has failed. */
  failure(): Promise<string> | undefined
}

export async function startPostmaster(
  cluster: Cluster,
  placement: Placement,
  durable: boolean,
): Promise<StartedPostgres> {
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
  let output: Promise<string> | undefined
  const fail = (): void => {
    output ??= readAndClose(log)
  }
  child.on('exit', fail)
  child.on('error', fail)
  return { pid: child.pid, failure: () => output }
}

/** Reads through the handle: by now the file name may belong to the log of another start, which renamed this one. */
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
 * Fast shutdown: sessions are ended, all data is written, and the process has ended when this returns. It waits for the process, not
 * for the pid file: the file is removed a moment earlier, and a next start may already have created it again.
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

/** The process may have ended by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * The failure is worth a retry: another start holds the folder, has created but not yet written its pid file, or removed a stale one
 * first; or child processes of the last postmaster are still ending.
 */
export const isTransient = (log: string): boolean =>
  /lock file ".*(postmaster\.pid|\.lock)" (already exists|is empty)|could not remove old lock file .*: No such file|pre-existing shared memory block/.test(
    log,
  )

export function explainFailure(log: string, instance: string): EmbeddedError {
  if (log.includes('No space left on device')) return diskFull(instance)
  const reason = /(?:FATAL|PANIC): {2}(.*)/.exec(log)?.[1] ?? lastLine(log)
  return new EmbeddedError(
    `The embedded database in ${instance} does not start (${reason || 'it printed nothing'}): see postgres.log there.`,
  )
}

async function listenArgs(instance: string, account: OsAccount | undefined): Promise<string[]> {
  if (process.platform === 'win32') return ['-c', 'listen_addresses=127.0.0.1', '-p', String(await freePort())]
  return ['-c', 'listen_addresses=', '-k', await socketFolder(instance, account), '-p', String(SOCKET_PORT)]
}

/** The instance's private folder, or a short private folder if the path is too long for a socket address. */
async function socketFolder(instance: string, account: OsAccount | undefined): Promise<string> {
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

/** The system may have reused the pid for another program; Linux shows which program has it. */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  if (process.platform !== 'linux') return true
  try {
    // A process that has ended stays a zombie (Z) until its parent reaps it. Without a reaping parent it would seem to live for ever.
    return /\(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
