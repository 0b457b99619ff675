// Phone numbers: whatever spelling was typed becomes E.164, which is what is stored, counted and sent to
// (threat-model.md PW1, PW2).
// - Numbers that cost whoever calls them are never sent to: messages to them are how strangers earn by asking.
// - A number whose country cannot be told counts as every country that it could be of.
// - The numbering plans of the world are loaded by the first number: most houses never see one.
import type { NumberType, PhoneNumber } from 'libphonenumber-js/max'
import { lazy } from '../kernel/lazy'

/** E.164, or null for what is no number that a message can be sent to. */
export async function readPhoneNumber(typed: string): Promise<string | null> {
  const number = typed.length > 40 ? undefined : await parse(typed.trim())
  if (!number?.isPossible() || COSTLY.has(number.getType())) return null
  return E164.test(number.number) ? number.number : null
}

const E164 = /^\+[1-9]\d{3,14}$/

const COSTLY: ReadonlySet<NumberType> = new Set<NumberType>(['PREMIUM_RATE', 'SHARED_COST', 'PAGER', 'UAN'])

/** Whether a number is of one of these countries (ISO 3166-1 alpha-2); without a list, of any. */
export async function isServed(e164: string, countries: readonly string[] | undefined): Promise<boolean> {
  if (countries === undefined) return true
  const number = await parse(e164)
  const possible = number?.country === undefined ? (number?.getPossibleCountries() ?? []) : [number.country]
  return possible.length > 0 && possible.every((country) => countries.includes(country))
}

const plans = lazy(() => import('libphonenumber-js/max'))

const parse = async (text: string): Promise<PhoneNumber | undefined> => (await plans()).parsePhoneNumberFromString(text)
