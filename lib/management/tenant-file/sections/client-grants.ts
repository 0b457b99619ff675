// `clientGrants`: the scopes of an API that a client may get by client credentials, or with `subject_type: user` for its users.
// `client_id` is a name in an export. A grant of an unknown client or API, or to a kind of subject that does not exist here, is
// reported and left out. The Management API is known by this tenant's own address.
import * as z from 'zod'
import { type Api, isBuiltIn, ORGANIZATION_USAGES } from '../../../data/apis/api'
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
  organization_usage: z.enum(ORGANIZATION_USAGES).optional(),
  allow_any_organization: z.boolean().optional(),
})

/** The vendor's grant for users who have not signed in. */
const ANONYMOUS = 'anonymous_user'

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

const exported = ({ clientId, ...row }: ClientGrantRow): JsonObject => ({
  client_id: clientId,
  audience: row.audience,
  ...shown(row),
})

/** Without the values of a grant that says nothing of organizations. */
const shown = ({
  scopes,
  organizationUsage = 'deny',
  allowAnyOrganization = false,
}: Omit<ClientGrantRow, 'clientId'>) => ({
  scope: scopes,
  ...(organizationUsage === 'deny' ? {} : { organization_usage: organizationUsage }),
  ...(allowAnyOrganization ? { allow_any_organization: true } : {}),
})

function planGrant(value: JsonObject, path: string, context: PlanContext): void {
  if (value.subject_type === ANONYMOUS) {
    context.notApplied.push(`${path}.subject_type: ${JSON.stringify(ANONYMOUS)}`)
    return
  }
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
  const use = organizationsOf(read.parsed, api, path, context)
  if (!use) return
  const row = { clientId: client.clientId, audience, scopes: scope.filter(isKnown), ...use }
  putGrant(isForUsers ? 'userGrant' : 'clientGrant', row, context)
}

type Use = Pick<ClientGrantRow, 'organizationUsage' | 'allowAnyOrganization'>

/**
 * For which organizations its tokens may, or must, be. A grant that demands one where tokens are for none is left out: without the
 * demand it would give more than the file says.
 */
function organizationsOf(
  {
    subject_type,
    organization_usage: usage,
    allow_any_organization: allowAnyOrganization,
  }: z.output<typeof grantEntry>,
  api: Api,
  path: string,
  { notApplied }: PlanContext,
): Use | null {
  if (subject_type === 'client' && !isBuiltIn(api))
    return {
      ...(usage === undefined ? {} : { organizationUsage: usage }),
      ...(allowAnyOrganization === undefined ? {} : { allowAnyOrganization }),
    }
  if (usage !== undefined && usage !== 'deny') notApplied.push(`${path}.organization_usage: ${JSON.stringify(usage)}`)
  if (allowAnyOrganization) notApplied.push(`${path}.allow_any_organization: true`)
  return usage === 'require' ? null : {}
}

function putGrant(table: 'clientGrant' | 'userGrant', row: ClientGrantRow, context: PlanContext): void {
  const list = `${table}s` as const
  const stored = context.stored[list].find(
    (grant) => grant.clientId === row.clientId && grant.audience === row.audience,
  )
  context.stored[list] = [...context.stored[list].filter((grant) => grant !== stored), { ...stored, ...row }]
  const details = differences(stored ? shown(stored) : {}, shown({ ...stored, ...row }))
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'clientGrants',
    action: stored ? 'update' : 'create',
    name: `${row.clientId} → ${row.audience}${table === 'userGrant' ? ' (users)' : ''}`,
    details,
    write: { table, row },
  })
}
