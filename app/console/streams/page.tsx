import type { Metadata } from 'next'
import { logStreams } from '../../../lib/management/resources/log-streams'
import { valueLabel } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import { Head } from '../_parts/head'
import { NewLink } from '../_parts/links'
import { List } from '../_parts/list'
import { consolePage } from '../_parts/page'
import { PATH, selected } from './stream'

export const metadata: Metadata = { title: say('streams.title') }

export default consolePage(async ({ console }) => {
  const streams = await console.read(logStreams.list)
  return (
    <>
      <Head title={say('streams.title')} lead={say('streams.lead')} />
      <List
        path={PATH}
        rows={streams}
        total={streams.length}
        page={0}
        query={{}}
        empty={say('streams.empty')}
        id={({ id }) => id}
        href={({ id }) => `${PATH}/${encodeURIComponent(id)}`}
        columns={[
          { title: say('column.name'), cell: ({ name }) => <bdi>{name}</bdi> },
          { title: say('column.kind'), cell: ({ type }) => valueLabel(logStreams.create, 'type', type) },
          { title: say('streams.events'), cell: selected },
          {
            title: say('column.status'),
            cell: ({ status }) => (
              <Badge danger={status === 'suspended'}>{valueLabel(logStreams.update, 'status', status)}</Badge>
            ),
          },
        ]}
        action={console.may(logStreams.create) && <NewLink href={`${PATH}/new`} title={say('streams.new')} />}
      />
    </>
  )
})
