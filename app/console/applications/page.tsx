import type { Metadata } from 'next'
import { clients } from '../../../lib/management/resources/clients'
import { valueLabel } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { NewLink } from '../_parts/links'
import { List, pageIn, pageQuery } from '../_parts/list'
import { consolePage } from '../_parts/page'

export const metadata: Metadata = { title: say('applications.title') }

export default consolePage(async ({ console, query }) => {
  const page = pageIn(query)
  const { rows, total } = await console.list(clients.list, {
    query: { ...pageQuery(page), is_global: 'false', name_filter: query.q },
  })
  return (
    <>
      <Head title={say('applications.title')} lead={say('applications.lead')} />
      <List
        path="/console/applications"
        rows={rows}
        total={total}
        page={page}
        query={{ q: query.q }}
        search={{ name: 'q', label: say('applications.search') }}
        empty={say('applications.empty')}
        id={({ client_id }) => client_id}
        href={({ client_id }) => `/console/applications/${encodeURIComponent(client_id)}`}
        columns={[
          { title: say('column.name'), cell: ({ name }) => <bdi>{name}</bdi> },
          {
            title: say('column.kind'),
            cell: ({ app_type = 'regular_web' }) => valueLabel(clients.update, 'app_type', app_type),
          },
          { title: say('column.client_id'), cell: ({ client_id }) => <code>{client_id}</code> },
        ]}
        action={
          console.may(clients.create) && <NewLink href="/console/applications/new" title={say('applications.new')} />
        }
      />
    </>
  )
})
