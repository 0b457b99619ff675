/**
 * Renders a page's data to HTML, the same for both adapters (docs/adr/0002).
 *
 * Invariants: no string of a `PageView` can become markup (lib/pages/markup.ts escapes every string); the document is complete
 * without JavaScript.
 */
import type { ScreenDefinition } from '../../components/define-screen'
import { Document } from '../../components/document'
import type { PageNeeds } from '../http/headers'
import type { Translate } from '../text/catalogue'
import { directionOf } from '../text/locale'
import { renderKept } from './kept-page'
import { renderMarkup } from './markup'
import type { PageView, ScreenView } from './screens'
import { fontOf, themeFor } from './theme'
import type { CaptchaView } from './view'

type Screen = ScreenDefinition<ScreenView>
export type RenderedPage = { html: string; needs: PageNeeds }

const DOCTYPE = '<!doctype html>'

export const renderScreen = (screen: Screen, view: PageView, t: Translate): RenderedPage => ({
  html: renderKept(view, (kept) => renderAnew(screen, kept, t)),
  needs: {
    frames: screen.frames?.(view) ?? [],
    waits: screen.waits?.(view) ?? false,
    font: fontOf(view.branding),
    ...widgetOf(screen.captcha?.(view)),
  },
})

const widgetOf = (captcha: CaptchaView | undefined) => (captcha?.kind === 'widget' ? { widget: captcha.sources } : {})

export function renderAnew(screen: Screen, view: PageView, t: Translate): string {
  const document = (
    <Document
      screen={screen}
      view={view}
      look={themeFor(view.branding, view.theme)}
      direction={directionOf(view.locale)}
      t={t}
    />
  )
  return DOCTYPE + renderMarkup(document)
}
