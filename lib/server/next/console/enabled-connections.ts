// Which applications have which connections, for the pages of both and for the form of a new application.

import { signsUsersIn } from '../../../data/clients/client'
import { answerOf, type ConsoleContext, callOperation, mayCall } from '../../../management/console-call'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { say } from '../../../text/console'
import type { Field } from './field'
import type { Console } from './page'

type Connection = {
  id: string
  name: string
  strategy: string
  is_domain_connection: boolean
  enabled_clients: string[]
}

type Application = { client_id: string; grant_types?: string[]; app_type?: string; is_first_party?: boolean }

/** The largest page of a list. */
const MOST = 100

type Read = (query: Record<string, string>) => Promise<readonly Connection[]>

async function allConnections(read: Read, filter: Record<string, string> = {}): Promise<Connection[]> {
  const found: Connection[] = []
  for (let page = 0; found.length === page * MOST; page += 1)
    found.push(...(await read({ ...filter, page: String(page), per_page: String(MOST) })))
  return found
}

const readWith =
  (console: Console): Read =>
  (query) =>
    console.read(connections.list, { query })

const DATABASES = { strategy: 'auth0' }

/** `isFixed`: every third-party application has it. */
export type ConnectionSwitch = { id: string; name: string; isEnabled: boolean; isFixed: boolean }

/** All connections, those of the application first; null where it signs no user in, or the person may not read them. */
export async function connectionSwitches(
  { client_id, grant_types = [], is_first_party }: Application,
  console: Console,
): Promise<ConnectionSwitch[] | null> {
  if (!signsUsersIn({ grantTypes: grant_types }) || !console.may(connections.list)) return null
  const all = (await allConnections(readWith(console))).map(({ id, name, enabled_clients, is_domain_connection }) => {
    const isFixed = is_domain_connection && is_first_party === false
    return { id, name, isFixed, isEnabled: isFixed || enabled_clients.includes(client_id) }
  })
  return all.sort((one, other) => Number(other.isEnabled) - Number(one.isEnabled))
}

/** The connections of an application; null as above. */
export const connectionsOf = async (application: Application, console: Console): Promise<ConnectionSwitch[] | null> =>
  (await connectionSwitches(application, console))?.filter(({ isEnabled }) => isEnabled) ?? null

/** The applications by name; undefined where they are too many to tick, or the person may not read them. */
export async function applicationChoices(console: Console): Promise<Field['options'] | undefined> {
  if (!console.may(clients.list, 'is_global')) return undefined
  const { rows, total } = await console.list(clients.list, { query: { is_global: 'false', per_page: String(MOST) } })
  return total > MOST ? undefined : rows.map(({ client_id, name }) => ({ value: client_id, label: name }))
}

/** A control of the form for a new application, and no member of it. */
export const ENABLED = '_connections'

/** The tenant's databases, all ticked; null where there is none, or the person may not enable them. */
export async function databaseField(console: Console): Promise<Field | null> {
  if (!console.may(connections.clientsUpdate) || !console.may(connections.list)) return null
  const databases = await allConnections(readWith(console), DATABASES)
  if (databases.length === 0) return null
  return {
    name: ENABLED,
    kind: 'choices',
    label: say('applications.new.databases'),
    help: say('applications.new.databases.hint'),
    options: databases.map(({ id, name }) => ({ value: id, label: name })),
    value: databases.map(({ id }) => id),
    required: false,
  }
}

/** Enables the ticked databases for a new application, and no others; nothing where the form did not offer them. */
export async function enableDatabases(form: FormData, clientId: string, context: ConsoleContext): Promise<void> {
  const key = `choices:${ENABLED}`
  if (!form.has(key) || !mayCall(connections.clientsUpdate, context.actor)) return
  const ticked = new Set(form.getAll(key))
  const read: Read = (query) => answerOf(connections.list, { query }, context)
  for (const { id, enabled_clients } of await allConnections(read, DATABASES)) {
    const status = ticked.has(id)
    if (status === enabled_clients.includes(clientId)) continue
    await callOperation(connections.clientsUpdate, { params: { id }, body: [{ client_id: clientId, status }] }, context)
  }
}
