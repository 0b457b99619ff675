// `clientGrants`: the scopes of an API that a client may get by client credentials, or with `subject_type: user` for its users.
// `client_id` is a name in an export. A grant of an unknown client or API, or to a kind of subject that does not exist here, is
// reported and left out. The Management API is known by this tenant's own address.
import * as z from 'zod'
import { type Api, isBuiltIn, ORGANIZATION_USAGES } from '../../../data/apis/api'
import {
  type ClientGrantDeps,
  type ClientGrantResourceRow,
  presentClientGrant,
  clientGrants as resource,
} from '../../resources/client-grants'
import { findApi } from '../apis'
import type { PlanContext } from '../context'
import { copiedRows } from '../copied-stores'
import type { JsonObject } from '../model'
import { put } from '../working-copy'
import { resolveClient } from './clients'
import { type ObjectKind, objectsSection } from './objects'

declare module '../model' {
  interface Copied {
    /** Of clients, and for their users. */
    clientGrants: { rows: ClientGrantResourceRow[]; stores: Pick<ClientGrantDeps, 'managedGrants'> }
  }
}

const fields = z.object({
  client_id: z.string().min(1),
  audience: z.string().min(1),
  scope: z.array(z.string().min(1)).default([]),
  subject_type: z.enum(['client', 'user']).default('client'),
  organization_usage: z.enum(ORGANIZATION_USAGES).optional(),
  allow_any_organization: z.boolean().optional(),
})

/** The vendor's grant for users who have not signed in. */
const ANONYMOUS = 'anonymous_user'

const kind: ObjectKind<ClientGrantResourceRow> = {
  section: 'clientGrants',
  copy: copiedRows('clientGrants', {
    store: 'managedGrants',
    nameOf: ({ subjectType, clientId, audience }) => JSON.stringify([subjectType, clientId, audience]),
  }),
  fields,
  unprotected: ({ subject_type }) => (subject_type === ANONYMOUS ? 'subject_type' : undefined),
  all: ({ clientGrants }) => clientGrants,
  isNamed(entry, context) {
    const { client_id, audience, subject_type } = fields.parse(entry)
    const clientId = resolveClient(client_id, context)?.clientId
    return (row) => row.subjectType === subject_type && row.audience === audience && row.clientId === clientId
  },
  async operate(entry, before, path, context) {
    const body = bodyOf(fields.parse(entry), path, context)
    if (body) await put(resource, body, before && { id: before.id, shown: presentClientGrant(before) }, context)
  },
  name: ({ clientId, audience, subjectType }) => `${clientId} → ${audience}${subjectType === 'user' ? ' (users)' : ''}`,
  shown,
  exported: (row) => ({
    client_id: row.clientId,
    audience: row.audience,
    ...shown(row),
    ...(row.subjectType === 'user' ? { subject_type: 'user' } : {}),
  }),
}

export const clientGrants = objectsSection(kind, 'client_id')

/** Without the values of a grant that says nothing of organizations. */
function shown({ scopes, organizationUsage, allowAnyOrganization }: ClientGrantResourceRow): JsonObject {
  return {
    scope: scopes,
    ...(organizationUsage === 'deny' ? {} : { organization_usage: organizationUsage }),
    ...(allowAnyOrganization ? { allow_any_organization: true } : {}),
  }
}

type Entry = z.output<typeof fields>

/** Null where the grant is left out. */
function bodyOf(entry: Entry, path: string, context: PlanContext): JsonObject | null {
  const { client_id, audience, scope, subject_type } = entry
  const client = resolveClient(client_id, context)
  const api = findApi(audience, context)
  if (!client || !api) {
    context.notApplied.push(client ? `${path}: no API ${audience}` : `${path}: no client of this name`)
    return null
  }
  if (subject_type === 'user' && isBuiltIn(api)) {
    context.notApplied.push(`${path}: users reach ${audience} without a grant`)
    return null
  }
  const isKnown = (name: string): boolean => api.scopes.has(name) && !api.personal?.scopes.has(name)
  context.notApplied.push(
    ...scope.filter((name) => !isKnown(name)).map((name) => `${path}.scope: ${name} is no scope of ${audience}`),
  )
  const use = organizationsOf(entry, api, path, context)
  return use && { client_id: client.clientId, audience, scope: scope.filter(isKnown), subject_type, ...use }
}

/**
 * For which organizations its tokens may, or must, be. A grant that demands one where tokens are for none is left out: without the
 * demand it would give more than the file says.
 */
function organizationsOf(
  { subject_type, organization_usage, allow_any_organization }: Entry,
  api: Api,
  path: string,
  { notApplied }: PlanContext,
): JsonObject | null {
  if (subject_type === 'client' && !isBuiltIn(api))
    return {
      ...(organization_usage === undefined ? {} : { organization_usage }),
      ...(allow_any_organization === undefined ? {} : { allow_any_organization }),
    }
  if (organization_usage !== undefined && organization_usage !== 'deny')
    notApplied.push(`${path}.organization_usage: ${JSON.stringify(organization_usage)}`)
  if (allow_any_organization) notApplied.push(`${path}.allow_any_organization: true`)
  return organization_usage === 'require' ? null : {}
}
