// Authenticates a call to the MFA API: by the `mfa_token` of an unfinished login, or by an access token for that API with a scope for
// the verb (threat-model.md MF2, MF3).
// - An access token changes factors only if its login proved a factor, or the user has none. A token from before the first factor,
//   or from a password alone, adds no second one. The login must be recent (threat-model.md SE7).
// - A client that names itself must be the client of the token, and must authenticate if it can.

import type { Keyring } from '../../crypto/keys/keyring'
import { type MfaScope, mfaAudience } from '../../data/apis/built-in'
import type { Client } from '../../data/clients/client'
import type { ClientKeySets } from '../../data/clients/key-sets'
import type { Evidence } from '../../data/sessions/session'
import { checkAddressProven } from '../../data/users/first-proof'
import type { User } from '../../data/users/user'
import { accessTokenIn } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { acceptedFactors, type TypeDemand } from '../../identity/mfa/accepted'
import { MULTI_FACTOR_ACR } from '../../identity/mfa/acr'
import { type Enrolments, listFactors } from '../../identity/mfa/enrolled'
import { preverifiedLogin } from '../../identity/mfa/prove'
import { epochSeconds } from '../../kernel/clock'
import { DomainError, invalidClient, invalidToken } from '../../kernel/errors'
import type { BrowserlessDeps } from '../../login/browserless/browserless'
import { openGrantLogin, typeDemandOfGrant } from '../../login/browserless/grant-login'
import { hasFreshMfa } from '../../login/flow/mfa-evidence'
import type { TokenFamily } from '../../tokens/family'
import type { IssueDeps } from '../../tokens/issue'
import { authorizeBearer, checkRecent } from './bearer'
import { stepUp } from './challenge'
import { authenticateClient, type CredentialParameters } from './client-authentication'

export type MfaCaller = {
  user: User
  client: Client
  enrolments: Enrolments
  /** Whether a factor that it enrolls may be confirmed beside an existing one: the login proved one. */
  vouched: boolean
  /** The login that challenges belong to. */
  login: Uint8Array
  /** The types of factor that this login has to prove; null for any. */
  typed: TypeDemand | null
}

type Deps = BrowserlessDeps & { keyring: Keyring; keySets: ClientKeySets; issuing(): IssueDeps }

/** Accepts an access token only. */
export async function callerByToken(request: HttpRequest, scope: MfaScope, deps: Deps): Promise<MfaCaller> {
  const demand = { audience: mfaAudience(deps.baseUrl), scopes: [scope] }
  const { user, client, family } = await authorizeBearer(request, demand, deps)
  const enrolments = await listFactors(user, deps)
  if (scope !== 'read:authenticators') checkProven(family, enrolments)
  if (scope === 'enroll') await checkAddressProven(user, deps)
  return { user, client, enrolments, vouched: hasProven(family), login: preverifiedLogin(user.id), typed: null }
}

/**
 * Accepts both. An access token for an API is a JWT and contains dots; an `mfa_token` contains none. That of a refresh is as old as the
 * login before it (threat-model.md BF3).
 */
export async function callerByAny(request: HttpRequest, scope: MfaScope, deps: Deps): Promise<MfaCaller> {
  const token = accessTokenIn(request)?.token
  if (token === undefined)
    throw invalidToken('An access token or an mfa_token is required', { reason: 'token_missing' })
  if (token.includes('.')) return callerByToken(request, scope, deps)
  const login = await openGrantLogin(token, null, deps).catch((error: unknown) => {
    throw error instanceof DomainError ? invalidToken(error.description, { reason: error.reason }) : error
  })
  const { user, transaction } = login
  const client = await deps.clients.find(transaction.wants.clientId)
  if (!client) throw invalidToken('The token has been revoked', { reason: 'client_gone' })
  deps.trail.context({ client })
  await checkRecent(provenAt(transaction.evidence), { audience: mfaAudience(deps.baseUrl), scopes: [scope] }, deps)
  const typed = typeDemandOfGrant(login)
  const enrolments = await acceptedFactors({ user, typed }, deps)
  return {
    user,
    client,
    enrolments,
    vouched: hasFreshMfa(transaction.evidence),
    login: transaction.handleDigest,
    typed,
  }
}

const provenAt = (evidence: readonly Evidence[]): number => epochSeconds(new Date(evidence.at(-1)?.at ?? 0))

/** For requests in which a client names itself beside the token. */
export async function checkCaller(
  { client }: MfaCaller,
  request: HttpRequest,
  sent: CredentialParameters,
  deps: Deps,
): Promise<void> {
  if (Object.values(sent).every((value) => value === undefined)) return
  const named = await authenticateClient(request, sent, deps)
  if (named.clientId !== client.clientId)
    throw invalidClient('token_of_another_client', 'the token is of another client')
}

export const hasProven = ({ authentication }: TokenFamily): boolean => authentication?.methods.includes('mfa') ?? false

/** A change of factors needs a proven factor, unless the user has none. */
export function checkProven(family: TokenFamily, { enrolled }: Enrolments): void {
  if (!enrolled || hasProven(family)) return
  throw stepUp('Prove a second factor to change them', { acr_values: MULTI_FACTOR_ACR })
}
