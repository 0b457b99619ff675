import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'

/** Posts: action=download. */
type DataView = PortalView

type Action = 'download'

const DOWNLOAD: Action = 'download'

function DataScreen({ view, t }: { view: DataView; t: Translate }) {
  return (
    <PortalPage page="data" view={view} lead={t('portal.data.lead')} t={t}>
      <PortalForm page="data" view={view}>
        <SubmitButton value={DOWNLOAD}>{t('portal.data.download')}</SubmitButton>
      </PortalForm>
    </PortalPage>
  )
}

export const screen = defineScreen<DataView>({
  title: (_view, t) => t('portal.data.title'),
  component: DataScreen,
  samples: [SAMPLE_PORTAL, { ...SAMPLE_PORTAL, notice: 'portal_repeat' }],
})
