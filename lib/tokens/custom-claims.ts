// What a token says beyond the server's own claims: of the tenant's claim rules, evaluated now for the user as they are now,
// and of its actions, as they said at the login or at this refresh. An action wins over a rule.
// - A tenant without claim rules waits for nothing here.
// - Neither wins over what the server says: those names are reserved, and whoever puts a payload together spreads the
//   server's claims last.
import type { Client } from '../clients/client'
import type { RoleNamePort } from '../rules/claims/about'
import type { ClaimRules, ClaimsByPlace, CustomClaims } from '../rules/claims/compile'
import type { TokenRequest } from '../rules/claims/facts'
import type { User } from '../users/user'
import type { Authentication } from './family'

export type CustomClaimDeps = { claimRules: ClaimRules | null; roleNames: RoleNamePort }

export type CustomClaimsByToken = { idToken: CustomClaims; accessToken: CustomClaims; assertion: CustomClaims }

/** What actions said. */
export type ActionClaims = NonNullable<Authentication['custom']>

type Subject = { user: User | null; client: Client; request: TokenRequest }

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
  const roles = subject.user && rules.readsRoles ? await port.of(subject.user.id) : null
  return rules.evaluate({ ...subject, roles })
}

const NOTHING: CustomClaimsByToken = { idToken: {}, accessToken: {}, assertion: {} }

/** An assertion takes an ID token's place. */
const merge = (of: ClaimsByPlace, custom: ActionClaims | undefined): CustomClaimsByToken => ({
  idToken: { ...of.id_token, ...custom?.idToken },
  accessToken: { ...of.access_token, ...custom?.accessToken },
  assertion: { ...of.assertion, ...custom?.idToken },
})
