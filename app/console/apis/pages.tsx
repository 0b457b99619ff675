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
  groups: [
    { title: say('group.basics'), members: ['name', 'scopes'] },
    {
      title: say('apis.tokens'),
      lead: say('apis.tokens.lead'),
      members: ['token_lifetime', 'token_lifetime_for_web', 'allow_offline_access', 'token_dialect'],
    },
    {
      title: say('apis.access'),
      lead: say('apis.access.lead'),
      members: ['enforce_policies', 'skip_consent_for_verifiable_first_party_clients'],
    },
  ],
  isFixed: ({ is_system }) => is_system,
  deleteLead: say('apis.delete.lead'),
}
