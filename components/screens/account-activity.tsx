import type { PageCommon, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { When } from '../when'

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
  events: { id: string; kind: ActivityKind; at: string; client?: string; ip?: string; browser?: string }[]
}

type Action = 'not-me'

const NOT_ME: Action = 'not-me'

function ActivityScreen({ view, t }: { view: ActivityView & PageCommon; t: Translate }) {
  return (
    <PortalPage page="activity" view={view} lead={t('portal.activity.lead')} t={t}>
      {view.events.length === 0 && <p className="aside">{t('portal.activity.none')}</p>}
      <ul className="portal-list">
        {view.events.map(({ id, kind, at, client, ip, browser }) => (
          <Item
            key={id}
            title={t(`portal.activity.${kind}`)}
            details={[
              <When key="at" at={at} locale={view.locale} />,
              (client || ip) && <bdi>{[client, ip].filter(Boolean).join(' · ')}</bdi>,
              browser && <bdi>{browser}</bdi>,
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
        ...(index === 0 ? { client: 'Harbour Notes', ip: '198.51.100.7', browser: 'Firefox 150 / Linux' } : {}),
      })),
    },
    { ...SAMPLE_PORTAL, events: [] },
  ],
})
