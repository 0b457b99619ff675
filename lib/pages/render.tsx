/**
 * A page's data to its HTML, for the door that answers without Next (architecture §7.4).
 *
 * Must hold: React escapes every text and attribute, so no string of a `PageView` can become markup; the document is
 * complete without JavaScript.
 */
import { renderToStaticMarkup } from 'react-dom/server'
import { Document } from '../../components/document'
import { directionOf } from './locale'
import { translatorFor } from './texts'
import { themeFor } from './theme'
import type { PageView } from './view'

const DOCTYPE = '<!doctype html>'

export function renderPage(view: PageView): string {
  const document = (
    <Document
      view={view}
      theme={themeFor(view.branding)}
      direction={directionOf(view.locale)}
      t={translatorFor(view.locale)}
    />
  )
  return DOCTYPE + renderToStaticMarkup(document)
}
