import type { Metadata } from 'next'
import { connections } from '../../../../lib/management/resources/connections'
import { users } from '../../../../lib/management/resources/users'
import { kindName } from '../../../../lib/server/next/console/connection-options'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { KindCards } from '../../_parts/kind-cards'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { Empty } from '../../_parts/states'

export const metadata: Metadata = { title: say('users.new') }

export default consolePage(async ({ console, query }) => {
  if (!console.may(users.create)) throw new Forbid()
  const all = await console.read(connections.list, { query: { per_page: '100' } })
  const usable = all.filter(({ strategy }) => ['auth0', 'email', 'sms'].includes(strategy))
  const chosen = usable.find(({ name }) => name === query.connection) ?? usable[0]
  return (
    <>
      <Head title={say('users.new')} back={{ href: '/console/users', title: say('users.title') }} />
      <KindCards
        label={say('users.connections')}
        cards={usable.map(({ name, strategy }) => ({
          href: `/console/users/new?connection=${encodeURIComponent(name)}`,
          title: name,
          hint: kindName(strategy),
          isChosen: name === chosen?.name,
        }))}
      />
      {chosen ? (
        <Panel title={chosen.name} lead={say('users.new.lead')}>
          <SettingsForm
            key={chosen.name}
            operation={users.create}
            body={{ connection: chosen.name }}
            members={membersFor(chosen.strategy)}
            submitLabel={say('form.create')}
            next="/console/users/{id}?done=created"
          />
        </Panel>
      ) : (
        <Empty title={say('users.new.none')} />
      )}
    </>
  )
})

function membersFor(strategy: string): readonly string[] {
  if (strategy === 'sms') return ['phone_number', 'name']
  return strategy === 'email' ? ['email', 'name'] : ['email', 'username', 'password', 'name']
}
