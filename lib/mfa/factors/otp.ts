// Authenticator apps (TOTP). The seed is sealed; its Base32 form is shown once, to be typed or scanned.
import { displayNameOf } from '../../users/user'
import type { Authenticator } from '../authenticator'
import type { MfaDeps } from '../deps'
import { fromBase32, matchStep, otpauthUri, SEED_BYTES, toBase32 } from '../totp'
import type { Factor } from './factor'

/** Also used for the seeds of a tenant file (lib/tenant-file/sections/user-factors.ts). */
export const SEED_PURPOSE = 'totp'

export const otp: Factor = {
  name: 'otp',
  type: 'otp',
  channel: null,
  idPrefix: 'totp',
  kind: 'otp',
  enroll(_input, { user }, { random, vault, tenantName }) {
    const secret = toBase32(random.bytes(SEED_BYTES))
    const barcodeUri = otpauthUri({ secret, issuer: tenantName, account: displayNameOf(user) })
    return { holds: { sealed: vault.seal(SEED_PURPOSE, secret, random) }, secret, barcodeUri }
  },
  challenge: null,
}

/** The time step of this code; null if the code does not match the seed. */
export function stepOf({ sealed }: Authenticator, code: string, { vault, clock }: MfaDeps): number | null {
  const secret = sealed && vault.open(SEED_PURPOSE, sealed)
  return secret ? matchStep(fromBase32(secret.toString()), code, clock.now()) : null
}
