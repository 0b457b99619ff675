// Applies effects to a login and its tokens. Pure.
import type { Json } from '../../kernel/json'
import { claimNameProblem } from './claims/name'
import type { MetadataChanges } from './subject'
import type { Effects } from './trigger'

type Claims = Readonly<Record<string, Json>>

/**
 * Additional claims of tokens; undefined if there are none. Reserved names are always removed, even if an engine returned one.
 */
export function claimsOf({
  idTokenClaims,
  accessTokenClaims,
}: Effects): { idToken?: Claims; accessToken?: Claims } | undefined {
  const idToken = allowed(idTokenClaims)
  const accessToken = allowed(accessTokenClaims)
  if (isEmpty(idToken) && isEmpty(accessToken)) return undefined
  return { ...(isEmpty(idToken) ? {} : { idToken }), ...(isEmpty(accessToken) ? {} : { accessToken }) }
}

const allowed = (claims: Claims): Claims =>
  Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => value !== null && claimNameProblem(name) === null),
  )

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

/** Removal wins over addition. */
export const scopesOf = (scopes: readonly string[], { addScopes, removeScopes }: Effects): string[] =>
  [...new Set([...scopes, ...addScopes])].filter((scope) => !removeScopes.includes(scope))

/** Null if nothing changes, which needs no statement. */
export const changesOf = ({ userMetadata, appMetadata }: Effects): MetadataChanges | null =>
  isEmpty(userMetadata) && isEmpty(appMetadata) ? null : { userMetadata, appMetadata }

/** The types of factor of which one is requested; null for any. */
export const challengedTypes = ({ multifactor }: Effects): readonly string[] | null =>
  multifactor === null || multifactor.kind === 'none' || multifactor.factors.length === 0
    ? null
    : multifactor.factors.map(({ type }) => type)

/** Whether a second factor is requested. */
export const wantsFactor = ({ multifactor }: Effects): boolean => multifactor !== null && multifactor.kind !== 'none'
