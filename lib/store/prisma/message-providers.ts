// The providers of messages that tenants have, on PostgreSQL.
import type { Prisma } from '../../../prisma/generated/client'
import type { JsonObject } from '../../kernel/json'
import type { EmailProviderRow, EmailProviderStore } from '../../management/resources/email-provider'
import type { MailProvider, MailProviderName } from '../../outbox/mail-providers'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from './management/transaction'

const EMAIL = 'email'

type Row = Omit<MailProvider, 'settings'> & { settings: unknown }

const FIND = {
  name: 'message-provider-find',
  text: `SELECT name, sender AS "from", settings, sealed_credentials AS "sealedCredentials" FROM message_provider
WHERE tenant_id = $1 AND kind = $2 AND $2 = ANY(channels)`,
  row: columns<Row>({ name: 'text', from: 'text', settings: 'json', sealedCredentials: 'bytes' }),
}

/** The enabled provider of mail of a tenant. */
export const findMailProvider =
  ({ pool }: Database) =>
  async (tenantId: string): Promise<MailProvider | null> => {
    const [row] = await run(pool, FIND, [tenantId, EMAIL])
    return row ? { ...row, settings: row.settings as JsonObject } : null
  }

/** Changes follow each other under a lock of the tenant's row, because an absent provider has no row to lock. */
export function emailProviderStore(db: Database, tenantId: string): EmailProviderStore {
  const where = { tenantId_kind: { tenantId, kind: EMAIL } }
  return {
    async find() {
      return rowOf(await (await db.prisma()).messageProvider.findUnique({ where }))
    },
    change: (alter, at) =>
      inTransaction(db, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR NO KEY UPDATE`
        const before = rowOf(await tx.messageProvider.findUnique({ where }))
        const after = alter(before)
        if (after === null) await tx.messageProvider.deleteMany({ where: { tenantId, kind: EMAIL } })
        else {
          const data = { ...dataOf(after), updatedAt: at }
          const create = { tenantId, kind: EMAIL, ...data, createdAt: at }
          await tx.messageProvider.upsert({ where, create, update: data })
        }
        return { before, after }
      }),
  }
}

type Stored = Prisma.MessageProviderGetPayload<Record<never, never>>

const rowOf = (row: Stored | null): EmailProviderRow | null =>
  row && {
    name: row.name as MailProviderName,
    enabled: row.channels.length > 0,
    from: row.sender,
    settings: row.settings as JsonObject,
    sealedCredentials: row.sealedCredentials,
  }

const dataOf = ({ name, enabled, from, settings, sealedCredentials }: EmailProviderRow) => ({
  name,
  channels: enabled ? [EMAIL] : [],
  sender: from,
  settings: settings as Prisma.InputJsonObject,
  sealedCredentials: new Uint8Array(sealedCredentials),
})
