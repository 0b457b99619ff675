// Phone numbers: any spelling is converted to E.164, which is stored, counted and sent to (threat-model.md PW1, PW2).
// - Messages are never sent to premium-rate numbers: attackers earn money by requesting messages to them.
// - A number whose country is ambiguous counts as a number of every possible country.
// - The numbering plans are loaded lazily: most deployments never need them.
import type { NumberType, PhoneNumber } from 'libphonenumber-js/max'
import { lazy } from '../../kernel/lazy'
import { readNumber } from '../../kernel/typed'

/** E.164, or null if no message can be sent to the input. */
export async function readPhoneNumber(typed: string): Promise<string | null> {
  const text = readNumber(typed)
  const number = text.length > 40 ? undefined : await parse(text)
  if (!number?.isPossible() || COSTLY.has(number.getType())) return null
  return E164.test(number.number) ? number.number : null
}

const E164 = /^\+[1-9]\d{3,14}$/

const COSTLY: ReadonlySet<NumberType> = new Set<NumberType>(['PREMIUM_RATE', 'SHARED_COST', 'PAGER', 'UAN'])

/** Whether a number belongs to one of these countries (ISO 3166-1 alpha-2); without a list, every country is allowed. */
export async function isServed(e164: string, countries: readonly string[] | undefined): Promise<boolean> {
  if (countries === undefined) return true
  const number = await parse(e164)
  const possible = number?.country === undefined ? (number?.getPossibleCountries() ?? []) : [number.country]
  return possible.length > 0 && possible.every((country) => countries.includes(country))
}

const plans = lazy(() => import('libphonenumber-js/max'))

const parse = async (text: string): Promise<PhoneNumber | undefined> => (await plans()).parsePhoneNumberFromString(text)
