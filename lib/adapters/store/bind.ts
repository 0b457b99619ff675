// The messages that run a prepared statement, in one write: Bind with the values, Describe if the row description is not known
// yet, Execute, Sync.
// - Values are encoded as pg encodes them (`prepareValue`): bytes in binary format, all others as text.
// - Rows are requested in text format, the format of pg's type parsers.
import pg from 'pg'

/** pg's encoder of values; its types do not declare it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): Encoded } }).utils

type Encoded = string | Buffer | null

/** Execute (all rows), then Sync. */
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1')
/** The same, preceded by Describe. */
const DESCRIBE_EXECUTE = Buffer.concat([Buffer.from('D\0\0\0\x06P\0', 'latin1'), EXECUTE])

export function bindMessage(name: string, values: readonly unknown[], { describe }: { describe: boolean }): Buffer {
  const encoded = values.map(encode)
  const sizes = encoded.map(sizeOf)
  const rest = describe ? DESCRIBE_EXECUTE : EXECUTE
  const nameSize = Buffer.byteLength(name)
  // Bind: its length, no portal name, the name, a format and a size for each value, and the format of the rows.
  const size = 4 + 1 + nameSize + 1 + 2 + 2 * encoded.length + 2 + 4 * encoded.length + sum(sizes) + 2
  const message = Buffer.allocUnsafe(1 + size + rest.length)
  message[0] = 0x42
  let at = message.writeInt32BE(size, 1)
  message[at++] = 0
  at += message.write(name, at)
  message[at++] = 0
  at = message.writeInt16BE(encoded.length, at)
  for (const value of encoded) at = message.writeInt16BE(typeof value === 'object' && value ? 1 : 0, at)
  at = message.writeInt16BE(encoded.length, at)
  encoded.forEach((value, index) => {
    at = message.writeInt32BE(value === null ? -1 : (sizes[index] as number), at)
    if (typeof value === 'string') at += message.write(value, at)
    else if (value) at += value.copy(message, at)
  })
  at = message.writeInt16BE(0, at)
  rest.copy(message, at)
  return message
}

const sizeOf = (value: Encoded): number =>
  value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** For years of four digits `toISOString` gives the same moment in UTC, in a tenth of the time. */
const encode = (value: unknown): Encoded =>
  typeof value === 'string'
    ? value
    : value instanceof Date && isCommon(value)
      ? value.toISOString()
      : prepareValue(value)

const isCommon = (date: Date): boolean => date.getTime() >= 0 && date.getTime() < 253402300800000
