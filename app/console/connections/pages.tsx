import type { AnswerOf } from '../../../lib/management/console-call'
import { connections } from '../../../lib/management/resources/connections'
import { accountsOf } from '../../../lib/server/next/console/affected'
import { connectionBody, kindName, withEffective } from '../../../lib/server/next/console/connection-options'
import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'
import { ProviderSetup } from './provider-setup'

type Connection = AnswerOf<typeof connections.read>

export const pages: ResourcePages<Connection> = {
  path: '/console/connections',
  operations: connections,
  title: say('connections.title'),
  lead: say('connections.lead'),
  empty: say('connections.empty'),
  newTitle: say('connections.new'),
  id: 'id',
  columns: [
    { title: say('column.kind'), cell: ({ strategy }) => kindName(strategy) },
    { title: say('column.applications'), cell: ({ enabled_clients = [] }) => String(enabled_clients.length) },
  ],
  search: 'name',
  newMembers: [],
  schemaOf: ({ strategy }) => connectionBody(strategy),
  effective: withEffective,
  view: 'connections',
  section: 'connections',
  deleteLead: say('connections.delete.lead'),
  affected: ({ name }, console) => accountsOf(name, console),
  tried: ({ name }) => ({ connection: name }),
  before: async ({ id }, console) => <ProviderSetup id={id} console={console} />,
}
