// Whether this process serves by itself or is the parent of several that do (LATCHKEY_WORKERS).
import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { systemClock } from '../../kernel/clock'
import { type Env, EnvError, parseEnv } from '../../settings/env'
import { writeAsLines } from '../maintenance/lines'
import { createLogger } from '../maintenance/log'

type Variables = Readonly<Record<string, string | undefined>>

/** Database connections of all workers together, unless LATCHKEY_DATABASE_POOL states those of each. */
const CONNECTIONS = 40
const MIN_CONNECTIONS = 2
/** What a busy worker needs. */
const BYTES_PER_WORKER = 256 * 1024 * 1024

/** False where this process has to serve: it is a worker, the only one, or its settings are invalid, which its start reports. */
export async function startWorkers(source: Variables): Promise<boolean> {
  if (cluster.isWorker) return false
  const env = readEnv(source)
  const count = env && workersOf(env, machine())
  if (!env || !count || count === 1) return false
  const { supervise } = await import('./supervisor')
  const log = createLogger(env.logLevel)
  if (!process.stdout.isTTY) writeAsLines(log)
  await supervise({
    count,
    variables: variablesOf(source, env, count),
    log,
    clock: systemClock,
    exit: (code) => process.exit(code),
    stopDelay: env.stopDelay,
    hasTerminal: process.stdin.isTTY === true,
  })
  return true
}

function readEnv(source: Variables): Env | null {
  try {
    return parseEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return null
    throw error
  }
}

type Machine = {
  cores: number
  /** The content of cgroup v2's `cpu.max`: quota and period in microseconds, or `max` for no quota. */
  cpuMax: string
  /** In bytes. */
  memory: number
}

/** A container may have less than its machine; the cores that Node 20 counts ignore a quota. */
const machine = (): Machine => ({
  cores: availableParallelism(),
  cpuMax: readIfThere('/sys/fs/cgroup/cpu.max'),
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
})

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'max'
  }
}

/**
 * One, unless the setting says otherwise: several cost more CPU and memory for the same work (docs/scaling.md). `auto`: one for each
 * core that the machine or container grants, if its memory suffices.
 */
export function workersOf({ workers = 1 }: Pick<Env, 'workers'>, { cores, cpuMax, memory }: Machine): number {
  if (workers !== 'auto') return workers
  const [quota, period] = cpuMax.split(' ').map(Number)
  const granted = quota && period ? Math.ceil(quota / period) : cores
  return Math.max(1, Math.min(cores, granted, Math.floor(memory / BYTES_PER_WORKER)))
}

/** What a worker's environment has beside its parent's. */
export function variablesOf(
  source: Variables,
  { databasePoolSize }: Pick<Env, 'databasePoolSize'>,
  count: number,
): Variables {
  const share = Math.max(MIN_CONNECTIONS, Math.min(databasePoolSize, Math.floor(CONNECTIONS / count)))
  return { LATCHKEY_WORKERS: String(count), LATCHKEY_DATABASE_POOL: source.LATCHKEY_DATABASE_POOL || String(share) }
}
