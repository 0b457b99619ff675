// `phoneProviders`: the tenant's provider of text messages and calls. A new one without its token is reported and left out.

import { PHONE_KINDS } from '../../../data/outbox/phone-providers'
import { objectIn, ownMember } from '../../../kernel/json'
import {
  idOf,
  openPhoneCredentials,
  type PhoneProviderDeps,
  type PhoneProviderRow,
  phoneProviderMembers,
  phoneProviders as resource,
} from '../../resources/phone-providers'
import type { Section } from '../context'
import { copiedOne } from '../copied-stores'
import { operate } from '../working-copy'
import { type ObjectKind, objectsSection } from './objects'

declare module '../model' {
  interface Copied {
    phoneProvider: { rows: PhoneProviderRow | null; stores: Pick<PhoneProviderDeps, 'phoneProvider'> }
  }
}

const fields = phoneProviderMembers.partial().required({ name: true })

const kind: ObjectKind<PhoneProviderRow> = {
  section: 'phoneProviders',
  copy: copiedOne('phoneProvider', 'phoneProvider'),
  fields,
  parts: ({ name }) => ownMember(PHONE_KINDS, String(name)) ?? {},
  all: ({ phoneProvider }) => (phoneProvider ? [phoneProvider] : []),
  isNamed: () => () => true,
  async operate(entry, before, path, context) {
    const { name, credentials } = fields.parse(entry)
    const isAbsent = name === 'twilio' && before?.name !== 'twilio' && objectIn(credentials).auth_token === undefined
    if (isAbsent) context.notApplied.push(`${path}: needs credentials.auth_token`)
    else if (before) await operate(resource.change, { params: { id: idOf(before) }, body: entry }, context)
    else await operate(resource.make, { body: { configuration: {}, credentials: {}, ...entry } }, context)
  },
  name: ({ name }) => name,
  shown: ({ name, disabled, configuration }) => ({ name, disabled, configuration }),
  secrets: (row, vault) => openPhoneCredentials(row, vault),
}

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
