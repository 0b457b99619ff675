import type { PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { PortalForm, PortalPage } from '../portal-page'
import { SubmitButton } from '../submit-button'

/** Posts: action=change, which leads to the page that sets a password. */
type PasswordView = PortalView & {
  /** Why it cannot be changed here: a provider has it, no mail could say that it was changed, or there is none. */
  hindrance: { provider: string } | 'no_address' | 'none' | null
}

type Action = 'change'

const CHANGE: Action = 'change'

function PasswordScreen({ view, t }: { view: PasswordView; t: Translate }) {
  if (view.hindrance !== null) {
    return (
      <PortalPage page="password" view={view} t={t}>
        <p className="aside">{reasonOf(view.hindrance, t)}</p>
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

const reasonOf = (hindrance: NonNullable<PasswordView['hindrance']>, t: Translate): string =>
  typeof hindrance === 'string' ? t(`portal.password.${hindrance}`) : t('portal.password.provider', hindrance)

export const screen = defineScreen<PasswordView>({
  title: (_view, t) => t('portal.password.title'),
  component: PasswordScreen,
  samples: [
    { ...SAMPLE_PORTAL, hindrance: null },
    { ...SAMPLE_PORTAL, hindrance: null, notice: 'portal_repeat' },
    { ...SAMPLE_PORTAL, hindrance: 'no_address' },
    { ...SAMPLE_PORTAL, hindrance: { provider: 'Google' } },
    { ...SAMPLE_PORTAL, hindrance: 'none' },
  ],
})
