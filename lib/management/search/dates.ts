// Dates of a search query. A date without all of its parts is the whole year, month, day, hour, minute or second (UTC).
const DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/** From `start` to just before `end`. */
export type Interval = { start: Date; end: Date }

/** Null for a text that is no date. */
export function readInterval(text: string): Interval | null {
  const match = DATE.exec(text.trim())
  if (!match) return null
  const given = match.slice(1, 7).filter((part) => part !== undefined).length
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(numberOf)
  const offset = offsetOf(match[8])
  const fraction = match[7]
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000)
  const parts = [year, month - 1, day, hour, minute, second] as const
  if (!isReal(parts)) return null
  const start = Date.UTC(...parts, milliseconds) - offset
  if (fraction !== undefined) return { start: new Date(start), end: new Date(start + 1) }
  const next = (index: number): number => (index === given - 1 ? 1 : 0)
  const end = Date.UTC(
    year + next(0),
    month - 1 + next(1),
    day + next(2),
    hour + next(3),
    minute + next(4),
    second + next(5),
  )
  return { start: new Date(start), end: new Date(end - offset) }
}

const numberOf = (part: string | undefined): number | undefined => (part === undefined ? undefined : Number(part))

/** In milliseconds. */
function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** The thirtieth of February is no date. */
function isReal(parts: readonly [number, number, number, number, number, number]): boolean {
  const date = new Date(Date.UTC(...parts))
  const read = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ]
  return read.every((part, index) => part === parts[index])
}
