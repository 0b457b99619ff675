import type { AnswerOf } from '../../../lib/management/console-call'
import { clients } from '../../../lib/management/resources/clients'
import { valueLabel } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import type { Listing } from '../_parts/listing'

type Client = AnswerOf<typeof clients.read>

const KINDS = ['regular_web', 'spa', 'native', 'non_interactive'] as const

const kindOf = (kind: string): string => valueLabel(clients.update, 'app_type', kind)

export const list: Listing<Client> = {
  name: 'applications',
  operation: clients.list,
  query: ({ q, kind }) => ({ is_global: 'false', name_filter: q, app_type: kind }),
  search: { label: say('applications.search') },
  filters: [
    {
      name: 'kind',
      label: say('column.kind'),
      options: async () => KINDS.map((kind) => ({ value: kind, label: kindOf(kind) })),
    },
  ],
  columns: [
    { title: say('column.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: say('column.kind'), cell: ({ app_type = 'regular_web' }) => kindOf(app_type) },
    { title: say('column.client_id'), cell: ({ client_id }) => <code>{client_id}</code> },
    { title: say('column.description'), optional: true, cell: ({ description }) => <bdi>{description}</bdi> },
  ],
  id: ({ client_id }) => client_id,
  label: ({ name }) => name,
  href: ({ client_id }) => `/console/applications/${encodeURIComponent(client_id)}`,
  empty: say('applications.empty'),
  bulk: (console) =>
    console.may(clients.delete)
      ? [{ label: say('bulk.delete'), operation: clients.delete.name, param: 'id', danger: true }]
      : [],
}
