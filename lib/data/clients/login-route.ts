// The page at which an application begins a login (OpenID Connect Core 4): its `initiate_login_uri`, else the tenant's default.
import type { Client } from './client'

export type LoginRoute = {
  url: string
  /**
   * A browser may be led there without a click. Never to the page of a third-party client: anyone may send a person to our address in
   * its name.
   */
  isOwn: boolean
}

type Asker = {
  issuer: string
  settings: { tenant: { default_redirection_uri?: string | undefined } }
}

/** With `iss`, as the specification requires, and the organization of the login. Null if there is no such page. */
export function loginRouteOf(
  client: Client | null,
  organization: string | null,
  { issuer, settings }: Asker,
): LoginRoute | null {
  const own = client?.settings.initiate_login_uri
  const page = own ?? settings.tenant.default_redirection_uri
  if (page === undefined) return null
  const url = new URL(page)
  url.searchParams.set('iss', issuer)
  if (organization !== null) url.searchParams.set('organization', organization)
  return { url: url.href, isOwn: own === undefined || client?.settings.is_first_party === true }
}
