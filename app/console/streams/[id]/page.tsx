import type { Metadata } from 'next'
import { logStreams } from '../../../../lib/management/resources/log-streams'
import { membersWithin, valueLabel } from '../../../../lib/server/next/console/form'
import { schemaOf } from '../../../../lib/server/next/console/log-streams'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { CopyableId } from '../../_parts/copy'
import { DeletePanel } from '../../_parts/delete-panel'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { Moment } from '../../_parts/moment'
import { NotApplied } from '../../_parts/not-applied'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsPanels } from '../../_parts/settings-panels'
import { CHOICES, PATH } from '../stream'

export const metadata: Metadata = { title: say('streams.title') }

export default consolePage(async ({ console, params: { id = '' } }) => {
  const { value: stream, tag, notApplied } = await console.readTagged(logStreams.read, { params: { id } })
  const health = await console.read(logStreams.health, { params: { id } })
  const schema = schemaOf(stream.type)
  const form = {
    operation: logStreams.update,
    params: { id },
    tag,
    schema,
    value: stream,
    choices: CHOICES,
    allowed: console.may(logStreams.update),
  }
  return (
    <>
      <Head title={stream.name} back={{ href: PATH, title: say('streams.title') }} viewed={{ kind: 'streams', id }} />
      <Facts
        facts={[
          [say('column.id'), <CopyableId key="id" value={id} />],
          [say('column.kind'), valueLabel(logStreams.create, 'type', stream.type)],
          [
            say('column.status'),
            <Badge key="status" danger={stream.status === 'suspended'}>
              {valueLabel(logStreams.update, 'status', stream.status)}
            </Badge>,
          ],
        ]}
      />
      <Panel title={say('streams.health')} lead={say(`streams.health.${stream.status}`)}>
        <Facts
          facts={[
            [say('streams.health.delivered'), <Moment key="delivered" at={health.delivered_at} />],
            [say('streams.health.pending'), String(health.pending)],
            [say('streams.health.failures'), String(health.failures)],
            ...(health.failing_since
              ? [
                  [say('streams.health.failing'), <Moment key="failing" at={health.failing_since} />] as const,
                  [say('streams.health.error'), <bdi key="error">{health.last_error}</bdi>] as const,
                ]
              : []),
          ]}
        />
      </Panel>
      <SettingsPanels
        {...form}
        groups={[
          { group: 'basics', title: say('group.basics'), lead: undefined, members: ['name', 'status'] },
          {
            group: 'sink',
            title: say('streams.sink'),
            lead: say('streams.sink.lead'),
            members: membersWithin('sink', schema),
          },
          { group: 'events', title: say('streams.events'), lead: say('streams.events.lead'), members: ['filters'] },
        ]}
      />
      <NotApplied paths={notApplied} />
      {console.may(logStreams.delete) && (
        <DeletePanel
          operation={logStreams.delete}
          params={{ id }}
          tag={tag}
          lead={say('streams.delete.lead')}
          confirm={stream.name}
          to={PATH}
        />
      )}
    </>
  )
})
