import type { Metadata } from 'next'
import type { AnswerOf } from '../../../../../lib/management/console-call'
import { clientGrants } from '../../../../../lib/management/resources/client-grants'
import { connections } from '../../../../../lib/management/resources/connections'
import { resourceServers } from '../../../../../lib/management/resources/resource-servers'
import { say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { GrantFold } from '../../../_parts/grant-fold'
import { PageLink } from '../../../_parts/links'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { SettingsForm } from '../../../_parts/settings-form'
import { type ApplicationPage, applicationPage } from '../../application'

export const metadata: Metadata = { title: say('applications.tab.access') }

export default applicationPage('access', async (page) => {
  return [logins(page), await grants(page)]
})

function logins({ id, connections: found, console }: ApplicationPage) {
  if (!found) return null
  return (
    <Panel
      key="logins"
      id="connections"
      title={say('applications.connections')}
      lead={say('applications.connections.lead')}
    >
      <Rows
        rows={found}
        id={(connection) => connection.id}
        cell={({ id: connection, name, isEnabled }) => (
          <>
            <PageLink href={`/console/connections/${encodeURIComponent(connection)}`} title={name} />{' '}
            {isEnabled && <Badge>{say('applications.connections.enabled')}</Badge>}
          </>
        )}
        action={({ id: connection, isEnabled, isFixed }) =>
          console.may(connections.clientsUpdate) &&
          !isFixed && (
            <OperationForm
              operation={connections.clientsUpdate}
              params={{ id: connection }}
              body={[{ client_id: id, status: !isEnabled }]}
              submitLabel={say(isEnabled ? 'applications.connections.disable' : 'applications.connections.enable')}
            />
          )
        }
      />
    </Panel>
  )
}

type Api = AnswerOf<typeof resourceServers.read>

async function grants({ id, console }: ApplicationPage) {
  if (!console.may(clientGrants.list)) return null
  const [found, apis] = await Promise.all([
    console.read(clientGrants.list, { query: { client_id: id, per_page: '100' } }),
    console.may(resourceServers.list) ? console.read(resourceServers.list, { query: { per_page: '100' } }) : [],
  ])
  const apiOf = (audience: string): Api | undefined => apis.find(({ identifier }) => identifier === audience)
  const granted = new Set(found.filter((grant) => grant.subject_type === 'client').map(({ audience }) => audience))
  const others = apis.filter(({ identifier }) => !granted.has(identifier))
  return (
    <Panel key="grants" id="grants" title={say('applications.grants')} lead={say('applications.grants.lead')}>
      <Rows
        rows={found}
        id={(grant) => grant.id}
        cell={(grant) => (
          <GrantFold
            title={apiOf(grant.audience)?.name ?? grant.audience}
            grant={grant}
            api={apiOf(grant.audience)}
            mayChange={console.may(clientGrants.update)}
          />
        )}
        action={(grant) =>
          console.may(clientGrants.delete) && (
            <OperationForm
              operation={clientGrants.delete}
              params={{ id: grant.id }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {others.length > 0 && console.may(clientGrants.create) && (
        <SettingsForm
          operation={clientGrants.create}
          body={{ client_id: id }}
          members={['audience', 'subject_type']}
          choices={{ audience: others.map(({ identifier, name }) => ({ value: identifier, label: name })) }}
          submitLabel={say('form.add')}
          done="created"
        />
      )}
    </Panel>
  )
}
