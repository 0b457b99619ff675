import { type Formats, readFormats } from '../../../lib/server/next/console/formats'
import { readArrived } from '../../../lib/server/next/console/session'
import { say } from '../../../lib/text/console'
import './moment.css'

type Props = {
  at: string | undefined | null
  /** “3 hours ago”, where the age says more than the date. */
  relative?: boolean
  /** In a row of a list, whose link has the focus in place of each of its times. */
  listed?: boolean
}

/** A point in time in the administrator's zone and language. The exact one, in UTC, is shown under the pointer and with the focus. */
export async function Moment({ at, relative = false, listed = false }: Props) {
  const time = at ? new Date(at) : null
  if (!time || Number.isNaN(time.getTime())) return <>{say('value.never')}</>
  const [formats, { runtime }] = await Promise.all([readFormats(), readArrived()])
  const exact = time.toISOString()
  return (
    <time
      className="co-moment"
      lang={formats.language}
      dateTime={exact}
      data-exact={exact}
      tabIndex={listed ? undefined : 0}
    >
      {relative ? ageOf(time, formats, runtime.clock.now()) : formats.moment(time)}
    </time>
  )
}

/** A number as the administrator's language writes it. */
export async function Count({ of }: { of: number }) {
  const { number } = await readFormats()
  return <>{number(of)}</>
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

function ageOf(time: Date, { age }: Formats, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return age(Math.round(seconds / size), unit)
}
