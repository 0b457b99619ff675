import { organizationMembers } from '../../../lib/management/resources/organization-members'
import type { Console } from '../../../lib/server/next/console/page'
import { choicesOf } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { UserLink } from '../_parts/links'
import { OperationForm } from '../_parts/operation-form'
import { Panel } from '../_parts/panel'
import { Rows } from '../_parts/rows'
import { SettingsForm } from '../_parts/settings-form'

export async function members(id: string, console: Console) {
  if (!console.may(organizationMembers.membersList)) return null
  const found = await console.read(organizationMembers.membersList, {
    params: { id },
    query: { per_page: '100' },
  })
  const above = await console.above(
    'users',
    found.map(({ user_id }) => user_id),
  )
  return (
    <Panel title={say('organizations.members')} lead={say('organizations.members.lead')}>
      <Rows
        rows={found}
        id={({ user_id }) => user_id}
        cell={({ user_id, name, email }) => <UserLink id={user_id} name={name ?? email} />}
        action={({ user_id }) =>
          console.may(organizationMembers.membersRemove) &&
          !above.has(user_id) && (
            <OperationForm
              operation={organizationMembers.membersRemove}
              params={{ id }}
              body={{ members: [user_id] }}
              undo={{ operation: organizationMembers.membersAdd, body: { members: [user_id] } }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {console.may(organizationMembers.membersAdd) && (
        <SettingsForm
          operation={organizationMembers.membersAdd}
          params={{ id }}
          members={['members']}
          choices={await choicesOf(organizationMembers.membersAdd, ['members'], console)}
          submitLabel={say('form.add')}
        />
      )}
    </Panel>
  )
}
