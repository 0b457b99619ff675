import { say } from '../../../lib/text/console'

const SHOWN = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A point in time, in UTC. */
export function Moment({ at }: { at: string | undefined | null }) {
  const time = at ? new Date(at) : null
  if (!time || Number.isNaN(time.getTime())) return <>{say('value.never')}</>
  return <time dateTime={time.toISOString()}>{SHOWN.format(time)} UTC</time>
}
