// Reads a complete authorization request, however it was sent: first the API and the hinted user, then every check.

import type { Keyring } from '../../crypto/keys/keyring'
import { type AudienceDeps, findAudience } from '../../data/apis/audience'
import type { Client } from '../../data/clients/client'
import type { Clock } from '../../kernel/clock'
import { invalidRequest } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { readIdTokenHint } from './id-token-hint'
import { type Parsed, parseRequest } from './request'
import type { ReturnTo } from './target'

export type ReadDeps = AudienceDeps & { issuer: string; keyring: Keyring; clock: Clock }

export async function readRequest(
  parameters: Parameters,
  target: { client: Client; returnTo: ReturnTo },
  deps: ReadDeps,
  /** The user of an id_token_hint that was verified when the request was pushed. */
  known: string | null = null,
): Promise<Parsed> {
  const [api, hinted] = await Promise.all([
    findAudience(parameters, target.client, deps),
    hintedSubject(parameters.id_token_hint, target.client, deps),
  ])
  return parseRequest(parameters, target, api, hinted ?? known)
}

/**
 * The user of an ID token that this server issued to this client, expired or not. A hint that does not verify is refused, not
 * ignored.
 */
async function hintedSubject(hint: string | undefined, { clientId }: Client, deps: ReadDeps): Promise<string | null> {
  if (hint === undefined) return null
  const known = await readIdTokenHint(hint, deps)
  if (known?.aud !== clientId)
    throw invalidRequest('Invalid parameter: id_token_hint', { reason: 'id_token_hint_invalid' })
  return known.sub
}
