// Numbers of logins and sign-ups by day, by application and connection, and of active users.
import * as z from 'zod'
import { type Dimension, OTHERS, SPANS, type Span, startOf } from '../../data/audit/activity'
import { mergedSketch, peopleIn, SKETCH_BYTES } from '../../data/audit/sketch'
import { invalidQuery } from '../operations/errors'
import { operationsWith } from '../operations/operation'

export type DayCount = { date: string; logins: number; signups: number; leakedPasswords: number }

/** Of an hour, a day or a minute; `people` is a sketch. */
export type ActivityCount = {
  at: Date
  key: string
  logins: number
  signups: number
  failures: number
  people: Uint8Array | null
}

export type StatsDeps = {
  clock: { now(): Date }
  stats: {
    /** Days (UTC) in order; a day without events is absent. */
    daily(from: Date, until: Date): Promise<DayCount[]>
    activity(dimension: Dimension, span: Span, since: Date): Promise<ActivityCount[]>
    /** Users who signed in since then. */
    activeSince(since: Date): Promise<number>
  }
}

const operation = operationsWith<StatsDeps>()

const DAY_MS = 86_400_000
const MAX_DAYS = 366
const SHOWN_DAYS = 31
const ACTIVE_DAYS = 30

const day = z
  .string()
  .regex(/^\d{8}$/, 'must be YYYYMMDD')
  .optional()

const shownDay = z.object({
  date: z.iso.datetime(),
  logins: z.number(),
  signups: z.number(),
  leaked_passwords: z.number(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const RANGES = {
  '1h': { span: 'minute', count: 60 },
  '24h': { span: 'hour', count: 24 },
  '7d': { span: 'day', count: 7 },
  '30d': { span: 'day', count: 30 },
  '90d': { span: 'day', count: 90 },
} as const satisfies Record<string, { span: Span; count: number }>

const counts = z.array(z.number())
const activitySeries = z.object({
  key: z
    .string()
    .nullable()
    .meta({ description: 'A client id or the name of a connection; null for all, or for all others' }),
  logins: counts,
  signups: counts,
  failures: counts,
  people: counts.meta({ description: 'About how many different people signed in; 0 in minutes' }),
  total: z.object({ logins: z.number(), signups: z.number(), failures: z.number(), people: z.number() }),
})

export const stats = {
  daily: operation({
    name: 'stats.daily',
    method: 'GET',
    path: '/stats/daily',
    summary: 'Count logins and sign-ups by day',
    scopes: ['read:stats'],
    query: z.object({ from: day, to: day }),
    status: 200,
    answer: z.array(shownDay),
    async handle({ query, deps }) {
      const last = query.to === undefined ? startOfDay(deps.clock.now()) : dayOf(query.to)
      const first = query.from === undefined ? new Date(last.getTime() - (SHOWN_DAYS - 1) * DAY_MS) : dayOf(query.from)
      if (first > last) throw invalidQuery('from is after to')
      if ((last.getTime() - first.getTime()) / DAY_MS >= MAX_DAYS) throw invalidQuery('a year at most')
      const days = await deps.stats.daily(first, new Date(last.getTime() + DAY_MS))
      return { body: days.map(present) }
    },
  }),
  activity: operation({
    name: 'stats.activity',
    method: 'GET',
    path: '/stats/activity',
    summary: 'Count logins, sign-ups, refused logins and people over time, also by application or connection',
    scopes: ['read:stats'],
    query: z.object({
      range: z.enum(['1h', '24h', '7d', '30d', '90d']).optional(),
      by: z.enum(['application', 'connection']).optional(),
    }),
    status: 200,
    answer: z.object({
      span: z.enum(['minute', 'hour', 'day']),
      times: z.array(z.iso.datetime()).meta({ description: 'Beginnings of the spans, the present one included' }),
      series: z.array(activitySeries),
    }),
    async handle({ query: { range = '30d', by }, deps }) {
      const { span, count } = RANGES[range]
      // Minutes are counted for the tenant alone.
      if (span === 'minute' && by !== undefined) throw invalidQuery('an hour is counted for the tenant alone')
      const last = startOf(span, deps.clock.now()).getTime()
      const times = Array.from({ length: count }, (_, place) => last - (count - 1 - place) * SPANS[span])
      const rows = await deps.stats.activity(by ?? 'all', span, new Date(times[0] ?? last))
      return {
        body: {
          span,
          times: times.map((time) => new Date(time).toISOString()),
          series: seriesOf(rows, times, by === undefined),
        },
      }
    },
  }),
  activeUsers: operation({
    name: 'stats.active_users',
    method: 'GET',
    path: '/stats/active-users',
    summary: 'Count the users who signed in within 30 days',
    scopes: ['read:stats'],
    status: 200,
    answer: z.number(),
    async handle({ deps }) {
      return { body: await deps.stats.activeSince(new Date(deps.clock.now().getTime() - ACTIVE_DAYS * DAY_MS)) }
    },
  }),
}

/** The most active first; those that are not counted apart are last. */
function seriesOf(rows: readonly ActivityCount[], times: readonly number[], isOfAll: boolean) {
  const keys = [...new Set([...(isOfAll ? [OTHERS] : []), ...rows.map(({ key }) => key)])]
  const series = keys.map((key) => {
    const own = rows.filter((row) => row.key === key)
    const at = new Map(own.map((row) => [row.at.getTime(), row]))
    const valuesOf = (name: 'logins' | 'signups' | 'failures'): number[] =>
      times.map((time) => at.get(time)?.[name] ?? 0)
    const [logins, signups, failures] = [valuesOf('logins'), valuesOf('signups'), valuesOf('failures')]
    const sketches = own.flatMap(({ people }) => people ?? [])
    return {
      key: key === OTHERS ? null : key,
      ...{ logins, signups, failures },
      people: times.map((time) => peopleIn(at.get(time)?.people ?? NO_ONE)),
      total: {
        logins: sum(logins),
        signups: sum(signups),
        failures: sum(failures),
        people: peopleIn(mergedSketch(sketches)),
      },
    }
  })
  const weight = ({ key, total }: (typeof series)[number]): number =>
    key === null ? -1 : total.logins + total.signups + total.failures
  return series.toSorted((one, other) => weight(other) - weight(one))
}

const NO_ONE = new Uint8Array(SKETCH_BYTES)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

function dayOf(text: string): Date {
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const at = new Date(`${iso}T00:00:00.000Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso) throw invalidQuery(`${text} is no day`)
  return at
}

const present = ({ date, logins, signups, leakedPasswords }: DayCount) => ({
  date: `${date}T00:00:00.000Z`,
  logins,
  signups,
  leaked_passwords: leakedPasswords,
  created_at: `${date}T00:00:00.000Z`,
  updated_at: `${date}T00:00:00.000Z`,
})
