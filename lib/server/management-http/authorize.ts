// Authenticates a caller of the Management API by an access token in the Authorization header (RFC 6750).
// - A token is worth what its holder has at this moment: a client by its client grant, a person by roles and permissions, while the
//   token's family lives. So a right that is taken, a revocation and a block take effect at once (threat-model.md D5, MG1).
// - Scopes are judged before existence, and personal scopes open nothing here.
import { managementAudience } from '../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../data/apis/management-scopes'
import { accessTokenIn } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { invalidToken } from '../../kernel/errors'
import type { Actor } from '../../management/operations/operation'
import { challenging } from '../../protocols/oauth/challenge'
import { presentedToken } from '../../protocols/oauth/dpop'
import { audiencesOf, type InspectedToken, openAccessToken } from '../../tokens/access-token'
import { isLive } from '../../tokens/family'
import type { Runtime } from '../runtime/runtime'

export const authorize = (request: HttpRequest, runtime: Runtime): Promise<Actor> =>
  challenging(managementAudience(runtime.canonicalUrl), () => readActor(request, runtime))

async function readActor(request: HttpRequest, runtime: Runtime): Promise<Actor> {
  const sent = await presentedToken(request, runtime)
  if (sent === undefined) throw invalidToken('Missing authentication', { reason: 'token_missing' })
  const presented = await openAccessToken(sent, runtime.issuing())
  const audience = managementAudience(runtime.canonicalUrl)
  if (!audiencesOf(presented.claims).includes(audience))
    throw invalidToken(`Bad audience: ${audiencesOf(presented.claims).join(' ')}`, { reason: 'token_of_another_kind' })
  const client = await runtime.clients.find(presented.clientId)
  if (!client) throw invalidToken('Invalid token', { reason: 'client_gone', detail: 'the client is gone' })
  runtime.trail.context({ client })
  const { userId, held } =
    presented.familyId === null
      ? { userId: null, held: await grantedTo(presented, audience, runtime) }
      : await personOf(presented.familyId, audience, runtime)
  const scopes = new Set(presented.scopes.filter((scope) => held.includes(scope) && MANAGEMENT_SCOPES.has(scope)))
  return { clientId: client.clientId, userId, scopes }
}

async function grantedTo({ clientId }: InspectedToken, audience: string, runtime: Runtime): Promise<readonly string[]> {
  const granted = await runtime.clientGrants.find(clientId, audience)
  if (!granted)
    throw invalidToken('Invalid token', { reason: 'client_grant_missing', detail: 'the client grant is gone' })
  return granted.scopes
}

async function personOf(familyId: string, audience: string, { families, permissions, clock, trail }: Runtime) {
  const found = await families.find(familyId)
  if (found?.user) trail.context({ user: found.user })
  if (!found?.user || found.user.blocked || !isLive(found.family, clock.now()))
    throw invalidToken('The token has been revoked', {
      reason: found?.user?.blocked ? 'user_blocked' : 'token_revoked',
    })
  const userId = found.user.id
  return { userId, held: await permissions.find(userId, audience, found.family.authentication?.organization ?? null) }
}

/**
 * Whether the token is a manager's: a client's own, whatever its scopes, or a person's with a scope that is not personal. It selects
 * the rate limit and the handler of the paths that people and managers share; both verify the token.
 */
export function claimsManagement(request: HttpRequest): boolean {
  const payload = accessTokenIn(request)?.token.split('.')[1]
  if (payload === undefined) return false
  try {
    const { sub, azp, scope } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    if (sub === `${azp}@clients`) return true
    return typeof scope === 'string' && scope.split(' ').some((each) => MANAGEMENT_SCOPES.has(each))
  } catch {
    return false
  }
}
