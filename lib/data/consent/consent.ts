// Whether the user must consent before a client gets scopes (threat-model.md AZ10; the contract's "Authorize (API authorization)").
// - A third-party client needs consent once per set of scopes; a larger set needs it again.
// - A first-party client needs none for OpenID scopes, nor for an API that skips consent for verifiable first-party clients. A client
//   with a localhost callback is not verifiable: any local program can listen there.
// - `prompt=consent` and an API with `consent_policy: transactional-authorization-with-mfa` always ask. As at the vendor, the policy itself
//   demands no factor: the tenant's policies and actions do, and the factor is proven before the consent.

import { parseUrl } from '../../kernel/url'
import type { Api } from '../apis/api'
import type { Client } from '../clients/client'

export type Consent = { clientId: string; audience: string; scopes: readonly string[] }

export type ConsentPort = {
  /** The scopes this user consented to. */
  find(userId: string, clientId: string, audience: string): Promise<readonly string[] | null>
}

export type ConsentQuestion = {
  client: Client
  api: Api | null
  redirectUri: string
  scopes: readonly string[]
  /** Whether an earlier consent does not count. */
  forced: boolean
}

/** Whether stored consent matters; false saves the look-up. */
export function asksConsent({ client, api, redirectUri, forced }: ConsentQuestion): boolean {
  if (forced || !client.settings.is_first_party) return true
  if (api === null) return false
  return !api.settings.skip_consent_for_verifiable_first_party_clients || isLocalhost(redirectUri)
}

export const covers = (agreed: readonly string[] | null, scopes: readonly string[]): boolean =>
  agreed !== null && scopes.every((scope) => agreed.includes(scope))

/** The audience that consent is stored under; '' is this server itself. */
export const consentAudience = (api: Api | null): string => api?.identifier ?? ''

function isLocalhost(uri: string): boolean {
  const host = parseUrl(uri)?.hostname ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
