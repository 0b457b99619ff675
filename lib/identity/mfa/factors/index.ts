// The list of factors, in the order in which they are offered for enrolment, and the tables that derive from it. A new factor needs
// a file, a line here, its words and an entry in components/factor-pages.ts; one that sends something in a new way also a channel
// (lib/data/outbox/message.ts).
import type { ActionFactors } from '../../tenant-code/actions/methods'
import type { Authenticator } from '../authenticator'
import { email } from './email'
import type { Factor } from './factor'
import { otp } from './otp'
import { sms, voice } from './phone'
import { push } from './push'
import { recoveryCode } from './recovery-code'
import { webauthnPlatform, webauthnRoaming } from './webauthn'

const LIST = [otp, push, sms, voice, email, webauthnRoaming, webauthnPlatform, recoveryCode] as const

export type FactorName = (typeof LIST)[number]['id']

export const FACTORS: readonly Factor<FactorName>[] = LIST

const BY_NAME = new Map(FACTORS.map((factor) => [factor.id, factor]))

/** How authenticators of a factor are stored: the channel, or the type if there is none. */
export const storedKind = ({ authenticatorType, channel }: Factor['names']): string => channel ?? authenticatorType

const BY_KIND = new Map(FACTORS.map((factor) => [storedKind(factor.names), factor]))

export function factorNamed(name: FactorName): Factor<FactorName> {
  const factor = BY_NAME.get(name)
  if (factor) return factor
  throw new Error(`there is no factor ${name}`)
}

/** Undefined for a kind of another release. */
export const factorOfKind = (kind: string): Factor<FactorName> | undefined => BY_KIND.get(kind)

type Stored = Pick<Authenticator, 'type' | 'channel'>

export const isKnown = ({ type, channel }: Stored): boolean => BY_KIND.has(channel ?? type)

export function factorOf({ type, channel }: Stored): Factor<FactorName> {
  const factor = factorOfKind(channel ?? type)
  if (factor) return factor
  throw new Error(`there is no factor for authenticators of type ${type}`)
}

/** No API enrols or challenges it. */
export const isForPages = ({ ceremony }: Factor): boolean => ceremony !== undefined

export const isFallback = (authenticator: Stored): boolean => factorOf(authenticator).isFallback

export const maskedName = (authenticator: Authenticator): string | null => factorOf(authenticator).mask(authenticator)

/** In the order in which they are asked. */
export const byRank = (a: Stored, b: Stored): number => factorOf(a).rank - factorOf(b).rank

/** The vendor's records of factors. */
export const FACTOR_RECORDS: readonly string[] = [...new Set(FACTORS.map(({ names }) => names.record))]

/** The names of factors in calls of actions: their types, and the types that a provider stands for. */
export const ACTION_FACTORS: ActionFactors = {
  types: typesOf(FACTORS),
  providers: new Map(
    FACTORS.flatMap(({ names: { enabledBy } }) =>
      enabledBy === null ? [] : [[enabledBy, typesOf(FACTORS.filter(({ names }) => names.enabledBy === enabledBy))]],
    ),
  ),
}

function typesOf(factors: readonly Factor[]): string[] {
  return [...new Set(factors.map(({ names }) => names.type))]
}
