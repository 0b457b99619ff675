// What the forms of the provider of text messages and calls derive from: the configuration and the credentials of each kind.
import { PHONE_KINDS, PHONE_PROVIDERS, type PhoneProvider } from '../../../data/outbox/phone-providers'
import { groupsIn } from '../../../kernel/schema-meta'
import { newPhoneProvider } from '../../../management/resources/phone-providers'

export { PHONE_PROVIDERS }
export type PhoneProviderName = PhoneProvider['name']

/** The members of a provider of this kind, in the order of a form. */
export const phoneMembers = (kind: PhoneProviderName): string[] =>
  groupsIn(newPhoneProvider.extend(PHONE_KINDS[kind])).flatMap(({ members }) => members)
