import Link from 'next/link'
import {
  type Charts as Activity,
  DIVISIONS,
  type Division,
  MEASURES,
  RANGES,
  type Range,
  readCharts,
} from '../../../lib/server/next/console/activity'
import { readFormats } from '../../../lib/server/next/console/formats'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { type ChartTime, LineChart } from './line-chart'
import { Panel } from './panel'
import { Empty } from './states'

type Props = { console: Console; query: Readonly<Record<string, string>> }

/** Logins, sign-ups, refused logins and people over the time, and by what, the address names. */
export async function Charts({ console, query }: Props) {
  const range = RANGES.find((each) => each === query.range) ?? '30d'
  const by = DIVISIONS.find((each) => each === query.by) ?? 'all'
  const charts = await readCharts(console, range, by)
  if (!charts) return null
  const { lines } = charts
  const times = await readTimes(charts)
  return (
    <Panel title={say('home.charts')} lead={say('home.charts.lead')}>
      <div className="co-ranges">
        <nav aria-label={say('home.chart.range')}>
          {RANGES.map((each) => (
            <Choice
              key={each}
              href={addressOf(each, by)}
              isChosen={each === range}
              title={say(`home.chart.range.${each}`)}
            />
          ))}
        </nav>
        <nav aria-label={say('home.chart.by')}>
          {DIVISIONS.map((each) => (
            <Choice
              key={each}
              href={addressOf(range, each)}
              isChosen={each === by}
              title={say(`home.chart.by.${each}`)}
            />
          ))}
        </nav>
      </div>
      {lines.length === 0 ? (
        <Empty title={say('home.chart.none')} />
      ) : (
        <div className="co-lines-pair">
          {MEASURES.map((measure) => (
            <LineChart
              key={measure}
              title={say(`home.chart.${measure}`)}
              times={times}
              named={by !== 'all'}
              series={lines.map((each) => ({ key: each.key, name: each.name, values: each[measure] }))}
            />
          ))}
        </div>
      )}
    </Panel>
  )
}

async function readTimes({ span, times }: Pick<Activity, 'span' | 'times'>): Promise<ChartTime[]> {
  const { day, moment } = await readFormats()
  return times.map((time) =>
    span === 'day' ? { at: time.slice(0, 10), text: day(new Date(time)) } : { at: time, text: moment(new Date(time)) },
  )
}

const addressOf = (range: Range, by: Division): string => `/console?range=${range}&by=${by}`

const Choice = ({ href, title, isChosen }: { href: string; title: string; isChosen: boolean }) => (
  <Link
    className="co-button co-button-small"
    href={href}
    prefetch={false}
    scroll={false}
    aria-current={isChosen ? 'true' : undefined}
  >
    {title}
  </Link>
)
