// Roles: named sets of permissions at APIs, and the users who hold them.
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { alphanumeric } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { unknownMembers } from '../operations/effects'
import { inexistent, invalidBody, invalidQuery } from '../operations/errors'
import { answerList, checkpointQuery, type Page, pageQuery, WHOLE, type Window } from '../operations/list'
import { keepOthers } from '../operations/members'
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
import { defineResource, type ResourceStore } from '../operations/resource'
import { isOneOf, isSet } from '../operations/unsupported-protections'

export type RoleRow = { id: string; name: string; description: string | null }

export type RoleResourceRow = RoleRow & {
  /** A member who holds it in an organization manages that organization in the account portal. */
  administersOrganization: boolean
  /** Administrators of an organization give it to members of theirs, and take it from them. */
  assignableByOrganization: boolean
  kept: JsonObject
}

/** A user, as the list of a role's holders shows it. */
export type HolderRow = { id: string; email: string | null; name: string | null; picture: string | null }

export type RoleFilter = {
  name_filter?: string | undefined
  type?: 'tenant' | 'organization' | undefined
  owner_id?: string | undefined
}

export type RoleStore = ResourceStore<RoleResourceRow, RoleFilter> & {
  /** Those that administrators of organizations may give, by name. */
  assignable(): Promise<RoleResourceRow[]>
  permissions(roleId: string, window: Window): Promise<Page<PermissionRow>>
  /** False if the role is absent. */
  addPermissions(roleId: string, permissions: readonly PermissionRow[]): Promise<boolean>
  removePermissions(roleId: string, permissions: readonly PermissionRow[]): Promise<void>
  holders(roleId: string, window: Window): Promise<Page<HolderRow>>
  /** Whether all of them hold the role. */
  isHeldBy(roleId: string, userIds: readonly string[]): Promise<boolean>
  /** The ids that are no users; nothing is stored if there are any. Null if the role is absent. */
  addHolders(roleId: string, userIds: readonly string[]): Promise<string[] | null>
}

export type RoleDeps = PermissionDeps & { clock: { now(): Date }; random: Random; roles: RoleStore }

const operation = operationsWith<RoleDeps>()

const name = z.string().min(1).max(200).meta({ title: 'Name', group: 'basics', order: 11 })
const description = z.string().max(500).meta({ title: 'Description', group: 'basics', order: 12, multiline: true })
const marks = {
  administers_organization: z.boolean().nullish(),
  assignable_by_organization: z.boolean().nullish(),
}
const shown = withOthers(
  z.object({
    id: z.string(),
    name,
    description,
    administers_organization: z.boolean().optional().meta({
      title: 'Manages its organization',
      help: 'Members with this role manage their organization in the account portal.',
      group: 'basics',
      order: 13,
    }),
    assignable_by_organization: z.boolean().optional().meta({
      title: 'Given by organizations',
      help: 'Administrators of an organization may give it to members.',
      group: 'basics',
      order: 14,
    }),
  }),
).meta({ id: 'Role' })
export const newRole = openObject({ name, description: description.nullish(), ...marks })
/** A role where another object names it. */
export const roleEntry = z.object({ id: z.string(), name: z.string(), description: z.string() })
/** A user where another object names it. */
export const holderEntry = z.object({
  user_id: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
})
/** A role is the tenant's, and can be given in every organization. */
const ALWAYS = { type: 'tenant' }
const listQuery = z.object({ ...pageQuery, ...checkpointQuery })
const usersBody = z.object({
  users: z.array(z.string().min(1).max(300)).min(1).max(1000).meta({ title: 'Users', picker: 'users' }),
})

export const roles = defineResource({
  noun: 'role',
  plural: 'roles',
  console: true,
  examples: {
    create: { name: 'Editors', description: 'May change orders' },
    update: { description: 'May change and delete orders' },
  },
  path: '/roles',
  target: { create: 'tenant', update: inPath('roles'), delete: inPath('roles') },
  shown,
  create: newRole,
  update: openObject({ name: name.optional(), description: description.nullish(), ...marks }),
  filter: {
    name_filter: z.string().max(200).optional(),
    type: z.enum(['tenant', 'organization']).optional().meta({ description: 'All roles here are the tenant’s' }),
    owner_id: z.string().max(100).optional().meta({ description: 'An organization, with the type `organization`' }),
  },
  checkpoint: true,
  taken: { message: 'A role with the same name already exists.', errorCode: 'role_conflict' },
  store: ({ roles }: RoleDeps) => ({
    ...roles,
    async list(filter: RoleFilter, window) {
      if (filter.owner_id !== undefined && filter.type !== 'organization')
        throw invalidQuery('owner_id needs the type organization')
      return filter.type === 'organization' ? { rows: [], total: 0 } : roles.list(filter, window)
    },
  }),
  id: (row: RoleResourceRow) => row.id,
  notApplied: (role) => unknownMembers(shown, role, ALWAYS),
  protecting: { owner_id: isSet, type: isOneOf('organization') },
  present: (row) => ({
    ...row.kept,
    id: row.id,
    name: row.name,
    description: row.description ?? '',
    ...(row.administersOrganization ? { administers_organization: true } : {}),
    ...(row.assignableByOrganization ? { assignable_by_organization: true } : {}),
  }),
  make: (body, { deps }) => ({
    id: `rol_${alphanumeric(deps.random, 16)}`,
    name: body.name,
    description: body.description ?? null,
    administersOrganization: body.administers_organization === true,
    assignableByOrganization: body.assignable_by_organization === true,
    kept: keepOthers(shown, body),
  }),
  change: (row, body) => ({
    id: row.id,
    name: body.name ?? row.name,
    description: body.description === undefined ? row.description : body.description,
    administersOrganization: marked(body.administers_organization, row.administersOrganization),
    assignableByOrganization: marked(body.assignable_by_organization, row.assignableByOrganization),
    kept: keepOthers(shown, body, row.kept),
  }),
  operations: {
    permissionsList: operation({
      name: 'roles.permissions.list',
      method: 'GET',
      path: '/roles/:id/permissions',
      summary: 'List the permissions of a role',
      scopes: ['read:roles'],
      list: 'permissions',
      query: listQuery,
      status: 200,
      answer: z.array(permissionEntry),
      async handle({ params, query, deps }) {
        const { id } = await existing(params.id, deps)
        const body = await answerList(query, {
          key: 'permissions',
          checkpoint: true,
          load: (window) => deps.roles.permissions(id, window),
          present: (row) => presentPermission(row, deps),
          id: permissionId,
        })
        return { body }
      },
    }),
    permissionsAdd: operation({
      name: 'roles.permissions.add',
      console: true,
      method: 'POST',
      path: '/roles/:id/permissions',
      summary: 'Give permissions to a role',
      scopes: ['update:roles'],
      target: ({ params, body }) => ({ roles: [params.id ?? ''], given: givenBy(body) }),
      example: {
        permissions: [{ resource_server_identifier: 'https://shop.example/stock', permission_name: 'read:stock' }],
      },
      body: permissionBody,
      status: 201,
      answer: emptyAnswer,
      async unchanged({ params, body, deps }) {
        const { rows } = await deps.roles.permissions(params.id ?? '', WHOLE)
        return includesAll(rows, body) ? { body: {}, before: body, after: body } : null
      },
      async handle({ params, body, deps }) {
        if (!(await deps.roles.addPermissions(params.id ?? '', await knownPermissions(body, deps))))
          throw inexistent('role')
        return { body: {}, after: body }
      },
    }),
    permissionsRemove: operation({
      name: 'roles.permissions.remove',
      console: true,
      danger: true,
      example: {
        permissions: [{ resource_server_identifier: 'https://shop.example/stock', permission_name: 'read:stock' }],
      },
      method: 'DELETE',
      path: '/roles/:id/permissions',
      summary: 'Take permissions from a role',
      scopes: ['update:roles'],
      target: inPath('roles'),
      body: permissionBody,
      status: 204,
      async handle({ params, body, deps }) {
        const { id } = await existing(params.id, deps)
        await deps.roles.removePermissions(id, permissionRows(body))
        return { before: body }
      },
    }),
    usersList: operation({
      name: 'roles.users.list',
      method: 'GET',
      path: '/roles/:id/users',
      summary: 'List the users who have a role',
      scopes: ['read:users', 'read:role_members'],
      list: 'users',
      query: listQuery,
      status: 200,
      answer: z.array(holderEntry),
      async handle({ params, query, deps }) {
        const { id } = await existing(params.id, deps)
        const body = await answerList(query, {
          key: 'users',
          checkpoint: true,
          load: (window) => deps.roles.holders(id, window),
          present: presentHolder,
          id: (row) => row.id,
        })
        return { body }
      },
    }),
    usersAdd: operation({
      name: 'roles.users.add',
      console: true,
      method: 'POST',
      path: '/roles/:id/users',
      summary: 'Give a role to users',
      scopes: ['update:users', 'create:role_members'],
      target: ({ params, body }) => ({ roles: [params.id ?? ''], users: body.users }),
      givesRights: true,
      example: { users: ['<user>'] },
      body: usersBody,
      status: 200,
      answer: emptyAnswer,
      unchanged: async ({ params, body, deps }) =>
        (await deps.roles.isHeldBy(params.id ?? '', body.users)) ? { body: {}, before: body, after: body } : null,
      async handle({ params, body, deps }) {
        const unknown = await deps.roles.addHolders(params.id ?? '', body.users)
        if (unknown === null) throw inexistent('role')
        if (unknown.length > 0) throw invalidBody(`No user has the id ${unknown[0]}`)
        return { body: {}, after: body }
      },
    }),
  },
})

const marked = (value: boolean | null | undefined, before: boolean): boolean =>
  value === undefined ? before : value === true

async function existing(id: string | undefined, { roles }: RoleDeps): Promise<RoleRow> {
  const role = await roles.find(id ?? '')
  if (!role) throw inexistent('role')
  return role
}

export const presentRole = ({ id, name, description }: RoleRow) => ({ id, name, description: description ?? '' })

export const presentHolder = ({ id, email, name, picture }: HolderRow) => ({
  user_id: id,
  ...(email === null ? {} : { email }),
  ...(name === null ? {} : { name }),
  ...(picture === null ? {} : { picture }),
})
