// A file with people that was sent to be looked at before it is imported: kept sealed, as flat records, for an hour at most. It belongs to who sent it.
import { addSeconds } from '../../../kernel/clock'
import { DomainError, notFound } from '../../../kernel/errors'
import { type Json, type JsonObject, objectIn, textsIn } from '../../../kernel/json'
import { alphanumeric, type Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import { invalidBody } from '../../operations/errors'
import { UnreadableFile } from '../entry-reader'
import { ENTRIES_IN_PART, type Job, PART_PURPOSE, type TenantJobStore } from '../job'
import { PART_SIZE } from '../upload'
import { type Mapping, mappedEntry } from './mapping'
import { flattened, type ProductName, productOf } from './products'
import { recordsIn } from './records'

export type KeptFileDeps = { jobs: TenantJobStore; vault: Vault; random: Random; clock: { now(): Date } }

export type KeptFile = {
  id: string
  product: ProductName
  columns: readonly string[]
  people: number
}

/** Seconds. */
export const FILE_LIFETIME = 3600

const MAX_COLUMNS = 200
const MAX_NAME = 300

/** Keeps it in place of the one that the person sent before. */
export async function keepFile(file: AsyncIterable<Uint8Array>, userId: string, deps: KeptFileDeps): Promise<string> {
  const { jobs, vault, random, clock } = deps
  const id = `job_${alphanumeric(random, 16)}`
  const at = clock.now()
  await jobs.beginFile(id, { at, staleBefore: addSeconds(at, -FILE_LIFETIME), by: userId })
  try {
    const columns = new Set<string>()
    let [product, people, parts, size] = [productOf({}), 0, 0, 0]
    let part: string[] = []
    const flush = async (): Promise<void> => {
      await jobs.addPart(id, parts, vault.seal(PART_PURPOSE, `[${part.join(',')}]`, random))
      parts += 1
      part = []
      size = 0
    }
    for await (const record of recordsIn(file)) {
      if (people === 0) product = productOf(record)
      const flat = unquoted(flattened(product, record), product.name)
      for (const name of Object.keys(flat)) columns.add(name)
      if (columns.size > MAX_COLUMNS) throw new UnreadableFile(`The file has more than ${MAX_COLUMNS} columns`)
      const text = JSON.stringify(flat)
      part.push(text)
      size += text.length
      people += 1
      if (part.length === ENTRIES_IN_PART || size > PART_SIZE) await flush()
    }
    if (people === 0) throw new UnreadableFile('The file has no people')
    if ([...columns].some((name) => name.length > MAX_NAME)) throw new UnreadableFile('A column has too long a name')
    if (part.length > 0) await flush()
    await jobs.describeFile(id, { by: userId, product: product.name, columns: [...columns] }, people)
    return id
  } catch (error) {
    await jobs.discardUpload(id).catch(() => {})
    throw error instanceof UnreadableFile ? invalidBody(error.message) : error
  }
}

/** An export to CSV of that vendor has an apostrophe before every text, and others before one that a spreadsheet would run. */
function unquoted(record: JsonObject, product: ProductName): JsonObject {
  const isOfAll = product === 'auth0' || /^'.*@/.test(String(record.email ?? ''))
  const clean = (value: Json): Json =>
    typeof value === 'string' && (isOfAll ? value.startsWith("'") : /^'[=+\-@\t\r]/.test(value))
      ? value.slice(1)
      : value
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, clean(value)]))
}

/** The file of another person, and one that is over, are unknown. */
export async function keptFile(id: string, userId: string, { jobs, clock }: KeptFileDeps): Promise<KeptFile> {
  const job = await jobs.find(id)
  if (!job || !isOf(job, userId) || job.createdAt <= addSeconds(clock.now(), -FILE_LIFETIME))
    throw notFound('There is no such file any more')
  const { product, columns } = job.settings
  return { id, product: product as ProductName, columns: textsIn(columns), people: job.total ?? 0 }
}

const isOf = ({ type, settings, total }: Job, userId: string): boolean =>
  type === 'people_file' && total !== null && settings.by === userId

/** The first records. */
export async function firstRecords({ id }: KeptFile, most: number, deps: KeptFileDeps): Promise<JsonObject[]> {
  return ((await readPart(id, 0, deps)) ?? []).slice(0, most)
}

/** The entries of the import, one on each line. */
export async function* entryLines({ id }: KeptFile, mapping: Mapping, deps: KeptFileDeps): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const records = await readPart(id, number, deps)
    if (!records) return
    yield Buffer.from(records.map((record) => `${JSON.stringify(mappedEntry(record, mapping))}\n`).join(''))
  }
}

async function readPart(id: string, number: number, { jobs, vault }: KeptFileDeps): Promise<JsonObject[] | null> {
  const sealed = await jobs.part(id, number)
  if (!sealed) return null
  const plain = vault.open(PART_PURPOSE, sealed)
  if (!plain) throw new DomainError('server_error', 'A part of the file cannot be read')
  return (JSON.parse(plain.toString('utf8')) as Json[]).map(objectIn)
}
