import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/texts/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'

/** Posts: action=change, which leads to the page that sets a password. */
type PasswordView = PortalView & { hasPassword: boolean }

type Action = 'change'

const CHANGE: Action = 'change'

function PasswordScreen({ view, t }: { view: PasswordView; t: Translate }) {
  if (!view.hasPassword) {
    return (
      <PortalPage page="password" view={view} t={t}>
        <p className="aside">{t('portal.password.none')}</p>
      </PortalPage>
    )
  }
  return (
    <PortalPage page="password" view={view} lead={t('portal.password.lead')} t={t}>
      <PortalForm page="password" view={view}>
        <SubmitButton value={CHANGE}>{t('portal.password.change')}</SubmitButton>
      </PortalForm>
    </PortalPage>
  )
}

export const screen = defineScreen<PasswordView>({
  title: (_view, t) => t('portal.password.title'),
  component: PasswordScreen,
  samples: [
    { ...SAMPLE_PORTAL, hasPassword: true },
    { ...SAMPLE_PORTAL, hasPassword: true, notice: 'portal_repeat' },
    { ...SAMPLE_PORTAL, hasPassword: false },
  ],
})
