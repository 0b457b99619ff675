// `roles`: the permissions of their holders at the APIs that enforce them, identified by name.
// - The list of permissions in a file is complete. A permission of an unknown API or scope is reported and left out.
import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json'
import { windowOf } from '../../operations/list'
import { type PermissionRow, permissionBody, permissionId, permissionRows } from '../../operations/permission-body'
import { newRole, type RoleDeps, type RoleResourceRow, type RoleStore, roles as resource } from '../../resources/roles'
import { findApi } from '../apis'
import type { PlanContext } from '../context'
import { onlyThese, rowsIn } from '../copied-stores'
import type { Configuration } from '../model'
import { operate, put } from '../working-copy'
import { type ObjectKind, objectsSection } from './objects'

export type FileRole = RoleResourceRow & { permissions: readonly PermissionRow[] }

declare module '../model' {
  interface Copied {
    roles: { rows: FileRole[]; stores: Pick<RoleDeps, 'roles'> }
  }
}

const fields = z.object({
  ...newRole.shape,
  permissions: z.array(permissionBody.shape.permissions.element).max(10_000).optional(),
})

const kind: ObjectKind<FileRole> = {
  section: 'roles',
  copy: { name: 'roles', none: [], stores: (context) => ({ roles: rolesOf(context) }) },
  fields,
  all: ({ roles }) => roles,
  isNamed:
    (entry) =>
    ({ name }) =>
      name === entry.name,
  async operate(entry, before, path, context) {
    const { permissions: _, ...members } = entry
    const id = await put(resource, members, before && { id: before.id, shown: shown(before) }, context)
    const { permissions } = fields.parse(entry)
    if (permissions === undefined) return
    const wanted = existing(permissionRows({ permissions }), path, context)
    await setPermissions(id, before?.permissions ?? [], wanted, context)
  },
  name: ({ name }) => name,
  shown,
  exported: shown,
}

export const roles = objectsSection(kind, 'name')

/** The role with this name. */
export const findRole = (name: string, { roles }: Pick<Configuration, 'roles'>): FileRole | undefined =>
  roles.find((role) => role.name === name)

const existing = (requested: PermissionRow[], path: string, context: PlanContext): PermissionRow[] =>
  requested.filter(({ audience, permission }) => {
    const known = findApi(audience, context)?.scopes.has(permission) === true
    if (!known) context.notApplied.push(`${path}.permissions: ${permission} is no scope of ${audience}`)
    return known
  })

async function setPermissions(
  id: string,
  before: readonly PermissionRow[],
  wanted: readonly PermissionRow[],
  context: PlanContext,
): Promise<void> {
  const given = without(wanted, before)
  const taken = without(before, wanted)
  if (given.length > 0) await operate(resource.permissionsAdd, { params: { id }, body: bodyOf(given) }, context)
  if (taken.length > 0) await operate(resource.permissionsRemove, { params: { id }, body: bodyOf(taken) }, context)
}

function without(rows: readonly PermissionRow[], others: readonly PermissionRow[]): PermissionRow[] {
  const known = new Set(others.map(permissionId))
  return rows.filter((row) => !known.has(permissionId(row)))
}

const bodyOf = (rows: readonly PermissionRow[]): JsonObject => ({ permissions: entriesOf(rows) })

/** Sorted, because a set has no order. */
const entriesOf = (rows: readonly PermissionRow[]): JsonObject[] =>
  [...rows]
    .sort((a, b) => (`${a.audience} ${a.permission}` < `${b.audience} ${b.permission}` ? -1 : 1))
    .map(({ audience, permission }) => ({ permission_name: permission, resource_server_identifier: audience }))

function shown({ name, description, permissions, ...marks }: FileRole): JsonObject {
  return {
    ...{ name, ...(description === null ? {} : { description }) },
    ...(marks.administersOrganization ? { administers_organization: true } : {}),
    ...(marks.assignableByOrganization ? { assignable_by_organization: true } : {}),
    permissions: entriesOf(permissions),
  }
}

/** With the permissions, which are a part of the role here. */
function rolesOf(context: PlanContext): RoleStore {
  const { stored, writes } = context
  const rows = rowsIn<RoleResourceRow, FileRole>(context, 'roles', ({ roles }) => roles, {
    nameOf: ({ name }) => name,
    listed: (row, before) => ({ ...row, permissions: before?.permissions ?? [] }),
  })
  const permissionsOf = (id: string): readonly PermissionRow[] =>
    stored.roles.find((role) => role.id === id)?.permissions ?? []
  const setPermissions = (id: string, permissions: PermissionRow[]): void => {
    stored.roles = stored.roles.map((role) => (role.id === id ? { ...role, permissions } : role))
  }
  return onlyThese<RoleStore>({
    ...rows,
    permissions: async (id, window) => windowOf(permissionsOf(id), window, permissionId),
    async addPermissions(roleId, permissions) {
      const all = new Map([...permissionsOf(roleId), ...permissions].map((each) => [permissionId(each), each]))
      setPermissions(roleId, [...all.values()])
      const row = { roleId, permissions }
      writes.push({ table: 'rolePermissions', row, run: ({ roles }) => roles.addPermissions(roleId, permissions) })
      return true
    },
    async removePermissions(roleId, permissions) {
      const gone = new Set(permissions.map(permissionId))
      setPermissions(
        roleId,
        permissionsOf(roleId).filter((each) => !gone.has(permissionId(each))),
      )
      const row = { roleId, permissions: [] }
      writes.push({ table: 'rolePermissions', row, run: ({ roles }) => roles.removePermissions(roleId, permissions) })
    },
  })
}
