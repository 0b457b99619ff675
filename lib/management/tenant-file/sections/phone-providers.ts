// `phoneProviders`: the tenant's provider of text messages and calls. A new one without its token is reported and left out.

import { PHONE_KINDS, type PhoneProvider } from '../../../data/outbox/phone-providers'
import { objectIn } from '../../../kernel/json'
import {
  openPhoneCredentials,
  type PhoneProviderRow,
  phoneProviderMembers,
  providerRow,
} from '../../resources/phone-providers'
import type { Section } from '../context'
import { objectsSection, writtenKind } from './objects'

const fields = phoneProviderMembers.partial().required({ name: true })

const kind = writtenKind<PhoneProviderRow>({
  section: 'phoneProviders',
  fields,
  parts: ({ name }) => PHONE_KINDS[name as PhoneProvider['name']] ?? {},
  all: ({ phoneProvider }) => (phoneProvider ? [phoneProvider] : []),
  isNamed: () => true,
  build(entry, before, path, context) {
    const body = fields.parse(entry)
    const isAbsent =
      body.name === 'twilio' && before?.name !== 'twilio' && objectIn(body.credentials).auth_token === undefined
    if (isAbsent) context.notApplied.push(`${path}: needs credentials.auth_token`)
    return isAbsent ? null : providerRow(body, before ?? null, context)
  },
  name: ({ name }) => name,
  shown: ({ name, disabled, configuration }) => ({ name, disabled, configuration }),
  secrets: (row, vault) => openPhoneCredentials(row, vault),
  put(stored, row) {
    stored.phoneProvider = row
  },
  write: (row) => ({ table: 'phoneProvider', row }),
})

const section = objectsSection(kind, 'name')

/** A tenant has one: of several the first is applied. */
export const phoneProviders: Section = {
  ...section,
  async plan(given, context) {
    const others = Array.isArray(given) ? given.slice(1) : []
    for (const [index, entry] of others.entries())
      context.notApplied.push(
        `phoneProviders[${JSON.stringify(objectIn(entry).name ?? index + 1)}]: a tenant has one provider, the first of the list`,
      )
    await section.plan(Array.isArray(given) ? given.slice(0, 1) : given, context)
  },
}
