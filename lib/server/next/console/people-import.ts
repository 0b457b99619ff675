// Files with people: sent, looked at, imported by the job of the Management API, and what the job refused. These are native posts: a file cannot be
// part of a server action. The upload passes no proxy, which would keep it in memory, so its source is judged here.
import { checkRequestHead } from '../../../http/edge'
import { DomainError } from '../../../kernel/errors'
import { isJsonObject, type JsonObject } from '../../../kernel/json'
import { percentDecoded } from '../../../kernel/url'
import { type ConsoleContext, callOperation, mayCall } from '../../../management/console-call'
import type { ManagementDeps } from '../../../management/deps'
import { entryLines, firstRecords, type KeptFile, keepFile, keptFile } from '../../../management/jobs/people-file/kept'
import {
  guessMapping,
  isTarget,
  type Mapping,
  mappedEntry,
  TARGETS,
} from '../../../management/jobs/people-file/mapping'
import type { ProductName } from '../../../management/jobs/people-file/products'
import { jobs } from '../../../management/jobs/resource'
import { placeOf } from '../../../management/operations/errors'
import { say } from '../../../text/console'
import { readForm } from '../../management-http/form'
import type { Runtime } from '../../runtime/runtime'
import { readBody } from '../message'
import { gateOfNext } from '../page-paths'
import { reportFailure } from '../runtime'
import { BYTE_ORDER_MARK, csvLine } from './csv'
import { type ConsoleSession, contextOf, enter } from './entry'
import { consoleOf, troubleOf } from './page'
import { consoleRuntime, readArrived, requireSession, signInUrl } from './session'
import { UNCACHED } from './uncached'

export const IMPORT_PATH = '/console/users/import'

const PROBLEM_KINDS = ['invalid', 'size', 'busy', 'gone', 'above'] as const
type Problem = (typeof PROBLEM_KINDS)[number]

class Kept {
  constructor(readonly id: string) {}
  async discard(): Promise<void> {}
}

type Answer = (session: ConsoleSession, context: ConsoleContext, incoming: Request) => Promise<Response>

/** For those who may import, by a page of this server. */
const importing =
  (answer: Answer) =>
  async (incoming: Request): Promise<Response> => {
    const headers = Object.fromEntries(incoming.headers)
    const address = new URL(incoming.url)
    const { runtime, request } = await consoleRuntime(address, headers)
    const head = { method: incoming.method, target: address.pathname, headers }
    if (checkRequestHead(head, gateOfNext, runtime.baseUrl).refused) return refuse(403)
    const entry = await enter({ runtime, request })
    if (entry.state !== 'in') return seeOther(signInUrl(IMPORT_PATH))
    const context = await contextOf(entry.session)
    if (!mayCall(jobs.usersImports, context.actor)) return refuse(403)
    try {
      return await answer(entry.session, context, incoming)
    } catch (error) {
      if (!(error instanceof DomainError)) {
        reportFailure(error)
        return refuse(503)
      }
      runtime.trail.refused(error, { name: 'console', refused: 'change_refused' })
      return withProblem(error, IMPORT_PATH, runtime)
    } finally {
      await runtime.trail.settled()
    }
  }

export const serveUpload = importing(async ({ administrator }, context, incoming) => {
  const { deps } = context
  const form = { files: { file: receive }, maxBytes: ({ maxImportBytes }: ManagementDeps) => maxImportBytes }
  async function receive(file: AsyncIterable<Uint8Array>): Promise<Kept> {
    return new Kept(await keepFile(file, administrator.userId, deps))
  }
  const stream = incoming.body as AsyncIterable<Uint8Array> | null
  const headers = Object.fromEntries(incoming.headers)
  const { members } = await readForm<ManagementDeps, Kept>({ headers, stream: stream ?? undefined }, form, deps)
  const { file } = members
  return file instanceof Kept ? seeOther(`${IMPORT_PATH}/${file.id}`) : seeOther(`${IMPORT_PATH}?problem=invalid`)
})

/** Bytes of the form that starts an import: two hundred columns and what they become. */
const MAX_FORM = 128 * 1024

export const serveStart = importing(async ({ administrator, runtime }, context, incoming) => {
  const { deps } = context
  const body = await readBody(incoming, MAX_FORM + 1)
  const given = new URLSearchParams(body.length > MAX_FORM ? '' : Buffer.from(body).toString('utf8'))
  const file = await keptFile(given.get('file') ?? '', administrator.userId, deps)
  if (given.has('discard')) {
    await deps.jobs.discardUpload(file.id)
    return seeOther(IMPORT_PATH)
  }
  const back = `${IMPORT_PATH}/${file.id}`
  const receive = jobs.usersImports.form?.files.users
  if (!receive) throw new Error('The import takes no file')
  let id: string
  try {
    const users = await receive(entryLines(file, mappingIn(given, file.columns), deps), deps)
    try {
      const wish = {
        connection_id: given.get('connection') ?? '',
        upsert: given.get('upsert') === 'true' ? 'true' : 'false',
        send_completion_email: given.get('mail') === 'true' ? 'true' : 'false',
      }
      const outcome = await callOperation(jobs.usersImports, { body: { users, ...wish } as never }, context)
      id = outcome.id ?? ''
    } finally {
      await users.discard()
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return withProblem(error, back, runtime)
  }
  await deps.jobs.discardUpload(file.id)
  return seeOther(`${IMPORT_PATH}/${id}`)
})

/** What an address or a form says of the columns, by their places: `m0=email`. */
export const mappingIn = (given: { get(name: string): string | null }, columns: readonly string[]): Mapping =>
  Object.fromEntries(
    columns.map((column, place) => {
      const target = given.get(`m${place}`) ?? ''
      return [column, isTarget(target) ? target : '']
    }),
  )

/** The entries that an import refused, as CSV or JSON. */
export async function serveFailures(incoming: Request, segment: string): Promise<Response> {
  const id = percentDecoded(segment)
  const headers = Object.fromEntries(incoming.headers)
  const address = new URL(incoming.url)
  const entry = await enter(await consoleRuntime(address, headers))
  if (entry.state !== 'in') return seeOther(signInUrl(`${IMPORT_PATH}/${id}`))
  try {
    const console = await consoleOf(entry.session)
    const failures = (await console.read(jobs.errors, { params: { id } })) ?? []
    const isJson = address.searchParams.get('format') === 'json'
    const text = isJson
      ? `${JSON.stringify(failures, null, 2)}\n`
      : BYTE_ORDER_MARK + [TITLES, ...failures.flatMap(rowsOf)].map((row) => csvLine(row)).join('')
    return new Response(text, {
      headers: {
        ...UNCACHED,
        'content-type': isJson ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="failures.${isJson ? 'json' : 'csv'}"`,
      },
    })
  } catch (error) {
    const { kind } = troubleOf(error)
    return refuse(kind === 'forbidden' ? 403 : kind === 'missing' ? 404 : kind === 'invalid' ? 400 : 503)
  }
}

const TITLES = ['entry', 'user_id', 'email', 'username', 'member', 'code', 'reason']

type Failure = { number: number; user: unknown; errors: { code: string; message: string; path?: string | undefined }[] }

function rowsOf({ number, user, errors }: Failure): string[][] {
  const named = ['user_id', 'email', 'username'].map((name) => {
    const value = isJsonObject(user) ? user[name] : undefined
    return typeof value === 'string' ? value : ''
  })
  return errors.map(({ path = '', code, message }) => [String(number), ...named, path, code, message])
}

const PROBLEMS: Readonly<Record<string, Problem>> = {
  payload_too_large: 'size',
  too_many_requests: 'busy',
  not_found: 'gone',
  access_denied: 'above',
}

const WORDS = 'import-problem'

/** Back at the page, which says what was wrong. The words of the server go along sealed: an address cannot make the page say anything else. */
function withProblem(error: DomainError, path: string, { vault, random }: Runtime): Response {
  const kind = PROBLEMS[error.code] ?? 'invalid'
  const words = kind === 'invalid' ? vault.sealText(WORDS, placeOf(error).message.slice(0, 300), random) : ''
  const query = new URLSearchParams({ problem: kind, ...(words && { why: words }) })
  return seeOther(`${error.code === 'not_found' ? IMPORT_PATH : path}?${query}`)
}

/** What the page says of a refusal that led back to it. */
export async function problemIn({ problem, why = '' }: Readonly<Record<string, string>>): Promise<string | null> {
  const kind = PROBLEM_KINDS.find((each) => each === problem)
  if (!kind) return null
  const { runtime } = await readArrived()
  return (kind === 'invalid' && runtime.vault.openText(WORDS, why)) || say(`import.problem.${kind}`)
}

const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { ...UNCACHED, location },
  })

const refuse = (status: number): Response =>
  new Response(status === 403 ? 'Not allowed\n' : 'Try again\n', {
    status,
    headers: UNCACHED,
  })

/** Megabytes of a file. */
export async function importLimit(): Promise<number> {
  const { runtime } = await readArrived()
  return Math.floor((await runtime.management()).maxImportBytes / 1024 / 1024)
}

export type SentColumn = {
  name: string
  /** The first values; null where they could be secrets. */
  example: string | null
  target: string
  targets: readonly string[]
}

export type SentFile = {
  id: string
  product: ProductName
  people: number
  columns: readonly SentColumn[]
  /** What an import takes of the first records. */
  entries: JsonObject[]
}

/** `query`: what the person chose, once `checked`; before, it is a guess. */
export function sentFile(
  { id, product, people, columns }: KeptFile,
  records: readonly JsonObject[],
  query: Readonly<Record<string, string>>,
): SentFile {
  const given = { get: (name: string): string | null => query[name] ?? null }
  const mapping = query.checked === '1' ? mappingIn(given, columns) : guessMapping(columns, product)
  return {
    ...{ id, product, people },
    columns: columns.map((name) => {
      const target = mapping[name] ?? ''
      return { name, target, targets: targetsFor(name, target), example: exampleOf(name, target, records) }
    }),
    entries: records.map((record) => mappedEntry(record, mapping)),
  }
}

/** Those of the import, the place in the metadata under the column's own name, and what it is now. */
function targetsFor(column: string, target: string): string[] {
  const name = column.replace(/^(?:user|app)_metadata\./, '')
  const own = [`user_metadata.${name}`, `app_metadata.${name}`].filter(isTarget)
  return [...new Set(['', ...TARGETS, ...own, target])]
}

const SECRET_TARGETS = new Set(['password_hash', 'custom_password_hash', 'mfa_factors'])
const SECRET_NAME = /pass|hash|salt|secret|digest|token|otp|credential|authenticator|identities/i
const SHOWN = 60

function exampleOf(column: string, target: string, records: readonly JsonObject[]): string | null {
  if (SECRET_TARGETS.has(target) || SECRET_NAME.test(column)) return null
  const texts = records.flatMap((record) => {
    const value = record[column]
    if (value === undefined || value === null || value === '') return []
    return [typeof value === 'string' ? value : JSON.stringify(value)]
  })
  const text = [...new Set(texts)].slice(0, 2).join(', ')
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** The file that a person has sent, and its first records. */
export async function openFile(id: string, most: number): Promise<{ file: KeptFile; records: JsonObject[] } | null> {
  const session = await requireSession()
  const { deps } = await contextOf(session)
  const job = await deps.jobs.find(id)
  if (job?.type !== 'people_file') return null
  const file = await keptFile(id, session.administrator.userId, deps)
  return { file, records: await firstRecords(file, most, deps) }
}
