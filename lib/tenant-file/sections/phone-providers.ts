// `phoneProviders`: the tenant's provider of text messages and calls. A provider that does not exist here, and a new one without its
// token, is reported and left out.
import { objectIn } from '../../kernel/json'
import {
  openPhoneCredentials,
  type PhoneProviderRow,
  phoneProviderMembers,
  providerRow,
} from '../../management/resources/phone-providers'
import { phoneConfiguration } from '../../outbox/phone-providers'
import { type ObjectKind, objectsSection } from './objects'

const fields = phoneProviderMembers.partial().required({ name: true })

const kind: ObjectKind<PhoneProviderRow> = {
  section: 'phoneProviders',
  fields,
  parts: () => ({ configuration: phoneConfiguration }),
  all: ({ phoneProvider }) => (phoneProvider ? [phoneProvider] : []),
  isNamed: () => true,
  build(entry, before, path, context) {
    const body = fields.parse(entry)
    const absent = before === undefined && objectIn(body.credentials).auth_token === undefined
    if (body.name === 'custom') context.notApplied.push(`${path}: there is no provider custom here`)
    else if (absent) context.notApplied.push(`${path}: needs credentials.auth_token`)
    return body.name === 'custom' || absent ? null : providerRow(body, before ?? null, context)
  },
  name: () => 'twilio',
  shown: ({ disabled, configuration }) => ({ name: 'twilio', disabled, configuration }),
  secrets: (row, vault) => openPhoneCredentials(row, vault),
  put(stored, row) {
    stored.phoneProvider = row
  },
  write: (row) => ({ table: 'phoneProvider', row }),
}

export const phoneProviders = objectsSection(kind, 'name')
