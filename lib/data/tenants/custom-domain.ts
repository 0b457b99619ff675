// Custom domains: hosts of its own under which a tenant answers once their owner has proven them (docs/custom-domains.md).
import { toDomain } from '../../kernel/domain'

/** A verified domain. */
export type CustomDomain = {
  domain: string
  isDefault: boolean
  relyingPartyId: string | null
  clientIpHeader: string | null
  /** Hexadecimal digest of the key that a proxy sends; null where Latchkey gave none. */
  proxyKeyDigest: string | null
}

/** One of the addresses of a tenant: its base URL, or a verified custom domain. */
export type TenantAddress = {
  /** Without a trailing slash. */
  baseUrl: string
  /** Null for the base URL. */
  custom: CustomDomain | null
}

export const siteOf = (custom: CustomDomain): TenantAddress => ({ baseUrl: `https://${custom.domain}`, custom })

/** WebAuthn 5.1.3: a relying party id is the host or a parent of it. Browsers refuse public suffixes. */
export const isRelyingPartyOf = (id: string, domain: string): boolean =>
  toDomain(id) === id && (id === domain || domain.endsWith(`.${id}`))
