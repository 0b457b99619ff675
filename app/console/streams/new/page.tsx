import type { Metadata } from 'next'
import { membersWithin } from '../../../../lib/next/console/form'
import { STREAM_TYPES, schemaOf } from '../../../../lib/next/console/log-streams'
import { say } from '../../../../lib/texts/console'
import { describeOption } from '../../../../lib/texts/console-members'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { CHOICES, PATH } from '../stream'

export const metadata: Metadata = { title: say('streams.new') }

export default consolePage(async ({ console, query }) => {
  if (!console.may('log_streams.create')) throw new Forbid()
  const type = STREAM_TYPES.find((each) => each === query.type) ?? 'http'
  const schema = schemaOf(type)
  return (
    <>
      <Head title={say('streams.new')} back={{ href: PATH, title: say('streams.title') }} />
      <nav className="co-cards" aria-label={say('streams.types')}>
        {STREAM_TYPES.map((each) => (
          <a
            key={each}
            className="co-card"
            href={`${PATH}/new?type=${each}`}
            aria-current={each === type ? 'true' : undefined}
          >
            <span className="co-card-title">{describeOption('log_streams.type', each)}</span>
            <span className="co-hint">{say(`streams.type.${each}`)}</span>
          </a>
        ))}
      </nav>
      <Panel title={describeOption('log_streams.type', type)} lead={say('streams.new.lead')}>
        <SettingsForm
          key={type}
          operation="log_streams.create"
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
