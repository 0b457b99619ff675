// Scopes → claims about the user: one table for the ID token, user-info and every protocol to come (OIDC Core 5.4).
// Only values that exist are present. `updated_at` differs by place as docs/compat.md lists.
import { epochSeconds } from '../kernel/clock'
import type { User } from '../users/user'

export type Claims = Record<string, unknown>

export type UpdatedAtFormat = 'iso8601' | 'epoch-string'

const PROFILE_REST = [
  'middle_name',
  'preferred_username',
  'profile',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
]

type ClaimsOf = (user: User, format: UpdatedAtFormat) => Claims

/** A map, not an object: an API may name a scope `constructor`. */
const BY_SCOPE = new Map<string, ClaimsOf>(
  Object.entries<ClaimsOf>({
    profile: (user, format) => ({
      name: user.name ?? user.email ?? user.username,
      given_name: user.givenName,
      family_name: user.familyName,
      nickname: user.nickname ?? user.email?.split('@')[0] ?? user.username,
      picture: user.picture,
      ...Object.fromEntries(PROFILE_REST.map((name) => [name, user.profile[name]])),
      updated_at: format === 'iso8601' ? user.updatedAt.toISOString() : String(epochSeconds(user.updatedAt)),
    }),
    email: (user) => (user.email === null ? {} : { email: user.email, email_verified: user.emailVerified }),
    phone: (user) =>
      user.phoneNumber === null ? {} : { phone_number: user.phoneNumber, phone_number_verified: user.phoneVerified },
    address: (user) => ({ address: user.profile.address }),
  }),
)

/** The claims that each of these scopes stands for. */
const CLAIMS_OF: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'given_name', 'family_name', 'nickname', 'picture', ...PROFILE_REST, 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
}

const SCOPE_OF = new Map(Object.entries(CLAIMS_OF).flatMap(([scope, names]) => names.map((name) => [name, scope])))

/** The scope that a claim belongs to; undefined for what is no claim about a user. */
export const scopeOfClaim = (claim: string): string | undefined => SCOPE_OF.get(claim)

export const OIDC_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const

/** What the scopes give, and the claims asked for by name beyond them (OIDC Core 5.5). */
export function claimsFor(
  user: User,
  scopes: readonly string[],
  format: UpdatedAtFormat,
  named: readonly string[] = [],
): Claims {
  const claims: Claims = {}
  for (const scope of new Set([...scopes, ...named.map((name) => SCOPE_OF.get(name) ?? '')])) {
    for (const [name, value] of Object.entries(BY_SCOPE.get(scope)?.(user, format) ?? {})) {
      const asked = scopes.includes(scope) || named.includes(name)
      if (asked && value !== null && value !== undefined) claims[name] = value
    }
  }
  return claims
}
