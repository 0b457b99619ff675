import type { Metadata } from 'next'
import { clients } from '../../../../lib/management/resources/clients'
import { grantsOf } from '../../../../lib/server/next/console/affected'
import { connectionsOf } from '../../../../lib/server/next/console/enabled-connections'
import { fieldsOf, formGroups, valueLabel } from '../../../../lib/server/next/console/form'
import { say } from '../../../../lib/text/console'
import { CopyableId } from '../../_parts/copy'
import { DeletePanel } from '../../_parts/delete-panel'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { PageLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { NotApplied } from '../../_parts/not-applied'
import { OperationForm } from '../../_parts/operation-form'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { SettingsPanels } from '../../_parts/settings-panels'
import { Above, Notice } from '../../_parts/states'

export const metadata: Metadata = { title: say('applications.title') }

/** What a rotation proposes: a day to give the new secret to every server. */
const OVERLAP = { overlap_seconds: 86_400 }

export default consolePage(async ({ console: whole, params: { id = '' } }) => {
  const { value: client, tag, notApplied } = await whole.readTagged(clients.read, { params: { id } })
  const console = await whole.facing('clients', id)
  const connections = await connectionsOf(client, console)
  const allowed = console.may(clients.update)
  const hasSecret = client.token_endpoint_auth_method?.startsWith('client_secret') === true
  return (
    <>
      <Head
        title={client.name}
        lead={valueLabel(clients.update, 'app_type', client.app_type ?? 'regular_web')}
        back={{ href: '/console/applications', title: say('applications.title') }}
      />
      {console.isAbove && <Above kind="clients" />}
      {connections?.length === 0 && (
        <Notice>
          <p>{say('applications.connections.none')}</p>
          <PageLink href="/console/connections" title={say('applications.connections.open')} />
        </Notice>
      )}
      <Facts
        facts={[
          [say('column.client_id'), <CopyableId key="id" value={client.client_id} />],
          [say('applications.domain'), <code key="domain">{console.baseUrl}</code>],
        ]}
      />
      <SettingsPanels
        groups={formGroups(clients.update, 'applications')}
        operation={clients.update}
        params={{ id }}
        tag={tag}
        value={client}
        allowed={allowed}
      />
      {connections && connections.length > 0 && (
        <Panel title={say('applications.connections')} lead={say('applications.connections.lead')}>
          <Rows
            rows={connections}
            id={({ id: connection }) => connection}
            cell={({ id: connection, name }) => (
              <PageLink href={`/console/connections/${encodeURIComponent(connection)}`} title={name} />
            )}
          />
        </Panel>
      )}
      {hasSecret && console.may(clients.rotateSecret) && (
        <Panel title={say('applications.secret')} lead={say('applications.secret.lead')}>
          {client.earlier_secret_expires_at !== undefined && (
            <>
              <p>
                {say('applications.secret.earlier')} <Moment at={client.earlier_secret_expires_at} />
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
            next={`/console/applications/${encodeURIComponent(id)}`}
            danger
          />
        </Panel>
      )}
      <NotApplied paths={notApplied} />
      {console.may(clients.delete) && (
        <DeletePanel
          operation={clients.delete}
          params={{ id }}
          tag={tag}
          title={say('applications.delete')}
          lead={say('applications.delete.lead')}
          confirm={client.name}
          affected={await grantsOf({ client_id: id }, console)}
          to="/console/applications"
        />
      )}
    </>
  )
})
