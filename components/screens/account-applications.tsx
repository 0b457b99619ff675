import type { PageCommon, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, ItemAction, PortalPage } from '../portal-page'
import { When } from '../when'

/** Posts: client, action=revoke. */
type ApplicationsView = PortalView & {
  applications: {
    clientId: string
    name: string
    /** What the user consented to. */
    scopes: string[]
    /** When it last got tokens without the user; absent if it cannot. */
    since?: string
  }[]
}

type Action = 'revoke'

const REVOKE: Action = 'revoke'

function ApplicationsScreen({ view, t }: { view: ApplicationsView & PageCommon; t: Translate }) {
  const { applications } = view
  return (
    <PortalPage page="applications" view={view} lead={t('portal.applications.lead')} t={t}>
      {applications.length === 0 && <p className="aside">{t('portal.applications.none')}</p>}
      <ul className="portal-list">
        {applications.map(({ clientId, name, scopes, since }) => (
          <Item
            key={clientId}
            title={name}
            details={[
              scopes.length > 0 && <bdi>{scopes.join(' · ')}</bdi>,
              since !== undefined && (
                <>
                  {t('portal.applications.since')} <When at={since} locale={view.locale} />
                </>
              ),
            ]}
          >
            <ItemAction
              page="applications"
              view={view}
              fields={{ client: clientId }}
              action={REVOKE}
              label={t('portal.applications.revoke')}
              about={name}
            />
          </Item>
        ))}
      </ul>
    </PortalPage>
  )
}

export const screen = defineScreen<ApplicationsView>({
  title: (_view, t) => t('portal.applications.title'),
  component: ApplicationsScreen,
  samples: [
    {
      ...SAMPLE_PORTAL,
      applications: [
        { clientId: 'a', name: 'Harbour Notes', scopes: ['openid', 'profile'], since: '2027-01-15T08:00:00.000Z' },
        { clientId: 'b', name: 'Acme', scopes: [] },
      ],
    },
    { ...SAMPLE_PORTAL, applications: [], notice: 'portal_removed' },
  ],
})
