// Authenticates a call to one of our own protected APIs: an access token in the Authorization header, for that API, with a
// scope for the verb (the contract's "Bearer access token"; RFC 6750).
// - The token must belong to a person. Its family is looked up, so revocation and blocking take effect at once (threat-model.md D5).
// - A token that is bound to a key needs a proof by that key (RFC 9449).
// - A token in the URL or in the body is ignored (threat-model.md TK4).
// - A scope that may change how the person signs in bounds the age of the authentication (lib/data/apis/built-in.ts; threat-model.md SE7).

import { type ApiPort, recencyOf } from '../../data/apis/api'
import type { Trail } from '../../data/audit/trail'
import type { Client, ClientPort } from '../../data/clients/client'
import type { User } from '../../data/users/user'
import type { HttpRequest } from '../../http/message'
import { ageOf, type Clock } from '../../kernel/clock'
import { insufficientScope, invalidToken } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import { readAccessToken } from '../../tokens/access-token'
import type { FamilyPort, TokenFamily } from '../../tokens/family'
import { isLive } from '../../tokens/family'
import type { IssueDeps } from '../../tokens/issue'
import { challenging, stepUp } from './challenge'
import { type DpopDeps, requirePresentedToken } from './dpop'

export type Bearer = { user: User; client: Client; family: TokenFamily; scopes: readonly string[] }

export type Demand = {
  audience: string
  /** All addresses of the tenant share the audience. */
  anyAddress?: true
  /** The token needs one of these scopes. */
  scopes: readonly string[]
}

type Deps = DpopDeps & {
  apis: ApiPort
  clients: ClientPort
  families: Pick<FamilyPort, 'find'>
  clock: Clock
  trail: Trail
  issuing(): IssueDeps
}

export const authorizeBearer = (request: HttpRequest, demand: Demand, deps: Deps): Promise<Bearer> =>
  challenging(demand.audience, () => readBearer(request, demand, deps))

async function readBearer(request: HttpRequest, demand: Demand, deps: Deps): Promise<Bearer> {
  const { scopes } = demand
  const presented = await readAccessToken(await requirePresentedToken(request, deps), demand, deps.issuing())
  const client = await deps.clients.find(presented.clientId)
  const found = await deps.families.find(presented.familyId)
  deps.trail.context({ ...(client ? { client } : {}), ...(found?.user ? { user: found.user } : {}) })
  if (!client || !found?.user || found.user.blocked || !isLive(found.family, deps.clock.now())) {
    throw invalidToken('The token has been revoked', { reason: reasonOfEnd(client, found) })
  }
  if (!scopes.some((scope) => presented.scopes.includes(scope))) throw insufficientScope(scopes.join(' or '))
  await checkRecent(found.family.authentication?.time ?? 0, demand, deps)
  return { user: found.user, client, family: found.family, scopes: presented.scopes }
}

function reasonOfEnd(client: Client | null, found: { user: User | null } | null): Reason {
  if (!client) return 'client_gone'
  if (found && !found.user) return 'user_gone'
  return found?.user?.blocked ? 'user_blocked' : 'token_revoked'
}

/** `authenticatedAt` is in epoch seconds. */
export async function checkRecent(
  authenticatedAt: number,
  { audience, scopes }: Demand,
  { apis, clock }: Pick<Deps, 'apis' | 'clock'>,
): Promise<void> {
  const within = recencyOf(await apis.find(audience), scopes)
  if (within === null || ageOf(new Date(authenticatedAt * 1000), clock.now()) < within + 1) return
  throw stepUp('Sign in again to do this', { max_age: String(within) })
}
