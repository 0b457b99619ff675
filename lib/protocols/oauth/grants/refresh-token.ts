// grant_type=refresh_token (RFC 6749 6, RFC 9700 4.14.2): rotate once, tolerate a race within the leeway, revoke the family on reuse.
// A request for granted scopes costs one statement; whether another scope exists is looked up only when the rotation fails.
// Expired, foreign and unknown tokens have one answer, which the vendor's SDKs compare. The token's own client is informed if the
// user no longer exists.

import { checkTarget, stillOpen } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { notAMember } from '../../../data/organizations/organization'
import type { RefreshChanges } from '../../../data/sessions/session-changes'
import type { User } from '../../../data/users/user'
import { resource, scope, text } from '../../../http/description'
import { APP } from '../../../http/examples'
import { type DomainError, invalidGrant, missingParameter } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import type { Reason } from '../../../kernel/reasons'
import type { RotatedFamily } from '../../../tokens/family'
import { idleEnd, isMisdated, judgeReuse, type RefreshTokenRef, readRefreshToken } from '../../../tokens/refresh-token'
import { parseScope } from '../scope'
import type { Grant, GrantDeps } from './grant'
import { checkFactor } from './refresh-factor'
import { authenticationAfter, passPostLoginAtRefresh } from './refresh-post-login'
import { refreshedScopes } from './refresh-scopes'

type Refreshed = { family: RotatedFamily; user: User; generation: number; scopes: string[] }

export const refreshToken: Grant = {
  type: 'refresh_token',
  events: { done: 'refresh_exchanged', refused: 'refresh_exchange_refused' },
  describe: () => ({
    parameters: { refresh_token: text('The newest refresh token'), scope: scope(), resource: resource() },
    example: { ...APP, refresh_token: '<refresh token>' },
  }),
  async authorize(parameters, client, deps, from) {
    if (parameters.refresh_token === undefined) throw missingParameter('refresh_token')
    const ref = readRefreshToken(parameters.refresh_token, deps.vault)
    if (!ref) throw unknownToken('refresh_token_unknown', 'not issued by this server')
    if (ref.jkt !== undefined && ref.jkt !== from.jkt)
      throw unknownToken('key_unproven', 'bound to a key that is not proven')
    await checkResource(parameters, ref, client, deps)
    const requested = parameters.scope === undefined ? null : parseScope(parameters.scope)
    await checkFactor({ ref, scopes: requested, client, ip: from.ip }, deps)
    const runsPostLogin = deps.triggers.isBound('post-login')
    const ruled = runsPostLogin ? await passPostLoginAtRefresh({ ref, scopes: requested, client, from }, deps) : null
    const { family, user, generation, scopes } = await refresh(ref, requested, client, deps, ruled?.refresh)
    if (runsPostLogin && !ruled)
      throw unknownToken('refresh_token_expired', 'it became valid again while actions were running')
    const authentication = authenticationAfter(family.authentication, ruled)
    const api = family.audience === null ? null : await stillOpen(family.audience, client, deps)
    if (family.audience !== null && !api) throw unknownToken('api_closed', 'its API is gone, or closed to the client')
    return {
      client,
      user,
      api,
      family: authentication === family.authentication ? family : { ...family, authentication },
      scopes: ruled?.scopes ?? scopes,
      nonce: null,
      protocol: 'oauth2-refresh-token',
      gty: family.gty === null ? 'refresh_token' : ['refresh_token', family.gty],
      refreshGeneration: client.refresh.rotating ? generation : null,
    }
  },
}

/** Before the rotation, which would spend the token of a request that is refused. */
async function checkResource(
  parameters: Parameters,
  ref: RefreshTokenRef,
  client: Client,
  deps: GrantDeps,
): Promise<void> {
  if (parameters.resource === undefined) return
  const family = (await deps.families.find(ref.familyId))?.family
  if (family?.clientId === client.clientId) await checkTarget(parameters, family.audience, deps)
}

/** `requested` is null if the request names no scope. */
async function refresh(
  ref: RefreshTokenRef,
  requested: string[] | null,
  client: Client,
  deps: GrantDeps,
  changes: RefreshChanges = {},
): Promise<Refreshed> {
  const now = deps.clock.now()
  const to = client.refresh.rotating ? ref.generation + 1 : ref.generation
  const rotated = await deps.families.rotate({
    familyId: ref.familyId,
    clientId: client.clientId,
    from: ref.generation,
    to,
    scopes: requested ?? [],
    now,
    idleExpiresAt: idleEnd(client, now, changes.idleExpiresAt),
    changes,
  })
  deps.trail.follow(rotated?.family.authentication?.login)
  return rotated
    ? { ...rotated, generation: to, scopes: requested ?? rotated.family.scopes }
    : resolveFailedRotation(ref, requested, client, now, deps, changes)
}

async function resolveFailedRotation(
  ref: RefreshTokenRef,
  requested: string[] | null,
  client: Client,
  now: Date,
  deps: GrantDeps,
  changes: RefreshChanges,
): Promise<Refreshed> {
  const found = await deps.families.find(ref.familyId)
  if (found?.family.clientId !== client.clientId)
    throw unknownToken('refresh_token_unknown', 'unknown, or of another client')
  const { family, user } = found
  deps.trail.follow(family.authentication?.login)
  if (!user) throw invalidGrant(USER_GONE, { reason: 'user_gone' })
  deps.trail.context({ user })
  const verdict = judgeReuse(ref, family, client, now)
  if (verdict === 'reuse') {
    await deps.families.revoke(ref.familyId, now)
    deps.trail.record('refresh_token_reused')
    throw unknownToken('refresh_token_reused', verdict)
  }
  if (isMisdated(ref, family, now)) await deps.families.redate(ref.familyId, now)
  if (verdict === 'superseded') {
    deps.trail.record('refresh_token_superseded')
    throw unknownToken('refresh_token_superseded', verdict)
  }
  if (user.blocked) throw blockedUser()
  const scopes = await refreshedScopes(family, requested, deps)
  const organization = family.authentication?.organization
  if (organization !== undefined && !(await deps.organizations.isMember(organization, user.id)))
    throw noMember(user, organization)
  if (verdict === 'successor') return { family, user, generation: ref.generation + 1, scopes }
  const isNarrower = requested !== null && scopes.length < requested.length
  if (isNarrower) return refresh(ref, scopes, client, deps, changes)
  throw unknownToken('refresh_token_expired', verdict)
}

/** A blocked user's token is refused without being spent: it works again after the user is unblocked. */
const blockedUser = (): DomainError => invalidGrant('user is blocked', { reason: 'user_blocked' })

/** The vendor's mobile SDKs compare this sentence and drop the login. */
const USER_GONE = "The refresh_token was generated for a user who doesn't exist anymore."

/** Not spent: the token works again once the user is a member again. */
const noMember = (user: User, id: string): DomainError =>
  invalidGrant(notAMember(user, { id }), { reason: 'not_a_member' })

const unknownToken = (reason: Reason, detail: string): DomainError =>
  invalidGrant('Unknown or invalid refresh token.', { reason, detail })
