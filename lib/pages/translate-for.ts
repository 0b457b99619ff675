// The texts of one page: those of its language, and those that its tenant changed.
import { loadTranslate } from '../text'
import type { Translate } from '../text/catalogue'
import type { PageView } from './screens'

export function translateFor(view: PageView): Promise<Translate> {
  const { locale, texts } = view
  return texts === undefined ? loadTranslate(locale) : loadTranslate(locale, { texts, values: valuesOf(view) })
}

/** What a text of a tenant may name on this page (lib/text/custom.ts); empty where the page has none. */
export function valuesOf(view: PageView): Readonly<Record<string, string>> {
  const tenant = view.branding.tenantName
  const organization = textIn(view, 'organization')
  return {
    tenant,
    // A page without an application speaks for the tenant.
    client: textIn(view, 'client') || tenant,
    organization,
    company: organization || tenant,
    user: textIn(view, 'user'),
    email: textIn(view, 'email'),
  }
}

/** An address is what people know their account by. */
function textIn(view: object, name: string): string {
  const value: unknown = Reflect.get(view, name)
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const { email, name: named } = value as { email?: string; name?: string }
  return email ?? named ?? ''
}
