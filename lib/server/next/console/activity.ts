// The numbers of the first page: how many signed in, signed up and were refused, over time and in the last minutes.

import type { AnswerOf } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { stats } from '../../../management/resources/stats'
import { say } from '../../../text/console'
import { type Console, consoleOf, troubleOf } from './page'
import { findSession } from './session'
import { UNCACHED } from './uncached'

type Activity = AnswerOf<typeof stats.activity>

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]
export const DIVISIONS = ['all', 'application', 'connection'] as const
export type Division = (typeof DIVISIONS)[number]
export const MEASURES = ['logins', 'signups', 'failures', 'people'] as const
export type Measure = (typeof MEASURES)[number]

export type Line = { key: string; name: string } & Record<Measure, readonly number[]>
export type Charts = Pick<Activity, 'span' | 'times'> & { lines: Line[] }

/** Lines of their own; what is beyond them is one line more. */
const MOST = 5

/** Null for a role that reads no numbers. */
export async function readCharts(console: Console, range: Range, by: Division): Promise<Charts | null> {
  if (!console.may(stats.activity)) return null
  const [{ span, times, series }, names] = await Promise.all([
    console.read(stats.activity, { query: { range, ...(by !== 'all' && { by }) } }),
    by === 'application' ? clientNames(console) : new Map<string, string>(),
  ])
  const own = series.filter(({ key }) => by === 'all' || key !== null)
  const first = own.slice(0, MOST)
  const others = [...own.slice(MOST), ...series.filter(({ key }) => by !== 'all' && key === null)]
  const lines = first.map(({ key, total: _, ...values }) => ({
    key: key ?? '',
    name: key === null ? say('home.chart.all') : (names.get(key) ?? key),
    ...values,
  }))
  return { span, times, lines: others.length === 0 ? lines : [...lines, together(others, times.length)] }
}

/** People who signed in to several are counted for each. */
function together(series: Activity['series'], length: number): Line {
  const added = (measure: Measure): number[] =>
    Array.from({ length }, (_, place) => series.reduce((total, each) => total + (each[measure][place] ?? 0), 0))
  return {
    ...{ key: 'others', name: say('home.chart.others') },
    ...{ logins: added('logins'), signups: added('signups'), failures: added('failures'), people: added('people') },
  }
}

async function clientNames(console: Console): Promise<ReadonlyMap<string, string>> {
  if (!console.may(clients.list)) return new Map()
  const rows = await console.read(clients.list, { query: { per_page: '100', fields: 'client_id,name' } })
  return new Map(rows.map(({ client_id, name }) => [client_id ?? '', name ?? '']))
}

type Counted = 'logins' | 'signups' | 'failures'

/** `minutes`: of the last hour, the present one last. `today`: of the day in UTC, the present minute included. */
export type Now = { minutes: Record<Counted, number[]>; today: Record<Counted, number> }

export const readWeek = (console: Console): Promise<Activity> =>
  console.read(stats.activity, { query: { range: '7d' } })

/** The minutes and the day are read together, so that neither falls behind the other. */
export async function readNow(console: Console, week?: Promise<Activity>): Promise<Now | null> {
  if (!console.may(stats.activity)) return null
  const [hour, days] = await Promise.all([
    console.read(stats.activity, { query: { range: '1h' } }),
    week ?? readWeek(console),
  ])
  const each = <Value>(read: (name: Counted) => Value): Record<Counted, Value> => ({
    logins: read('logins'),
    signups: read('signups'),
    failures: read('failures'),
  })
  return {
    minutes: each((name) => hour.series[0]?.[name] ?? []),
    today: each((name) => days.series[0]?.[name].at(-1) ?? 0),
  }
}

/** For the first page, which asks again while it is looked at: two statements beside those of the session. */
export async function serveNow(): Promise<Response> {
  const session = await findSession()
  if ('elsewhere' in session) return answer({}, 401)
  try {
    const now = await readNow(await consoleOf(session))
    return now === null ? answer({}, 403) : answer(now, 200)
  } catch (error) {
    troubleOf(error)
    return answer({}, 503)
  }
}

const answer = (value: object, status: number): Response =>
  Response.json(value, {
    status,
    headers: UNCACHED,
  })
