// Maps scopes to claims about the user: one table for ID token, user-info and every protocol (OIDC Core 5.4).
// Absent values are left out. `updated_at` differs by place, see docs/compat.md.
import { epochSeconds } from '../../kernel/clock'
import type { User } from '../users/user'

export type Claims = Record<string, unknown>

/** `epoch` is the number of OIDC Core 5.1, `epoch-string` the vendor's text of it. */
export type UpdatedAtFormat = 'iso8601' | 'epoch' | 'epoch-string'

type ClaimOf = (user: User, format: UpdatedAtFormat) => unknown

const inProfile = (name: string): [string, ClaimOf] => [name, (user) => user.profile[name]]

/** A map, not an object: an API may name a scope `constructor`. */
const BY_SCOPE: ReadonlyMap<string, readonly [name: string, of: ClaimOf][]> = new Map([
  [
    'profile',
    [
      ['name', (user) => user.name ?? user.email ?? user.username],
      ['given_name', (user) => user.givenName],
      ['family_name', (user) => user.familyName],
      ['nickname', (user) => user.nickname ?? user.email?.split('@')[0] ?? user.username],
      ['picture', (user) => user.picture],
      inProfile('middle_name'),
      inProfile('preferred_username'),
      inProfile('profile'),
      inProfile('website'),
      inProfile('gender'),
      inProfile('birthdate'),
      inProfile('zoneinfo'),
      inProfile('locale'),
      ['updated_at', updatedAt],
    ],
  ],
  [
    'email',
    [
      ['email', (user) => user.email],
      ['email_verified', (user) => (user.email === null ? null : user.emailVerified)],
    ],
  ],
  [
    'phone',
    [
      ['phone_number', (user) => user.phoneNumber],
      ['phone_number_verified', (user) => (user.phoneNumber === null ? null : user.phoneVerified)],
    ],
  ],
  ['address', [inProfile('address')]],
])

function updatedAt({ updatedAt: at }: User, format: UpdatedAtFormat): string | number {
  if (format === 'iso8601') return at.toISOString()
  return format === 'epoch' ? epochSeconds(at) : String(epochSeconds(at))
}

const SCOPE_OF = new Map([...BY_SCOPE].flatMap(([scope, claims]) => claims.map(([name]) => [name, scope])))
const CLAIM_OF = new Map([...BY_SCOPE.values()].flat())

/** The scope of a claim; undefined for a name that is no claim about a user. */
export const scopeOfClaim = (claim: string): string | undefined => SCOPE_OF.get(claim)

export const OIDC_SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const

/** The claims of the scopes, and the claims requested by name (OIDC Core 5.5). */
export function claimsFor(
  user: User,
  scopes: readonly string[],
  format: UpdatedAtFormat,
  named: readonly string[] = [],
): Claims {
  const claims: Claims = {}
  for (const scope of scopes) {
    for (const [name, of] of BY_SCOPE.get(scope) ?? []) addClaim(claims, name, of(user, format))
  }
  for (const name of named) addClaim(claims, name, CLAIM_OF.get(name)?.(user, format))
  return claims
}

function addClaim(claims: Claims, name: string, value: unknown): void {
  if (value !== null && value !== undefined) claims[name] = value
}
