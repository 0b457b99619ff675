import type { ClientView, PageCommon, PortalView, WhereView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL, SAMPLE_WHERE } from '../define-screen'
import { nameOf } from '../lead'
import { Item, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { When } from '../when'
import { whereDetails } from '../where'

/** What the audit log says of an account, as its owner distinguishes it. */
export const ACTIVITY_KINDS = [
  'signed_in',
  'sign_in_failed',
  'blocked',
  'signed_out',
  'password_changed',
  'password_reset_sent',
  'address_verified',
  'factor_added',
  'factor_removed',
  'factor_failed',
  'tokens_revoked',
  'account_changed',
  'signed_up',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** Posts: action=not-me. */
type ActivityView = PortalView & {
  events: {
    id: string
    kind: ActivityKind
    at: string
    client?: Pick<ClientView, 'name' | 'isPortal'>
    where: WhereView
  }[]
}

type Action = 'not-me'

const NOT_ME: Action = 'not-me'

function ActivityScreen({ view, t }: { view: ActivityView & PageCommon; t: Translate }) {
  return (
    <PortalPage page="activity" view={view} lead={t('portal.activity.lead')} t={t}>
      {view.events.length === 0 && <p className="aside">{t('portal.activity.none')}</p>}
      <ul className="portal-list">
        {view.events.map(({ id, kind, at, client, where }) => (
          <Item
            key={id}
            title={t(`portal.activity.${kind}`)}
            details={[
              <When key="at" at={at} locale={view.locale} />,
              client && <bdi key="client">{nameOf(client, t)}</bdi>,
              ...whereDetails(where, t),
            ]}
          />
        ))}
      </ul>
      <PortalForm page="activity" view={view}>
        <p className="aside">{t('portal.activity.not_me_lead')}</p>
        <SubmitButton value={NOT_ME} look="secondary">
          {t('portal.activity.not_me')}
        </SubmitButton>
      </PortalForm>
    </PortalPage>
  )
}

export const screen = defineScreen<ActivityView>({
  title: (_view, t) => t('portal.activity.title'),
  component: ActivityScreen,
  samples: [
    {
      ...SAMPLE_PORTAL,
      events: ACTIVITY_KINDS.map((kind, index) => ({
        id: kind,
        kind,
        at: '2027-01-15T08:00:00.000Z',
        ...(index === 0 ? { client: { name: 'Harbour Notes' } } : {}),
        where: index === 0 ? SAMPLE_WHERE : {},
      })),
    },
    { ...SAMPLE_PORTAL, events: [] },
  ],
})
