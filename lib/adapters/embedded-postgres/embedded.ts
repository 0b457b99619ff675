// Starts, shares and stops the embedded PostgreSQL of a data folder.
// - A running server is reused, such as one that a kill -9 left behind or that a second process started.
// - Every user holds a lease: an advisory lock on a dedicated connection. The last holder stops the database. A lease ends with its
//   process, however the process ends.
// - fsync stays on: acknowledged data is on disk. Only disposable test clusters turn it off (`durable: false`).
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { findBinaries } from './binaries'
import { type Cluster, ensureCluster, SUPERUSER } from './cluster'
import { EmbeddedError } from './error'
import { type Placement, place } from './placement'
import {
  dropForeignPidFile,
  explainFailure,
  findPostmaster,
  isTransient,
  type Postmaster,
  type StartedPostgres,
  startPostmaster,
  stopPostmaster,
} from './postmaster'

export type Embedded = {
  /** Connection string of the database `latchkey`. */
  url: string
  /** The folder beside the data, for files with the same lifetime as the data. */
  home: string
  /** True if the database was already running. */
  reused: boolean
  /** Releases the lease, and stops the database if no other lease exists. Close your own connections first. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  clock: Clock
  random: Random
  note?: (line: string) => void
  durable?: boolean
}

const DATABASE = 'latchkey'
const LEASE_KEY = 1818324847
/** Longer than any crash recovery should take. */
const PATIENCE_SECONDS = 60
const POLL_MS = 10
/** The wait before a retry, after another process's start won. */
const RETRY_MS = 100

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { clock, random, note = () => {}, durable = true } = options
  const placement = await place(options.dataDir, await findBinaries(), { random, note })
  const cluster = await ensureCluster(placement, { durable, clock, random, note })
  const { lease, url, reused } = await obtainLease(cluster, placement, durable, options)
  return { url, home: placement.home, reused, stop: () => release(lease, cluster, placement) }
}

type Held = { lease: Client; url: string; reused: boolean }

async function obtainLease(
  cluster: Cluster,
  placement: Placement,
  durable: boolean,
  { clock, random, note }: EmbeddedOptions,
): Promise<Held> {
  const deadline = clock.now().getTime() + PATIENCE_SECONDS * 1000
  let started: StartedPostgres | undefined
  let noted = false
  while (clock.now().getTime() < deadline) {
    const running = await findPostmaster(cluster.data)
    const held = running?.status === 'ready' ? await tryLease(running, cluster) : undefined
    // If two processes start the database at once, the running server may be the other process's.
    if (held) return { ...held, reused: running?.pid !== started?.pid }
    const log = await started?.failure()
    if (log !== undefined) {
      if (!isTransient(log)) throw explainFailure(log, cluster.instance)
      started = undefined
      await dropForeignPidFile(cluster.data, { clock, random })
      await sleep(RETRY_MS)
      continue
    }
    if (!running && !started) {
      if (!noted) note?.(`starting the embedded database in ${placement.home}`)
      noted = true
      started = await startPostmaster(cluster, placement, durable)
    }
    await sleep(POLL_MS)
  }
  throw new EmbeddedError(
    `The embedded database in ${cluster.instance} was not ready within ${PATIENCE_SECONDS} seconds: see postgres.log there.`,
  )
}

/** Undefined: no lease yet, retry. */
async function tryLease(running: Postmaster, cluster: Cluster): Promise<{ lease: Client; url: string } | undefined> {
  const url = connectionString(running, cluster.password, DATABASE)
  try {
    const lease = await connect(url)
    const { rows } = await lease.query<{ held: boolean }>('SELECT pg_try_advisory_lock_shared($1) AS held', [LEASE_KEY])
    if (rows[0]?.held) return { lease, url }
    await lease.end()
  } catch (error) {
    if (hasState(error, '28P01')) throw wrongPassword(cluster)
    if (hasState(error, '3D000')) await createDatabase(connectionString(running, cluster.password, 'postgres'))
  }
  return undefined
}

async function release(lease: Client, cluster: Cluster, placement: Placement): Promise<void> {
  if (await isLastLease(lease).catch(() => noLeaseLeft(cluster))) await stopPostmaster(cluster, placement)
  await lease.end().catch(() => {})
}

/** Upgrades the shared lease to an exclusive one. Only the last holder succeeds, and new users then have to wait. */
async function isLastLease(lease: Client): Promise<boolean> {
  const { rows } = await lease.query<{ alone: boolean }>(
    'SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS alone',
    [LEASE_KEY],
  )
  return rows[0]?.alone ?? false
}

/** This process lost its lease with its connection: check again over a new connection, if the server still runs. */
async function noLeaseLeft(cluster: Cluster): Promise<boolean> {
  const running = await findPostmaster(cluster.data)
  const held = running && (await tryLease(running, cluster))
  if (!held) return running !== undefined
  const last = await isLastLease(held.lease)
  if (!last) await held.lease.end()
  return last
}

async function createDatabase(url: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    // A concurrent start created it: before this statement (42P04) or during it (23505).
    if (!hasState(error, '42P04') && !hasState(error, '23505')) throw error
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'latchkey lease' })
  // The users of the database notice the loss of this connection. It must not end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

function connectionString({ host, port }: Postmaster, password: string, database: string): string {
  if (!host.startsWith('/')) return `postgresql://${SUPERUSER}:${password}@${host}:${port}/${database}`
  return `postgresql://${SUPERUSER}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

const hasState = (error: unknown, state: string): boolean => error instanceof DatabaseError && error.code === state

const wrongPassword = (cluster: Cluster): EmbeddedError =>
  new EmbeddedError(
    `The password kept in ${cluster.instance} is not the database's: restore the file \`password\` there from a backup, or move the folder away to begin with an empty database.`,
  )
