import Link from 'next/link'
import { Suspense } from 'react'
import type { AnswerOf } from '../../lib/management/console-call'
import { logs } from '../../lib/management/resources/logs'
import { stats } from '../../lib/management/resources/stats'
import { failuresToday, readAttention, readFirstSteps } from '../../lib/server/next/console/home'
import { namesIn } from '../../lib/server/next/console/log-names'
import type { Console } from '../../lib/server/next/console/page'
import { say } from '../../lib/text/console'
import { DayChart } from './_parts/day-chart'
import { Findings } from './_parts/findings'
import { FirstSteps } from './_parts/first-steps'
import { Head } from './_parts/head'
import { Moment } from './_parts/moment'
import { consolePage } from './_parts/page'
import { Panel } from './_parts/panel'
import { Rows } from './_parts/rows'
import './logs/logs.css'
import { Sentence } from './logs/sentence'

type Day = AnswerOf<typeof stats.daily>[number]

const LATEST = '6'

export default consolePage(async ({ console }) => {
  const [numbers, latest, attention, steps] = await Promise.all([
    readNumbers(console),
    readLatest(console),
    readAttention(console),
    readFirstSteps(console),
  ])
  return (
    <>
      <Head title={console.tenantName} lead={say('home.lead')} />
      {attention.length > 0 && (
        <Panel title={say('home.now')} lead={say('home.now.lead')}>
          <Rows
            rows={attention}
            id={({ text }) => text}
            cell={({ text, href }) => (
              <Link className="co-row-link" href={href} prefetch={false}>
                {text}
              </Link>
            )}
          />
        </Panel>
      )}
      <Suspense fallback={<p className="co-hint">{say('home.attention.looking')}</p>}>
        <Findings />
      </Suspense>
      <FirstSteps steps={steps} />
      {numbers && (
        <>
          <dl className="co-numbers">
            {numbers.totals.map(({ name, value }) => (
              <div key={name} className="co-number">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Panel title={say('home.chart')} lead={say('home.chart.lead')}>
            <DayChart
              title={say('home.chart')}
              unit={say('users.logins')}
              days={numbers.days.map(({ date, logins }) => ({ date, count: logins }))}
            />
          </Panel>
          <Panel title={say('home.chart.signups')} lead={say('home.chart.lead')}>
            <DayChart
              title={say('home.chart.signups')}
              unit={say('home.signups.unit')}
              days={numbers.days.map(({ date, signups }) => ({ date, count: signups }))}
            />
          </Panel>
        </>
      )}
      {latest && (
        <Panel title={say('home.latest')} lead={say('home.latest.lead')}>
          <Rows
            rows={latest.entries}
            id={({ log_id }) => log_id}
            cell={(entry) => <Sentence entry={entry} names={latest.names} console={console} />}
            action={({ date, ...entry }) => (
              <Link className="co-hint" href={`/console/logs/${entry.log_id}`} prefetch={false}>
                <Moment at={date} listed />
              </Link>
            )}
          />
          <p>
            <Link className="link" href="/console/logs" prefetch={false}>
              {say('home.latest.all')}
            </Link>
          </p>
        </Panel>
      )}
    </>
  )
})

async function readNumbers(console: Console) {
  if (!console.may(stats.daily)) return null
  const [days, active, failed] = await Promise.all([
    console.read(stats.daily),
    console.read(stats.activeUsers),
    failuresToday(console),
  ])
  const today = days.find(({ date }) => date.slice(0, 10) === console.now.toISOString().slice(0, 10))
  const since = console.now.getTime() - 7 * DAY_MS
  const week = days.filter(({ date }) => new Date(date).getTime() > since)
  const sum = (of: 'logins' | 'signups'): string => String(week.reduce((total, day) => total + day[of], 0))
  const totals = [
    { name: say('home.today.logins'), value: String(today?.logins ?? 0) },
    { name: say('home.today.signups'), value: String(today?.signups ?? 0) },
    ...(failed === null ? [] : [{ name: say('home.today.failures'), value: failed }]),
    { name: say('home.active'), value: String(active) },
    { name: say('home.logins'), value: sum('logins') },
    { name: say('home.signups'), value: sum('signups') },
  ]
  return { days: everyDay(days, console.now), totals }
}

const DAYS = 31
const DAY_MS = 86_400_000

/** The last month, with the days on which nothing happened. */
function everyDay(days: readonly Day[], now: Date): Pick<Day, 'date' | 'logins' | 'signups'>[] {
  const known = new Map(days.map((day) => [day.date.slice(0, 10), day]))
  return Array.from({ length: DAYS }, (_, place) => {
    const date = new Date(now.getTime() - (DAYS - 1 - place) * DAY_MS).toISOString().slice(0, 10)
    return { date, logins: known.get(date)?.logins ?? 0, signups: known.get(date)?.signups ?? 0 }
  })
}

async function readLatest(console: Console) {
  if (!console.may(logs.list)) return null
  const entries = await console.read(logs.list, { query: { per_page: LATEST } })
  return { entries, names: await namesIn(entries, console) }
}
