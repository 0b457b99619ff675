import Link from 'next/link'
import { Suspense } from 'react'
import { logs } from '../../lib/management/resources/logs'
import { stats } from '../../lib/management/resources/stats'
import { readNow, readWeek } from '../../lib/server/next/console/activity'
import { type Attention, readAttention, readFirstSteps, readUpcoming } from '../../lib/server/next/console/home'
import { namesIn } from '../../lib/server/next/console/log-names'
import type { Console } from '../../lib/server/next/console/page'
import { readPlace } from '../../lib/server/next/console/place'
import { say } from '../../lib/text/console'
import { Charts } from './_parts/charts'
import { Findings } from './_parts/findings'
import { FirstSteps } from './_parts/first-steps'
import { Head } from './_parts/head'
import { LiveNumbers } from './_parts/live-numbers'
import { Count, Moment } from './_parts/moment'
import { consolePage } from './_parts/page'
import { Panel } from './_parts/panel'
import { Rows } from './_parts/rows'
import './logs/logs.css'
import { Sentence } from './logs/sentence'

const LATEST = '6'

export default consolePage(async ({ console, query }) => {
  const [numbers, charts, latest, attention, steps] = await Promise.all([
    readNumbers(console),
    // What comes later is not seen without scripts.
    Charts({ console, query }),
    readLatest(console),
    readAttention(console),
    readFirstSteps(console),
  ])
  return (
    <>
      <Head title={console.tenantName} lead={say('home.lead')} />
      <Noticed title={say('home.now')} lead={say('home.now.lead')} rows={attention} />
      <Suspense fallback={<p className="co-hint">{say('home.attention.looking')}</p>}>
        <Upcoming console={console} />
        <Findings />
      </Suspense>
      <FirstSteps steps={steps} />
      {numbers && (
        <>
          <LiveNumbers first={numbers.now} language={numbers.language}>
            {numbers.totals.map(([name, value]) => (
              <div key={name} className="co-number">
                <dt>{name}</dt>
                <dd>
                  <Count of={value} />
                </dd>
              </div>
            ))}
          </LiveNumbers>
          {charts}
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
  if (!console.may(stats.activity)) return null
  const reading = readWeek(console)
  const [{ series }, active, now, { language }] = await Promise.all([
    reading,
    console.read(stats.activeUsers),
    readNow(console, reading),
    readPlace(),
  ])
  if (now === null) return null
  const [week] = series
  const totals: [string, number][] = [
    [say('home.active'), active],
    [say('home.logins'), week?.total.logins ?? 0],
    [say('home.signups'), week?.total.signups ?? 0],
  ]
  return { totals, now, language }
}

async function readLatest(console: Console) {
  if (!console.may(logs.list)) return null
  const entries = await console.read(logs.list, { query: { per_page: LATEST } })
  return { entries, names: await namesIn(entries, console) }
}

type NoticedProps = { title: string; lead: string; rows: readonly Attention[] }

function Noticed({ title, lead, rows }: NoticedProps) {
  if (rows.length === 0) return null
  return (
    <Panel title={title} lead={lead}>
      <Rows
        rows={rows}
        id={({ text }) => text}
        cell={({ text, href }) => (
          <Link className="co-row-link" href={href} prefetch={false}>
            {text}
          </Link>
        )}
      />
    </Panel>
  )
}

/** Reads more than the page waits for. */
async function Upcoming({ console }: { console: Console }) {
  return <Noticed title={say('home.soon')} lead={say('home.soon.lead')} rows={await readUpcoming(console)} />
}
