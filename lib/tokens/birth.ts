// Creates a token family, for every grant: with or without refresh tokens, and with its absolute expiry, which rotation never extends
// (RFC 9700 4.14.2).
import type { Client } from '../clients/client'
import { addSeconds } from '../kernel/clock'
import { MAX_TOKEN_SECONDS } from '../keys/keyring'
import { ENDLESS_SECONDS, secondsLeft, type TokenFamily } from './family'
import { idleEnd } from './refresh-token'

type Beginning = Pick<TokenFamily, 'id' | 'userId' | 'scopes' | 'audience' | 'sid' | 'authentication' | 'gty'>

export function newFamily(beginning: Beginning, client: Client, now: Date): TokenFamily {
  const refreshes = beginning.scopes.includes('offline_access')
  const seconds = refreshes ? (client.refresh.absoluteSeconds ?? ENDLESS_SECONDS) : MAX_TOKEN_SECONDS
  return {
    clientId: client.clientId,
    generation: refreshes ? 0 : null,
    rotatedAt: null,
    earlierRotations: [],
    idleExpiresAt: refreshes ? idleEnd(client, now) : null,
    expiresAt: addSeconds(now, secondsLeft(beginning.authentication, seconds, now)),
    revokedAt: null,
    ...beginning,
  }
}
