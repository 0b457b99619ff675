// `emailProvider`: the tenant's provider of mail. A provider that does not exist here, and a new one without a value that it
// requires, is reported and left out.

import { MAIL_KINDS } from '../../../data/outbox/mail-providers'
import { isJsonObject, objectIn, ownMember } from '../../../kernel/json'
import {
  type EmailProviderDeps,
  type EmailProviderRow,
  emailProviderMembers,
  isMailElsewhere,
  openCredentials,
  emailProvider as resource,
} from '../../resources/email-provider'
import type { Section } from '../context'
import { copiedOne } from '../copied-stores'
import type { JsonObject } from '../model'
import { operate } from '../working-copy'
import { absentIn, type ObjectKind, planObject } from './objects'

declare module '../model' {
  interface Copied {
    emailProvider: { rows: EmailProviderRow | null; stores: Pick<EmailProviderDeps, 'emailProvider'> }
  }
}

const NAME = 'emailProvider'

const fields = emailProviderMembers.partial().required({ name: true })

const kind: ObjectKind<EmailProviderRow> = {
  section: NAME,
  fields,
  parts({ name }) {
    const { credentials, settings } = ownMember(MAIL_KINDS, String(name)) ?? {}
    return { credentials, settings }
  },
  all: ({ emailProvider }) => (emailProvider ? [emailProvider] : []),
  isNamed: () => () => true,
  async operate(entry, before, path, context) {
    const { name } = entry
    const absent = before?.name === name || isMailElsewhere(name) ? [] : absentFrom(entry, before ?? null)
    if (isMailElsewhere(name)) context.notApplied.push(`${path}: there is no provider ${name} here`)
    else if (absent.length > 0) context.notApplied.push(`${path}: needs ${absent.join(', ')}`)
    else if (before) await operate(resource.change, { body: entry }, context)
    else await operate(resource.make, { body: { credentials: {}, ...entry } }, context)
  },
  name: ({ name }) => name,
  shown: ({ name, enabled, from, settings, sealedCredentials }, _stored, vault) => ({
    name,
    enabled,
    default_from_address: from,
    credentials: pick(
      openCredentials(sealedCredentials, vault),
      (member) => !MAIL_KINDS[name].secrets.includes(member),
    ),
    settings,
  }),
  secrets: ({ name, sealedCredentials }, vault) =>
    pick(openCredentials(sealedCredentials, vault), (member) => MAIL_KINDS[name].secrets.includes(member)),
}

function absentFrom(entry: JsonObject, before: EmailProviderRow | null): string[] {
  const known = ownMember(MAIL_KINDS, String(entry.name))
  const absent = known ? absentIn(known.credentials, objectIn(entry.credentials)) : []
  return [
    ...(entry.default_from_address === undefined && before === null ? ['default_from_address'] : []),
    ...absent.map((member) => `credentials.${member}`),
  ]
}

export const pick = (members: JsonObject, isPicked: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => isPicked(name)))

export const emailProvider: Section = {
  name: NAME,
  copy: copiedOne('emailProvider', 'emailProvider'),
  async plan(given, context) {
    if (!isJsonObject(given)) context.problems.push({ path: NAME, reason: 'must be a map of fields' })
    else if (Object.keys(given).length > 0) await planObject(kind, given, NAME, context)
  },
  export(stored, _users, vault) {
    const row = stored.emailProvider
    return row ? kind.shown(row, stored, vault) : undefined
  },
}
