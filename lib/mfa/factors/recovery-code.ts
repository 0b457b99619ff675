// Recovery codes (threat-model.md MF6): 24 letters and digits, about 124 bits, so a keyed digest suffices. A user has one at a
// time: using it creates the next. It is created with the first factor and becomes active when that is confirmed.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { Factor } from './factor'

const LENGTH = 24
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Larger bytes would bias the letters. */
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

/** Typed from paper, so groups and lower case are accepted. */
export const digestOfRecoveryCode = (typed: string, vault: Vault): Buffer =>
  vault.mac('recovery-code', typed.slice(0, 100).replace(/[\s-]/g, '').toUpperCase())
