import type { Metadata } from 'next'
import { clients } from '../../../../lib/management/resources/clients'
import { grantsOf } from '../../../../lib/server/next/console/affected'
import { dependentsOf } from '../../../../lib/server/next/console/dependents'
import { say } from '../../../../lib/text/console'
import { DeletePanel } from '../../_parts/delete-panel'
import { PageLink } from '../../_parts/links'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { applicationPage } from '../application'

export const metadata: Metadata = { title: say('applications.title') }

export default applicationPage('', async ({ id, application, tag, connections, console }) => {
  if (!console.may(clients.delete)) return null
  const dependents = await dependentsOf(application, connections, console)
  return (
    <>
      {dependents.length > 0 && (
        <Panel title={say('applications.dependents')} lead={say('applications.dependents.lead')}>
          <Rows
            rows={dependents}
            id={({ text }) => text}
            cell={({ text, href }) => (href === undefined ? text : <PageLink href={href} title={text} />)}
          />
        </Panel>
      )}
      <DeletePanel
        operation={clients.delete}
        params={{ id }}
        tag={tag}
        title={say('applications.delete')}
        lead={say('applications.delete.lead')}
        confirm={application.name}
        affected={await grantsOf({ client_id: id }, console)}
        to="/console/applications"
      />
    </>
  )
})
