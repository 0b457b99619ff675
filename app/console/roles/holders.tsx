import { roles } from '../../../lib/management/resources/roles'
import type { Console } from '../../../lib/server/next/console/page'
import { choicesOf } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { UserLink } from '../_parts/links'
import { OperationForm } from '../_parts/operation-form'
import { Panel } from '../_parts/panel'
import { Rows } from '../_parts/rows'
import { SettingsForm } from '../_parts/settings-form'

export async function holdersAndPermissions(id: string, console: Console) {
  const [permissions, holders, permissionChoices, holderChoices] = await Promise.all([
    console.read(roles.permissionsList, { params: { id }, query: { per_page: '100' } }),
    console.may(roles.usersList) ? console.read(roles.usersList, { params: { id }, query: { per_page: '100' } }) : [],
    choicesOf(roles.permissionsAdd, ['permissions'], console),
    choicesOf(roles.usersAdd, ['users'], console),
  ])
  return (
    <>
      <Panel key="permissions" title={say('roles.permissions')} lead={say('roles.permissions.lead')}>
        <Rows
          rows={permissions}
          id={({ permission_name, resource_server_identifier }) => `${resource_server_identifier} ${permission_name}`}
          cell={({ permission_name, resource_server_name }) => (
            <>
              <code>{permission_name}</code> · <bdi>{resource_server_name}</bdi>
            </>
          )}
          action={({ permission_name, resource_server_identifier }) =>
            console.may(roles.permissionsRemove) && (
              <OperationForm
                operation={roles.permissionsRemove}
                params={{ id }}
                body={{ permissions: [{ permission_name, resource_server_identifier }] }}
                undo={{
                  operation: roles.permissionsAdd,
                  body: { permissions: [{ permission_name, resource_server_identifier }] },
                }}
                submitLabel={say('form.remove')}
                done="deleted"
              />
            )
          }
        />
        {console.may(roles.permissionsAdd) && (
          <SettingsForm
            operation={roles.permissionsAdd}
            params={{ id }}
            members={['permissions']}
            choices={permissionChoices}
            submitLabel={say('form.add')}
          />
        )}
      </Panel>
      <Panel key="holders" title={say('roles.holders')} lead={say('roles.holders.lead')}>
        <Rows
          rows={holders}
          id={({ user_id }) => user_id}
          cell={({ user_id, name, email }) => <UserLink id={user_id} name={name ?? email} />}
        />
        {console.may(roles.usersAdd) && (
          <SettingsForm
            operation={roles.usersAdd}
            params={{ id }}
            members={['users']}
            choices={holderChoices}
            submitLabel={say('roles.holders.add')}
          />
        )}
      </Panel>
    </>
  )
}
