// Users: search, read, create, change and delete.
import * as z from 'zod'
import type { ManagedUser } from '../../data/users/managed-user'
import { withOthers } from '../../kernel/schema'
import { invalidQuery } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { fieldsQuery, flag, selectFields, type Window } from '../operations/list'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { defineResource } from '../operations/resource'
import { parseQuery } from '../search/query'
import { presentUser, shownIdentity } from './present-user'
import { removeByScript } from './scripted-users'
import type { ManagedUserStore, UserFilter } from './user-list'
import { presentTokens, TOKENS, type UserTokenDeps } from './user-tokens'
import { type CreateUserDeps, createUser } from './users-create'
import { type UpdateUserDeps, updateUser } from './users-update'

export type UserDeps = CreateUserDeps & UpdateUserDeps & UserTokenDeps & { managedUsers: ManagedUserStore }

const operation = operationsWith<UserDeps>()

/** The vendor pages through no more; a caller that wants all of them follows `next`. */
const MAX_BY_PAGES = 1000

const SORTED = [
  ...['user_id', 'email', 'name', 'given_name', 'family_name', 'nickname', 'username', 'phone_number', 'created_at'],
  ...['updated_at', 'last_login', 'last_ip', 'logins_count', 'email_verified', 'blocked'],
]

const sort = z
  .string()
  .max(100)
  .regex(/^\w+:-?1$/, 'must be a field and 1 or -1: created_at:-1')
  .refine((value) => SORTED.includes(value.split(':')[0] ?? ''), `must name one of ${SORTED.join(', ')}`)

type ListQuery = {
  q?: string | undefined
  connection?: string | undefined
  sort?: string | undefined
  include_totals?: boolean | undefined
}

function filterOf(
  { q, connection, sort, include_totals = false }: ListQuery,
  window: Window,
  connections: UserFilter['connections'],
): UserFilter {
  if ('offset' in window && window.offset + window.limit > MAX_BY_PAGES) {
    throw invalidQuery(`You can only page through the first ${MAX_BY_PAGES} records. Use from and take beyond them`)
  }
  const [field = '', direction] = sort?.split(':') ?? []
  return {
    connection,
    connections,
    totals: include_totals,
    ...(q === undefined ? {} : { query: parseQuery(q) }),
    ...(sort === undefined ? {} : { sort: { field, descending: direction === '-1' } }),
  }
}

const shown = withOthers(
  z
    .object({
      user_id: z.string(),
      email: z.string(),
      email_verified: z.boolean(),
      username: z.string(),
      phone_number: z.string(),
      phone_verified: z.boolean(),
      name: z.string(),
      given_name: z.string(),
      family_name: z.string(),
      nickname: z.string(),
      picture: z.string(),
      identities: z.array(shownIdentity),
      user_metadata: z.looseObject({}),
      app_metadata: z.looseObject({}),
      blocked: z.boolean(),
      created_at: z.string(),
      updated_at: z.string(),
      last_login: z.string(),
      last_ip: z.string(),
      logins_count: z.number(),
      last_password_reset: z.string(),
      multifactor: z.array(z.string()),
    })
    .partial(),
).meta({ id: 'User' })

export const users = defineResource({
  noun: 'user',
  plural: 'users',
  console: true,
  path: '/users',
  target: { delete: inPath('users') },
  shown,
  filter: {
    q: z.string().optional().meta({ description: 'A query in the Lucene syntax of user search v3' }),
    connection: z.string().max(200).optional(),
    sort: sort.optional().meta({ description: 'A field and 1 or -1: created_at:-1' }),
    search_engine: z.enum(['v1', 'v2', 'v3']).optional(),
    primary_order: flag.optional(),
  },
  checkpoint: true,
  secrets: TOKENS,
  secretsOf: { kind: 'users', member: 'user_id' },
  only: ['list', 'read', 'delete'],
  store: ({ managedUsers, connections, clock }: UserDeps) => ({
    find: managedUsers.find,
    list: async (query: ListQuery, window) =>
      managedUsers.list(filterOf(query, window, await connections.all()), window),
    remove: (id, check) => managedUsers.remove(id, check, clock.now()),
    insert: () => Promise.reject(new Error('users.create inserts')),
    change: () => Promise.reject(new Error('users.update changes')),
  }),
  async removing(id, call) {
    const stored = await call.deps.managedUsers.find(id)
    if (!stored) return
    if (call.ifMatch !== null)
      checkUnchanged(call.ifMatch, await presentTokens(stored, presentUser(stored, call.deps), call))
    await removeByScript(id, await call.deps.managedUsers.accounts(id), call)
  },
  id: ({ user }: ManagedUser) => user.id,
  present: (managed, call) => presentTokens(managed, presentUser(managed, call.deps), call),
  changed: (_user, { deps }) => deps.wakeDispatcher(),
  operations: {
    create: createUser(shown),
    update: updateUser(shown),
    byEmail: operation({
      name: 'users_by_email.list',
      method: 'GET',
      path: '/users-by-email',
      summary: 'List the users with an e-mail address',
      scopes: ['read:users'],
      query: z.object({ email: z.string().min(1).max(400), ...fieldsQuery }),
      status: 200,
      answer: z.array(shown),
      async handle({ query, deps }) {
        const found = await deps.managedUsers.byEmail(query.email)
        return { body: found.map((each) => selectFields(presentUser(each, deps), query)) }
      },
    }),
  },
})
