// `roles`: the permissions of their holders at the APIs that enforce them, identified by name.
// - The list of permissions in a file is complete. A permission of an unknown API or scope is reported and left out.
import * as z from 'zod'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { Configuration, JsonObject, PermissionRow, RoleRow } from '../model'
import { findApi } from './resource-servers'

const roleEntry = z.object({
  name: z.string().min(1).max(200),
  description: z.string().max(500).optional(),
  permissions: z
    .array(z.object({ permission_name: z.string().min(1), resource_server_identifier: z.string().min(1) }))
    .max(10_000)
    .optional(),
})

export const roles: Section = {
  name: 'roles',
  plan(given, context) {
    for (const item of itemsOf(given, 'roles', 'name', context)) planRole(item.value, item.path, context)
  },
  export: (stored) => (stored.roles.length === 0 ? undefined : stored.roles.map(shown)),
}

/** The role with this name. */
export const findRole = (name: string, { roles }: Configuration): RoleRow | undefined =>
  roles.find((role) => role.name === name)

function planRole(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(roleEntry, value, path, context)
  if (!read) return
  const { name, description, permissions } = read.parsed
  const stored = findRole(name, context.stored)
  const requested = permissions?.map((each) => ({
    audience: each.resource_server_identifier,
    permission: each.permission_name,
  }))
  const row: RoleRow = {
    id: stored?.id ?? `rol_${context.random.hex(16)}`,
    name,
    description: description ?? stored?.description ?? null,
    permissions: requested ? sortedPermissions(existing(requested, path, context)) : (stored?.permissions ?? []),
  }
  putRole(stored, row, context)
}

const existing = (requested: PermissionRow[], path: string, context: PlanContext): PermissionRow[] =>
  requested.filter(({ audience, permission }) => {
    const known = findApi(audience, context)?.scopes.has(permission) === true
    if (!known) context.notApplied.push(`${path}.permissions: ${permission} is no scope of ${audience}`)
    return known
  })

/** Without duplicates and sorted, because a set has no order. */
function sortedPermissions(permissions: PermissionRow[]): PermissionRow[] {
  const byKey = new Map(permissions.map((each) => [`${each.audience} ${each.permission}`, each]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function putRole(stored: RoleRow | undefined, row: RoleRow, context: PlanContext): void {
  context.stored.roles = [...context.stored.roles.filter((role) => role !== stored), row]
  const details = differences(stored ? shown(stored) : {}, shown(row))
  if (stored && details.length === 0) return
  context.changes.push({
    section: 'roles',
    action: stored ? 'update' : 'create',
    name: row.name,
    details,
    write: { table: 'role', row },
  })
}

const shown = ({ name, description, permissions }: RoleRow): JsonObject => ({
  name,
  ...(description === null ? {} : { description }),
  permissions: permissions.map(({ audience, permission }) => ({
    permission_name: permission,
    resource_server_identifier: audience,
  })),
})
