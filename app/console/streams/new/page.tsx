import type { Metadata } from 'next'
import { logStreams } from '../../../../lib/management/resources/log-streams'
import { membersWithin, valueLabel } from '../../../../lib/server/next/console/form'
import { STREAM_TYPES, schemaOf } from '../../../../lib/server/next/console/log-streams'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { KindCards } from '../../_parts/kind-cards'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { CHOICES, PATH } from '../stream'

export const metadata: Metadata = { title: say('streams.new') }

export default consolePage(async ({ console, query }) => {
  if (!console.may(logStreams.create)) throw new Forbid()
  const type = STREAM_TYPES.find((each) => each === query.type) ?? 'http'
  const schema = schemaOf(type)
  return (
    <>
      <Head title={say('streams.new')} back={{ href: PATH, title: say('streams.title') }} />
      <KindCards
        label={say('streams.types')}
        cards={STREAM_TYPES.map((each) => ({
          href: `${PATH}/new?type=${each}`,
          title: valueLabel(logStreams.create, 'type', each),
          hint: say(`streams.type.${each}`),
          isChosen: each === type,
        }))}
      />
      <Panel title={valueLabel(logStreams.create, 'type', type)} lead={say('streams.new.lead')}>
        <SettingsForm
          key={type}
          operation={logStreams.create}
          schema={schema}
          body={{ type }}
          members={['name', ...membersWithin('sink', schema), 'filters']}
          choices={CHOICES}
          submitLabel={say('form.create')}
          next={`${PATH}/{id}?done=created`}
        />
      </Panel>
    </>
  )
})
