// `clientGrants`: the scopes of an API that a client may get by client credentials.
// `client_id` is a name in an export. A grant of an unknown client or API is reported and left out. The Management API is known by
// this tenant's own address.
import * as z from 'zod'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { ClientGrantRow, JsonObject } from '../model'
import { resolveClient } from './clients'
import { findApi } from './resource-servers'

const grantEntry = z.object({
  client_id: z.string().min(1),
  audience: z.string().min(1),
  scope: z.array(z.string().min(1)).default([]),
  /** A grant for logins of users is left out: it must not give its client tokens of its own. */
  subject_type: z.string().default('client'),
})

export const clientGrants: Section = {
  name: 'clientGrants',
  plan(given, context) {
    for (const item of itemsOf(given, 'clientGrants', 'client_id', context)) planGrant(item.value, item.path, context)
  },
  export: (stored) =>
    stored.clientGrants.length === 0
      ? undefined
      : stored.clientGrants.map(({ clientId, audience, scopes }) => ({ client_id: clientId, audience, scope: scopes })),
}

function planGrant(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(grantEntry, value, path, context)
  if (!read) return
  const { client_id, audience, scope, subject_type } = read.parsed
  if (subject_type !== 'client') {
    context.notApplied.push(`${path}: subject_type ${subject_type}`)
    return
  }
  const client = resolveClient(client_id, context)
  const api = findApi(audience, context)
  if (!client || !api) {
    context.notApplied.push(client ? `${path}: no API ${audience}` : `${path}: no client of this name`)
    return
  }
  const isKnown = (name: string): boolean => api.scopes.has(name) && !api.personal?.scopes.has(name)
  context.notApplied.push(
    ...scope.filter((name) => !isKnown(name)).map((name) => `${path}.scope: ${name} is no scope of ${audience}`),
  )
  putGrant({ clientId: client.clientId, audience, scopes: scope.filter(isKnown) }, context)
}

function putGrant(row: ClientGrantRow, context: PlanContext): void {
  const stored = context.stored.clientGrants.find(
    (grant) => grant.clientId === row.clientId && grant.audience === row.audience,
  )
  context.stored.clientGrants = [...context.stored.clientGrants.filter((grant) => grant !== stored), row]
  const details = differences(stored ? { scope: stored.scopes } : {}, { scope: row.scopes })
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'clientGrants',
    action: stored ? 'update' : 'create',
    name: `${row.clientId} → ${row.audience}`,
    details,
    write: { table: 'clientGrant', row },
  })
}
