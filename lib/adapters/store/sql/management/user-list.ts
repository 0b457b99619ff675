// Lists of users: the ids of one window, and the number of all where it is asked for. No form depends on how many users the planner
// believes a condition to have: with a limit, it would walk through all users in the order of the list, and expect a full page soon.
// - What a query finds is collected before it is ordered.
// - The users of a connection are read in the order of ids, from the index of its accounts.
// - All users are read by an index in the order of the list. updated_at, last_ip, logins_count, email_verified and blocked have none,
//   because logins would have to change it, or because few values would not make it worth its space: every user is read. An index has
//   those alone who are blocked, for the query `blocked:true`.
import { digestHex } from '../../../../kernel/secret'
import type { Window } from '../../../../management/operations/list'
import type { UserFilter } from '../../../../management/resources/user-list'
import type { Database } from '../../database'
import { conditionOf, newParameters, type StatementParameters, search } from './search-conditions'
import { atConnection, identifies, orderOf, type UserOrder, userFields } from './user-search'

/** With a name, the connections keep its plan. */
export type Search = { name?: string; text: string; values: unknown[] }

type Found = { total: number; ids: string[] }

export async function listUsers(db: Database, tenantId: string, filter: UserFilter, window: Window): Promise<Found> {
  const [found] = await search<Found>(db, searchOf(tenantId, filter, window), ADVICE)
  return found ?? { total: 0, ids: [] }
}

const ADVICE = 'Name an address, a name, an id, a connection or a time, or leave out the total and the order.'

export function searchOf(tenantId: string, filter: UserFilter, window: Window): Search {
  const { query, connection, sort } = filter
  const order = 'offset' in window && sort ? orderOf(sort.field) : undefined
  if (query === undefined && connection !== undefined && !order) return ofConnection(tenantId, filter, window)
  if (query !== undefined || connection !== undefined) return collected(tenantId, filter, window, order)
  return order?.index && 'offset' in window
    ? alongIndex(tenantId, filter, window, order.index)
    : ofAll(tenantId, filter, window, order)
}

const positionOf = (window: Window, { add }: StatementParameters): string =>
  `LIMIT ${add(window.limit)}${'offset' in window ? ` OFFSET ${add(window.offset)}` : ''}`

const behind = (id: string, window: Window, { add }: StatementParameters): string | null =>
  'offset' in window || window.after === null ? null : `${id} > ${add(window.after)}`

const ordering = ({ sort }: UserFilter, order: UserOrder | undefined, key: string, id: string): string =>
  order ? `${order.by(key, sort?.descending ?? false)}, ${id}` : id

function collected(tenantId: string, filter: UserFilter, window: Window, order: UserOrder | undefined): Search {
  const { query, connection, connections, totals } = filter
  const parameters = newParameters(tenantId)
  const conditions = [
    'u.tenant_id = $1',
    ...(connection === undefined ? [] : [atConnection(connection, connections, parameters)]),
    ...(query === undefined ? [] : [`(${conditionOf(query, userFields(connections), parameters)})`]),
  ]
  const position = positionOf(window, parameters)
  const after = behind('id', window, parameters)
  const text = `WITH found AS MATERIALIZED (
  SELECT u.id${order ? `, ${order.key} AS key` : ''} FROM "user" u WHERE ${conditions.join(' AND ')}
)
SELECT ${totals ? '(SELECT count(*)::int FROM found)' : '0'} AS total,
  ARRAY(SELECT id FROM found${after ? ` WHERE ${after}` : ''} ORDER BY ${ordering(filter, order, 'key', 'id')} ${position}) AS ids`
  const { values } = parameters
  return keepsPlan(filter)
    ? { name: `managed-users-search-${digestHex(text).slice(0, NAME_DIGITS)}`, text, values }
    : { text, values }
}

/** Of the digest in a statement's name. PostgreSQL cuts names to 63 characters. */
const NAME_DIGITS = 32

/** The best plan does not depend on the value, and there are few such texts. */
const keepsPlan = ({ query, connection, sort }: UserFilter): boolean =>
  query !== undefined && identifies(query) && connection === undefined && sort === undefined

/** A user may have several accounts there. */
function ofConnection(tenantId: string, { connection, connections, totals }: UserFilter, window: Window): Search {
  const parameters = newParameters(tenantId)
  const id = connections.find(({ name }) => name === connection)?.id ?? null
  const from = `FROM identity i WHERE i.tenant_id = $1 AND i.connection_id = ${parameters.add(id)}`
  const position = positionOf(window, parameters)
  const after = behind('i.user_id', window, parameters)
  const text = `SELECT ${totals ? `(SELECT count(DISTINCT i.user_id)::int ${from})` : '0'} AS total,
  ARRAY(SELECT i.user_id ${from}${after ? ` AND ${after}` : ''} GROUP BY i.user_id ORDER BY i.user_id ${position}) AS ids`
  return { text, values: parameters.values }
}

const OF_TENANT = 'FROM "user" u WHERE u.tenant_id = $1'

const totalIf = ({ totals }: UserFilter): string => (totals ? `(SELECT count(*)::int ${OF_TENANT})` : '0')

function ofAll(tenantId: string, filter: UserFilter, window: Window, order: UserOrder | undefined): Search {
  const parameters = newParameters(tenantId)
  const position = positionOf(window, parameters)
  const after = behind('u.id', window, parameters)
  const text = `SELECT ${totalIf(filter)} AS total,
  ARRAY(SELECT u.id ${OF_TENANT}${after ? ` AND ${after}` : ''} ORDER BY ${ordering(filter, order, order?.key ?? '', 'u.id')} ${position}) AS ids`
  return { text, values: parameters.values }
}

/** Those without a value follow, and are looked for only where the page reaches them. */
function alongIndex(
  tenantId: string,
  filter: UserFilter,
  { offset, limit }: { offset: number; limit: number },
  { column, by }: NonNullable<UserOrder['index']>,
): Search {
  const text = `WITH present AS MATERIALIZED (
  SELECT ARRAY(SELECT u.id ${OF_TENANT} AND ${column} IS NOT NULL
    ORDER BY ${by(filter.sort?.descending ?? false)}, u.id LIMIT $3::int) AS ids
)
SELECT ${totalIf(filter)} AS total, (CASE WHEN cardinality(ids) < $3::int THEN ids || ARRAY(
  SELECT u.id ${OF_TENANT} AND ${column} IS NULL ORDER BY u.id LIMIT $3::int
) ELSE ids END)[$2::int + 1:$3::int] AS ids FROM present`
  return { text, values: [tenantId, offset, offset + limit] }
}
