import type { Metadata } from 'next'
import { jobs } from '../../../../lib/management/jobs/resource'
import { tickets } from '../../../../lib/management/resources/tickets'
import { userBlocks } from '../../../../lib/management/resources/user-blocks'
import { userDeletion } from '../../../../lib/management/resources/user-deletion'
import { users } from '../../../../lib/management/resources/users'
import { endsWithPerson } from '../../../../lib/server/next/console/affected'
import { formGroups } from '../../../../lib/server/next/console/form'
import { say } from '../../../../lib/text/console'
import { CopyableId } from '../../_parts/copy'
import { Facts } from '../../_parts/facts'
import { PageLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { OperationForm } from '../../_parts/operation-form'
import { Panel } from '../../_parts/panel'
import { SettingsPanels } from '../../_parts/settings-panels'
import { type Person, personPage } from './person'

export const metadata: Metadata = { title: say('users.title') }

export default personPage('', async (person) => {
  const { console, id, user, tag } = person
  return (
    <>
      <Facts
        facts={[
          [say('column.id'), <CopyableId key="id" value={user.user_id ?? id} />],
          [say('column.created'), <Moment key="created" at={user.created_at} />],
          ...(user.phone_number ? [[say('column.phone'), <bdi key="phone">{user.phone_number}</bdi>] as const] : []),
          [say('column.last_login'), <Moment key="last" at={user.last_login} />],
          [
            say('users.logins'),
            <PageLink
              key="logins"
              href={`/console/logins?${new URLSearchParams({ user: id })}`}
              title={String(user.logins_count ?? 0)}
            />,
          ],
        ]}
      />
      {await deletion(person)}
      <SettingsPanels
        operation={users.update}
        params={{ id }}
        tag={tag}
        value={user}
        groups={formGroups(users.update, 'users')}
        allowed={(member, group) => console.may(users.update, group === 'metadata' ? member : undefined)}
      />
      {await access(person)}
    </>
  )
})

/** Shown only while the owner's request waits, or the account is about to be deleted. */
async function deletion({ console, id }: Person) {
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

async function access({ console, user, id, name }: Person) {
  if (!console.may(users.update)) return null
  const ends = console.may(users.delete) ? await endsWithPerson(id, console) : []
  return (
    <Panel id="access" title={say('users.access')} lead={say('users.access.lead')} danger>
      <div className="co-row-actions">
        <OperationForm
          operation={users.update}
          params={{ id }}
          body={{ blocked: !user.blocked }}
          undo={{ operation: users.update, body: { blocked: user.blocked === true } }}
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
        >
          {ends.map((text) => (
            <p key={text}>
              <strong>{text}</strong>
            </p>
          ))}
        </OperationForm>
      )}
    </Panel>
  )
}
