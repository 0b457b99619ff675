import type { Metadata } from 'next'
import { connections } from '../../../../lib/management/resources/connections'
import {
  connectionKinds,
  kindName,
  NEW_GROUPS,
  newConnectionBody,
} from '../../../../lib/server/next/console/connection-options'
import { formGroups } from '../../../../lib/server/next/console/form'
import { choicesOf } from '../../../../lib/server/next/console/pickers'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { KindCards } from '../../_parts/kind-cards'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { pages } from '../pages'

export const metadata: Metadata = { title: pages.newTitle }

export default consolePage(async ({ console, query: { strategy = '' } }) => {
  if (!console.may(connections.create)) throw new Forbid()
  const { path, title, newTitle } = pages
  const kinds = Object.entries(connectionKinds()) as [keyof ReturnType<typeof connectionKinds>, readonly string[]][]
  const schema = newConnectionBody(strategy)
  if (schema === undefined)
    return (
      <>
        <Head title={newTitle} back={{ href: path, title }} />
        {kinds.map(([group, strategies]) => (
          <Panel key={group} title={say(`connections.kinds.${group}`)}>
            <KindCards
              label={say(`connections.kinds.${group}`)}
              cards={strategies.map((each) => ({
                href: `${path}/new?strategy=${each}`,
                title: kindName(each),
                isChosen: false,
              }))}
            />
          </Panel>
        ))}
      </>
    )
  const groups = formGroups(connections.update, 'connections', schema)
  const requested = groups.filter(({ group }) => NEW_GROUPS.includes(group)).flatMap(({ members }) => members)
  const members = ['name', 'display_name', ...requested, 'enabled_clients']
  return (
    <>
      <Head title={kindName(strategy)} back={{ href: `${path}/new`, title: say('connections.kinds') }} />
      <Panel title={newTitle} lead={say(strategy === 'samlp' ? 'connections.new.lead.samlp' : 'connections.new.lead')}>
        <SettingsForm
          operation={connections.create}
          schema={schema}
          body={{ strategy }}
          members={members}
          choices={await choicesOf(connections.create, members, console, { schema })}
          submitLabel={say('form.create')}
          next={`${path}/{id}?done=created`}
        />
      </Panel>
    </>
  )
})
