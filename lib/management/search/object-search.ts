// `GET /clients/search` and `GET /organizations/search`: a query in Lucene or SCIM syntax, and a cursor.
import * as z from 'zod'
import { isStorable, type JsonObject } from '../../kernel/json'
import { invalidQuery, lacksScope } from '../operations/errors'
import { answerList, checkpointQuery, fieldsQuery, selectFields } from '../operations/list'
import { type Call, type Operation, operationsWith, type ScopeRule } from '../operations/operation'
import { fieldsIn, parseQuery, type SearchExpression } from './query'
import { parseScim } from './scim'

/** In ascending order of `sort`, or in the order of creation; `after` is the cursor of a row. */
export type ObjectSearch = {
  query: SearchExpression | undefined
  sort: string | undefined
  after: Cursor | null
  limit: number
}

/** What a row is ordered by, and its id. */
export type Cursor = { key: string; id: string }

export type SearchedRow<Row> = { row: Row; cursor: Cursor }

export type SearchStore<Row> = { search(search: ObjectSearch): Promise<SearchedRow<Row>[]> }

type ObjectSearchDefinition<Deps, Row> = {
  /** The member of the answer: `clients`. */
  plural: string
  path: string
  scopes: readonly ScopeRule[]
  sorts: readonly [string, ...string[]]
  fields: string
  shown: z.ZodObject
  /** The scope without which a query names no more than these fields, because its answer shows no more. */
  restricted?: { unless: string; to: readonly string[] }
  store(deps: Deps): SearchStore<Row>
  present(row: Row, call: Call<Deps>): JsonObject
}

const MAX_QUERY = 1000
const DEFAULT_TAKE = 50

/** Parameters that the scope of a summary opens. */
export const SEARCH_PARAMETERS = ['q', 'parser', 'sort']

export function searchOperation<Deps, Row>(definition: ObjectSearchDefinition<Deps, Row>): Operation<Deps> {
  const { plural, path, scopes, sorts, fields, shown, restricted, store, present } = definition
  const query = z.object({
    q: z
      .string()
      .max(MAX_QUERY)
      .optional()
      .meta({ description: `A query by ${fields}` }),
    parser: z.enum(['lucene', 'scim'], 'must be lucene or scim').optional().meta({ description: 'The syntax of `q`' }),
    sort: z.enum(sorts, `must be one of ${sorts.join(', ')}`).optional(),
    ...checkpointQuery,
    ...fieldsQuery,
  })
  return operationsWith<Deps>()({
    name: `${plural}.search`,
    method: 'GET',
    path: `${path}/search`,
    summary: `Search for ${plural}`,
    scopes,
    list: plural,
    query,
    status: 200,
    answer: z.object({ [plural]: z.array(shown.partial()), next: z.string().optional() }),
    async handle(call) {
      const { q = '', parser = 'lucene', sort, take, from, ...requested } = call.query
      const read = parser === 'scim' ? parseScim : parseQuery
      const expression = q.trim() === '' ? undefined : read(q)
      if (restricted && !call.actor.scopes.has(restricted.unless)) {
        const named = [...(expression ? fieldsIn(expression) : []), ...(sort === undefined ? [] : [sort])]
        if (named.some((name) => name !== null && !restricted.to.includes(name))) throw lacksScope([restricted.unless])
      }
      const body = await answerList(
        { take: take ?? DEFAULT_TAKE, from },
        {
          key: plural,
          checkpoint: true,
          async load(window) {
            const after = 'after' in window && window.after !== null ? readCursor(window.after, sort) : null
            const rows = await store(call.deps).search({ query: expression, sort, after, limit: window.limit })
            return { rows, total: 0 }
          },
          present: ({ row }) => selectFields(present(row, call), requested),
          id: ({ cursor: { key, id } }) => JSON.stringify([sort ?? '', key, id]),
        },
      )
      return { body }
    },
  })
}

/** A cursor continues the order that it comes from. */
function readCursor(text: string, sort: string | undefined): Cursor {
  const [order, key, id] = valuesIn(text)
  if (order !== (sort ?? '') || key === undefined || id === undefined)
    throw invalidQuery('from is not the next of an answer in this order')
  return { key, id }
}

function valuesIn(text: string): string[] {
  try {
    return z.array(z.string().refine(isStorable)).length(3).parse(JSON.parse(text))
  } catch {
    return []
  }
}
