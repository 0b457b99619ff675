// The process's single client of Redis or Valkey. Its users decide what they store.
// - The state is up or down (a circuit breaker). While it is down, every call fails at once with RedisDown. A probe of the same
//   kind as the failed call (a writing script, on the same cluster node) detects the recovery. Every change logs one warning.
// - At most MAX_UNDER_WAY calls are pending. Every call has a timeout (connection.ts), so calls do not pile up.
// - The loss of Redis alone never fails a request: every user has a fallback (threat-model.md RE8).
import type { RedisAddress } from '../../../settings/redis-address'
import { connect, type RedisConnection } from './connection'
import { type RedisScript, redisScript } from './script'

export type RedisState = 'up' | 'down'

export type RedisClient = {
  state(): RedisState
  /** Calls the listener with every change of the state. */
  onChange(listener: (state: RedisState) => void): void
  /** Runs a script on one key, atomically. Rejects with RedisDown. */
  run(script: RedisScript, key: string, args: readonly (string | number)[]): Promise<unknown>
  /** Resolves when the state is up, or after the given time. */
  settled(ms: number): Promise<RedisState>
  close(): Promise<void>
}

type Deps = {
  log: Record<'info' | 'warn', (fields: Record<string, unknown>, sentence: string) => void>
  /** Overrides the timeout of a call. */
  commandMs?: number
}

/** Redis is unavailable or overloaded. */
export class RedisDown extends Error {
  override name = 'RedisDown'
}

const PROBE_MS = 500
const MAX_UNDER_WAY = 5_000

const PROBE = redisScript(`return redis.call('SET', KEYS[1], '1', 'PX', 1000)`)

export function openRedis(address: RedisAddress, { log, commandMs }: Deps): RedisClient {
  const connection = connect(address, commandMs)
  const listeners: ((state: RedisState) => void)[] = []
  let state: RedisState = 'down'
  let suspect = 'latchkey'
  let logged = false
  let underWay = 0

  const change = (to: RedisState, error?: unknown): void => {
    if (to === state && (to === 'up' || logged)) return
    if (to === 'down') log.warn({ err: error }, 'Redis is unavailable; the server works without it until it returns.')
    else if (logged) log.info({}, 'Redis is available again.')
    logged = to === 'down'
    if (to === state) return
    state = to
    for (const listener of listeners) listener(to)
  }

  const probe = (): void => {
    if (state === 'up') return
    // The braces are a hash tag: a cluster stores the probe's key on the node of the suspect key.
    evaluate(connection, PROBE, `latchkey:probe:{${suspect}}`, []).then(
      () => change('up'),
      (error: unknown) => change('down', error),
    )
  }
  connection.on('ready', probe)
  connection.on('close', () => state === 'up' && change('down', new RedisDown('the connection was closed')))
  const probing = setInterval(probe, PROBE_MS).unref()

  const attempt = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (state === 'down') throw new RedisDown('Redis is away')
    if (underWay >= MAX_UNDER_WAY) throw new RedisDown('too many calls are under way')
    underWay++
    try {
      return await work()
    } catch (cause) {
      suspect = key
      change('down', cause)
      throw new RedisDown('Redis is away', { cause })
    } finally {
      underWay--
    }
  }

  return {
    state: () => state,
    onChange: (listener) => void listeners.push(listener),
    run: (script, key, args) => attempt(key, () => evaluate(connection, script, key, args)),
    settled: (ms) => settled(() => state, listeners, ms),
    async close() {
      clearInterval(probing)
      connection.disconnect()
    },
  }
}

/** Runs the script by its digest. The text is sent once to each server that does not know it yet. */
async function evaluate(
  connection: RedisConnection,
  { text, digest }: RedisScript,
  key: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await connection.evalsha(digest, 1, key, ...args)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return connection.eval(text, 1, key, ...args)
  }
}

const settled = (
  state: () => RedisState,
  listeners: ((state: RedisState) => void)[],
  ms: number,
): Promise<RedisState> =>
  new Promise((resolve) => {
    if (state() === 'up') return resolve('up')
    const patience = setTimeout(() => resolve(state()), ms)
    listeners.push((now) => {
      clearTimeout(patience)
      resolve(now)
    })
  })
