// An address that its account has not proven is not asserted to SAML and WS-Federation parties: an assertion says nothing
// beside an address, so a party would take the user who entered it for its owner (threat-model.md IP4).
import type { SamlSettings } from '../clients/saml'
import type { User } from '../users/user'

type Addressed = Pick<User, 'email' | 'emailVerified'>

/** In lower case; null where there is none, or the add-on asks for it all the same. */
export const unprovenAddress = (
  { email, emailVerified }: Addressed,
  { includeUnverifiedEmail }: Pick<SamlSettings, 'includeUnverifiedEmail'>,
): string | null => (email === null || emailVerified || includeUnverifiedEmail ? null : email.toLowerCase())

/** `value` without every text, at any depth, that contains the address. */
export function withoutAddress(value: unknown, address: string | null): unknown {
  if (address === null) return value
  if (typeof value === 'string') return value.toLowerCase().includes(address) ? undefined : value
  if (Array.isArray(value)) return value.map((each) => withoutAddress(each, address))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutAddress(each, address)]))
}
