// Sign-in by a passkey at a database connection (threat-model.md PK1 to PK4).
// - The challenge of the caller is consumed before the response is read. The credential names the account; there is no identifier
//   to enumerate.
// - Without user verification, where the connection needs it, nothing is proven.
// - The key is the first proof: `hwk` if it never leaves its device, else `swk` (RFC 8176). If the authenticator verified the user
//   and the connection counts that as a second factor, the proof of one is added.

import type { Trail } from '../../data/audit/trail'
import type { DatabaseConnection } from '../../data/connections/connection'
import type { Evidence } from '../../data/sessions/session'
import type { Passkey, PasskeyPort } from '../../data/users/passkey'
import type { User } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import type { Reason } from '../../kernel/reasons'
import { needsVerification, offersPasskeys } from '../passkeys/passkeys'
import { type PasskeySite, relyingPartyIdOf } from '../passkeys/relying-party'
import { type Asserted, assertionResponse, verifyAssertion } from '../passkeys/verify'

export type PasskeySignInDeps = PasskeySite & { passkeys: PasskeyPort; clock: Clock; trail: Trail }

/** A response to a challenge that was consumed; `origins` are the pages that may have asked. */
export type PasskeyAnswer = { response: unknown; challenge: string; origins: readonly string[] }

export type PasskeyVerdict =
  /** `roaming`: the authenticator is not part of the browser's device. */
  | { outcome: 'proven'; user: User; connection: DatabaseConnection; evidence: Evidence[]; roaming: boolean }
  /** No account has this credential; the browser may forget it. */
  | { outcome: 'unknown'; credentialId: string }
  /** The connection requires a verified address. */
  | { outcome: 'unverified'; user: User; connection: DatabaseConnection }
  | { outcome: 'wrong'; reason: Reason }

/** At the database of the passkey, which is one of these. */
export async function authenticateByPasskey(
  connections: readonly DatabaseConnection[],
  { response, challenge, origins }: PasskeyAnswer,
  deps: PasskeySignInDeps,
): Promise<PasskeyVerdict> {
  if (connections[0]) deps.trail.context({ connection: connections[0] })
  const at = deps.clock.now()
  const read = assertionResponse.safeParse(response)
  const offering = connections.filter((each) => offersPasskeys(each, deps))
  if (!read.success || offering.length === 0) return wrong('the passkey response is malformed', deps)
  const found = await deps.passkeys.find(read.data.id)
  if (!found) {
    // The signal for an unknown credential would remove it from the device.
    if (await deps.passkeys.isFactor(read.data.id)) return wrong('the credential is of a second factor', deps)
    deps.trail.record('login_refused', { reason: 'passkey_unknown', sentence: 'the passkey is unknown' })
    return { outcome: 'unknown', credentialId: read.data.id }
  }
  const { passkey, user } = found
  deps.trail.context({ user })
  const connection = offering.find(({ id }) => id === passkey.connectionId)
  if (!connection) return wrong('the passkey is of another connection', deps)
  deps.trail.context({ connection })
  if (!isOwn(read.data.response.userHandle, passkey)) return wrong('the passkey is of another user', deps)
  const expected = { challenge, origins, rpId: relyingPartyIdOf(deps), verified: needsVerification(connection) }
  const asserted = await verifyAssertion(read.data, passkey, expected)
  if ('refused' in asserted) return wrong(asserted.refused, deps)
  const used = await deps.passkeys.use(passkey.id, { ...asserted, at })
  if (used === 'copied') {
    deps.trail.record('passkey_copied')
    return { outcome: 'wrong', reason: 'passkey_copied' }
  }
  if (used === 'uncounted') deps.trail.record('passkey_uncounted')
  if (user.blocked) return wrong('user is blocked', deps, 'user_blocked')
  if (connection.settings.options.require_verified_email && !user.emailVerified) {
    deps.trail.record('login_refused', { reason: 'address_unverified', sentence: 'the address is not verified' })
    return { outcome: 'unverified', user, connection }
  }
  const roaming = read.data.authenticatorAttachment === 'cross-platform'
  return { outcome: 'proven', user, connection, evidence: evidenceOf(passkey, asserted, connection, at), roaming }
}

function wrong(sentence: string, { trail }: PasskeySignInDeps, reason: Reason = 'passkey_wrong'): PasskeyVerdict {
  trail.record('login_refused', { reason, sentence })
  return { outcome: 'wrong', reason }
}

/**
 * A discoverable credential always has the handle (WebAuthn 7.2 step 6); where it is present it must be the account's. Libraries that take
 * `user.id` of the options for text have stored the characters of the handle instead of its bytes.
 */
function isOwn(handle: string | null | undefined, { userHandle }: Passkey): boolean {
  if (!handle) return true
  const own = Buffer.from(userHandle)
  const given = Buffer.from(handle, 'base64url')
  return given.equals(own) || given.toString() === own.toString('base64url')
}

/** What a passkey proves, at its creation as well. */
export function evidenceOf(
  { multiDevice }: Pick<Passkey, 'multiDevice'>,
  { userVerified }: Pick<Asserted, 'userVerified'>,
  { name, settings }: DatabaseConnection,
  at: Date,
): Evidence[] {
  const proof = { at: at.toISOString(), connection: name }
  const key: Evidence = { ...proof, method: multiDevice ? 'swk' : 'hwk' }
  const counts = userVerified && settings.options.passkey_options.counts_as_mfa
  return counts ? [key, { ...proof, method: 'mfa', factor: 'passkey' }] : [key]
}
