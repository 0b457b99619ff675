// Change notifications for configuration: triggers NOTIFY every committed change, whether from this program in any version, a
// command or manual SQL. One dedicated connection of this process LISTENs (docs/adr/0017-change-notifications.md).
// - Liveness is verified with a heartbeat: every few seconds a notification is sent through the pool and must arrive on the
//   listening connection. PostgreSQL delivers in commit order, so every change committed before a received heartbeat is known.
// - Without heartbeats (connection lost, or a pooler in between) every cache reads each second again.
// - After a new connection every cached value counts as changed.
import { Client, type Notification, type Pool } from 'pg'
import { ageHere, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { News } from './cache'
import { IN_TIME } from './database'

/** The topics of the triggers. Keys belong to a tenant. */
export type Topic = 'tenant' | 'client' | 'api' | 'client_grant' | 'connection' | 'action' | 'document' | 'organization'

export type Announcements = { of(...topics: Topic[]): News }

export type Listener = Announcements & {
  start(): void
  close(): Promise<void>
}

export const UNANNOUNCED: Announcements = { of: () => ({ version: () => 0, live: () => false }) }

type Deps = {
  clock: Clock
  random: Random
  log: Record<'info' | 'warn', (fields: Record<string, unknown>, sentence: string) => void>
}

const CHANNEL = 'latchkey_changed'
const BEAT_SECONDS = 5
/** Without a heartbeat for this long the connection counts as dead. */
const DEAF_SECONDS = 9
const FIRST_WAIT_SECONDS = 1
const MAX_WAIT_SECONDS = 60

export function createListener(pool: Pool, { clock, random, log }: Deps): Listener {
  const beatChannel = `latchkey_beat_${random.hex(16)}`
  const versions = new Map<string, number>()
  /** The send time of the last heartbeat that arrived. */
  let heardAt: Date | undefined
  let generation = 0
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let wait = FIRST_WAIT_SECONDS
  let lamented = false
  let closed = false

  const live = (now: Date): boolean => heardAt !== undefined && ageHere(heardAt, now) < DEAF_SECONDS

  const hear = ({ channel, payload = '' }: Notification): void => {
    if (channel === CHANNEL) versions.set(payload, (versions.get(payload) ?? 0) + 1)
    if (channel !== beatChannel) return
    if (heardAt === undefined) {
      // Covers the changes made while no connection listened.
      generation += 1
      wait = FIRST_WAIT_SECONDS
      if (lamented) log.info({}, 'Changes of configuration are announced to this process again.')
      lamented = false
    }
    heardAt = new Date(payload)
  }

  const connect = async (): Promise<Client> => {
    const { max: _max, ...options } = pool.options
    const opened = new Client({ ...options, application_name: 'latchkey-listener' })
    opened.on('error', () => lose(opened))
    opened.on('end', () => lose(opened))
    opened.on('notification', hear)
    client = opened
    await opened.connect()
    await opened.query({ text: `LISTEN ${CHANNEL}; LISTEN ${beatChannel}`, ...IN_TIME })
    return opened
  }

  const beat = async (on: Client, since: Date): Promise<void> => {
    if (closed || client !== on) return
    const deaf = ageHere(heardAt ?? since, clock.now()) >= DEAF_SECONDS
    if (deaf) return lose(on)
    const sentAt = clock.now().toISOString()
    await pool.query({ text: 'SELECT pg_notify($1, $2)', values: [beatChannel, sentAt], ...IN_TIME }).catch(() => {})
    if (client === on) later(() => beat(on, since), BEAT_SECONDS)
  }

  const begin = (): Promise<void> => {
    const since = clock.now()
    return connect().then(
      (on) => beat(on, since),
      () => lose(client),
    )
  }

  /** Reconnects with backoff; behind a pooler that never delivers notifications, once a minute. */
  const lose = (lost: Client | undefined): void => {
    if (closed || lost === undefined || client !== lost) return
    client = undefined
    if (heardAt !== undefined || wait === FIRST_WAIT_SECONDS) {
      log.warn({}, 'Changes of configuration are not announced to this process: it reads every second.')
      lamented = true
    }
    heardAt = undefined
    lost.end().catch(() => {})
    const share = random.bytes(4).readUInt32BE() / 2 ** 32
    later(begin, wait * (1 - share / 2))
    wait = Math.min(wait * 2, MAX_WAIT_SECONDS)
  }

  const later = (work: () => Promise<void>, seconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void work(), seconds * 1000)
    timer.unref()
  }

  return {
    of: (...topics) => ({
      version: () => topics.reduce((sum, topic) => sum + (versions.get(topic) ?? 0), generation * 1e9),
      live,
    }),
    start: () => void begin(),
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
