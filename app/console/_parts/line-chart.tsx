import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { readFormats } from '../../../lib/server/next/console/formats'
import { say } from '../../../lib/text/console'
import { LineNumbers } from './line-numbers'
import './line-chart.css'

const [WIDTH, HEIGHT] = [640, 180]
const EDGE = { top: 8, right: 8, bottom: 4, left: 48 }
const TICKS = 4

export type Series = { key: string; name: string; values: readonly number[] }

/** `at`: the instant, or the day, as HTML has it. `text`: for the reader. */
export type ChartTime = { at: string; text: string }

type Props = {
  title: string
  times: readonly ChartTime[]
  series: readonly Series[]
  /** Whether a line needs its name where it is the only one. */
  named: boolean
}

/**
 * Lines over time, drawn by the server: no script is needed to see them. Each line differs by colour and by its dashes, and a table has the same
 * numbers. Time runs from left to right in every language.
 */
export async function LineChart({ title, times, series, named }: Props) {
  const { language, number, shortNumber } = await readFormats()
  const most = Math.max(1, ...series.flatMap(({ values }) => values))
  const x = scalePoint(
    times.map(({ at }) => at),
    [EDGE.left, WIDTH - EDGE.right],
  )
  const y = scaleLinear([0, most], [HEIGHT - EDGE.bottom, EDGE.top]).nice(TICKS)
  const draw = line<number>(
    (_, place) => x(times[place]?.at ?? '') ?? 0,
    (value) => y(value),
  )
  const ticks = y.ticks(TICKS).filter((tick) => Number.isInteger(tick))
  return (
    <figure className="co-lines">
      <figcaption className="co-lines-title">{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="co-lines-grid" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} />
            <text className="co-lines-tick" x={EDGE.left - 8} y={y(tick)} dy="0.32em">
              {shortNumber(tick)}
            </text>
          </g>
        ))}
        {series.map(({ key, values }, place) => (
          <path key={key} className={`co-line co-line-${place}`} d={draw(values) ?? ''} />
        ))}
      </svg>
      <p className="co-lines-ends" dir="ltr" lang={language}>
        <End time={times[0]} />
        <End time={times.at(-1)} />
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
      <LineNumbers
        title={title}
        language={language}
        times={times}
        series={series.map(({ values, ...each }) => ({
          ...each,
          values: times.map((_, place) => number(values[place] ?? 0)),
        }))}
      />
    </figure>
  )
}

/** The end of the axis. */
const End = ({ time }: { time: ChartTime | undefined }) =>
  time && (
    <time dir="auto" dateTime={time.at}>
      {time.text}
    </time>
  )
