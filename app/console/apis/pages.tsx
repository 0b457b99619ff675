import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'

type Api = { id: string; identifier: string; name: string; is_system: boolean }

export const pages: ResourcePages<Api> = {
  path: '/console/apis',
  plural: 'resource_servers',
  title: say('apis.title'),
  lead: say('apis.lead'),
  empty: say('apis.empty'),
  newTitle: say('apis.new'),
  id: 'id',
  columns: [{ title: say('column.audience'), cell: ({ identifier }) => <code>{identifier}</code> }],
  newMembers: ['name', 'identifier', 'scopes'],
  section: 'apis',
  isFixed: ({ is_system }) => is_system,
  deleteLead: say('apis.delete.lead'),
}
