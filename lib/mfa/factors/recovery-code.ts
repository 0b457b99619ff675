// Recovery codes (threat-model.md MF6): 24 letters and digits, some 124 bits, so that a keyed digest is enough. One at a
// time: using it hands out the next. It comes with the first factor and counts from when that is confirmed.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { Factor } from './factor'

const LENGTH = 24
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Bytes from here on would favour the first letters. */
const FAIR = 256 - (256 % ALPHABET.length)

export const recoveryCode: Factor = {
  name: 'recovery-code',
  type: 'recovery-code',
  channel: null,
  idPrefix: 'recovery-code',
  kind: 'recovery-code',
  enroll: null,
  challenge: null,
}

export function newRecoveryCode(random: Random): string {
  let code = ''
  while (code.length < LENGTH) {
    const fair = [...random.bytes(LENGTH)].filter((byte) => byte < FAIR)
    code += fair.map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  }
  return code.slice(0, LENGTH)
}

/** As it is typed off a sheet of paper: in groups, in small letters. */
export const digestOfRecoveryCode = (typed: string, vault: Vault): Buffer =>
  vault.mac('recovery-code', typed.slice(0, 100).replace(/[\s-]/g, '').toUpperCase())
