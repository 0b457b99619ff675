import type { Metadata } from 'next'
import { clients } from '../../../../../lib/management/resources/clients'
import { fieldsOf } from '../../../../../lib/server/next/console/form'
import { say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { CopyableId } from '../../../_parts/copy'
import { Facts } from '../../../_parts/facts'
import { Moment } from '../../../_parts/moment'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { SettingsForm } from '../../../_parts/settings-form'
import { type ApplicationPage, applicationPage } from '../../application'

export const metadata: Metadata = { title: say('applications.tab.credentials') }

export default applicationPage('credentials', async (page) => (
  <>
    <Secret {...page} />
    {await keys(page)}
  </>
))

/** What a rotation proposes: a day to give the new secret to every server. */
const OVERLAP = { overlap_seconds: 86_400 }

function Secret({ id, application, console }: ApplicationPage) {
  const hasSecret = application.token_endpoint_auth_method?.startsWith('client_secret') === true
  if (!hasSecret || !console.may(clients.rotateSecret)) return null
  return (
    <Panel id="secret" title={say('applications.secret')} lead={say('applications.secret.lead')}>
      <Facts facts={[[say('column.client_id'), <CopyableId key="id" value={id} />]]} />
      {application.earlier_secret_expires_at !== undefined && (
        <>
          <p>
            {say('applications.secret.earlier')} <Moment at={application.earlier_secret_expires_at} />
          </p>
          <OperationForm
            operation={clients.earlierSecretDelete}
            params={{ id }}
            submitLabel={say('applications.secret.end')}
            done="done"
            danger
          />
        </>
      )}
      <OperationForm
        operation={clients.rotateSecret}
        params={{ id }}
        fields={fieldsOf(clients.rotateSecret, ['overlap_seconds'], OVERLAP)}
        submitLabel={say('applications.secret.rotate')}
        next={`/console/applications/${encodeURIComponent(id)}/credentials`}
        danger
      />
    </Panel>
  )
}

async function keys({ id, application, tag, console }: ApplicationPage) {
  if (!console.may(clients.credentialsList)) return null
  const found = await console.read(clients.credentialsList, { params: { id } })
  const used = (application.client_authentication_methods?.private_key_jwt?.credentials ?? []).flatMap((each) =>
    typeof each.id === 'string' ? [each.id] : [],
  )
  return (
    <Panel title={say('applications.keys')} lead={say('applications.keys.lead')}>
      <Rows
        rows={found}
        id={(key) => key.id}
        cell={({ id: key, name, kid, alg, expires_at }) => (
          <>
            <bdi>{name ?? kid ?? key}</bdi> · {alg}
            {expires_at !== undefined && (
              <>
                {' '}
                · {say('applications.keys.until')} <Moment at={expires_at} />
              </>
            )}{' '}
            {used.includes(key) && <Badge>{say('applications.keys.used')}</Badge>}
          </>
        )}
        action={({ id: key }) => (
          <div className="co-row-actions">
            {console.may(clients.update, 'client_authentication_methods') && (
              <OperationForm
                operation={clients.update}
                params={{ id }}
                tag={tag}
                body={authenticatedBy(used.includes(key) ? used.filter((each) => each !== key) : [...used, key])}
                submitLabel={say(used.includes(key) ? 'applications.keys.leave' : 'applications.keys.use')}
              />
            )}
            {console.may(clients.credentialsDelete) && (
              <OperationForm
                operation={clients.credentialsDelete}
                params={{ id, credential_id: key }}
                submitLabel={say('form.remove')}
                done="deleted"
                danger
              />
            )}
          </div>
        )}
      />
      {console.may(clients.credentialsCreate) && (
        <SettingsForm
          operation={clients.credentialsCreate}
          params={{ id }}
          body={{ credential_type: 'public_key' }}
          members={['name', 'pem', 'alg', 'parse_expiry_from_cert']}
          submitLabel={say('applications.keys.add')}
          done="created"
        />
      )}
    </Panel>
  )
}

/** Without a key, what the settings say of its authentication counts again. */
const authenticatedBy = (ids: readonly string[]) => ({
  client_authentication_methods:
    ids.length === 0 ? null : { private_key_jwt: { credentials: ids.map((id) => ({ id })) } },
})
