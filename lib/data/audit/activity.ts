// What the charts count, from the records of a batch: logins, sign-ups, refused logins and the people who signed in, by minute, hour and day (UTC).
// Applications and connections are counted apart, so there are as many rows as their sum, and not as their product.
import { sketchOf } from './sketch'

/** What a record counts for; most count for nothing. */
export type Counted = {
  kind: 'logins' | 'signups' | 'failures'
  clientId: string | null
  connection: string | null
}

export const DIMENSIONS = ['all', 'application', 'connection'] as const
export type Dimension = (typeof DIMENSIONS)[number]
export type Span = 'minute' | 'hour' | 'day'

export type ActivityRow = {
  dimension: Dimension
  span: Span
  at: Date
  key: string
  logins: number
  signups: number
  failures: number
  people: Uint8Array | null
}

/** Milliseconds. */
export const SPANS: Readonly<Record<Span, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

export const startOf = (span: Span, at: Date): Date => new Date(Math.floor(at.getTime() / SPANS[span]) * SPANS[span])

/** Of applications, and of connections, that one process counts apart in a day; further ones are counted together. */
const MAX_KEYS = 50
/** In place of the name of one that is not counted apart. */
export const OTHERS = ''

/** Which names a process counts apart for a tenant. */
export type KnownKeys = { day: number; names: Set<string> }

type Countable = { at: Date; userId: string | null; counted: Counted | null }

export function activityOf(records: readonly Countable[], known: KnownKeys): ActivityRow[] {
  const rows = new Map<string, ActivityRow & { ids: Set<string> }>()
  for (const { at, userId, counted } of records) {
    if (!counted) continue
    const { kind, clientId, connection } = counted
    const places: [Dimension, string, Span[]][] = [['all', '', ['minute', 'hour', 'day']]]
    if (clientId !== null) places.push(['application', keyOf('application', clientId, at, known), ['hour', 'day']])
    if (connection !== null) places.push(['connection', keyOf('connection', connection, at, known), ['hour', 'day']])
    for (const [dimension, key, spans] of places)
      for (const span of spans) {
        const start = startOf(span, at)
        const name = JSON.stringify([dimension, span, start, key])
        const row = rows.get(name) ?? emptyRow(dimension, span, start, key)
        rows.set(name, row)
        row[kind] += 1
        if (kind === 'logins' && userId !== null && span !== 'minute') row.ids.add(userId)
      }
  }
  // In one order, so that two batches never wait for each other.
  return [...rows.keys()].toSorted().flatMap((name) => {
    const { ids, ...row } = rows.get(name) ?? emptyRow('all', 'day', new Date(0), '')
    return [{ ...row, people: ids.size === 0 ? null : sketchOf(ids) }]
  })
}

function keyOf(dimension: Dimension, name: string, at: Date, known: KnownKeys): string {
  const day = startOf('day', at).getTime()
  if (day > known.day) {
    known.day = day
    known.names.clear()
  }
  const mark = `${dimension} ${name}`
  if (known.names.has(mark)) return name
  if ([...known.names].filter((each) => each.startsWith(dimension)).length >= MAX_KEYS) return OTHERS
  known.names.add(mark)
  return name
}

const emptyRow = (dimension: Dimension, span: Span, at: Date, key: string): ActivityRow & { ids: Set<string> } => ({
  ...{ dimension, span, at, key, logins: 0, signups: 0, failures: 0, people: null, ids: new Set() },
})
