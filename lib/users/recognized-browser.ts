// Browsers in which a person has proven a password or an address before (threat-model.md BF6): their guesses are counted
// apart from everybody else's, so that what strangers use up keeps no owner out.
// - Such a browser holds one value for each account: the account's tag, a number of its own and a keyed digest of both.
//   Nothing is stored. The tag is that of the password there is, so a new password makes every value worthless.
// - A value proves nothing about who is there. It only chooses which counter a guess is counted on.
import type { Random } from '../kernel/random'
import { digest, equalsConstantTime, type Vault } from '../kernel/secret'

/** `key` is the counter of its guesses. */
export type RecognizedBrowser = { tag: Uint8Array; key: Uint8Array }

/** Keys by which it is known that somebody signed in there before: browsers by the tag, networks by a counter. */
export type Familiarity = { tag: Uint8Array; network(ip: string): Uint8Array }

const PURPOSE = 'recognized-browser'
const TAG_BYTES = 16
const NUMBER_BYTES = 12
const MAC_BYTES = 16

/** The start of the key of the account's ceiling (attempts.ts). */
export const tagOf = (account: Uint8Array): Uint8Array => account.subarray(0, TAG_BYTES)

const macOf = (named: Uint8Array, { vault }: { vault: Vault }): Buffer =>
  vault.mac(PURPOSE, named).subarray(0, MAC_BYTES)

export function recognitionFor(account: Uint8Array, deps: { vault: Vault; random: Random }): string {
  const named = Buffer.concat([tagOf(account), deps.random.bytes(NUMBER_BYTES)])
  return Buffer.concat([named, macOf(named, deps)]).toString('base64url')
}

/** Null for a value that is not ours. */
export function readRecognition(value: string, deps: { vault: Vault }): RecognizedBrowser | null {
  const bytes = Buffer.from(value, 'base64url')
  if (bytes.length !== TAG_BYTES + NUMBER_BYTES + MAC_BYTES) return null
  const named = bytes.subarray(0, TAG_BYTES + NUMBER_BYTES)
  if (!equalsConstantTime(bytes.subarray(named.length), macOf(named, deps))) return null
  return { tag: tagOf(named), key: digest(JSON.stringify(['browser', named.toString('base64url')])) }
}
