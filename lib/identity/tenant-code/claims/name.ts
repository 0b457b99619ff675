// The claim names that a rule may set (the contract's "custom claims"; docs/compat.md).
// - A rule never sets a claim of OpenID Connect, OAuth or this server: these claims are the issuer's statement about subject,
//   audience and authentication, regardless of configuration (threat-model.md RU1).
// - A namespace is a URL; the vendor's own are not allowed, as at the vendor. A short private name is allowed, as there.

import { MAX_CLAIM_NAME_LENGTH } from '../../../data/tenants/claim-rule'

/** Claims that tokens, userinfo and introspection set themselves, and claims that readers trust as the issuer's. */
const RESERVED = new Set(
  `acr act active amr at_hash ath attest aud auth_time authorization_details azp c_hash client_id cnf cty dest
  entitlements events exp groups gty htm htu iat internalService iss jcard jku jti jwe jwk kid may_act mky nbf nonce
  object_id org_id org_name orig origid permissions roles rph s_hash scope sid sip_callid sip_cseq_num sip_date sip_from_tag
  sip_via_branch sub sub_jwk token_type toe txn typ username uuid vot vtm x5t#S256
  address birthdate email email_verified family_name gender given_name locale middle_name name nickname phone_number
  phone_number_verified picture preferred_username profile updated_at website zoneinfo`.split(/\s+/),
)

const VENDOR_HOSTS = /(^|\.)(auth0\.com|webtask\.io|webtask\.run)\.?$/i

/** Why a rule may not set this claim; null if it may. */
export function claimNameProblem(name: string): string | null {
  if (name === '' || name.length > MAX_CLAIM_NAME_LENGTH) return `must have 1 to ${MAX_CLAIM_NAME_LENGTH} characters`
  if (!/^[!-~]+$/.test(name)) return 'must be of printable ASCII characters without spaces'
  if (name in {}) return 'is no name for a claim'
  if (RESERVED.has(name)) return 'is reserved: OpenID Connect, OAuth or the server itself says it'
  const host = hostOf(name)
  if (host === undefined) return null
  if (host === null) return 'is no valid address'
  return VENDOR_HOSTS.test(host) ? "must not be in the vendor's namespace" : null
}

/** The host of a name that is a URL, or null if it has none. Undefined for any other name. */
function hostOf(name: string): string | null | undefined {
  if (!/^https?:/i.test(name)) return undefined
  return URL.canParse(name) ? new URL(name).hostname : null
}
