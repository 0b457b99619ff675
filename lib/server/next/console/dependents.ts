// What uses an application, or is of no use without it: said before it is deleted.
import type { AnswerOf } from '../../../management/console-call'
import type { clients } from '../../../management/resources/clients'
import { logs } from '../../../management/resources/logs'
import { resourceServers } from '../../../management/resources/resource-servers'
import { say } from '../../../text/console'
import type { ConnectionSwitch } from './enabled-connections'
import { readFormats } from './formats'
import type { Console } from './page'

type Dependent = { text: string; href?: string }

type Application = AnswerOf<typeof clients.read>

export async function dependentsOf(
  application: Application,
  connections: readonly ConnectionSwitch[] | null,
  console: Console,
): Promise<Dependent[]> {
  const [login, api] = await Promise.all([lastLogin(application, console), apiOf(application, console)])
  return [...login, ...connectionsIn(connections), ...api]
}

async function lastLogin({ client_id }: Application, console: Console): Promise<Dependent[]> {
  if (!console.may(logs.list)) return []
  const query = `client_id:"${client_id}" AND type:(s OR ssa OR seccft)`
  const [last] = await console.read(logs.list, { query: { q: query, per_page: '1' } })
  if (!last) return [{ text: say('applications.dependents.unused') }]
  const { date: written } = await readFormats()
  const date = written(new Date(last.date))
  return [{ text: say('applications.dependents.used', { date }), href: `/console/logs/${last.log_id}` }]
}

function connectionsIn(connections: readonly ConnectionSwitch[] | null): Dependent[] {
  const count = connections?.filter(({ isEnabled }) => isEnabled).length ?? 0
  return count === 0 ? [] : [{ text: say('applications.dependents.connections', { count: String(count) }) }]
}

/** An application may be the API that others call. */
async function apiOf(application: Application, console: Console): Promise<Dependent[]> {
  const identifier = application.resource_server_identifier
  if (identifier === undefined || !console.may(resourceServers.list)) return []
  const { rows } = await console.list(resourceServers.list, { query: { identifiers: identifier, per_page: '1' } })
  return rows.map(({ id, name }) => ({
    text: say('applications.dependents.api', { name }),
    href: `/console/apis/${encodeURIComponent(id)}`,
  }))
}
