import type { Metadata } from 'next'
import { clients } from '../../../../../lib/management/resources/clients'
import { loginTests } from '../../../../../lib/management/resources/login-tests'
import { say } from '../../../../../lib/text/console'
import { CopyableId } from '../../../_parts/copy'
import { Facts } from '../../../_parts/facts'
import { TryLink } from '../../../_parts/links'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { type ApplicationPage, applicationPage } from '../../application'

export const metadata: Metadata = { title: say('applications.tab.protocols') }

/** Below the address of this server, for a client id. */
const PATHS = {
  samlp: { metadata: (id: string) => `/samlp/metadata/${id}`, login: (id: string) => `/samlp/${id}` },
  wsfed: {
    metadata: (id: string) => `/wsfed/${id}/FederationMetadata/2007-06/FederationMetadata.xml`,
    login: (id: string) => `/wsfed/${id}`,
  },
} as const

const PANELS = (['samlp', 'wsfed'] as const).map((protocol) => ({
  protocol,
  id: `${protocol}-endpoints`,
  title: say(`applications.${protocol}.endpoints`),
}))

export default applicationPage(
  'protocols',
  async (page) => PANELS.map((panel) => <Endpoints key={panel.id} panel={panel} {...page} />),
  PANELS,
)

/** What the other side needs to know, and whether the application may use the protocol. */
function Endpoints({ panel, id, application, tag, console }: ApplicationPage & { panel: (typeof PANELS)[number] }) {
  const { protocol } = panel
  const { metadata: metadataOf, login } = PATHS[protocol]
  const at = (path: (id: string) => string): string => `${console.baseUrl}${path(encodeURIComponent(id))}`
  const isOpen = application.is_first_party !== false || application.addons?.[protocol] !== undefined
  return (
    <Panel id={panel.id} title={panel.title} lead={say(`applications.${protocol}.endpoints.lead`)}>
      {isOpen ? (
        <>
          <Facts
            facts={[
              [say('applications.protocol.metadata'), <CopyableId key="metadata" value={at(metadataOf)} />],
              [say('applications.protocol.login'), <CopyableId key="login" value={at(login)} />],
            ]}
          />
          {console.may(loginTests.create) && <TryLink of={{ client_id: id, protocol }} />}
        </>
      ) : (
        <>
          <p className="co-hint">{say('applications.protocol.closed')}</p>
          {console.may(clients.update) && (
            <OperationForm
              operation={clients.update}
              params={{ id }}
              tag={tag}
              body={{ addons: { [protocol]: {} } }}
              submitLabel={say('applications.protocol.open')}
            />
          )}
        </>
      )}
    </Panel>
  )
}
