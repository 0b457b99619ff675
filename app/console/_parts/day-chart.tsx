import { say } from '../../../lib/text/console'

const HEIGHT = 80
const STEP = 12

type Props = { title: string; unit: string; days: readonly { date: string; count: number }[] }

/** Bars by day, with the numbers as a table for those who do not see them. */
export function DayChart({ title, unit, days }: Props) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  return (
    <figure className="co-chart">
      <svg viewBox={`0 0 ${Math.max(1, days.length) * STEP} ${HEIGHT}`} aria-hidden="true" focusable="false">
        {days.map(({ date, count }, place) => {
          const height = count === 0 ? 1 : Math.max(3, (count / most) * (HEIGHT - 4))
          return (
            <rect key={date} x={place * STEP + 1} y={HEIGHT - height} width={STEP - 3} height={height} rx="1.5">
              <title>{`${date}: ${count}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="co-chart-ends">
        <span>{days[0]?.date}</span>
        <span>{days.at(-1)?.date}</span>
      </figcaption>
      <table className="co-hidden">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{say('home.day')}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, count }) => (
            <tr key={date}>
              <td>{date}</td>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
