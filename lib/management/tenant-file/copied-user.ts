// The stores of the operations over a copy of the one user that an entry is about. What they change is written by row, many users with one
// statement, because an import has thousands.
import { type Connection, toConnection } from '../../data/connections/connection'
import { DATABASE } from '../../data/connections/database-options'
import type { ManagedUser, NewManagedUser } from '../../data/users/managed-user'
import type { MetadataChange } from '../../data/users/profile'
import type { JsonObject } from '../../kernel/json'
import type { ConnectionResourceRow } from '../resources/connections'
import type { UserAccessDeps } from '../resources/user-access'
import type { UserFactorDeps } from '../resources/user-factors'
import type { ManagedUserStore } from '../resources/user-list'
import type { UserDeps } from '../resources/users'
import type { PlanContext } from './context'
import { onlyThese } from './copied-stores'
import type { StoredUser } from './model'
import { rankOf } from './working-copy'

type CopiedDeps = UserDeps & UserAccessDeps & UserFactorDeps

export type CopiedUser = { user: StoredUser | undefined; deps: CopiedDeps }

export function copyOf(
  before: StoredUser | undefined,
  connection: ConnectionResourceRow,
  context: PlanContext,
): CopiedUser {
  const { random, vault, now, tenantId } = context
  const copy: CopiedUser = { user: before, deps: onlyThese({}) }
  const change = (alter: (user: StoredUser) => StoredUser): void => {
    copy.user &&= alter(copy.user)
  }
  copy.deps = onlyThese<CopiedDeps>({
    movesIn: true,
    ...{ tenantId, random, vault, clock: { now: () => now }, rank: rankOf(context) },
    connections: { all: async () => connectionsOf(connection) },
    managedUsers: managedUserOf(copy, change, context),
    userAccess: onlyThese<CopiedDeps['userAccess']>({
      exists: async () => true,
      async addRoles(_id, ids) {
        change((user) => ({ ...user, roles: [...new Set([...user.roles, ...ids])].sort() }))
        return []
      },
      async removeRoles(_id, ids) {
        change((user) => ({ ...user, roles: user.roles.filter((id) => !ids.includes(id)) }))
      },
    }),
    authenticators: onlyThese<CopiedDeps['authenticators']>({
      async list(userId) {
        const known = { userId, name: null, active: true, secretDigest: null, vouched: true, createdAt: now }
        return copy.user?.factors.map((factor) => ({ ...factor, ...known })) ?? []
      },
      async insert({ id, type, channel, sealed, phoneNumber, email }) {
        const factor = { id, type, channel, sealed, phoneNumber, email }
        change((user) => ({ ...user, factors: [...user.factors, factor] }))
        return true
      },
      confirm: async () => true,
    }),
    // A file and an import run no action and send no mail.
    triggers: onlyThese<CopiedDeps['triggers']>({ isBound: () => false }),
    mailer: onlyThese<CopiedDeps['mailer']>({ wake() {} }),
    wakeDispatcher() {},
    portray: (user) => user,
  })
  return copy
}

/** Parsed once: an import asks for each user. */
const PARSED = new WeakMap<ConnectionResourceRow, readonly Connection[]>()

function connectionsOf(row: ConnectionResourceRow): readonly Connection[] {
  const known = PARSED.get(row)
  if (known) return known
  const parsed = toConnection(row)
  const connections = parsed ? [parsed] : []
  PARSED.set(row, connections)
  return connections
}

const managedUserOf = (
  copy: CopiedUser,
  change: (alter: (user: StoredUser) => StoredUser) => void,
  { now }: PlanContext,
): ManagedUserStore =>
  onlyThese<ManagedUserStore>({
    find: async () => (copy.user ? presented(copy.user, now) : null),
    accounts: async () =>
      copy.user?.accounts.map((account) => ({
        ...account,
        ...{ provider: DATABASE, hasPassword: false, sealedTokens: null },
      })) ?? [],
    async insert({ userId, connectionId, providerUserId, fields, keys, userMetadata, appMetadata }) {
      const account = { connectionId, providerUserId, fileCredential: null, profile: {}, ...keysIn(keys) }
      const metadata = { userMetadata: jsonOf(userMetadata), appMetadata: jsonOf(appMetadata) }
      const user = { id: userId, profile: {}, createdAt: null, ...metadata, ...fields }
      copy.user = { user, accounts: [account], factors: [], roles: [] }
      return 'done'
    },
    async change(_id, { fields, account, keys, userMetadata, appMetadata }) {
      change(({ user, accounts, ...rest }) => ({
        ...rest,
        user: {
          ...user,
          ...fields,
          userMetadata: merged(user.userMetadata, userMetadata),
          appMetadata: merged(user.appMetadata, appMetadata),
        },
        accounts: accounts.map((each) =>
          keys && each.connectionId === account?.connectionId ? { ...each, ...keysIn(keys) } : each,
        ),
      }))
      return 'done'
    },
  })

const keysIn = ({ email, username }: NewManagedUser['keys']) => ({ emailKey: email, usernameKey: username })

/** What was read as JSON. */
const jsonOf = (metadata: Readonly<Record<string, unknown>>): JsonObject => metadata as JsonObject

function merged(stored: JsonObject, change: MetadataChange | undefined): JsonObject {
  if (!change) return stored
  if (change.clear) return {}
  const kept = Object.entries(stored).filter(([name]) => !change.remove.includes(name))
  return { ...Object.fromEntries(kept), ...jsonOf(change.set) }
}

const presented = ({ user }: StoredUser, now: Date): ManagedUser => ({
  user: { ...user, factorWantedAt: null, updatedAt: now, recoveryEpoch: '' },
  identities: [],
  createdAt: user.createdAt ?? now,
  lastLoginAt: null,
  lastIp: null,
  loginsCount: 0,
  lastPasswordReset: null,
  hasFactor: false,
})
