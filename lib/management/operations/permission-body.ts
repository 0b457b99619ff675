// Permissions in the vendor's shape, as roles and users have them.
import * as z from 'zod'
import type { Api, ApiPort } from '../../data/apis/api'
import { invalidBody } from './errors'

export type PermissionRow = { audience: string; permission: string }

export type PermissionDeps = { apis: ApiPort }

export const permissionBody = z.object({
  permissions: z
    .array(
      z.object({
        resource_server_identifier: z.string().min(1).max(600).meta({ title: 'API', picker: 'apis' }),
        permission_name: z.string().min(1).max(280).meta({ title: 'Permission' }),
      }),
    )
    .min(1)
    .max(10_000)
    .meta({ title: 'Permissions to add', help: 'Each is one of an API.' }),
})

type PermissionBody = z.output<typeof permissionBody>

export const permissionRows = ({ permissions }: PermissionBody): PermissionRow[] =>
  permissions.map(({ resource_server_identifier, permission_name }) => ({
    audience: resource_server_identifier,
    permission: permission_name,
  }))

/** What a body gives, for the rank that giving it needs. */
export const givenBy = (body: PermissionBody): { audience: string; scopes: string[] }[] =>
  permissionRows(body).map(({ audience, permission }) => ({ audience, scopes: [permission] }))

/** Whether the body names nothing but these rows. */
export const includesAll = (rows: readonly PermissionRow[], body: PermissionBody): boolean => {
  const held = new Set(rows.map(permissionId))
  return permissionRows(body).every((row) => held.has(permissionId(row)))
}

/** The rows of a body; every API and scope in it must exist. */
export async function knownPermissions(body: PermissionBody, { apis }: PermissionDeps): Promise<PermissionRow[]> {
  const rows = permissionRows(body)
  for (const { audience, permission } of rows) {
    const api = await apis.find(audience)
    if (!api?.scopes.has(permission)) throw invalidBody(`${permission} is no scope of ${audience}`)
  }
  return rows
}

/** A permission as it is shown. */
export const permissionEntry = z.object({
  permission_name: z.string(),
  description: z.string(),
  resource_server_name: z.string(),
  resource_server_identifier: z.string(),
})

export async function presentPermission({ audience, permission }: PermissionRow, { apis }: PermissionDeps) {
  const api: Api | null = await apis.find(audience)
  return {
    permission_name: permission,
    description: api?.scopes.get(permission) ?? '',
    resource_server_name: api?.name ?? audience,
    resource_server_identifier: audience,
  }
}

/** The order of a checkpoint list. */
export const permissionId = ({ audience, permission }: PermissionRow): string => JSON.stringify([audience, permission])
