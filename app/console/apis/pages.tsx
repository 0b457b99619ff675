import type { AnswerOf } from '../../../lib/management/console-call'
import { resourceServers } from '../../../lib/management/resources/resource-servers'
import { grantsOf } from '../../../lib/server/next/console/affected'
import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'

type Api = AnswerOf<typeof resourceServers.read>

export const pages: ResourcePages<Api> = {
  path: '/console/apis',
  operations: resourceServers,
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
  affected: ({ identifier }, console) => grantsOf({ audience: identifier }, console),
}
