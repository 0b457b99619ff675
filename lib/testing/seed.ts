// Creates clients, APIs, users and settings of one tenant in a test's database, as an operator would.
import type { Prisma, PrismaClient } from '../../prisma/generated/client'
import { SECRET_PURPOSE } from '../data/clients/client'
import type { PasswordHasher } from '../data/users/password'
import type { FixedClock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'

export const PASSWORD = 'correct horse battery staple'
export const CONNECTION_ID = 'con_database'

type TestClient = { clientId: string; secret?: string; settings: Record<string, unknown> }

type TestUser = {
  id?: string
  email: string
  username?: string
  blocked?: boolean
  /** The id of the database; `Users` by default. */
  connectionId?: string
  /** `null` is an account without a password. */
  password?: string | null
  data?: Partial<Prisma.UserCreateInput>
}

export type Seed = {
  addConnection(name: string, settings?: Prisma.InputJsonObject, id?: string, strategy?: string): Promise<void>
  /** Adds the client, or replaces its registration. */
  addClient(client: TestClient): Promise<void>
  addApi(identifier: string, settings: Record<string, unknown>): Promise<void>
  addClientGrant(
    clientId: string,
    audience: string,
    scopes: string[],
    use?: { organizationUsage?: string; allowAnyOrganization?: boolean },
  ): Promise<string>
  /** Permissions by API identifier. */
  addRole(name: string, permissions: Record<string, string[]>): Promise<void>
  giveRole(userId: string, name: string): Promise<void>
  takeRole(userId: string, name: string): Promise<void>
  addUser(user: TestUser): Promise<string>
  setTenant(settings: Prisma.InputJsonObject): Promise<void>
}

export type SeedDeps = {
  prisma: PrismaClient
  clock: FixedClock
  random: Random
  vault: Vault
  passwords: PasswordHasher
}

export function seedTenant(tenantId: string, { prisma, clock, random, vault, passwords }: SeedDeps): Seed {
  /** Configuration is cached for a second; a test that changes it advances the clock past that second. */
  const changed = (): void => clock.advance(2)
  return {
    async addConnection(name, settings = {}, id = CONNECTION_ID, strategy = 'auth0') {
      await prisma.connection.create({ data: { tenantId, id, name, strategy, settings } })
      changed()
    },
    async addClient({ clientId, secret, settings }) {
      const secretDigest = secret === undefined ? null : new Uint8Array(vault.mac(SECRET_PURPOSE, secret))
      const data = { secretDigest, settings: settings as Prisma.InputJsonObject }
      await prisma.client.upsert({
        where: { tenantId_clientId: { tenantId, clientId } },
        create: { tenantId, clientId, name: `App ${clientId}`, ...data },
        update: data,
      })
      changed()
    },
    async addApi(identifier, settings) {
      const data = { tenantId, identifier, name: `API ${identifier}`, settings: settings as Prisma.InputJsonObject }
      await prisma.api.create({ data })
      changed()
    },
    async addClientGrant(clientId, audience, scopes, use = {}) {
      const { id } = await prisma.clientGrant.create({ data: { tenantId, clientId, audience, scopes, ...use } })
      changed()
      return id
    },
    async addRole(name, permissions) {
      const allowed = Object.entries(permissions).flatMap(([audience, names]) =>
        names.map((permission) => ({ audience, permission })),
      )
      await prisma.role.create({ data: { tenantId, id: name, name, permissions: { create: allowed } } })
    },
    async giveRole(userId, name) {
      await prisma.userRole.create({ data: { tenantId, userId, roleId: name } })
    },
    async takeRole(userId, name) {
      await prisma.userRole.delete({ where: { tenantId_userId_roleId: { tenantId, userId, roleId: name } } })
    },
    async addUser({
      id,
      email,
      username,
      blocked = false,
      connectionId = CONNECTION_ID,
      password = PASSWORD,
      data = {},
    }) {
      const providerUserId = id ?? random.hex(24)
      const userId = `auth0|${providerUserId}`
      const names = { email, username: username ?? null, blocked, updatedAt: clock.now() }
      await prisma.user.create({ data: { ...data, ...names, tenant: { connect: { id: tenantId } }, id: userId } })
      await prisma.identity.create({
        data: {
          tenantId,
          connectionId,
          providerUserId,
          provider: 'auth0',
          userId,
          emailKey: email.toLowerCase(),
          usernameKey: username?.toLowerCase() ?? null,
          passwordHash: password === null ? null : await passwords.hash(password),
        },
      })
      return userId
    },
    async setTenant(settings) {
      await prisma.tenant.update({ where: { id: tenantId }, data: { settings } })
      changed()
    },
  }
}
