// Custom claims of a token: those of the tenant's claim rules, evaluated now, and those of its actions, from the login or this refresh. An
// action wins over a rule.
// - A tenant without claim rules awaits nothing here.
// - The server's own claims win: their names are reserved, and payloads spread the server's claims last.
import type { Client } from '../data/clients/client'
import type { Organization } from '../data/organizations/organization'
import type { User } from '../data/users/user'
import type { RoleNamePort } from '../identity/tenant-code/claims/about'
import type { ClaimRules, ClaimsByPlace, CustomClaims } from '../identity/tenant-code/claims/compile'
import type { TokenRequest } from '../identity/tenant-code/claims/facts'
import type { Authentication } from './family'

export type CustomClaimDeps = { claimRules: ClaimRules | null; roleNames: RoleNamePort }

export type CustomClaimsByToken = { idToken: CustomClaims; accessToken: CustomClaims; assertion: CustomClaims }

/** The claims that actions set. */
export type ActionClaims = NonNullable<Authentication['custom']>

type Subject = { user: User | null; client: Client; organization: Organization | null; request: TokenRequest }

const SILENT: ClaimsByPlace = { id_token: {}, access_token: {}, assertion: {} }

export const customClaims = (
  subject: Subject,
  custom: ActionClaims | undefined,
  { claimRules, roleNames }: CustomClaimDeps,
): CustomClaimsByToken | Promise<CustomClaimsByToken> =>
  claimRules === null
    ? custom === undefined
      ? NOTHING
      : merge(SILENT, custom)
    : evaluate(subject, claimRules, roleNames).then((of) => merge(of, custom))

async function evaluate(subject: Subject, rules: ClaimRules, port: RoleNamePort): Promise<ClaimsByPlace> {
  const roles =
    subject.user && rules.readsRoles ? await port.of(subject.user.id, subject.organization?.id ?? null) : null
  return rules.evaluate({ ...subject, roles })
}

const NOTHING: CustomClaimsByToken = { idToken: {}, accessToken: {}, assertion: {} }

/** An assertion gets the claims of an ID token. */
const merge = (of: ClaimsByPlace, custom: ActionClaims | undefined): CustomClaimsByToken => ({
  idToken: { ...of.id_token, ...custom?.idToken },
  accessToken: { ...of.access_token, ...custom?.accessToken },
  assertion: { ...of.assertion, ...custom?.idToken },
})
