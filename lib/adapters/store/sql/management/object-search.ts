// Searches for clients and organizations: their fields, and pages behind a cursor. Both are configuration, which a search reads whole.
import { DEFAULT_APP_TYPE } from '../../../../data/clients/client'
import { invalidQuery } from '../../../../management/operations/errors'
import type { Cursor, ObjectSearch } from '../../../../management/search/object-search'
import type { Database } from '../../database'
import {
  conditionOf,
  dateIn,
  documentIn,
  NONE,
  newParameters,
  refused,
  type SearchColumn,
  type SearchFields,
  search,
  textIn,
  yesOrNo,
} from './search-conditions'

/** A table aliased `o`. */
type Objects = {
  noun: string
  table: string
  id: string
  fields: ReadonlyMap<string, SearchColumn>
  /** Below these names, the members of a document. */
  documents: Readonly<Record<string, string>>
  anywhere: readonly string[]
  /** By the parameter `sort`; none is the order of creation. */
  orders: Readonly<Record<string, Order>>
}

type Order = { key: string; type: 'text' | 'timestamptz' }

/** What is known and what is kept without effect is shown alike. */
const SHOWN = '(o.kept || o.settings)'
const caseless = (column: string): SearchColumn => textIn(column, { caseless: true })
const member = (name: string): string => `(${SHOWN} ->> '${name}')`

const CREATED: Order = { key: 'o.created_at', type: 'timestamptz' }
const NAME: Order = { key: 'o.name', type: 'text' }

const GRANTED = `SELECT g.client_id FROM client_grant g WHERE g.tenant_id = $1`
const hasGrant = (condition: string): string => `o.client_id IN (${GRANTED} AND ${condition})`
const hasOrganization = (condition: string): string =>
  hasGrant(
    `g.id IN (SELECT c.client_grant_id FROM organization_client_grant c WHERE c.tenant_id = $1 AND ${condition})`,
  )
const toOrganization: SearchColumn = {
  match: (term, parameters) => hasOrganization(textIn('c.organization_id').match(term, parameters)),
  exists: () => hasOrganization('true'),
}
const toAnyOrganization: SearchColumn = {
  match: (term) => {
    const text = term.kind === 'text' ? term.text : ''
    return text === 'true' || text === 'false' ? hasGrant(`g.allow_any_organization = ${text}`) : NONE
  },
  exists: () => hasGrant('true'),
}

const LISTS = ['callbacks', 'allowed_logout_urls', 'allowed_origins', 'web_origins', 'client_aliases']

export const CLIENTS: Objects = {
  noun: 'clients',
  table: 'client',
  id: 'client_id',
  fields: new Map<string, SearchColumn>([
    ['client_id', textIn('o.client_id')],
    ['name', caseless('o.name')],
    ['description', caseless(member('description'))],
    ['app_type', textIn(`coalesce(${member('app_type')}, '${DEFAULT_APP_TYPE}')`)],
    ['is_first_party', yesOrNo("coalesce((o.settings -> 'is_first_party')::boolean, true)")],
    ['updated_at', dateIn('o.updated_at')],
    ['client_grant.organization_id', toOrganization],
    ['client_grant.allow_any_organization', toAnyOrganization],
    // No client is the document at an address.
    ['external_client_id', { match: () => NONE, exists: () => NONE }],
    ...LISTS.map((name) => [name, documentIn(SHOWN, [name])] as const),
  ]),
  documents: { metadata: `(${SHOWN} -> 'client_metadata')`, client_metadata: `(${SHOWN} -> 'client_metadata')` },
  anywhere: ['name', 'client_id'],
  orders: { name: NAME, updated_at: { key: 'o.updated_at', type: 'timestamptz' } },
}

export const ORGANIZATIONS: Objects = {
  noun: 'organizations',
  table: 'organization',
  id: 'id',
  fields: new Map<string, SearchColumn>([
    ['id', textIn('o.id')],
    ['name', caseless('o.name')],
    ['display_name', caseless(member('display_name'))],
    ['created_at', dateIn('o.created_at')],
    ['updated_at', dateIn('o.updated_at')],
  ]),
  documents: { metadata: `(${SHOWN} -> 'metadata')`, branding: `(${SHOWN} -> 'branding')` },
  anywhere: ['name', 'display_name'],
  orders: {
    name: NAME,
    display_name: { key: `coalesce(${member('display_name')}, '')`, type: 'text' },
    created_at: CREATED,
  },
}

function fieldsOf({ noun, fields, documents, anywhere }: Objects): SearchFields {
  const find = (field: string): SearchColumn => {
    const known = fields.get(field)
    if (known) return known
    const [root = '', ...path] = field.split('.')
    const document = Object.hasOwn(documents, root) ? documents[root] : undefined
    if (document !== undefined && path.length > 0) return documentIn(document, path)
    const names = [...fields.keys(), ...Object.keys(documents).map((name) => `${name}.*`)]
    throw refused(`${noun} have no field ${field} to search by. Fields are ${names.join(', ')}`)
  }
  return { find, anywhere: anywhere.map(find) }
}

/** The cursors of what is found; their ids are those of the objects. */
export async function searchObjects(
  db: Database,
  tenantId: string,
  objects: Objects,
  { query, sort, after, limit }: ObjectSearch,
): Promise<Cursor[]> {
  const { key, type } = (sort === undefined ? undefined : objects.orders[sort]) ?? CREATED
  const id = `o.${objects.id}`
  const parameters = newParameters(tenantId)
  const conditions = [
    'o.tenant_id = $1',
    ...(query === undefined ? [] : [conditionOf(query, fieldsOf(objects), parameters)]),
    ...(after === null
      ? []
      : [`(${key}, ${id}) > (${parameters.add(keyOf(after, type))}::${type}, ${parameters.add(after.id)})`]),
  ]
  const text = `SELECT ${key} AS key, ${id} AS id FROM ${objects.table} o WHERE ${conditions.join(' AND ')}
ORDER BY ${key}, ${id} LIMIT ${parameters.add(limit)}`
  const found = await search<{ key: string | Date; id: string }>(db, { text, values: parameters.values }, ADVICE)
  return found.map(({ key, id }) => ({ key: key instanceof Date ? key.toISOString() : key, id }))
}

const ADVICE = 'Use fewer terms, or whole values.'

function keyOf({ key }: Cursor, type: Order['type']): string {
  const isWritten = type === 'text' || (!Number.isNaN(Date.parse(key)) && new Date(key).toISOString() === key)
  if (!isWritten) throw invalidQuery('from is not the next of an answer')
  return key
}

/** The rows of these ids, in their order. */
export function inOrder<Row>(cursors: readonly Cursor[], rows: readonly Row[], idOf: (row: Row) => string) {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return cursors.flatMap((cursor) => {
    const row = byId.get(cursor.id)
    return row === undefined ? [] : [{ row, cursor }]
  })
}
