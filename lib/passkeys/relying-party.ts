// The relying party: the host of the tenant. An authenticator gives a credential to pages of that host and its subdomains only.
import { parseUrl } from '../kernel/url'

export type Site = { baseUrl: string }

/** The id may be a domain name, `localhost` too, and never an IP address (WebAuthn 5.1.2). */
export const relyingPartyId = ({ baseUrl }: Site): string => new URL(baseUrl).hostname

export const originOf = ({ baseUrl }: Site): string => new URL(baseUrl).origin

/** Browsers refuse WebAuthn on an IP address, and without TLS on any host but localhost. */
export function canUsePasskeys({ baseUrl }: Site): boolean {
  const url = parseUrl(baseUrl)
  if (!url || /^\[|^\d+(\.\d+){3}$/.test(url.hostname)) return false
  return url.protocol === 'https:' || /(^|\.)localhost$/.test(url.hostname)
}
