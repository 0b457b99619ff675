import type { PageCommon, PortalView, WhereView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL, SAMPLE_WHERE } from '../define-screen'
import { Item, ItemAction, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { When } from '../when'
import { whereDetails } from '../where'

/** Posts: session, action=end; or action=end-all; or action=forget-browsers. */
type SessionsView = PortalView & {
  /** Whether a browser can be remembered, so that it is not asked for a second factor. */
  remembers: boolean
  sessions: {
    id: string
    isThis: boolean
    signedInAt: string
    seenAt: string
    /** Where the session began. */
    where: WhereView
    /** The applications that used it. */
    clients: string[]
  }[]
}

type Action = 'end' | 'end-all' | 'forget-browsers'

const END: Action = 'end'
const END_ALL: Action = 'end-all'
const FORGET: Action = 'forget-browsers'

function SessionsScreen({ view, t }: { view: SessionsView & PageCommon; t: Translate }) {
  return (
    <PortalPage page="sessions" view={view} lead={t('portal.sessions.lead')} t={t}>
      <ul className="portal-list">
        {view.sessions.map(({ id, isThis, signedInAt, seenAt, where, clients }, index) => {
          const name = isThis ? t('portal.sessions.this') : t('portal.sessions.other', { number: String(index + 1) })
          return (
            <Item
              key={id}
              title={name}
              details={[
                ...whereDetails(where, t),
                <>
                  {t('portal.sessions.signed_in')} <When at={signedInAt} locale={view.locale} />
                </>,
                <>
                  {t('portal.sessions.seen')} <When at={seenAt} locale={view.locale} />
                </>,
                clients.length > 0 && <bdi>{clients.join(' · ')}</bdi>,
              ]}
            >
              <ItemAction
                page="sessions"
                view={view}
                fields={{ session: id }}
                action={END}
                label={t('portal.sessions.end')}
                about={name}
              />
            </Item>
          )
        })}
      </ul>
      <PortalForm page="sessions" view={view}>
        <p className="aside">{t('portal.sessions.all')}</p>
        <SubmitButton value={END_ALL} look="secondary">
          {t('portal.sessions.end_all')}
        </SubmitButton>
      </PortalForm>
      {view.remembers && (
        <PortalForm page="sessions" view={view}>
          <p className="aside">{t('portal.sessions.browsers')}</p>
          <SubmitButton value={FORGET} look="secondary">
            {t('portal.sessions.forget')}
          </SubmitButton>
        </PortalForm>
      )}
    </PortalPage>
  )
}

const AT = '2027-01-15T08:00:00.000Z'

export const screen = defineScreen<SessionsView>({
  title: (_view, t) => t('portal.sessions.title'),
  component: SessionsScreen,
  samples: [
    {
      ...SAMPLE_PORTAL,
      remembers: true,
      sessions: [
        {
          id: 's1',
          isThis: true,
          signedInAt: AT,
          seenAt: AT,
          where: SAMPLE_WHERE,
          clients: ['Harbour Notes', 'Acme'],
        },
        { id: 's2', isThis: false, signedInAt: AT, seenAt: AT, where: {}, clients: [] },
      ],
    },
    { ...SAMPLE_PORTAL, remembers: false, sessions: [], notice: 'portal_ended' },
  ],
})
