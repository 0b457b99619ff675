// The code that a person reads off one screen and types into another (RFC 8628 6.1): eight letters of twenty, 34 bits.
// - No vowels, so it spells no word, and no letter that looks like another.
// - How it is typed does not matter: case, dashes, spaces, and the wide letters of a Japanese keyboard.
// - Short, so only a keyed digest is stored, and guesses are counted where it is typed.
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
/** The largest multiple of the alphabet in a byte: what is beyond would favour some letters. */
const FAIR = 256 - (256 % ALPHABET.length)

export function mintUserCode(random: Random): string {
  let code = ''
  while (code.length < LENGTH) {
    const [byte = FAIR] = random.bytes(1)
    if (byte < FAIR) code += ALPHABET[byte % ALPHABET.length]
  }
  return code
}

/** `ABCD-EFGH`, as it is shown. */
export const showUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** What was typed as the code itself, or null when it can be none. */
export function readUserCode(typed: string | undefined): string | null {
  const code = (typed ?? '')
    .slice(0, 100)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
  return CODE.test(code) ? code : null
}

export const userCodeDigest = (code: string, vault: Vault): Uint8Array => vault.mac('device-user-code', code)
