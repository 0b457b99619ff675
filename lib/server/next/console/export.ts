// A list as CSV: the rows that the query of the address finds, read by the same operation with the rights of the signed-in person, and sent
// as they are read.

import { objectIn } from '../../../kernel/json'
import { percentDecoded } from '../../../kernel/url'
import type { Reference } from '../../../management/console-call'
import { BYTE_ORDER_MARK, csvLine } from './csv'
import { type Console, consoleOf, troubleOf, valuesIn } from './page'
import { findSession } from './session'
import { UNCACHED } from './uncached'

/** Rows of a file. */
export const MAX_EXPORTED = 10_000
const READ_AT_ONCE = 100

type Requested = Readonly<Record<string, string | undefined>>

export type ExportedList = {
  operation: Reference
  query: Requested
  titles: readonly string[]
  cells(row: unknown): readonly string[]
}

const STATUS = { forbidden: 403, missing: 404, invalid: 400, busy: 503, failed: 500 } as const

/** `open`: the list, by the query of the address. */
export async function serveExport(
  name: string,
  address: URL,
  open: (console: Console, requested: Requested) => Promise<ExportedList | null>,
): Promise<Response> {
  const found = await findSession()
  if ('elsewhere' in found) return answer(null, 303, { location: found.elsewhere })
  try {
    const console = await consoleOf(found)
    const list = await open(console, valuesIn(Object.fromEntries(address.searchParams)))
    if (list === null) return answer('There is no such list\n', 404)
    const parts = readParts(console, list)
    // A refusal is known with the first part.
    const first = await parts.next()
    return answer(streamOf(list, first, parts), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${percentDecoded(name)}.csv"`,
    })
  } catch (error) {
    const trouble = troubleOf(error)
    return answer(trouble.kind === 'invalid' ? `${trouble.message}\n` : null, STATUS[trouble.kind])
  }
}

const answer = (body: BodyInit | null, status: number, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(body, {
    status,
    headers: { ...UNCACHED, ...more },
  })

type Part = readonly unknown[]

/** In the order of ids, which no entry that is made meanwhile changes. */
async function* readParts(console: Console, { operation, query }: ExportedList): AsyncGenerator<Part> {
  const { sort: _, ...requested } = query
  let from: string | undefined
  for (let read = 0; read < MAX_EXPORTED; read += READ_AT_ONCE) {
    const body = objectIn(
      await console.read(operation, {
        query: { ...requested, take: String(READ_AT_ONCE), ...(from && { from }) },
      } as never),
    )
    const rows = body[operation.list ?? '']
    yield Array.isArray(rows) ? rows : []
    if (typeof body.next !== 'string') return
    from = body.next
  }
}

function streamOf(
  { titles, cells }: ExportedList,
  first: IteratorResult<Part>,
  parts: AsyncGenerator<Part>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const write = (part: Part): Uint8Array => encoder.encode(part.map((row) => csvLine(cells(row))).join(''))
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(titles)))
      if (!first.done) controller.enqueue(write(first.value))
    },
    async pull(controller) {
      const next = await parts.next()
      if (next.done) controller.close()
      else controller.enqueue(write(next.value))
    },
    cancel: async () => void (await parts.return(undefined)),
  })
}
