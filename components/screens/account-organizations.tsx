import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, PortalPage } from '../portal-page'

type OrganizationsView = PortalView & { organizations: { id: string; name: string }[] }

function OrganizationsScreen({ view, t }: { view: OrganizationsView; t: Translate }) {
  const { organizations } = view
  return (
    <PortalPage page="organizations" view={view} t={t}>
      {organizations.length === 0 && <p className="aside">{t('portal.organizations.none')}</p>}
      <ul className="portal-list">
        {organizations.map(({ id, name }) => (
          <Item key={id} title={name} details={[]} />
        ))}
      </ul>
    </PortalPage>
  )
}

export const screen = defineScreen<OrganizationsView>({
  title: (_view, t) => t('portal.organizations.title'),
  component: OrganizationsScreen,
  samples: [
    { ...SAMPLE_PORTAL, organizations: [{ id: 'org_1', name: 'Acme' }] },
    { ...SAMPLE_PORTAL, organizations: [] },
  ],
})
