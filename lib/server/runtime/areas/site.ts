// The address that a runtime answers at, and the other addresses of its tenant.
import type { TenantAddress } from '../../../data/tenants/custom-domain'
import { transportSecurity } from '../../../http/headers'
import { createReceiver } from '../../../http/proxied'
import { invalidRequest } from '../../../kernel/errors'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

export const openSite = ({ tenant, site: { baseUrl, custom }, sites, shared }: Opening) => {
  const addresses = sites.all.map((site) => site.baseUrl)
  const canonicalUrl = sites.all[0].baseUrl
  return {
    tenantId: tenant.id,
    baseUrl,
    canonicalUrl,
    customUrls: addresses.slice(1),
    relyingPartyId: custom?.relyingPartyId ?? undefined,
    received: createReceiver(custom),
    linking: (header) => sites.at(linkedUrl(header, sites.all)),
    issuer: `${baseUrl}/`,
    entityId: `urn:${new URL(canonicalUrl).host}`,
    secure: baseUrl.startsWith('https:'),
    transportSecurity: transportSecurity(baseUrl, custom === null && shared.hstsSubdomains === true),
  } satisfies Partial<Runtime>
}

/** The named address of the tenant, else its default domain, else its base URL. */
function linkedUrl(
  header: string | undefined,
  [canonical, ...custom]: readonly [TenantAddress, ...TenantAddress[]],
): string {
  if (header === undefined) return (custom.find((site) => site.custom?.isDefault) ?? canonical).baseUrl
  const named = [canonical, ...custom].find(({ baseUrl }) => new URL(baseUrl).host === header.toLowerCase())
  if (!named) throw invalidRequest('The header auth0-custom-domain names no verified domain of this tenant.')
  return named.baseUrl
}
