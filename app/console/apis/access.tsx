import type { AnswerOf } from '../../../lib/management/console-call'
import { clientGrants } from '../../../lib/management/resources/client-grants'
import type { resourceServers } from '../../../lib/management/resources/resource-servers'
import { applicationChoices } from '../../../lib/server/next/console/enabled-connections'
import { namesOf } from '../../../lib/server/next/console/log-names'
import type { Console } from '../../../lib/server/next/console/page'
import { say, sayCount } from '../../../lib/text/console'
import { GrantFold } from '../_parts/grant-fold'
import { OperationForm } from '../_parts/operation-form'
import { Panel } from '../_parts/panel'
import { Rows } from '../_parts/rows'
import { SettingsForm } from '../_parts/settings-form'

type Props = { api: AnswerOf<typeof resourceServers.read>; console: Console }

const SHOWN = 100

/** The applications that may get tokens for the API by a grant: for themselves, or for their users. */
export async function Access({ api, console }: Props) {
  const [{ rows, total }, applications] = await Promise.all([
    console.list(clientGrants.list, { query: { audience: api.identifier, per_page: String(SHOWN) } }),
    console.may(clientGrants.create) ? applicationChoices(console) : [],
  ])
  const names = await namesOf(
    rows.map(({ client_id }) => `applications/${client_id}`),
    console,
  )
  return (
    <Panel title={say('apis.grants')} lead={say('apis.grants.lead')}>
      <Rows
        rows={rows}
        id={({ id }) => id}
        cell={(grant) => (
          <GrantFold
            title={names.get(`applications/${grant.client_id}`) ?? grant.client_id}
            grant={grant}
            api={api}
            mayChange={console.may(clientGrants.update)}
          />
        )}
        action={({ id }) =>
          console.may(clientGrants.delete) && (
            <OperationForm
              operation={clientGrants.delete}
              params={{ id }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
      {total > SHOWN && <p className="co-hint">{sayCount('apis.grants.more', total - SHOWN)}</p>}
      {console.may(clientGrants.create) && (
        <SettingsForm
          operation={clientGrants.create}
          body={{ audience: api.identifier }}
          members={['client_id', 'subject_type']}
          {...(applications && { choices: { client_id: applications } })}
          submitLabel={say('form.add')}
          done="created"
        />
      )}
    </Panel>
  )
}
