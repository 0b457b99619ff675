// The providers of messages that tenants have, on PostgreSQL.

import type { Prisma } from '../../../../prisma/generated/client'
import type { MailProvider, MailProviderName } from '../../../data/outbox/mail-providers'
import type { ChannelName } from '../../../data/outbox/message'
import { CHANNEL_OF, type PhoneProvider } from '../../../data/outbox/phone-providers'
import type { JsonObject } from '../../../kernel/json'
import type { EmailProviderRow, EmailProviderStore } from '../../../management/resources/email-provider'
import type { PhoneProviderRow, PhoneProviderStore } from '../../../management/resources/phone-providers'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { type Db, inTransaction } from './management/transaction'

type Stored = { name: string; sender: string; settings: unknown; sealedCredentials: Uint8Array }

const FIND = {
  name: 'message-provider-find',
  text: `SELECT name, sender, settings, sealed_credentials AS "sealedCredentials" FROM message_provider
WHERE tenant_id = $1 AND $2 = ANY(channels)`,
  row: columns<Stored>({ name: 'text', sender: 'text', settings: 'json', sealedCredentials: 'bytes' }),
}

/** The enabled provider of a channel. */
const findProvider = async ({ pool }: Database, tenantId: string, channel: ChannelName): Promise<Stored | undefined> =>
  (await run(pool, FIND, [tenantId, channel]))[0]

export const findMailProvider =
  (db: Database) =>
  async (tenantId: string): Promise<MailProvider | null> => {
    const found = await findProvider(db, tenantId, 'email')
    return found ? mailOf(found) : null
  }

export const findPhoneProvider =
  (db: Database) =>
  async (tenantId: string, channel: 'sms' | 'voice'): Promise<PhoneProvider | null> => {
    const found = await findProvider(db, tenantId, channel)
    return found ? phoneOf(found) : null
  }

const mailOf = ({ name, sender, settings, sealedCredentials }: Stored): MailProvider => ({
  name: name as MailProviderName,
  from: sender,
  settings: settings as JsonObject,
  sealedCredentials,
})

const phoneOf = ({ name, settings, sealedCredentials }: Stored): PhoneProvider =>
  ({ name, configuration: settings, sealedCredentials }) as PhoneProvider

type Kind<Row> = {
  kind: 'email' | 'phone'
  read(stored: Stored & { channels: string[] }): Row
  write(row: Row): Stored & { channels: string[] }
}

const EMAIL: Kind<EmailProviderRow> = {
  kind: 'email',
  read: (stored) => ({ ...mailOf(stored), enabled: stored.channels.length > 0 }),
  write: ({ name, from, settings, sealedCredentials, enabled }) => ({
    name,
    channels: enabled ? ['email'] : [],
    sender: from,
    settings,
    sealedCredentials,
  }),
}

const PHONE: Kind<PhoneProviderRow> = {
  kind: 'phone',
  read: (stored) => ({ ...phoneOf(stored), disabled: stored.channels.length === 0 }),
  write: ({ sealedCredentials, disabled, ...provider }) => ({
    name: provider.name,
    channels: disabled ? [] : provider.configuration.delivery_methods.map((method) => CHANNEL_OF[method]),
    sender: provider.name === 'twilio' ? (provider.configuration.default_from ?? '') : '',
    settings: provider.configuration,
    sealedCredentials,
  }),
}

export const emailProviderStore = (db: Database, tenantId: string): EmailProviderStore =>
  providerStore(db, tenantId, EMAIL)

export const phoneProviderStore = (db: Database, tenantId: string): PhoneProviderStore =>
  providerStore(db, tenantId, PHONE)

async function readProvider<Row>(tx: Db, tenantId: string, { kind, read }: Kind<Row>): Promise<Row | null> {
  const stored = await tx.messageProvider.findUnique({ where: { tenantId_kind: { tenantId, kind } } })
  return stored && read(stored)
}

async function putProvider<Row>(tx: Db, tenantId: string, { kind, write }: Kind<Row>, row: Row, at: Date) {
  const { sealedCredentials, settings, ...rest } = write(row)
  const data = {
    ...rest,
    settings: settings as Prisma.InputJsonObject,
    sealedCredentials: new Uint8Array(sealedCredentials),
    updatedAt: at,
  }
  const where = { tenantId_kind: { tenantId, kind } }
  await tx.messageProvider.upsert({ where, create: { tenantId, kind, ...data, createdAt: at }, update: data })
}

/** Changes follow each other under a lock of the tenant's row, because an absent provider has no row to lock. */
function providerStore<Row>(db: Database, tenantId: string, kind: Kind<Row>) {
  return {
    find: async (): Promise<Row | null> => readProvider(await db.prisma(), tenantId, kind),
    change: (alter: (before: Row | null) => Row | null, at: Date) =>
      inTransaction(db, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR NO KEY UPDATE`
        const before = await readProvider(tx, tenantId, kind)
        const after = alter(before)
        if (after === null) await tx.messageProvider.deleteMany({ where: { tenantId, kind: kind.kind } })
        else await putProvider(tx, tenantId, kind, after, at)
        return { before, after }
      }),
  }
}
