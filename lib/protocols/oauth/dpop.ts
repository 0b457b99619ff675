// Demonstrating proof of possession (RFC 9449): a token bound to a key is worth nothing without a new proof by that key.
// - A proof is for one request: its method and address, one `jti`, which one SQL statement accepts once over all instances.
// - A proof is fresh by its `iat`, or by a nonce of this server, which a public client must use at the token endpoint: its
//   proofs cannot be made in advance. Nonces are computed from the time, so every instance knows them and none is stored.
// - `nbf` and `exp`, which a proof need not have, hold beside a nonce too.
// - The `jti` is recorded last, so a proof that is refused for another reason is not used up.
import { createHash } from 'node:crypto'
import { DPOP_ALGORITHMS } from '../../crypto/keys/algorithms'
import type { DpopProof } from '../../crypto/keys/dpop-proof'
import type { Client } from '../../data/clients/client'
import { FAPI2_DPOP_ALGORITHMS } from '../../data/clients/fapi2'
import { claimName, type TicketPort } from '../../data/tickets/ticket'
import { accessTokenIn } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { addSeconds, type Clock, epochSeconds } from '../../kernel/clock'
import { DomainError, invalidToken } from '../../kernel/errors'
import { lazy } from '../../kernel/lazy'
import { equalsConstantTime, type Vault } from '../../kernel/secret'
import type { Presentation } from '../../tokens/access-token'

export type DpopDeps = {
  tickets: Pick<TicketPort, 'claim'>
  clock: Clock
  vault: Vault
  baseUrl: string
}

const PURPOSE = 'dpop-nonce'
/** A nonce is current for so long, and accepted for as long again. */
const NONCE_SECONDS = 300
/** The age of a proof without a nonce. */
const MAX_AGE_SECONDS = 300
const SKEW_SECONDS = 60

const proofs = lazy(() => import('../../crypto/keys/dpop-proof'))

/**
 * The thumbprint of the key that a client's request proves; undefined for a request without proof. Throws `invalid_dpop_proof` or
 * `use_dpop_nonce`.
 */
export async function provenKey(request: HttpRequest, client: Client, deps: DpopDeps): Promise<string | undefined> {
  if (request.headers.dpop === undefined) return undefined
  const nonce = client.isPublic ? 'required' : 'accepted'
  const algorithms = client.profile === 'fapi2' ? FAPI2_DPOP_ALGORITHMS : DPOP_ALGORITHMS
  return (await checkProof(request, { nonce, ath: undefined, algorithms }, deps)).jkt
}

/** The header of an answer to a client that must use a nonce: the one for its next request. */
export const nonceHeader = (deps: Pick<DpopDeps, 'vault' | 'clock'>): [string, string] => [
  'dpop-nonce',
  nonceAt(0, deps),
]

/**
 * The access token of the Authorization header, and the key that the request proves for it; undefined without a token. With
 * the scheme `DPoP` the proof is checked. Throws `invalid_token`.
 */
export async function presentedToken(request: HttpRequest, deps: DpopDeps): Promise<Presentation | undefined> {
  const sent = accessTokenIn(request)
  if (sent === undefined || sent.scheme === 'bearer') return sent && { token: sent.token, jkt: undefined }
  const ath = createHash('sha256').update(sent.token).digest('base64url')
  try {
    return {
      token: sent.token,
      jkt: (await checkProof(request, { nonce: 'ignored', ath, algorithms: DPOP_ALGORITHMS }, deps)).jkt,
    }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_dpop_proof') throw atResource(error)
    throw error
  }
}

/** As `presentedToken`; throws without a token. */
export async function requirePresentedToken(request: HttpRequest, deps: DpopDeps): Promise<Presentation> {
  const presented = await presentedToken(request, deps)
  if (presented === undefined) throw invalidToken('An access token is required', { reason: 'token_missing' })
  return presented
}

/** A protected resource answers 401 and names the scheme (RFC 9449 7.1). */
function atResource({ description }: DomainError): DomainError {
  const challenge = `DPoP error="invalid_dpop_proof", error_description="${description}", algs="${DPOP_ALGORITHMS.join(' ')}"`
  return new DomainError('invalid_token', description, { headers: [['www-authenticate', challenge]] })
}

type Demand = {
  /** A resource of this server gives no nonce, so it ignores one that the client has of the token endpoint. */
  nonce: 'required' | 'accepted' | 'ignored'
  /** The hash of the access token beside the proof. */
  ath: string | undefined
  algorithms: readonly string[]
}

async function checkProof(request: HttpRequest, demand: Demand, deps: DpopDeps): Promise<{ jkt: string }> {
  const { readDpopProof } = await proofs()
  const clocks = { now: deps.clock.now(), toleranceSeconds: SKEW_SECONDS }
  const read = await readDpopProof(request.headers.dpop ?? '', clocks)
  if ('problem' in read) throw invalidProof(read.problem)
  if (!demand.algorithms.includes(read.alg)) throw invalidProof('alg is not allowed for the client')
  if (read.htm !== request.method) throw invalidProof('htm is not the method of the request')
  if (addressOf(read.htu) !== addressOf(`${deps.baseUrl}${request.path}`))
    throw invalidProof('htu is not the address of the request')
  if (read.ath !== demand.ath) throw invalidProof('ath is not the hash of the access token')
  checkFresh(read, demand.nonce, deps)
  const until = addSeconds(deps.clock.now(), 2 * NONCE_SECONDS + SKEW_SECONDS)
  const isFirst = await claimName('dpop-proof', JSON.stringify([deps.baseUrl, read.jkt, read.jti]), until, deps)
  if (!isFirst) throw invalidProof('used before')
  return read
}

/** Without query and fragment (RFC 9449 4.3); null if it is no address. */
function addressOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function checkFresh({ iat, nonce }: DpopProof, demand: Demand['nonce'], deps: DpopDeps): void {
  if (nonce !== undefined && demand !== 'ignored') {
    if (!isOurNonce(nonce, deps)) throw nonceDemand('The nonce in the DPoP proof is not valid', deps)
    return
  }
  if (demand === 'required') throw nonceDemand('Authorization server requires nonce in DPoP proof', deps)
  const now = epochSeconds(deps.clock.now())
  if (iat > now + SKEW_SECONDS) throw invalidProof('iat is in the future')
  if (iat < now - MAX_AGE_SECONDS) throw invalidProof('iat is too old')
}

const isOurNonce = (nonce: string, deps: Pick<DpopDeps, 'vault' | 'clock'>): boolean =>
  [0, 1].some((age) => equalsConstantTime(Buffer.from(nonce), Buffer.from(nonceAt(age, deps))))

/** `age` counts back in lifetimes of a nonce. */
function nonceAt(age: number, { vault, clock }: Pick<DpopDeps, 'vault' | 'clock'>): string {
  const period = Math.floor(epochSeconds(clock.now()) / NONCE_SECONDS) - age
  return vault.mac(PURPOSE, String(period)).toString('base64url')
}

const nonceDemand = (description: string, deps: DpopDeps): DomainError =>
  new DomainError('use_dpop_nonce', description, { headers: [nonceHeader(deps)] })

/** The description becomes a quoted string of a header. */
const invalidProof = (problem: string): DomainError =>
  new DomainError('invalid_dpop_proof', `The DPoP proof is invalid: ${problem.replaceAll('"', "'")}`)
