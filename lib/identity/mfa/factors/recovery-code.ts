// Recovery codes (threat-model.md MF6): 24 letters and digits, about 124 bits, so a keyed digest suffices. A user has one at a
// time: using it creates the next. It is created with the first factor and becomes active when that is confirmed.

import type { Random } from '../../../kernel/random'
import { equalsConstantTime, type Vault } from '../../../kernel/secret'
import { readCode } from '../../../kernel/typed'
import { composeSignInMail } from '../../accounts/sign-in-mail'
import { withinFailureLimit } from '../failure-limit'
import type { Factor } from './factor'

const LENGTH = 24
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Larger bytes would bias the letters. */
const FAIR = 256 - (256 % ALPHABET.length)

export const recoveryCode: Factor<'recovery-code'> = {
  id: 'recovery-code',
  names: {
    authenticatorType: 'recovery-code',
    channel: null,
    idPrefix: 'recovery-code',
    type: 'recovery-code',
    method: 'recovery-code',
    record: 'recovery-code',
    enrollment: { type: 'recovery-code', method: 'recovery-code' },
    removedBy: null,
    enabledBy: null,
  },
  rank: 8,
  isFallback: true,
  enroll: null,
  challenge: null,
  prove({ authenticators, answer = '' }, { user, locale, organization }, deps) {
    const next = newRecoveryCode(deps.random)
    const from = digestOfRecoveryCode(answer, deps.vault)
    const isOwn = authenticators.some(({ secretDigest }) => secretDigest && equalsConstantTime(secretDigest, from))
    const replace = async () => {
      if (!isOwn) return null
      const to = digestOfRecoveryCode(next, deps.vault)
      const mail = await composeSignInMail(user, { what: 'used', ways: [recoveryCode.id] }, deps, {
        locale,
        organization,
      })
      if (!(await deps.authenticators.replaceRecoveryCode(user.id, from, to, mail))) return null
      deps.mailer.wake()
      return { recoveryCode: next }
    }
    return withinFailureLimit(user.id, replace, deps)
  },
  mask: () => null,
  page: { confirms: null },
  audit: {
    sent: null,
    answered: { passed: 'recovery_passed', wrong: 'recovery_failed', blocked: 'recovery_limited' },
  },
}

/** It shares the device part of the factor's id, so that confirming the factor confirms this recovery code and no other. */
export const recoveryIdFor = (factorId: string): string => `${recoveryCode.names.idPrefix}|${factorId.split('|')[1]}`

export function newRecoveryCode(random: Random): string {
  let code = ''
  while (code.length < LENGTH) {
    const fair = [...random.bytes(LENGTH)].filter((byte) => byte < FAIR)
    code += fair.map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  }
  return code.slice(0, LENGTH)
}

/** Typed from paper, so groups and lower case are accepted. */
export const digestOfRecoveryCode = (typed: string, vault: Vault): Buffer => vault.mac('recovery-code', readCode(typed))
