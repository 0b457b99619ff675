import type { Metadata } from 'next'
import { clients } from '../../../../lib/management/resources/clients'
import { databaseField } from '../../../../lib/server/next/console/enabled-connections'
import { valueLabel } from '../../../../lib/server/next/console/form'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { KindCards } from '../../_parts/kind-cards'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'

export const metadata: Metadata = { title: say('applications.new') }

const KINDS = ['regular_web', 'spa', 'native', 'non_interactive'] as const

const BASICS = ['name', 'description']
const ADDRESSES = [...BASICS, 'callbacks', 'allowed_logout_urls']
const MEMBERS = {
  regular_web: ADDRESSES,
  spa: [...ADDRESSES, 'web_origins'],
  native: ADDRESSES,
  non_interactive: BASICS,
}

export default consolePage(async ({ console, query }) => {
  if (!console.may(clients.create)) throw new Forbid()
  const kind = KINDS.find((each) => each === query.kind) ?? 'regular_web'
  const databases = kind === 'non_interactive' ? null : await databaseField(console)
  return (
    <>
      <Head
        title={say('applications.new')}
        back={{ href: '/console/applications', title: say('applications.title') }}
      />
      <KindCards
        label={say('applications.kinds')}
        cards={KINDS.map((each) => ({
          href: `/console/applications/new?kind=${each}`,
          title: valueLabel(clients.create, 'app_type', each),
          hint: say(`applications.kind.${each}`),
          isChosen: each === kind,
        }))}
      />
      <Panel title={valueLabel(clients.create, 'app_type', kind)} lead={say('applications.new.lead')}>
        <SettingsForm
          key={kind}
          operation={clients.create}
          body={{ app_type: kind, ...(kind === 'non_interactive' ? { grant_types: ['client_credentials'] } : {}) }}
          members={MEMBERS[kind]}
          {...(kind === 'spa' && { proposes: 'web_origins' as const })}
          also={databases ? [databases] : []}
          submitLabel={say('form.create')}
          next="/console/applications/{id}?done=created"
        />
      </Panel>
    </>
  )
})
