import type { AnswerOf } from '../../../lib/management/console-call'
import { clientGrants } from '../../../lib/management/resources/client-grants'
import { resourceServers } from '../../../lib/management/resources/resource-servers'
import { grantsOf } from '../../../lib/server/next/console/affected'
import { say } from '../../../lib/text/console'
import type { ResourcePages, ResourcePart } from '../_parts/resource'
import { Access } from './access'
import { BuiltIn, SystemApi } from './built-in'
import { TestToken } from './test-token'

type Api = AnswerOf<typeof resourceServers.read>

const isRegistered = ({ is_system }: Api): boolean => !is_system

const parts: readonly ResourcePart<Api>[] = [
  {
    name: '',
    title: say('apis.tab.settings'),
    operation: resourceServers.read,
    groups: ['basics', 'tokens', 'access'],
    more: async (api) => api.is_system && <SystemApi />,
  },
  {
    name: 'permissions',
    title: say('apis.tab.permissions'),
    operation: resourceServers.read,
    groups: ['permissions'],
  },
  {
    name: 'access',
    title: say('apis.tab.access'),
    operation: clientGrants.list,
    groups: [],
    more: async (api, console) => await Access({ api, console }),
  },
  {
    name: 'test',
    title: say('apis.tab.test'),
    operation: resourceServers.testToken,
    groups: [],
    exists: isRegistered,
    more: async (api, console) => await TestToken({ api, console }),
  },
]

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
  view: 'apis',
  section: 'apis',
  isFixed: ({ is_system }) => is_system,
  parts,
  below: (console) => <BuiltIn console={console} />,
  deleteLead: say('apis.delete.lead'),
  affected: ({ identifier }, console) => grantsOf({ audience: identifier }, console),
}
