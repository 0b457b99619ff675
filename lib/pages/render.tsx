/**
 * Renders a page's data to HTML, the same for both adapters (docs/adr/0002).
 *
 * Invariants: no string of a `PageView` can become markup (lib/pages/markup.ts escapes every string); the document is complete
 * without JavaScript.
 */
import { Document } from '../../components/document'
import { renderKept } from './kept-page'
import { directionOf } from './locale'
import { renderMarkup } from './markup'
import { translatorFor } from './texts'
import { themeFor } from './theme'
import type { PageView } from './view'

const DOCTYPE = '<!doctype html>'

export const renderPage = (view: PageView): string => renderKept(view, renderAnew)

export function renderAnew(view: PageView): string {
  const document = (
    <Document
      view={view}
      theme={themeFor(view.branding)}
      direction={directionOf(view.locale)}
      t={translatorFor(view.locale)}
    />
  )
  return DOCTYPE + renderMarkup(document)
}
