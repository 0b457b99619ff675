// Creates organizations in a test's database, as an operator would.
import type { Prisma } from '../../prisma/generated/client'
import { mint } from '../kernel/secret'
import { CONNECTION_ID } from './seed'
import type { TestServer } from './server'

type Enabled = { assignMembership?: boolean; showAsButton?: boolean; signupEnabled?: boolean; enabled?: boolean }

type Making = {
  settings?: Prisma.InputJsonObject
  /** By connection id; by default the database connection without anything more. */
  connections?: Record<string, Enabled>
  members?: readonly string[]
  /** Role names, which are their ids. */
  roles?: Record<string, readonly string[]>
}

const TENANT = { tenantId: 'default' }
const PLAIN = { assignMembership: false, showAsButton: true, signupEnabled: false, enabled: true }

export function organizationsOf({ db, clock, random }: Pick<TestServer, 'db' | 'clock' | 'random'>) {
  const opened = db.prisma()
  /** Configuration is cached for a second. */
  const changed = (): void => clock.advance(2)
  return {
    /** Its id is `org_` and the name, filled up to 16 characters. */
    async add(name: string, making: Making = {}): Promise<string> {
      const { settings = {}, connections = { [CONNECTION_ID]: {} }, members = [], roles = {} } = making
      const id = `org_${name.replaceAll(/[^a-z0-9]/g, '').padEnd(16, '0')}`
      const at = clock.now()
      const prisma = await opened
      await prisma.organization.create({ data: { ...TENANT, id, name, settings, createdAt: at, updatedAt: at } })
      for (const [connectionId, enabled] of Object.entries(connections))
        await prisma.organizationConnection.create({
          data: { ...TENANT, organizationId: id, connectionId, ...PLAIN, ...enabled },
        })
      for (const userId of members) await this.join(id, userId, roles[userId])
      changed()
      return id
    },
    async join(organizationId: string, userId: string, roles: readonly string[] = []): Promise<void> {
      const prisma = await opened
      await prisma.organizationMember.create({ data: { ...TENANT, organizationId, userId } })
      for (const roleId of roles)
        await prisma.organizationMemberRole.create({ data: { ...TENANT, organizationId, userId, roleId } })
    },
    async leave(organizationId: string, userId: string): Promise<void> {
      await (await opened).organizationMember.deleteMany({ where: { ...TENANT, organizationId, userId } })
    },
    async remove(id: string): Promise<void> {
      await (await opened).organization.deleteMany({ where: { ...TENANT, id } })
      changed()
    },
    async addClientGrant(organizationId: string, clientGrantId: string): Promise<void> {
      await (await opened).organizationClientGrant.create({ data: { ...TENANT, organizationId, clientGrantId } })
      changed()
    },
    async addDomain(organizationId: string, domain: string, verifiedAt: Date | null): Promise<void> {
      const data = {
        ...TENANT,
        id: `org_dom_${domain}`,
        organizationId,
        domain,
        challenge: 'c',
        createdAt: clock.now(),
      }
      await (await opened).organizationDomain.create({ data: { ...data, verifiedAt } })
      changed()
    },
    /** Returns the ticket. */
    async invite(
      organizationId: string,
      email: string,
      more: { expiresAt?: Date; roles?: string[]; clientId?: string } = {},
    ): Promise<string> {
      const ticket = mint(random, 24)
      const { expiresAt = new Date(clock.now().getTime() + 60_000), roles = [], clientId = 'spa' } = more
      await (await opened).organizationInvitation.create({
        data: {
          ...TENANT,
          ...{ id: `uinv_${random.hex(16)}`, organizationId, email, clientId, roles, expiresAt },
          ...{ ticketDigest: new Uint8Array(ticket.digest), sealedLink: new Uint8Array(1), connectionId: null },
          ...{ inviterName: 'Grace', userMetadata: { from: 'invitation' }, appMetadata: {}, createdAt: clock.now() },
        },
      })
      return ticket.plain
    },
    async members(organizationId: string): Promise<string[]> {
      const where = { ...TENANT, organizationId }
      const rows = await (await opened).organizationMember.findMany({ where, orderBy: { userId: 'asc' } })
      return rows.map(({ userId }) => userId)
    },
  }
}
