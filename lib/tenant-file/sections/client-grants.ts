// `clientGrants`: the scopes of an API that a client may get by client credentials, or with `subject_type: user` for its users.
// `client_id` is a name in an export. A grant of an unknown client or API is reported and left out. The Management API is known by
// this tenant's own address.
import * as z from 'zod'
import { isBuiltIn } from '../../apis/api'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { ClientGrantRow, JsonObject } from '../model'
import { resolveClient } from './clients'
import { findApi } from './resource-servers'

const grantEntry = z.object({
  client_id: z.string().min(1),
  audience: z.string().min(1),
  scope: z.array(z.string().min(1)).default([]),
  subject_type: z.enum(['client', 'user']).default('client'),
})

export const clientGrants: Section = {
  name: 'clientGrants',
  plan(given, context) {
    for (const item of itemsOf(given, 'clientGrants', 'client_id', context)) planGrant(item.value, item.path, context)
  },
  export: (stored) =>
    stored.clientGrants.length + stored.userGrants.length === 0
      ? undefined
      : [
          ...stored.clientGrants.map(exported),
          ...stored.userGrants.map((row) => ({ ...exported(row), subject_type: 'user' })),
        ],
}

const exported = ({ clientId, audience, scopes }: ClientGrantRow) => ({ client_id: clientId, audience, scope: scopes })

function planGrant(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(grantEntry, value, path, context)
  if (!read) return
  const { client_id, audience, scope, subject_type } = read.parsed
  const client = resolveClient(client_id, context)
  const api = findApi(audience, context)
  if (!client || !api) {
    context.notApplied.push(client ? `${path}: no API ${audience}` : `${path}: no client of this name`)
    return
  }
  const isForUsers = subject_type === 'user'
  if (isForUsers && isBuiltIn(api)) {
    context.notApplied.push(`${path}: users reach ${audience} without a grant`)
    return
  }
  const isKnown = (name: string): boolean => api.scopes.has(name) && !api.personal?.scopes.has(name)
  context.notApplied.push(
    ...scope.filter((name) => !isKnown(name)).map((name) => `${path}.scope: ${name} is no scope of ${audience}`),
  )
  const row = { clientId: client.clientId, audience, scopes: scope.filter(isKnown) }
  putGrant(isForUsers ? 'userGrant' : 'clientGrant', row, context)
}

function putGrant(table: 'clientGrant' | 'userGrant', row: ClientGrantRow, context: PlanContext): void {
  const list = `${table}s` as const
  const stored = context.stored[list].find(
    (grant) => grant.clientId === row.clientId && grant.audience === row.audience,
  )
  context.stored[list] = [...context.stored[list].filter((grant) => grant !== stored), row]
  const details = differences(stored ? { scope: stored.scopes } : {}, { scope: row.scopes })
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'clientGrants',
    action: stored ? 'update' : 'create',
    name: `${row.clientId} → ${row.audience}${table === 'userGrant' ? ' (users)' : ''}`,
    details,
    write: { table, row },
  })
}
