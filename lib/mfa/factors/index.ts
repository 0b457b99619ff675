// The list of factors. A new factor needs a file and a line here.
import type { Authenticator } from '../authenticator'
import { type FactorName, factorNameOf } from '../policy'
import { email } from './email'
import type { Factor } from './factor'
import { otp } from './otp'
import { sms, voice } from './phone'
import { push } from './push'
import { recoveryCode } from './recovery-code'

const FACTORS: Record<FactorName, Factor> = { otp, push, sms, voice, email, 'recovery-code': recoveryCode }

export const factorOf = (authenticator: Pick<Authenticator, 'type' | 'channel'>): Factor =>
  FACTORS[factorNameOf(authenticator)]

export const factorNamed = (name: FactorName): Factor => FACTORS[name]
