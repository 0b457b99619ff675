import type { Metadata } from 'next'
import type { AnswerOf } from '../../../../lib/management/console-call'
import { jobs } from '../../../../lib/management/jobs/resource'
import { roles } from '../../../../lib/management/resources/roles'
import { tickets } from '../../../../lib/management/resources/tickets'
import { userAccess } from '../../../../lib/management/resources/user-access'
import { userBlocks } from '../../../../lib/management/resources/user-blocks'
import { userDeletion } from '../../../../lib/management/resources/user-deletion'
import { userFactors } from '../../../../lib/management/resources/user-factors'
import { userLogins } from '../../../../lib/management/resources/user-logins'
import { users } from '../../../../lib/management/resources/users'
import { formGroups } from '../../../../lib/server/next/console/form'
import type { Console } from '../../../../lib/server/next/console/page'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { CopyableId } from '../../_parts/copy'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { Moment } from '../../_parts/moment'
import { OperationForm } from '../../_parts/operation-form'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { SettingsForm } from '../../_parts/settings-form'
import { SettingsPanels } from '../../_parts/settings-panels'
import { Above } from '../../_parts/states'

export const metadata: Metadata = { title: say('users.title') }

type User = AnswerOf<typeof users.read>

type Page = { console: Console; user: User; id: string }

export default consolePage(async ({ console: whole, params: { id = '' } }) => {
  const { value: user, tag } = await whole.readTagged(users.read, { params: { id } })
  const console = await whole.facing('users', id)
  const page = { console, user, id }
  // Awaited here, so that a refusal becomes a page.
  const parts = await Promise.all([deletion(page), factors(page), sessions(page), givenRoles(page)])
  const groups = formGroups(users.update, 'users')
  const form = { operation: users.update, params: { id }, tag, value: user }
  const name = user.name ?? user.email ?? user.username ?? id
  return (
    <>
      <Head
        title={name}
        lead={user.blocked ? <Badge danger>{say('users.blocked')}</Badge> : user.email}
        back={{ href: '/console/users', title: say('users.title') }}
      />
      {console.isAbove && <Above kind="users" />}
      <Facts
        facts={[
          [say('column.id'), <CopyableId key="id" value={user.user_id ?? id} />],
          [say('column.created'), <Moment key="created" at={user.created_at} />],
          [say('column.last_login'), <Moment key="last" at={user.last_login} />],
          [say('users.logins'), String(user.logins_count ?? 0)],
        ]}
      />
      <SettingsPanels
        {...form}
        groups={groups.filter(({ group }) => group !== 'metadata')}
        allowed={console.may(users.update)}
      />
      <Panel title={say('users.identities')} lead={say('users.identities.lead')}>
        <Rows
          rows={user.identities ?? []}
          id={(identity) => `${identity.provider}|${identity.user_id}`}
          cell={(identity) => (
            <>
              {identity.connection} <code>{`${identity.provider}|${identity.user_id}`}</code>
            </>
          )}
        />
      </Panel>
      {parts}
      <SettingsPanels
        {...form}
        groups={groups.filter(({ group }) => group === 'metadata')}
        allowed={(member) => console.may(users.update, member)}
      />
      <Access {...page} name={name} />
    </>
  )
})

/** Shown only while the owner's request waits, or the account is about to be deleted. */
async function deletion({ console, id }: Page) {
  if (!console.may(userDeletion.deletionRead)) return null
  const { status, requested_at, delete_at } = await console.read(userDeletion.deletionRead, {
    params: { id },
  })
  if (status === 'none') return null
  const isRequested = status === 'requested'
  return (
    <Panel
      key="deletion"
      title={say('users.deletion')}
      lead={say(isRequested ? 'users.deletion.requested' : 'users.deletion.scheduled')}
    >
      <p>
        <Moment at={isRequested ? requested_at : delete_at} />
      </p>
      {isRequested && console.may(userDeletion.deletionApprove) && (
        <div className="co-row-actions">
          <OperationForm
            operation={userDeletion.deletionApprove}
            params={{ id }}
            submitLabel={say('users.deletion.approve')}
            done="done"
            danger
          />
          <OperationForm
            operation={userDeletion.deletionRefuse}
            params={{ id }}
            submitLabel={say('users.deletion.refuse')}
            done="done"
          />
        </div>
      )}
    </Panel>
  )
}

async function factors({ console, id }: Page) {
  if (!console.may(userFactors.authenticationMethodsList)) return null
  const found = await console.read(userFactors.authenticationMethodsList, { params: { id } })
  return (
    <Panel key="factors" title={say('users.factors')} lead={say('users.factors.lead')}>
      <Rows
        rows={found}
        id={(factor) => factor.id}
        cell={({ type, name, created_at }) => (
          <>
            {type} {name && <bdi>{name}</bdi>} · <Moment at={created_at} />
          </>
        )}
        action={(factor) =>
          console.may(userFactors.authenticationMethodsDelete) && (
            <OperationForm
              operation={userFactors.authenticationMethodsDelete}
              params={{ id, authentication_method_id: factor.id }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
    </Panel>
  )
}

async function sessions({ console, id }: Page) {
  if (!console.may(userLogins.usersSessionsList)) return null
  const { sessions: found } = await console.read(userLogins.usersSessionsList, {
    params: { user_id: id },
  })
  return (
    <Panel key="sessions" title={say('users.sessions')} lead={say('users.sessions.lead')}>
      <Rows
        rows={found}
        id={(session) => session.id}
        cell={({ authenticated_at, clients }) => (
          <>
            <Moment at={authenticated_at} /> · <bdi>{clients.map(({ client_id }) => client_id).join(', ')}</bdi>
          </>
        )}
      />
      {found.length > 0 && console.may(userLogins.usersSessionsDelete) && (
        <OperationForm
          operation={userLogins.usersSessionsDelete}
          params={{ user_id: id }}
          submitLabel={say('users.sessions.end')}
          done="done"
        />
      )}
    </Panel>
  )
}

async function givenRoles({ console, id }: Page) {
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

function Access({ console, user, id, name }: Page & { name: string }) {
  if (!console.may(users.update)) return null
  return (
    <Panel title={say('users.access')} lead={say('users.access.lead')} danger>
      <div className="co-row-actions">
        <OperationForm
          operation={users.update}
          params={{ id }}
          body={{ blocked: !user.blocked }}
          submitLabel={say(user.blocked ? 'users.unblock' : 'users.block')}
        />
        {console.may(tickets.passwordChange) && (
          <OperationForm
            operation={tickets.passwordChange}
            body={{ user_id: id }}
            submitLabel={say('users.reset_password')}
          />
        )}
        {user.email && user.email_verified === false && (
          <OperationForm
            operation={jobs.verificationEmail}
            body={{ user_id: id }}
            submitLabel={say('users.verify')}
            done="done"
          />
        )}
        <OperationForm operation={userBlocks.liftOfUser} params={{ id }} submitLabel={say('users.lift')} done="done" />
      </div>
      {console.may(users.delete) && (
        <OperationForm
          operation={users.delete}
          params={{ id }}
          submitLabel={say('users.delete')}
          confirm={user.email ?? name}
          next="/console/users?done=deleted"
          danger
        />
      )}
    </Panel>
  )
}
