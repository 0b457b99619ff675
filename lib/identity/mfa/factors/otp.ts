// Authenticator apps (TOTP). The seed is sealed; its Base32 form is shown once, to be typed or scanned.

import { displayNameOf } from '../../../data/users/user'
import { readCode } from '../../../kernel/typed'
import type { Authenticator } from '../authenticator'
import type { MfaDeps } from '../deps'
import { withinFailureLimit } from '../failure-limit'
import { fromBase32, latestStep, matchStep, otpauthUri, SEED_BYTES, toBase32 } from '../totp'
import { ANSWERED, type Attempt, type Factor } from './factor'

/** Also used for the seeds of a tenant file (lib/management/tenant-file/sections/user-operations.ts). */
export const SEED_PURPOSE = 'totp'

export const otp: Factor<'otp'> = {
  id: 'otp',
  names: {
    authenticatorType: 'otp',
    channel: null,
    idPrefix: 'totp',
    type: 'otp',
    method: 'totp',
    record: 'otp',
    enrollment: { type: 'authenticator', method: 'authenticator' },
    removedBy: 'google-authenticator',
    enabledBy: 'google-authenticator',
  },
  rank: 4,
  isFallback: false,
  enroll(_input, { user }, { random, vault, tenantName, settings }) {
    const secret = toBase32(random.bytes(SEED_BYTES))
    const issuer = settings.tenant.friendly_name ?? tenantName
    const barcodeUri = otpauthUri({ secret, issuer, account: displayNameOf(user) })
    return { holds: { sealed: vault.seal(SEED_PURPOSE, secret, random) }, secret, barcodeUri }
  },
  challenge: null,
  prove(attempt, { user }, deps) {
    return withinFailureLimit(user.id, () => firstAccepted(attempt, readCode(attempt.answer ?? ''), deps), deps)
  },
  mask: () => null,
  page: { confirms: 'otp' },
  audit: { sent: null, answered: ANSWERED },
}

async function firstAccepted({ authenticators, confirm }: Attempt, code: string, deps: MfaDeps) {
  for (const each of authenticators) {
    const step = stepOf(each, code, deps)
    if (step === null) continue
    if (
      await (each.active
        ? deps.authenticators.takeStep(each.id, step, latestStep(deps.clock.now()))
        : confirm(each, step))
    )
      return {}
  }
  return null
}

/** The time step of this code; null if the code does not match the seed. */
function stepOf({ sealed }: Authenticator, code: string, { vault, clock }: MfaDeps): number | null {
  const secret = sealed && vault.open(SEED_PURPOSE, sealed)
  return secret ? matchStep(fromBase32(secret.toString()), code, clock.now()) : null
}
