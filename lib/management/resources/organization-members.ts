// The members of an organization, and the roles that each has in it.
import * as z from 'zod'
import { inexistent, invalidBody, lacksScope } from '../operations/errors'
import {
  answerList,
  checkpointQuery,
  fieldsQuery,
  type Page,
  pageQuery,
  selectFields,
  WHOLE,
  type Window,
} from '../operations/list'
import { type Call, operationsWith } from '../operations/operation'
import { existingOrganization, type OrganizationDeps } from './organizations'
import { type HolderRow, holderEntry, presentHolder, presentRole, type RoleRow, roleEntry } from './roles'

export type MemberRow = HolderRow & { roles: { id: string; name: string }[] }

/** `unknown`: no user, or no role, has this id; nothing was stored. */
type Added = 'done' | { unknown: string } | null

export type OrganizationMemberStore = {
  /** `roles` is empty unless they are asked for. */
  list(organizationId: string, window: Window, withRoles: boolean): Promise<Page<MemberRow>>
  /** Whether all of them are members. */
  areMembers(organizationId: string, userIds: readonly string[]): Promise<boolean>
  /** Null if the organization is absent. */
  add(organizationId: string, userIds: readonly string[]): Promise<Added>
  /** The ids that were members. */
  remove(organizationId: string, userIds: readonly string[]): Promise<string[]>
  /** Null if the user is no member. */
  roles(organizationId: string, userId: string, window: Window): Promise<Page<RoleRow> | null>
  addRoles(organizationId: string, userId: string, roleIds: readonly string[]): Promise<Added>
  /** The roles that were removed; null if the user is no member. */
  removeRoles(organizationId: string, userId: string, roleIds: readonly string[]): Promise<string[] | null>
}

export type OrganizationMemberDeps = OrganizationDeps & { organizationMembers: OrganizationMemberStore }

const operation = operationsWith<OrganizationMemberDeps>()

const MAX_CHANGES = 1000
const ids = z.array(z.string().min(1).max(300)).min(1).max(MAX_CHANGES)
const membersBody = z.object({ members: ids.meta({ title: 'Users', picker: 'users' }) })
const rolesBody = z.object({ roles: ids })
const memberQuery = z.object({ ...pageQuery, ...checkpointQuery, ...fieldsQuery })

const member = holderEntry.extend({ roles: z.array(z.object({ id: z.string(), name: z.string() })).optional() })

export const organizationMembers = {
  membersList: operation({
    name: 'organizations.members.list',
    method: 'GET',
    path: '/organizations/:id/members',
    summary: 'List the members of an organization; their roles are shown where `fields` names them',
    scopes: ['read:organization_members'],
    list: 'members',
    query: memberQuery,
    status: 200,
    answer: z.array(member),
    async handle({ params, query, actor, deps }) {
      const withRoles = namesRoles(query)
      if (withRoles && !actor.scopes.has('read:organization_member_roles'))
        throw lacksScope(['read:organization_member_roles'])
      const { id } = await existingOrganization(params.id, deps)
      const body = await answerList(query, {
        key: 'members',
        checkpoint: true,
        load: (window) => deps.organizationMembers.list(id, window, withRoles),
        present: (row) => selectFields({ ...presentHolder(row), ...(withRoles ? { roles: row.roles } : {}) }, query),
        id: (row) => row.id,
      })
      return { body }
    },
  }),
  membersAdd: operation({
    name: 'organizations.members.add',
    console: true,
    method: 'POST',
    path: '/organizations/:id/members',
    summary: 'Make users members of an organization',
    scopes: ['create:organization_members'],
    target: ({ body }) => ({ users: body.members }),
    example: { members: ['<user>'] },
    body: membersBody,
    status: 204,
    unchanged: async ({ params, body, deps }) =>
      (await deps.organizationMembers.areMembers(params.id ?? '', unique(body.members)))
        ? { before: body, after: body }
        : null,
    async handle({ params, body, deps }) {
      const added = await deps.organizationMembers.add(params.id ?? '', unique(body.members))
      if (added === null) throw inexistent('organization')
      if (added !== 'done') throw invalidBody(`No user has the id ${added.unknown}`)
      return { after: body }
    },
  }),
  membersRemove: operation({
    name: 'organizations.members.remove',
    console: true,
    danger: true,
    example: { members: ['<user>'] },
    method: 'DELETE',
    path: '/organizations/:id/members',
    summary: 'Remove members from an organization, with their roles in it',
    scopes: ['delete:organization_members'],
    target: ({ body }) => ({ users: body.members }),
    body: membersBody,
    status: 204,
    async handle({ params, body, deps }) {
      const { id } = await existingOrganization(params.id, deps)
      return { before: { members: await deps.organizationMembers.remove(id, unique(body.members)) } }
    },
  }),
  membersRolesList: operation({
    name: 'organizations.members.roles.list',
    method: 'GET',
    path: '/organizations/:id/members/:user_id/roles',
    summary: 'List the roles of a member in an organization',
    scopes: ['read:organization_member_roles'],
    list: 'roles',
    query: z.object(pageQuery),
    status: 200,
    answer: z.array(roleEntry),
    async handle({ params, query, deps }) {
      const { id, userId } = await memberIn(params, deps)
      const body = await answerList(query, {
        key: 'roles',
        async load(window) {
          const page = await deps.organizationMembers.roles(id, userId, window)
          if (!page) throw inexistent('organization_member')
          return page
        },
        present: presentRole,
        id: (row) => row.id,
      })
      return { body }
    },
  }),
  membersRolesAdd: operation({
    name: 'organizations.members.roles.add',
    example: { roles: ['<role>'] },
    examplePath: { user_id: '<user>' },
    method: 'POST',
    path: '/organizations/:id/members/:user_id/roles',
    summary: 'Give roles to a member in an organization',
    scopes: ['create:organization_member_roles'],
    target: ({ params, body }) => ({ users: [params.user_id ?? ''], roles: body.roles }),
    body: rolesBody,
    status: 204,
    async unchanged({ params, body, deps }) {
      const page = await deps.organizationMembers.roles(params.id ?? '', params.user_id ?? '', WHOLE)
      const held = new Set(page?.rows.map(({ id }) => id))
      return body.roles.every((id) => held.has(id)) ? { before: body, after: body } : null
    },
    async handle({ params, body, deps }) {
      const { id, userId } = await memberIn(params, deps)
      const added = await deps.organizationMembers.addRoles(id, userId, unique(body.roles))
      if (added === null) throw inexistent('organization_member')
      if (added !== 'done') throw invalidBody(`No role has the id ${added.unknown}`)
      return { after: body }
    },
  }),
  membersRolesRemove: operation({
    name: 'organizations.members.roles.remove',
    example: { roles: ['<role>'] },
    examplePath: { user_id: '<user>' },
    method: 'DELETE',
    path: '/organizations/:id/members/:user_id/roles',
    summary: 'Take roles from a member in an organization',
    scopes: ['delete:organization_member_roles'],
    target: ({ params, body }) => ({ users: [params.user_id ?? ''], roles: body.roles }),
    body: rolesBody,
    status: 204,
    async handle({ params, body, deps }) {
      const { id, userId } = await memberIn(params, deps)
      const removed = await deps.organizationMembers.removeRoles(id, userId, unique(body.roles))
      if (!removed) throw inexistent('organization_member')
      return { before: { roles: removed } }
    },
  }),
}

const namesRoles = ({ fields = '', include_fields = true }: z.output<typeof memberQuery>): boolean =>
  include_fields && fields.split(',').some((field) => field.trim() === 'roles')

async function memberIn(params: Call<OrganizationMemberDeps>['params'], deps: OrganizationMemberDeps) {
  const { id } = await existingOrganization(params.id, deps)
  return { id, userId: params.user_id ?? '' }
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
