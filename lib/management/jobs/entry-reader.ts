// Takes the entries of an import out of its bytes, as they arrive: the elements of a JSON array, or one JSON value on each line.
// - Only the entry under way is kept. Commas and brackets outside texts divide an array; JSON.parse decides about each element.
// - What cannot be stored in an entry is refused later, with its entry alone (import.ts). Bytes in a text that are no UTF-8 become half
//   a pair of surrogates, which cannot be stored either.

export type EntryReader = {
  /** The JSON texts of the entries that these bytes complete. */
  push(bytes: Uint8Array): string[]
  /** The last entry, after the last byte. */
  end(): string[]
}

/** The file is not what an import takes; the message says why. */
export class UnreadableFile extends Error {}

export const MAX_ENTRY_BYTES = 1024 * 1024

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c]
const [LIST, END_OF_LIST, BACKSLASH, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x5c, 0x7b, 0x7d]

const isSpace = (byte: number): boolean => byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB

export function createEntryReader(): EntryReader {
  let format: 'unknown' | 'list' | 'lines' | 'ended' = 'unknown'
  let pieces: Uint8Array[] = []
  let size = 0
  let position = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  let isFirst = true

  function keep(piece: Uint8Array): void {
    size += piece.length
    if (size > MAX_ENTRY_BYTES) throw new UnreadableFile(`A user has more than ${MAX_ENTRY_BYTES / 1024} kB`)
    if (piece.length > 0) pieces.push(piece)
  }

  function take(): string {
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    pieces = []
    size = 0
    return decode(bytes)
  }

  /** Whether the byte ends an element; texts and nested values are passed over. */
  function divides(byte: number): boolean {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) isText = false
      return false
    }
    if (byte === QUOTE) isText = true
    else if (byte === OBJECT || byte === LIST) depth += 1
    else if (depth === 0) return byte === COMMA || byte === END_OF_LIST
    else if (byte === END_OF_OBJECT || byte === END_OF_LIST) depth -= 1
    return false
  }

  /** Decides by the first byte that is neither space nor a byte order mark; returns where the entries begin. */
  function begin(bytes: Uint8Array): number {
    for (const [at, byte] of bytes.entries()) {
      if (isSpace(byte) || BYTE_ORDER_MARK[position + at] === byte) continue
      format = byte === LIST ? 'list' : 'lines'
      return byte === LIST ? at + 1 : at
    }
    position += bytes.length
    return bytes.length
  }

  function pushList(bytes: Uint8Array, start: number): string[] {
    const entries: string[] = []
    let from = start
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (format === 'ended' && !isSpace(byte)) throw new UnreadableFile(MALFORMED)
      if (format === 'ended' || !divides(byte)) continue
      keep(bytes.subarray(from, at))
      from = at + 1
      const text = take()
      if (byte === END_OF_LIST) format = 'ended'
      if (byte === COMMA || !isFirst || text.trim() !== '') entries.push(checked(text))
      isFirst = false
    }
    if (format === 'list') keep(bytes.subarray(from))
    return entries
  }

  function pushLines(bytes: Uint8Array, start: number): string[] {
    const entries: string[] = []
    let from = start
    for (let at = bytes.indexOf(NEWLINE, start); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      keep(bytes.subarray(from, at))
      from = at + 1
      entries.push(...lineIn(take()))
    }
    keep(bytes.subarray(from))
    return entries
  }

  return {
    push(bytes) {
      const start = format === 'unknown' ? begin(bytes) : 0
      if (format === 'unknown') return []
      return format === 'lines' ? pushLines(bytes, start) : pushList(bytes, start)
    },
    end() {
      if (format === 'list') throw new UnreadableFile(MALFORMED)
      return format === 'lines' ? lineIn(take()) : []
    },
  }
}

const MALFORMED = 'users is neither a JSON array nor JSON lines'

const lineIn = (line: string): string[] => (line.trim() === '' ? [] : [checked(line)])

function checked(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    throw new UnreadableFile(MALFORMED)
  }
  return text
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return lenient.decode(bytes).replaceAll('\ufffd', String.raw`\ud800`)
  }
}
