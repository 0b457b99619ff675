// The one client of Redis or Valkey in a process; what is kept there and spread through it is others' business.
// - It is up or down. Down, everything fails at once with RedisDown; a probe that does what the failed call did (a
//   script that writes, on the same node of a cluster) finds out when it is up again. One warning per change.
// - At most MOST_UNDER_WAY calls are under way. Every call has its time (connection.ts), so nothing piles up.
// - Losing it is never an error of a request by itself: who uses it has another way (threat-model.md RE8).
import type { RedisAddress } from '../../settings/redis-address'
import { type Connection, connect } from './connection'
import { type RedisScript, redisScript } from './script'

export type RedisState = 'up' | 'down'

export type RedisClient = {
  state(): RedisState
  /** Called with every change of it. */
  onChange(listener: (state: RedisState) => void): void
  /** Runs a script on one key, atomically. Rejects with RedisDown. */
  run(script: RedisScript, key: string, args: readonly (string | number)[]): Promise<unknown>
  /** Rejects with RedisDown. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Hears a channel over a connection of its own, which comes back by itself; `onGap` is called when it has, for what
   * was said meanwhile was missed.
   */
  subscribe(channel: string, onMessage: (message: string) => void, onGap: () => void): void
  /** Resolves when it is up, or after the time given. */
  settled(ms: number): Promise<RedisState>
  close(): Promise<void>
}

type Deps = {
  log: Record<'info' | 'warn', (fields: Record<string, unknown>, sentence: string) => void>
  /** How long a call may take, if not as long as it should. */
  commandMs?: number
}

/** It is away, or too busy to be asked. */
export class RedisDown extends Error {
  override name = 'RedisDown'
}

const PROBE_MS = 500
const MAX_UNDER_WAY = 5_000

const PROBE = redisScript(`return redis.call('SET', KEYS[1], '1', 'PX', 1000)`)

export function openRedis(address: RedisAddress, { log, commandMs }: Deps): RedisClient {
  const commands = connect(address, 'impatient', commandMs)
  const hear = createSubscriber(address)
  const listeners: ((state: RedisState) => void)[] = []
  let state: RedisState = 'down'
  let suspect = 'latchkey'
  let logged = false
  let underWay = 0

  const change = (to: RedisState, error?: unknown): void => {
    if (to === state && (to === 'up' || logged)) return
    if (to === 'down') log.warn({ err: error }, 'Redis is away; until it is back, its work is done without it.')
    else if (logged) log.info({}, 'Redis is back.')
    logged = to === 'down'
    if (to === state) return
    state = to
    for (const listener of listeners) listener(to)
  }

  const probe = (): void => {
    if (state === 'up') return
    // The braces make a cluster keep it where the key itself is kept.
    evaluate(commands, PROBE, `latchkey:probe:{${suspect}}`, []).then(
      () => change('up'),
      (error: unknown) => change('down', error),
    )
  }
  commands.on('ready', probe)
  commands.on('close', () => state === 'up' && change('down', new RedisDown('the connection was closed')))
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
    run: (script, key, args) => attempt(key, () => evaluate(commands, script, key, args)),
    publish: (channel, message) => attempt(channel, async () => void (await commands.publish(channel, message))),
    subscribe: hear.subscribe,
    settled: (ms) => settled(() => state, listeners, ms),
    async close() {
      clearInterval(probing)
      commands.disconnect()
      hear.close()
    },
  }
}

/** By its digest; the text is sent once to each server that does not know it yet. */
async function evaluate(
  connection: Connection,
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

function createSubscriber(address: RedisAddress): Pick<RedisClient, 'subscribe'> & { close(): void } {
  let connection: Connection | undefined
  const open = (): Connection => {
    connection ??= connect(address, 'patient')
    connection.setMaxListeners(0)
    return connection
  }
  return {
    subscribe(channel, onMessage, onGap) {
      const heard = open()
      heard.on('message', (on: string, message: string) => on === channel && onMessage(message))
      let lost = false
      heard.on('close', () => {
        lost = true
      })
      heard.on('ready', () => lost && onGap())
      // Refused for good only when the client is closed; until then the connection asks again with every return.
      heard.subscribe(channel).catch(() => {})
    },
    close: () => connection?.disconnect(),
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
