import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, ItemAction, PortalPage } from '../portal-page'

/** Posts: provider, user_id, action=unlink. */
type ConnectionsView = PortalView & {
  /** The first is the account itself, which cannot be removed. */
  accounts: { provider: string; userId: string; connection: string; name?: string; isMain: boolean }[]
}

type Action = 'unlink'

const UNLINK: Action = 'unlink'

function ConnectionsScreen({ view, t }: { view: ConnectionsView; t: Translate }) {
  return (
    <PortalPage page="connections" view={view} lead={t('portal.connections.lead')} t={t}>
      <ul className="portal-list">
        {view.accounts.map(({ provider, userId, connection, name, isMain }) => (
          <Item
            key={`${provider}|${userId}`}
            title={connection}
            details={[name !== undefined && <bdi>{name}</bdi>, isMain && t('portal.connections.main')]}
          >
            {!isMain && (
              <ItemAction
                page="connections"
                view={view}
                fields={{ provider, user_id: userId }}
                action={UNLINK}
                label={t('portal.connections.unlink')}
                about={connection}
              />
            )}
          </Item>
        ))}
      </ul>
    </PortalPage>
  )
}

export const screen = defineScreen<ConnectionsView>({
  title: (_view, t) => t('portal.connections.title'),
  component: ConnectionsScreen,
  samples: [
    {
      ...SAMPLE_PORTAL,
      accounts: [
        { provider: 'auth0', userId: '1', connection: 'Users', name: 'ada@example.com', isMain: true },
        { provider: 'google-oauth2', userId: '2', connection: 'Google', isMain: false },
      ],
    },
  ],
})
