// The records of a file with people, as they arrive: a JSON array, one JSON object on each line, an object with a member `users`, or CSV with a head
// line. Memory holds the record under way.
import { Readable } from 'node:stream'
import { JSONParser } from '@streamparser/json'
import { parse } from 'csv-parse'
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json'
import { createEntryReader, MAX_ENTRY_BYTES, UnreadableFile } from '../entry-reader'

type Bytes = AsyncIterable<Uint8Array>

export async function* recordsIn(file: Bytes): AsyncGenerator<JsonObject> {
  const { line, bytes } = await opened(file)
  const first = line.replace(/^\uFEFF/, '').trimStart()
  if (first === '') throw new UnreadableFile('The file is empty')
  const records = first.startsWith('[') || isRecord(first) ? entriesIn(bytes) : readerOf(first)(bytes)
  for await (const record of records) {
    if (!isJsonObject(record)) throw new UnreadableFile('A person in the file is no object')
    yield record
  }
}

const readerOf = (first: string): ((bytes: Bytes) => AsyncGenerator<Json>) =>
  first.startsWith('{') ? usersWithin : (bytes) => rowsIn(bytes, separatorOf(first))

/** The first line that has something, and all bytes again. */
async function opened(file: Bytes): Promise<{ line: string; bytes: Bytes }> {
  const iterator = file[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let text = ''
  for (let size = 0; size <= MAX_ENTRY_BYTES && !/\S[^\n]*\n/.test(text); ) {
    const { value, done } = await iterator.next()
    if (done) break
    head.push(value)
    size += value.length
    text = Buffer.concat(head).toString('utf8')
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield* head
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  return { line: /\S[^\n]*/.exec(text)?.[0] ?? '', bytes: bytes() }
}

/** Whether a line is a person, and not a whole file. */
function isRecord(line: string): boolean {
  try {
    const value = JSON.parse(line) as Json
    return isJsonObject(value) && !Array.isArray(value.users) && !Array.isArray(value.Users)
  } catch {
    return false
  }
}

async function* entriesIn(bytes: Bytes): AsyncGenerator<Json> {
  const reader = createEntryReader()
  for await (const chunk of bytes) for (const text of reader.push(chunk)) yield JSON.parse(text)
  for (const text of reader.end()) yield JSON.parse(text)
}

/** Bytes between two people: a realm of Keycloak has its clients before them. */
const MAX_BETWEEN = 64 * 1024 * 1024

async function* usersWithin(bytes: Bytes): AsyncGenerator<Json> {
  const parser = new JSONParser({ paths: ['$.users.*', '$.Users.*'], keepStack: false })
  const found: Json[] = []
  parser.onValue = ({ value }) => void found.push(value as Json)
  parser.onError = () => {
    throw new UnreadableFile('The file is no JSON')
  }
  let between = 0
  for await (const chunk of bytes) {
    parser.write(chunk)
    between = found.length > 0 ? 0 : between + chunk.length
    if (between > MAX_BETWEEN) throw new UnreadableFile('The file has too much that is no person')
    yield* found.splice(0)
  }
  if (!parser.isEnded) throw new UnreadableFile('The file is cut off')
}

const SEPARATORS = [',', ';', '\t', '|']

/** The one that occurs most in the head line. */
function separatorOf(line: string): string {
  const counts = SEPARATORS.map((separator) => [line.split(separator).length, separator] as const)
  const [[, most] = [0, ',']] = counts.toSorted(([one], [other]) => other - one)
  return most
}

async function* rowsIn(bytes: Bytes, delimiter: string): AsyncGenerator<Json> {
  const parser = parse({
    columns: (titles: string[]) => named(titles),
    bom: true,
    delimiter,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ENTRY_BYTES,
  })
  const source = Readable.from(bytes)
  // The parser is read to its end; what fails in the upload ends it.
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const row of source.pipe(parser)) yield row as Json
  } catch (error) {
    if (!isOfParser(error)) throw error
    throw new UnreadableFile(`The file is no CSV: ${error.message}`)
  } finally {
    source.destroy()
  }
}

const isOfParser = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')

function named(titles: readonly string[]): string[] {
  const names = titles.map((title, place) => title.trim() || `column ${place + 1}`)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw new UnreadableFile(`The file has two columns ${twice}`)
  if (names.includes('__proto__')) throw new UnreadableFile('A column has a name that cannot be stored')
  return names
}
