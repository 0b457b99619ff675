import type { PageCommon, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PortalForm, PortalPage, portalPath } from '../portal-page'
import { SubmitButton } from '../submit-button'
import { Unbroken } from '../unbroken'
import { When } from '../when'

/** Posts: action=download|delete|keep; sure=yes beside the delete that is meant. */
type DataView = PortalView & {
  /** What a request of now would lead to; null where users cannot delete their accounts. */
  deletion: { at: string } | { daysAfterApproval: number } | null
  /** Whether to ask if the deletion is meant. */
  asks: boolean
  /** When the account will be deleted. */
  deletesAt?: string
  /** Since when a deletion waits for the approval of an administrator. */
  requestedAt?: string
}

type Action = 'download' | 'delete' | 'keep'

const DOWNLOAD: Action = 'download'
const DELETE: Action = 'delete'
const KEEP: Action = 'keep'
const PAGE = 'data'

function DataScreen({ view, t }: { view: DataView & PageCommon; t: Translate }) {
  const { deletesAt, requestedAt, deletion, locale } = view
  const mayDelete = deletion !== null && deletesAt === undefined && requestedAt === undefined
  const asks = view.asks && mayDelete
  return (
    <PortalPage page={PAGE} view={view} lead={asks ? '' : t('portal.data.lead')} t={t}>
      {!asks && (
        <PortalForm page={PAGE} view={view}>
          <SubmitButton value={DOWNLOAD}>{t('portal.data.download')}</SubmitButton>
        </PortalForm>
      )}
      {deletesAt !== undefined && (
        <PortalForm page={PAGE} view={view}>
          <p className="aside">
            {t('portal.data.deletes_at')} <When at={deletesAt} locale={locale} />
          </p>
          <SubmitButton value={KEEP} look="secondary">
            {t('portal.data.keep')}
          </SubmitButton>
        </PortalForm>
      )}
      {requestedAt !== undefined && (
        <PortalForm page={PAGE} view={view}>
          <p className="aside">
            {t('portal.data.requested_at')} <When at={requestedAt} locale={locale} />
          </p>
          <SubmitButton value={KEEP} look="secondary">
            {t('portal.data.keep')}
          </SubmitButton>
        </PortalForm>
      )}
      {mayDelete && (
        <PortalForm page={PAGE} view={view} fields={asks ? { sure: 'yes' } : {}}>
          {asks && (
            <h2 className="card-title">
              <Unbroken text={t('portal.data.delete_sure')} />
            </h2>
          )}
          <div className="aside">
            <p>{t('portal.data.delete_lead')}</p>
            {'at' in deletion ? (
              <p>
                {t('portal.data.delete_on')} <When at={deletion.at} locale={locale} />
              </p>
            ) : (
              <p>
                {t('portal.data.approval_lead')}{' '}
                {t('portal.data.delete_after', { days: String(deletion.daysAfterApproval) })}
              </p>
            )}
          </div>
          <SubmitButton value={DELETE} look={asks ? 'primary' : 'secondary'}>
            {t(asks ? 'portal.data.delete_yes' : 'portal.data.delete')}
          </SubmitButton>
          {asks && (
            <a className="portal-link" href={portalPath(PAGE)}>
              {t('portal.data.delete_no')}
            </a>
          )}
        </PortalForm>
      )}
    </PortalPage>
  )
}

const AT = '2027-01-15T08:00:00.000Z'
const SAMPLE: DataView = { ...SAMPLE_PORTAL, deletion: { at: AT }, asks: false }

export const screen = defineScreen<DataView>({
  title: (_view, t) => t('portal.data.title'),
  component: DataScreen,
  samples: [
    SAMPLE,
    { ...SAMPLE, asks: true },
    { ...SAMPLE, deletion: { daysAfterApproval: 7 } },
    { ...SAMPLE, deletion: { daysAfterApproval: 7 }, requestedAt: AT },
    { ...SAMPLE, deletesAt: AT, notice: 'portal_saved' },
    { ...SAMPLE, deletion: null, notice: 'portal_repeat' },
  ],
})
