// The texts of one page: those of its language, and those that its tenant changed.
import { loadTranslate } from '../texts'
import type { Translate } from '../texts/catalogue'
import type { PageView } from './screens'

export function translateFor(view: PageView): Promise<Translate> {
  const { locale, texts, branding } = view
  if (texts === undefined) return loadTranslate(locale)
  return loadTranslate(locale, { texts, values: { client: clientIn(view), tenant: branding.tenantName } })
}

/** A page without an application speaks for the tenant. */
function clientIn(view: PageView): string {
  if (!('client' in view) || !view.client) return view.branding.tenantName
  return typeof view.client === 'string' ? view.client : view.client.name
}
