// What a user may do: roles, and permissions beside those of the roles.
import * as z from 'zod'
import { inexistent, invalidBody } from '../operations/errors'
import { answerList, checkpointQuery, type Page, pageQuery, WHOLE, type Window } from '../operations/list'
import { emptyAnswer, operationsWith } from '../operations/operation'
import {
  givenBy,
  includesAll,
  knownPermissions,
  type PermissionDeps,
  type PermissionRow,
  permissionBody,
  permissionEntry,
  permissionId,
  permissionRows,
  presentPermission,
} from '../operations/permission-body'
import { inPath } from '../operations/rank'
import { presentRole, type RoleRow, roleEntry } from './roles'

/** A permission, and the roles that give it; `direct` is the user's own. */
export type HeldPermission = PermissionRow & { direct: boolean; roles: readonly Pick<RoleRow, 'id' | 'name'>[] }

export type UserAccessStore = {
  exists(userId: string): Promise<boolean>
  roles(userId: string, window: Window): Promise<Page<RoleRow>>
  /** The ids that are no roles; nothing is stored if there are any. Null if the user is absent. */
  addRoles(userId: string, roleIds: readonly string[]): Promise<string[] | null>
  removeRoles(userId: string, roleIds: readonly string[]): Promise<void>
  permissions(userId: string, window: Window): Promise<Page<HeldPermission>>
  /** False if the user is absent. */
  addPermissions(userId: string, permissions: readonly PermissionRow[]): Promise<boolean>
  removePermissions(userId: string, permissions: readonly PermissionRow[]): Promise<void>
}

export type UserAccessDeps = PermissionDeps & { userAccess: UserAccessStore }

const operation = operationsWith<UserAccessDeps>()

/** Of a user that one request gives or takes. */
export const MAX_ROLES = 100

const rolesBody = z.object({
  roles: z.array(z.string().min(1).max(100)).min(1).max(MAX_ROLES).meta({ title: 'Roles' }),
})
const listQuery = z.object({ ...pageQuery, ...checkpointQuery })

const heldPermission = permissionEntry.extend({
  sources: z.array(
    z.object({ source_id: z.string(), source_name: z.string(), source_type: z.enum(['DIRECT', 'ROLE']) }),
  ),
})

export const userAccess = {
  rolesList: operation({
    name: 'users.roles.list',
    method: 'GET',
    path: '/users/:id/roles',
    summary: 'List the roles of a user',
    scopes: ['read:users', 'read:roles', 'read:role_members'],
    list: 'roles',
    query: listQuery,
    status: 200,
    answer: z.array(roleEntry),
    async handle({ params, query, deps }) {
      const id = await existing(params.id, deps)
      const body = await answerList(query, {
        key: 'roles',
        checkpoint: true,
        load: (window) => deps.userAccess.roles(id, window),
        present: presentRole,
        id: (role) => role.id,
      })
      return { body }
    },
  }),
  rolesAdd: operation({
    name: 'users.roles.add',
    console: true,
    method: 'POST',
    path: '/users/:id/roles',
    summary: 'Give roles to a user',
    scopes: ['update:users', 'create:role_members'],
    target: ({ params, body }) => ({ users: [params.id ?? ''], roles: body.roles }),
    givesRights: true,
    example: { roles: ['<role>'] },
    body: rolesBody,
    status: 204,
    async unchanged({ params, body, deps }) {
      const held = new Set((await deps.userAccess.roles(params.id ?? '', WHOLE)).rows.map(({ id }) => id))
      return body.roles.every((id) => held.has(id)) ? { before: body, after: body } : null
    },
    async handle({ params, body, deps }) {
      const unknown = await deps.userAccess.addRoles(params.id ?? '', body.roles)
      if (unknown === null) throw inexistent('user')
      if (unknown.length > 0) throw invalidBody(`No role has the id ${unknown[0]}`)
      return { after: body }
    },
  }),
  rolesRemove: operation({
    name: 'users.roles.remove',
    console: true,
    danger: true,
    example: { roles: ['<role>'] },
    method: 'DELETE',
    path: '/users/:id/roles',
    summary: 'Take roles from a user',
    scopes: ['update:users', 'delete:role_members'],
    target: ({ params, body }) => ({ users: [params.id ?? ''], roles: body.roles }),
    givesRights: true,
    body: rolesBody,
    status: 204,
    async handle({ params, body, deps }) {
      await deps.userAccess.removeRoles(await existing(params.id, deps), body.roles)
      return { before: body }
    },
  }),
  permissionsList: operation({
    name: 'users.permissions.list',
    method: 'GET',
    path: '/users/:id/permissions',
    summary: 'List the permissions of a user, with the roles that give them',
    scopes: ['read:users'],
    list: 'permissions',
    query: listQuery,
    status: 200,
    answer: z.array(heldPermission),
    async handle({ params, query, deps }) {
      const id = await existing(params.id, deps)
      const body = await answerList(query, {
        key: 'permissions',
        checkpoint: true,
        load: (window) => deps.userAccess.permissions(id, window),
        present: async (held) => ({ ...(await presentPermission(held, deps)), sources: sourcesOf(held) }),
        id: (held) => permissionId(held),
      })
      return { body }
    },
  }),
  permissionsAdd: operation({
    name: 'users.permissions.add',
    console: true,
    method: 'POST',
    path: '/users/:id/permissions',
    summary: 'Give permissions to a user',
    scopes: ['update:users'],
    target: ({ params, body }) => ({ users: [params.id ?? ''], given: givenBy(body) }),
    givesRights: true,
    example: {
      permissions: [{ resource_server_identifier: 'https://shop.example/stock', permission_name: 'read:stock' }],
    },
    body: permissionBody,
    status: 201,
    answer: emptyAnswer,
    async unchanged({ params, body, deps }) {
      const { rows } = await deps.userAccess.permissions(params.id ?? '', WHOLE)
      const direct = rows.filter((row) => row.direct)
      return includesAll(direct, body) ? { body: {}, before: body, after: body } : null
    },
    async handle({ params, body, deps }) {
      if (!(await deps.userAccess.addPermissions(params.id ?? '', await knownPermissions(body, deps))))
        throw inexistent('user')
      return { body: {}, after: body }
    },
  }),
  permissionsRemove: operation({
    name: 'users.permissions.remove',
    console: true,
    example: {
      permissions: [{ resource_server_identifier: 'https://shop.example/stock', permission_name: 'read:stock' }],
    },
    method: 'DELETE',
    path: '/users/:id/permissions',
    summary: 'Take permissions from a user',
    scopes: ['update:users'],
    target: inPath('users'),
    givesRights: true,
    body: permissionBody,
    status: 204,
    async handle({ params, body, deps }) {
      await deps.userAccess.removePermissions(await existing(params.id, deps), permissionRows(body))
      return { before: body }
    },
  }),
}

const sourcesOf = ({ direct, roles }: HeldPermission) => [
  ...(direct ? [{ source_id: '', source_name: '', source_type: 'DIRECT' }] : []),
  ...roles.map(({ id, name }) => ({ source_id: id, source_name: name, source_type: 'ROLE' })),
]

async function existing(id: string | undefined, { userAccess }: UserAccessDeps): Promise<string> {
  if (id === undefined || !(await userAccess.exists(id))) throw inexistent('user')
  return id
}
