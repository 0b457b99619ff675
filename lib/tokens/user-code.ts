// The user code of the device flow (RFC 8628 6.1): eight letters of an alphabet of twenty, 34 bits.
// - No vowels, so it spells no word, and no letters that look alike.
// - It is short, so only a keyed digest is stored and attempts are counted.
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { readCode } from '../kernel/typed'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
/** The largest multiple of the alphabet's size in a byte; larger bytes would bias the letters. */
const FAIR = 256 - (256 % ALPHABET.length)

export function mintUserCode(random: Random): string {
  let code = ''
  while (code.length < LENGTH) {
    const [byte = FAIR] = random.bytes(1)
    if (byte < FAIR) code += ALPHABET[byte % ALPHABET.length]
  }
  return code
}

/** The displayed form: `ABCD-EFGH`. */
export const showUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** The normalized input; null if it cannot be a code. */
export function readUserCode(typed: string | undefined): string | null {
  const code = readCode(typed ?? '')
  return CODE.test(code) ? code : null
}

export const userCodeDigest = (code: string, vault: Vault): Uint8Array => vault.mac('device-user-code', code)
