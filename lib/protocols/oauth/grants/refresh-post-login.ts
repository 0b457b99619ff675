// Runs the tenant's `post-login` actions at a refresh (the vendor's `oauth2-refresh-token` protocol). They run before the rotation, so a
// denied refresh does not spend the token, and the retry is not taken for reuse.
// - An invalid token runs no action; the rotation reports what is wrong with it.
import { stillOpen } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import type { EventRefreshToken } from '../../../identity/tenant-code/event'
import type { BrowserlessLogin, From } from '../../../login/browserless/browserless'
import { wantsOf } from '../../../login/browserless/browserless-wants'
import { passPostLoginBrowserless } from '../../../login/browserless/post-login'
import { type Authentication, isLive, type TokenFamily } from '../../../tokens/family'
import { judgeReuse, type RefreshTokenRef } from '../../../tokens/refresh-token'
import type { GrantDeps } from './grant'
import { evidenceOf } from './refresh-factor'
import { refreshedScopes } from './refresh-scopes'

type Refresh = { ref: RefreshTokenRef; scopes: string[] | null; client: Client; from: From }

/** Null for a token that cannot be refreshed. */
export async function passPostLoginAtRefresh(
  { ref, scopes: requested, client, from }: Refresh,
  deps: GrantDeps,
): Promise<BrowserlessLogin | null> {
  const found = await deps.families.find(ref.familyId)
  if (!found?.user || found.user.blocked || !isUsable(ref, found.family, client, deps.clock.now())) return null
  const { family, user } = found
  deps.trail.follow(family.authentication?.login)
  const scopes = await refreshedScopes(family, requested, deps)
  const api = family.audience === null ? null : await stillOpen(family.audience, client, deps)
  if (family.audience !== null && !api) return null
  const organizationId = family.authentication?.organization
  if (organizationId !== undefined && !(await deps.organizations.isMember(organizationId, user.id))) return null
  const organization = organizationId === undefined ? null : await deps.organizations.find(organizationId)
  const login = {
    user,
    client,
    api,
    scopes,
    gty: family.gty,
    protocol: 'oauth2-refresh-token',
    ...from,
    ...(organization ? { organization } : {}),
  }
  const wants = wantsOf({ client, api, scopes, organizationId })
  return passPostLoginBrowserless(
    { ...login, evidence: evidenceOf(family), replaces: family.id, refreshToken: eventRefreshToken(family, client) },
    { wants, decisions: {} },
    null,
    deps,
  )
}

/** As the vendor describes it; its id is the family's. */
const eventRefreshToken = (
  {
    id,
    clientId,
    userId,
    scopes,
    audience,
    sid,
    createdAt,
    expiresAt,
    idleExpiresAt,
    rotatedAt,
    metadata,
  }: TokenFamily,
  { refresh }: Client,
): EventRefreshToken => ({
  id,
  client_id: clientId,
  ...(userId === null ? {} : { user_id: userId }),
  created_at: createdAt.toISOString(),
  rotating: refresh.rotating,
  resource_servers: audience === null ? [] : [{ audience, scopes: scopes.join(' ') }],
  metadata: metadata ?? {},
  ...(sid === null ? {} : { session_id: sid }),
  expires_at: expiresAt.toISOString(),
  ...(idleExpiresAt === null ? {} : { idle_expires_at: idleExpiresAt.toISOString() }),
  ...(rotatedAt === null ? {} : { last_exchanged_at: rotatedAt.toISOString() }),
})

function isUsable(ref: RefreshTokenRef, family: TokenFamily, client: Client, now: Date): boolean {
  if (family.clientId !== client.clientId || !isLive(family, now)) return false
  if (family.idleExpiresAt !== null && family.idleExpiresAt <= now) return false
  return family.generation === ref.generation || judgeReuse(ref, family, client, now) === 'successor'
}

/** Replaces the claims that the actions of the login set. */
export function authenticationAfter(
  authentication: Authentication | null,
  ruled: BrowserlessLogin | null,
): Authentication | null {
  if (!authentication || (authentication.custom === undefined && ruled?.custom === undefined)) return authentication
  const { custom: _before, ...rest } = authentication
  return ruled?.custom === undefined ? rest : { ...rest, custom: ruled.custom }
}
