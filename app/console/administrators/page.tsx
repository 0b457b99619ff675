import type { Metadata } from 'next'
import { administrators } from '../../../lib/management/resources/administrators'
import { valueLabel } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { OperationForm } from '../_parts/operation-form'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { Rows } from '../_parts/rows'
import { SettingsForm } from '../_parts/settings-form'
import { RoleTable } from './role-table'

export const metadata: Metadata = { title: say('administrators.title') }

export default consolePage(async ({ console }) => {
  const all = await console.read(administrators.list)
  return (
    <>
      <Head title={say('administrators.title')} lead={say('administrators.lead')} />
      {all.map((each) => (
        <Panel
          key={each.user_id}
          title={each.name ?? each.email ?? each.user_id}
          lead={`${valueLabel(administrators.update, 'role', each.role)}${each.email && each.name ? ` · ${each.email}` : ''}`}
        >
          <details>
            <summary className="co-summary">
              {say('administrators.scopes', { count: String(each.scopes.length) })}
            </summary>
            <Rows rows={each.scopes} id={(scope) => scope} cell={(scope) => <code>{scope}</code>} />
          </details>
          {console.may(administrators.update) && (
            <SettingsForm
              operation={administrators.update}
              params={{ id: each.user_id }}
              members={['role']}
              value={each}
              submitLabel={say('administrators.change')}
            />
          )}
          {console.may(administrators.delete) && (
            <OperationForm
              operation={administrators.delete}
              params={{ id: each.user_id }}
              submitLabel={say('administrators.remove')}
              done="deleted"
              danger
            />
          )}
        </Panel>
      ))}
      <Panel title={say('administrators.compare')} lead={say('administrators.compare.lead')}>
        <RoleTable />
      </Panel>
      {console.may(administrators.invite) && (
        <Panel title={say('administrators.invite')} lead={say('administrators.invite.lead')}>
          <SettingsForm
            operation={administrators.invite}
            members={['role', 'email']}
            submitLabel={say('administrators.invite.make')}
            next="/console/administrators"
          />
        </Panel>
      )}
    </>
  )
})
