// The renderer with the components of every screen: a fifth of all code to load. The first page loads what it needs,
// or the server loads everything soon after its start (lib/server/node/boot.ts), so that no start waits for it.
import { lazy } from '../kernel/lazy'
import { loadTranslate } from '../text'
import type { Translate } from '../text/catalogue'
import type { RenderedPage } from './render'
import type { PageRenderer } from './respond'
import { loadScreen, type PageView, SCREEN_NAMES, type ScreenName } from './screens'
import { translateFor } from './translate-for'

type Render = (view: PageView, t: Translate) => RenderedPage

const loadRenderer = lazy(() => import('./render'))
const prepared = new Map<ScreenName, Render>()

export const renderPage: PageRenderer = async (view) =>
  (prepared.get(view.screen) ?? (await prepareScreen(view.screen)))(view, await translateFor(view))

/** Other languages load with their first page. */
export const prepareRenderer = (): Promise<unknown> =>
  Promise.all([loadTranslate('en'), ...SCREEN_NAMES.map(prepareScreen)])

async function prepareScreen(name: ScreenName): Promise<Render> {
  const [{ renderScreen }, screen] = await Promise.all([loadRenderer(), loadScreen(name)])
  const render: Render = (view, t) => renderScreen(screen, view, t)
  prepared.set(name, render)
  return render
}
