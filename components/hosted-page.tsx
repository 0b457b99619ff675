import type { PageView, ScreenView } from '../lib/pages/screens'
import type { Translate } from '../lib/text/catalogue'
import type { ScreenDefinition } from './define-screen'
import { isErrorNotice } from './notice'
import { PageFrame } from './page-frame'

type Screen = ScreenDefinition<ScreenView>
type Props = { screen: Screen; view: PageView; direction: 'ltr' | 'rtl'; t: Translate }

/** The content of every hosted page, in both adapters. */
export function HostedPage({ screen: { component: Component, door = 'ajar' }, view, direction, t }: Props) {
  return (
    <PageFrame branding={view.branding} theme={view.theme} locale={view.locale} direction={direction} door={door}>
      <Component view={view} t={t} />
    </PageFrame>
  )
}

/** The document's title. A page with an error states it first, because screen readers read the title first. */
export function documentTitle(screen: Screen, view: PageView, t: Translate): string {
  const title = t('common.document_title', { title: screen.title(view, t), tenant: view.branding.tenantName })
  return 'notice' in view && isErrorNotice(view.notice) ? t('title.error', { title }) : title
}
