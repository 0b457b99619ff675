// The signature of a JWT by the keys at the provider's `jwks_uri` (OIDC Core 3.1.3.7). It is verified even where TLS would
// suffice (threat-model.md UP1).

import { createPublishedKeys, type PublishedKeys } from '../../crypto/keys/published-keys'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import type { CallOut } from '../../kernel/call-out'
import type { Clock } from '../../kernel/clock'

export const keysAt = (
  uri: string | undefined,
  { callOut, clock }: { callOut: CallOut; clock: Clock },
): PublishedKeys => createPublishedKeys(() => readSet(uri, callOut), clock)

type KeySet = Awaited<ReturnType<Parameters<typeof createPublishedKeys>[0]>>

async function readSet(uri: string | undefined, callOut: CallOut): Promise<KeySet> {
  if (uri === undefined) throw new UpstreamError('unreachable', 'the provider names no jwks_uri')
  const headers = { accept: 'application/jwk-set+json, application/json' }
  const { status, body } = await callOut(uri, { method: 'GET', headers })
  const keys = status === 200 ? keysIn(Buffer.from(body).toString()) : null
  if (!keys)
    throw new UpstreamError('unreachable', `the address of the provider's keys answered ${status} without keys`)
  return keys
}

/** Members that are no keys are left out: one that is malformed must not hide the others. */
function keysIn(text: string): KeySet | null {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : null
  } catch {
    return null
  }
}

export async function checkSignature(token: string | undefined, keys: PublishedKeys): Promise<void> {
  if (token === undefined || (await keys.haveSigned(token))) return
  throw new UpstreamError('forged', 'none of the keys that the provider publishes signed its token', {
    reason: 'signature_invalid',
  })
}
