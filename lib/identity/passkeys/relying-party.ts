// The relying party: the host of the tenant, or what its custom domain names. An authenticator gives a credential to pages of that
// host and its subdomains only.
import { parseUrl } from '../../kernel/url'

export type PasskeySite = { baseUrl: string; relyingPartyId?: string | undefined }

/** The id may be a domain name, `localhost` too, and never an IP address (WebAuthn 5.1.2). */
export const relyingPartyIdOf = ({ baseUrl, relyingPartyId }: PasskeySite): string =>
  relyingPartyId ?? new URL(baseUrl).hostname

export const originOf = ({ baseUrl }: PasskeySite): string => new URL(baseUrl).origin

/** Browsers refuse WebAuthn on an IP address, and without TLS on any host but localhost. */
export function canUsePasskeys({ baseUrl }: PasskeySite): boolean {
  const url = parseUrl(baseUrl)
  if (!url || /^\[|^\d+(\.\d+){3}$/.test(url.hostname)) return false
  return url.protocol === 'https:' || /(^|\.)localhost$/.test(url.hostname)
}
