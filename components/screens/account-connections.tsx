import type { PortalView, UnreachedView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { unreachedWords } from '../notice'
import { Item, ItemAction, PortalPage } from '../portal-page'
import { Unbroken } from '../unbroken'

/** Posts: provider, user_id, action=unlink; connection, action=connect. */
type ConnectionsView = PortalView & {
  /** The first is the account itself, which cannot be removed. */
  accounts: { provider: string; userId: string; connection: string; name?: string; isMain: boolean }[]
  /** The connections of which another account can be added. */
  connectable: { connection: string; label: string }[]
  /** Beside the notice `upstream_failed`, where the cause is known. */
  unreached?: UnreachedView
}

type Action = 'unlink' | 'connect'

const UNLINK: Action = 'unlink'
const CONNECT: Action = 'connect'

function ConnectionsScreen({ view, t }: { view: ConnectionsView; t: Translate }) {
  return (
    <PortalPage
      page="connections"
      view={view}
      lead={t('portal.connections.lead')}
      words={view.unreached && unreachedWords(view.unreached, t)}
      t={t}
    >
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
      {view.connectable.length === 0 && view.accounts.length < 2 && (
        <p className="aside">{t('portal.connections.off')}</p>
      )}
      {view.connectable.length > 0 && (
        <>
          <h2 className="card-title">
            <Unbroken text={t('portal.connections.connect_lead')} />
          </h2>
          <ul className="portal-list">
            {view.connectable.map(({ connection, label }) => (
              <Item key={connection} title={label} details={[]}>
                <ItemAction
                  page="connections"
                  view={view}
                  fields={{ connection }}
                  action={CONNECT}
                  label={t('portal.connections.connect')}
                  about={label}
                />
              </Item>
            ))}
          </ul>
        </>
      )}
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
      connectable: [{ connection: 'github', label: 'GitHub' }],
    },
    {
      ...SAMPLE_PORTAL,
      accounts: [{ provider: 'auth0', userId: '1', connection: 'Users', name: 'ada@example.com', isMain: true }],
      connectable: [],
    },
    {
      ...SAMPLE_PORTAL,
      accounts: [{ provider: 'auth0', userId: '1', connection: 'Users', name: 'ada@example.com', isMain: true }],
      connectable: [{ connection: 'github', label: 'GitHub' }],
      notice: 'upstream_failed',
      unreached: { provider: 'GitHub', why: 'timeout' },
    },
  ],
})
