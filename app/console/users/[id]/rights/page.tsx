import type { Metadata } from 'next'
import { organizationMembers } from '../../../../../lib/management/resources/organization-members'
import { organizations } from '../../../../../lib/management/resources/organizations'
import { resourceServers } from '../../../../../lib/management/resources/resource-servers'
import { roles } from '../../../../../lib/management/resources/roles'
import { userAccess } from '../../../../../lib/management/resources/user-access'
import { say } from '../../../../../lib/text/console'
import { PageLink, userPath } from '../../../_parts/links'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { SettingsForm } from '../../../_parts/settings-form'
import { type Person, personPage } from '../person'

export const metadata: Metadata = { title: say('users.tab.rights') }

export default personPage('/rights', async (person) => (
  <>{await Promise.all([givenRoles(person), permissions(person), memberships(person)])}</>
))

async function givenRoles({ console, id }: Person) {
  if (!console.may(userAccess.rolesList)) return null
  const [given, all] = await Promise.all([
    console.read(userAccess.rolesList, { params: { id } }),
    console.may(roles.list) ? console.read(roles.list, { query: { per_page: '100' } }) : [],
  ])
  const held = new Set(given.map((role) => role.id))
  const above = await console.above('roles', [...new Set([...given, ...all].map((role) => role.id))])
  const others = all.filter((role) => !held.has(role.id) && !above.has(role.id))
  return (
    <Panel key="roles" title={say('users.roles')} lead={say('users.roles.lead')}>
      <Rows
        rows={given}
        id={(role) => role.id}
        cell={({ name }) => <bdi>{name}</bdi>}
        action={(role) =>
          console.may(userAccess.rolesRemove) &&
          !above.has(role.id) && (
            <OperationForm
              operation={userAccess.rolesRemove}
              params={{ id }}
              body={{ roles: [role.id] }}
              undo={{ operation: userAccess.rolesAdd, body: { roles: [role.id] } }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {others.length > 0 && console.may(userAccess.rolesAdd) && (
        <SettingsForm
          operation={userAccess.rolesAdd}
          params={{ id }}
          members={['roles']}
          choices={{ roles: others.map((role) => ({ value: role.id, label: role.name })) }}
          submitLabel={say('form.add')}
        />
      )}
    </Panel>
  )
}

async function permissions({ console, id, query }: Person) {
  if (!console.may(userAccess.permissionsList)) return null
  const held = await console.read(userAccess.permissionsList, { params: { id }, query: { per_page: '100' } })
  const isDirect = ({ sources }: (typeof held)[number]): boolean =>
    sources === undefined || sources.some(({ source_type }) => source_type === 'DIRECT')
  return (
    <Panel key="permissions" title={say('users.permissions')} lead={say('users.permissions.lead')}>
      <Rows
        rows={held}
        id={(each) => `${each.resource_server_identifier} ${each.permission_name}`}
        cell={({ permission_name, resource_server_name, resource_server_identifier }) => (
          <>
            <code>{permission_name}</code> · <bdi>{resource_server_name ?? resource_server_identifier}</bdi>
          </>
        )}
        action={(each) =>
          isDirect(each) &&
          console.may(userAccess.permissionsRemove) && (
            <OperationForm
              operation={userAccess.permissionsRemove}
              params={{ id }}
              body={{
                permissions: [
                  {
                    permission_name: each.permission_name,
                    resource_server_identifier: each.resource_server_identifier,
                  },
                ],
              }}
              undo={{
                operation: userAccess.permissionsAdd,
                body: {
                  permissions: [
                    {
                      permission_name: each.permission_name,
                      resource_server_identifier: each.resource_server_identifier,
                    },
                  ],
                },
              }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {await PermissionPicker({ console, id, chosen: query.api, held: held.filter(isDirect) })}
    </Panel>
  )
}

type PickerProps = Pick<Person, 'console' | 'id'> & {
  chosen: string | undefined
  held: readonly { resource_server_identifier: string; permission_name: string }[]
}

/** First the API, then its permissions: an API may have a thousand. */
async function PermissionPicker({ console, id, chosen, held }: PickerProps) {
  if (!console.may(userAccess.permissionsAdd) || !console.may(resourceServers.list)) return null
  const all = await console.read(resourceServers.list, { query: { per_page: '100' } })
  const api = all.find(({ identifier }) => identifier === chosen)
  const own = new Set(
    held
      .filter(({ resource_server_identifier }) => resource_server_identifier === api?.identifier)
      .map(({ permission_name }) => permission_name),
  )
  const offered = (api?.scopes ?? []).filter(({ value }) => !own.has(value))
  return (
    <>
      <form className="co-form" method="get" action={`${userPath(id)}/rights`}>
        <div className="co-field">
          <label className="co-label" htmlFor="api">
            {say('users.permissions.api')}
          </label>
          <select id="api" className="co-input" name="api" defaultValue={api?.identifier ?? ''}>
            <option value="">{say('users.permissions.choose')}</option>
            {all.map(({ identifier, name }) => (
              <option key={identifier} value={identifier}>
                {name ?? identifier}
              </option>
            ))}
          </select>
        </div>
        <div className="co-form-foot">
          <button type="submit" className="co-button">
            {say('users.permissions.show')}
          </button>
        </div>
      </form>
      {api && offered.length === 0 && <p className="co-hint">{say('users.permissions.none')}</p>}
      {api && offered.length > 0 && (
        <SettingsForm
          key={api.identifier}
          operation={userAccess.permissionsAdd}
          params={{ id }}
          members={['permissions']}
          choices={{
            permissions: offered.map(({ value, description }) => ({
              value: JSON.stringify({ resource_server_identifier: api.identifier, permission_name: value }),
              label: description ? `${value} – ${description}` : value,
            })),
          }}
          submitLabel={say('form.add')}
          done="saved"
        />
      )}
    </>
  )
}

const MAX_CHOICES = '100'

async function memberships({ console, id }: Person) {
  if (!console.may(organizations.organizationsList)) return null
  const [own, all] = await Promise.all([
    console.read(organizations.organizationsList, { params: { id }, query: { per_page: MAX_CHOICES } }),
    console.may(organizationMembers.membersAdd) && console.may(organizations.list)
      ? console.read(organizations.list, { query: { per_page: MAX_CHOICES } })
      : [],
  ])
  const held = new Set(own.map((each) => each.id))
  const others = all.filter((each) => !held.has(each.id))
  return (
    <Panel
      key="organizations"
      id="organizations"
      title={say('users.organizations')}
      lead={say('users.organizations.lead')}
    >
      <Rows
        rows={own}
        id={(each) => each.id}
        cell={(each) => <PageLink href={`/console/organizations/${each.id}`} title={each.display_name ?? each.name} />}
        action={(each) =>
          console.may(organizationMembers.membersRemove) && (
            <OperationForm
              operation={organizationMembers.membersRemove}
              params={{ id: each.id }}
              body={{ members: [id] }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {others.length > 0 && (
        <details>
          <summary className="co-summary">{say('users.organizations.add')}</summary>
          <Rows
            rows={others}
            id={(each) => each.id}
            cell={(each) => <bdi>{each.display_name ?? each.name}</bdi>}
            action={(each) => (
              <OperationForm
                operation={organizationMembers.membersAdd}
                params={{ id: each.id }}
                body={{ members: [id] }}
                submitLabel={say('form.add')}
                done="saved"
              />
            )}
          />
        </details>
      )}
    </Panel>
  )
}
