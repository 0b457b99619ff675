// The `Idempotency-Key` of a POST (after draft-ietf-httpapi-idempotency-key-header): a repeated request is answered, not executed.
// - The key is claimed before the operation and belongs to one caller. Of parallel requests with it, one is executed.
// - A refusal changes nothing and releases the key. An operation that ended in another way may have taken effect, so its key
//   stays claimed: it is executed at most once, whatever fails.
// - Answers contain secrets (that of a new client), so they are sealed; requests are compared by a keyed digest.
import { addSeconds, ageOf, type Clock } from '../../kernel/clock'
import { DomainError, invalidRequest } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import { digest, equalsConstantTime, type Vault } from '../../kernel/secret'
import { conflict } from './errors'
import type { Actor } from './operation'

export type Claim = { caller: Uint8Array; key: Uint8Array; request: Uint8Array }

/** What is stored under a key: without an answer, the request is under way or its outcome is not known. */
export type Claimed = { request: Uint8Array; sealed: Uint8Array | null; createdAt: Date }

export type IdempotencyStore = {
  /** True if the key was free and now is the caller's; else what is stored, or null if the caller has `most` keys. */
  claim(claim: Claim, times: { at: Date; until: Date; most: number }): Promise<true | Claimed | null>
  keep(claim: Claim, sealed: Uint8Array): Promise<void>
  release(claim: Claim): Promise<void>
}

export type IdempotencyDeps = { idempotency: IdempotencyStore; vault: Vault; random: Random; clock: Clock }

const PURPOSE = 'idempotency'
const LIFETIME_SECONDS = 86_400
/** No request takes longer. */
const UNDER_WAY_SECONDS = 60
/** Keys of one caller at a time. */
export const MAX_KEYS = 10_000

type Execution<Answer> = {
  /** The header as sent. */
  header: string
  actor: Actor
  /** Everything that makes two requests the same. */
  request: readonly (string | Uint8Array)[]
  run(): Promise<Answer>
}

/** The answer of the first request with this key, from now or from then. `Answer` is JSON. */
export async function runOnce<Answer>(
  { header, actor, request, run }: Execution<Answer>,
  deps: IdempotencyDeps,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { idempotency, vault, random, clock } = deps
  const claim: Claim = {
    caller: digest(JSON.stringify([actor.clientId, actor.userId])),
    key: vault.mac(PURPOSE, keyIn(header)),
    request: vault.mac(PURPOSE, Buffer.concat(request.map((part) => digest(part)))),
  }
  const at = clock.now()
  const claimed = await idempotency.claim(claim, { at, until: addSeconds(at, LIFETIME_SECONDS), most: MAX_KEYS })
  if (claimed === null)
    throw new DomainError(
      'too_many_requests',
      `At most ${MAX_KEYS} idempotency keys a day. Send the request without one.`,
    )
  if (claimed !== true) return { answer: replay<Answer>(claim, claimed, deps), replayed: true }
  const answer = await run().catch(async (error: unknown) => {
    if (isRefusal(error)) await idempotency.release(claim)
    throw error
  })
  await idempotency.keep(claim, vault.seal(PURPOSE, JSON.stringify(answer), random))
  return { answer, replayed: false }
}

function replay<Answer>(
  claim: Claim,
  { request, sealed, createdAt }: Claimed,
  { vault, clock }: IdempotencyDeps,
): Answer {
  if (!equalsConstantTime(request, claim.request))
    throw conflict('This idempotency key was used for another request.', 'idempotency_key_reused')
  const plain = sealed && vault.open(PURPOSE, sealed)
  if (plain) return JSON.parse(plain.toString('utf8')) as Answer
  if (sealed === null && ageOf(createdAt, clock.now()) < UNDER_WAY_SECONDS)
    throw new DomainError('conflict', 'A request with this idempotency key is under way.', {
      members: { errorCode: 'idempotency_key_in_use' },
      retryAfter: 1,
    })
  throw conflict(
    'The outcome of the request with this idempotency key is not known. Read the object, and use another key if it is absent.',
    'idempotency_outcome_unknown',
  )
}

/** A structured text (RFC 8941 3.3.3), or the same without quotes, as many clients send it. */
function keyIn(header: string): string {
  const key = /^"([\x21\x23-\x5b\x5d-\x7e]{1,255})"$/.exec(header)?.[1] ?? header
  if (/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key
  throw invalidRequest('Idempotency-Key must have 1 to 255 visible characters without quotes and backslashes', {
    members: { errorCode: 'invalid_idempotency_key' },
  })
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.code !== 'temporarily_unavailable' && error.code !== 'server_error'
