import type { Metadata } from 'next'
import { clientTokens } from '../../../../../lib/management/resources/client-tokens'
import { userLogins } from '../../../../../lib/management/resources/user-logins'
import { namesOfPeople } from '../../../../../lib/server/next/console/person'
import { say } from '../../../../../lib/text/console'
import { Facts } from '../../../_parts/facts'
import { UserLink } from '../../../_parts/links'
import { Count, Moment } from '../../../_parts/moment'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { Empty } from '../../../_parts/states'
import { applicationPage } from '../../application'

export const metadata: Metadata = { title: say('applications.tab.logins') }

const LISTED = '25'

export default applicationPage('logins', async ({ id, application, console }) => {
  const { refresh_tokens: found, counts } = await console.read(clientTokens.refreshTokensList, {
    params: { id },
    query: { take: LISTED },
  })
  const names = await namesOfPeople(
    found.map(({ user_id }) => user_id),
    console,
  )
  return (
    <Panel key="logins" title={say('applications.holders')} lead={say('applications.holders.lead')}>
      <Facts
        facts={[
          [say('applications.holders.people'), <Count key="people" of={counts.users} />],
          [say('applications.holders.tokens'), <Count key="tokens" of={counts.tokens} />],
          [say('applications.holders.sessions'), <Count key="sessions" of={counts.sessions} />],
        ]}
      />
      {found.length === 0 ? (
        <Empty title={say('applications.holders.none')} />
      ) : (
        <Rows
          rows={found}
          id={(token) => token.id}
          cell={({ user_id, created_at, last_exchanged_at }) => (
            <>
              <UserLink id={user_id} name={names.get(user_id)} /> · <Moment at={last_exchanged_at ?? created_at} />
            </>
          )}
          action={(token) =>
            console.may(userLogins.refreshTokensDelete) && (
              <OperationForm
                operation={userLogins.refreshTokensDelete}
                params={{ id: token.id }}
                submitLabel={say('users.token.end')}
                done="done"
              />
            )
          }
        />
      )}
      {counts.users > 0 && console.may(clientTokens.refreshTokensDelete) && (
        <OperationForm
          operation={clientTokens.refreshTokensDelete}
          params={{ id }}
          submitLabel={
            counts.users === 1
              ? say('applications.holders.end.one')
              : say('applications.holders.end', { count: counts.users.toLocaleString('en') })
          }
          confirm={application.name}
          done="done"
          danger
        />
      )}
    </Panel>
  )
})
