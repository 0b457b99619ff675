// The delivery of messages in tests, with the channels that a tenant's actions are.
import { createTenantMail } from '../adapters/channels/tenant-mail'
import { createTenantPhone } from '../adapters/channels/tenant-phone'
import { findMailProvider, findPhoneProvider } from '../adapters/store/prisma/message-providers'
import { createOutboxStore } from '../adapters/store/sql/outbox'
import { deliverDue } from '../data/outbox/deliver'
import type { Channel } from '../data/outbox/message'
import { createActionChannel, createFactorChannel } from '../server/runtime/action-channel'
import type { Shared } from '../server/runtime/shared'
import type { TestServer } from './server'

/** The channels of a tenant, as the server has them; the server exists when they are used. */
export const channelsOf =
  (server: () => TestServer): Shared['tenantChannel'] =>
  async (channel, tenantId, cause) => {
    if (channel === 'push') return null
    const { db } = server()
    const runtimeOf = () => server().runtime()
    const byAction = createActionChannel(runtimeOf)
    const deps = { ...server(), policy: { allowLoopback: true, allowPrivate: false }, byAction }
    if (channel === 'email') return createTenantMail({ ...deps, find: findMailProvider(db) })(tenantId)
    const byFactorAction = await createFactorChannel(runtimeOf)(channel, tenantId, cause)
    return byFactorAction ?? createTenantPhone({ ...deps, find: findPhoneProvider(db) })(tenantId, channel)
  }

/** Delivers what is due, once. `channels` are those of the process. */
export const deliverMessages = (
  server: TestServer,
  tenantChannel: Shared['tenantChannel'],
  channels: readonly Channel[] = [],
): Promise<unknown> =>
  deliverDue({
    ...server,
    store: createOutboxStore(server.database.pool),
    channels,
    tenantChannel,
    keepContent: false,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
