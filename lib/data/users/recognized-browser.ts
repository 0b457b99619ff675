// Browsers in which a user proved a password or an address before (threat-model.md BF6). Their guesses are counted separately, so
// that strangers cannot lock the owner out.
// - Such a browser holds one value per account: the account's tag, a random number and a keyed digest of both. The server stores
//   nothing. The tag depends on the current password, so a new password invalidates every value.
// - A value authenticates no one. It only selects the counter of a guess.
import type { Random } from '../../kernel/random'
import { digest, equalsConstantTime, type Vault } from '../../kernel/secret'

/** `key` is the key of the counter of its guesses. */
export type RecognizedBrowser = { tag: Uint8Array; key: Uint8Array }

/** Keys that identify sources of earlier logins: browsers by the tag, networks by a counter. */
export type Familiarity = { tag: Uint8Array; network(ip: string): Uint8Array }

const PURPOSE = 'recognized-browser'
const TAG_BYTES = 16
const NUMBER_BYTES = 12
const MAC_BYTES = 16

/** The first bytes of the key of the account's ceiling (attempts.ts). */
export const tagOf = (account: Uint8Array): Uint8Array => account.subarray(0, TAG_BYTES)

const macOf = (named: Uint8Array, { vault }: { vault: Vault }): Buffer =>
  vault.mac(PURPOSE, named).subarray(0, MAC_BYTES)

export function recognitionFor(account: Uint8Array, deps: { vault: Vault; random: Random }): string {
  const named = Buffer.concat([tagOf(account), deps.random.bytes(NUMBER_BYTES)])
  return Buffer.concat([named, macOf(named, deps)]).toString('base64url')
}

/** Null for a value that this server did not issue. */
export function readRecognition(value: string, deps: { vault: Vault }): RecognizedBrowser | null {
  const bytes = Buffer.from(value, 'base64url')
  if (bytes.length !== TAG_BYTES + NUMBER_BYTES + MAC_BYTES) return null
  const named = bytes.subarray(0, TAG_BYTES + NUMBER_BYTES)
  if (!equalsConstantTime(bytes.subarray(named.length), macOf(named, deps))) return null
  return { tag: tagOf(named), key: digest(JSON.stringify(['browser', named.toString('base64url')])) }
}
