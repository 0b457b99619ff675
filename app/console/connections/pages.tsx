import { applicationChoices } from '../../../lib/server/next/console/enabled-connections'
import { say } from '../../../lib/text/console'
import type { ResourcePages } from '../_parts/resource'
import { ProviderSetup } from './provider-setup'

type Connection = { id: string; name: string; strategy: string; display_name?: string; enabled_clients?: string[] }

/** Those that need no provider; the form of a provider's options is JSON. */
const STRATEGIES = [
  'auth0',
  'email',
  'sms',
  'oidc',
  'samlp',
  'adfs',
  'waad',
  'google-oauth2',
  'github',
  'apple',
  'facebook',
  'linkedin',
]

export const pages: ResourcePages<Connection> = {
  path: '/console/connections',
  plural: 'connections',
  title: say('connections.title'),
  lead: say('connections.lead'),
  empty: say('connections.empty'),
  newTitle: say('connections.new'),
  id: 'id',
  columns: [
    { title: say('column.kind'), cell: ({ strategy }) => <code>{strategy}</code> },
    { title: say('column.applications'), cell: ({ enabled_clients = [] }) => String(enabled_clients.length) },
  ],
  search: 'name',
  newMembers: ['name', 'strategy', 'display_name', 'options'],
  choices: { strategy: STRATEGIES.map((strategy) => ({ value: strategy, label: strategy })) },
  readChoices: async (console) => {
    const applications = await applicationChoices(console)
    return applications && { enabled_clients: applications }
  },
  groups: [
    { title: say('group.basics'), members: ['display_name', 'is_domain_connection', 'realms'] },
    { title: say('connections.clients'), lead: say('connections.clients.lead'), members: ['enabled_clients'] },
    { title: say('connections.options'), lead: say('connections.options.lead'), members: ['options'] },
  ],
  deleteLead: say('connections.delete.lead'),
  more: async ({ id }, console) => <ProviderSetup id={id} console={console} />,
}
