// Converts a value of the expression language to JSON for a token. Integers become numbers, times ISO 8601 texts. Values that
// JSON cannot represent, and values too large for a token, are refused.
import type { Json } from '../../../kernel/json'
import { ExpressionError } from './expression'

/** Characters of one claim, as text. */
const MAX_CLAIM_LENGTH = 4096

/** Null if there is no value. */
export function asJson(value: unknown): Json {
  const json = convert(value)
  if (json !== null && JSON.stringify(json).length > MAX_CLAIM_LENGTH) throw refused('is too long')
  return json
}

function convert(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return number(Number(value))
  if (typeof value === 'number') return number(value)
  if (Array.isArray(value)) return value.map(convert)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Map) return object([...value])
  if (isPlain(value)) return object(Object.entries(value))
  throw refused('is of a type that a token cannot hold')
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function number(value: number): number {
  if (Number.isFinite(value)) return value
  throw refused('is no number')
}

const object = (entries: [unknown, unknown][]): Json =>
  Object.fromEntries(entries.map(([name, field]) => [String(name), convert(field)]))

const refused = (reason: string): ExpressionError => new ExpressionError(`the value ${reason}`, undefined)
