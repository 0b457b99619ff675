// Creates a token family, for every grant: with or without refresh tokens, and with its absolute expiry, which rotation never extends
// (RFC 9700 4.14.2).

import { MAX_TOKEN_SECONDS } from '../crypto/keys/keyring'
import type { Client } from '../data/clients/client'
import type { RefreshChanges } from '../data/sessions/session-changes'
import { addSeconds, sooner } from '../kernel/clock'
import { changed } from '../kernel/entries'
import { type Authentication, ENDLESS_SECONDS, secondsLeft, type TokenFamily } from './family'
import { idleEnd } from './refresh-token'

type Beginning = Pick<TokenFamily, 'id' | 'userId' | 'scopes' | 'audience' | 'sid' | 'authentication' | 'gty'>

export function newFamily({ authentication: given, ...beginning }: Beginning, client: Client, now: Date): TokenFamily {
  const refreshes = beginning.scopes.includes('offline_access')
  const { authentication, refresh } = divided(given)
  const { expiresAt, idleExpiresAt, metadata }: RefreshChanges = refreshes ? refresh : {}
  const seconds = refreshes ? (client.refresh.absoluteSeconds ?? ENDLESS_SECONDS) : MAX_TOKEN_SECONDS
  return {
    clientId: client.clientId,
    generation: refreshes ? 0 : null,
    rotatedAt: null,
    earlierRotations: [],
    idleExpiresAt: refreshes ? idleEnd(client, now, idleExpiresAt) : null,
    expiresAt: sooner(addSeconds(now, secondsLeft(authentication, seconds, now)), expiresAt),
    revokedAt: null,
    createdAt: now,
    metadata: metadata ? changed(null, metadata) : null,
    authentication,
    ...beginning,
  }
}

function divided(given: Authentication | null): { authentication: Authentication | null; refresh: RefreshChanges } {
  if (!given) return { authentication: null, refresh: {} }
  const { refresh = {}, ...authentication } = given
  return { authentication, refresh }
}
