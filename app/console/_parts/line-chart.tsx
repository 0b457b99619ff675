import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { readPlace } from '../../../lib/server/next/console/place'
import { say } from '../../../lib/text/console'
import { Moment } from './moment'
import './line-chart.css'

const [WIDTH, HEIGHT] = [640, 180]
const EDGE = { top: 8, right: 8, bottom: 4, left: 48 }
const TICKS = 4

export type Series = { key: string; name: string; values: readonly number[] }

type Props = {
  title: string
  times: readonly string[]
  span: 'minute' | 'hour' | 'day'
  series: readonly Series[]
  /** Whether a line needs its name where it is the only one. */
  named: boolean
}

/**
 * Lines over time, drawn by the server: no script is needed to see them. Each line differs by colour and by its dashes, and a table has the same
 * numbers. Time runs from left to right in every language.
 */
export async function LineChart({ title, times, span, series, named }: Props) {
  const { language } = await readPlace()
  const most = Math.max(1, ...series.flatMap(({ values }) => values))
  const x = scalePoint(times, [EDGE.left, WIDTH - EDGE.right])
  const y = scaleLinear([0, most], [HEIGHT - EDGE.bottom, EDGE.top]).nice(TICKS)
  const draw = line<number>(
    (_, place) => x(times[place] ?? '') ?? 0,
    (value) => y(value),
  )
  const ticks = y.ticks(TICKS).filter((tick) => Number.isInteger(tick))
  const count = new Intl.NumberFormat(language, { notation: 'compact' })
  return (
    <figure className="co-lines">
      <figcaption className="co-lines-title">{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="co-lines-grid" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text className="co-lines-tick" x={EDGE.left - 8} y={y(tick)} dy="0.32em">
              {count.format(tick)}
            </text>
          </g>
        ))}
        {series.map(({ key, values }, place) => (
          <path key={key} className={`co-line co-line-${place}`} d={draw(values) ?? ''} />
        ))}
      </svg>
      <p className="co-lines-ends" dir="ltr">
        <At time={times[0]} span={span} />
        <At time={times.at(-1)} span={span} />
      </p>
      {(named || series.length > 1) && (
        <ul className="co-lines-names" aria-label={say('home.chart.names')}>
          {series.map(({ key, name }, place) => (
            <li key={key}>
              <svg className="co-lines-sample" viewBox="0 0 28 8" aria-hidden="true" focusable="false">
                <path className={`co-line co-line-${place}`} d="M0,4L28,4" />
              </svg>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <details className="co-lines-numbers">
        <summary>{say('home.chart.table')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys. */}
        <section className="co-lines-table" tabIndex={0} aria-label={title}>
          <table>
            <caption className="co-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{say('home.chart.time')}</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    <bdi>{name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, place) => (
                <tr key={time}>
                  <th scope="row">
                    <At time={time} span={span} />
                  </th>
                  {series.map(({ key, values }) => (
                    <td key={key}>{(values[place] ?? 0).toLocaleString(language)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

/** Days are those of UTC, as they are counted. */
async function At({ time, span }: { time: string | undefined; span: Props['span'] }) {
  const { language } = await readPlace()
  if (time === undefined) return null
  if (span !== 'day') return <Moment at={time} listed />
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return <time dateTime={time.slice(0, 10)}>{day.format(new Date(time))}</time>
}
