// One delivery pass over the outbox: take the due messages, send them, record the result.
// - Messages of a channel without an adapter wait, unless the outbox page is on: then they are kept for the page.
// - A failure affects its own message only. It never ends the pass, and only its reason code is stored and logged.
// - The lease is longer than every channel's timeout, so two live processes do not send the same message.
import { addSeconds, type CertainClock } from '../../kernel/clock'
import { mailboxInAscii } from '../../kernel/mail-address'
import { inWords } from '../../kernel/network-failure'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { LOGOUT_CHANNEL, type LogoutSender } from './logout-notice'
import {
  CHANNELS,
  type Channel,
  type ChannelName,
  DeliveryError,
  type OutgoingMessage,
  type StoredMessageCause,
} from './message'
import {
  type DeliverySettlement,
  type OutboxStore,
  openContent,
  type QueueName,
  type Served,
  type TakenMessage,
} from './outbox'
import { afterFailure, MAX_AGE_SECONDS } from './retry'

export type DeliveryLog = Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>

export type DeliveryDeps = {
  store: OutboxStore
  channels: readonly Channel[]
  /** The channel of a tenant with a provider of its own, which sends in place of the process; without it no tenant has one. */
  tenantChannel?(channel: ChannelName, tenantId: string, cause?: StoredMessageCause): Promise<Channel | null>
  /** Sends logout notices to clients; without it the notices wait. */
  sendLogout?: LogoutSender
  /** The outbox page is on: content stays readable after sending, and messages without a channel are kept for the page. */
  keepContent: boolean
  vault: Vault
  clock: CertainClock
  random: Random
  log: DeliveryLog
}

const BATCH = 8
const LEASE_SECONDS = 180

/** The queues that this process serves. */
function servedChannels({ channels, keepContent, sendLogout }: DeliveryDeps): QueueName[] {
  const people: QueueName[] = keepContent ? [...CHANNELS] : channels.map((channel) => channel.name)
  return sendLogout ? [...people, LOGOUT_CHANNEL] : people
}

/** What this process takes. */
export const servedBy = (deps: DeliveryDeps): Served => ({
  channels: servedChannels(deps),
  ofTenants: deps.tenantChannel !== undefined,
})

/** Taken but not yet settled. */
export type UnderWay = Set<TakenMessage>

/** Sends every due message until `stop` is aborted. Returns the number of messages handled. */
export async function deliverDue(
  deps: DeliveryDeps,
  underWay: UnderWay = new Set(),
  stop?: AbortSignal,
): Promise<number> {
  const now = deps.clock.now()
  const given = await deps.store.giveUp(addSeconds(deps.clock.certain(), -MAX_AGE_SECONDS), now, inWords('EXPIRED'))
  if (given > 0) deps.log.error({ count: given }, 'Messages could not be delivered within a day and were given up.')
  let handled = 0
  for (;;) {
    if (stop?.aborted) return handled
    const taken = await takeBatch(deps)
    for (const message of taken) underWay.add(message)
    const outcomes = await Promise.allSettled(
      taken.map((message) => deliverOne(message, deps).finally(() => underWay.delete(message))),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    handled += taken.length
    if (taken.length < BATCH) return handled
  }
}

/** Ends the leases of messages that a stopping process still holds: another process may take them at once. */
export async function release(underWay: UnderWay, { store, clock }: DeliveryDeps): Promise<void> {
  const settlement: DeliverySettlement = { kind: 'retry', at: clock.now(), reason: inWords('STOPPED') }
  await Promise.all(Array.from(underWay, ({ id, attempt }) => store.settle(id, attempt, settlement)))
}

function takeBatch(deps: DeliveryDeps): Promise<TakenMessage[]> {
  const now = deps.clock.now()
  return deps.store.take({ ...servedBy(deps), now, leaseUntil: addSeconds(now, LEASE_SECONDS), limit: BATCH })
}

async function deliverOne(taken: TakenMessage, deps: DeliveryDeps): Promise<void> {
  const settlement = await attempt(taken, deps)
  logSettlement(taken, settlement, deps.log)
  await deps.store.settle(taken.id, taken.attempt, settlement)
}

async function attempt(taken: TakenMessage, deps: DeliveryDeps): Promise<DeliverySettlement> {
  try {
    if (taken.channel === LOGOUT_CHANNEL) return await deliverLogout(taken, deps)
    const message = readContent(taken, deps.vault)
    if (isOver(message, deps.clock.certain())) throw new DeliveryError('OVER', true)
    // A gateway of a connection takes precedence over the provider of the tenant.
    const own =
      message.gateway === undefined ? await deps.tenantChannel?.(message.channel, taken.tenantId, message.cause) : null
    const channel = own ?? deps.channels.find(({ name }) => name === message.channel)
    if (!channel && deps.keepContent) return { kind: 'kept' }
    if (!channel) throw new DeliveryError('ENOCHANNEL', false)
    const to = message.channel === 'email' ? mailboxInAscii(message.to) : message.to
    await sendBy(channel, { ...message, to }, taken.id, deps.log)
    return { kind: 'sent', at: deps.clock.now(), keepContent: deps.keepContent }
  } catch (thrown) {
    const error = asDeliveryError(thrown)
    const { attempt, createdAt } = taken
    return afterFailure(
      {
        error,
        attempt,
        createdAt,
        now: deps.clock.now(),
        certain: deps.clock.certain(),
        keepContent: deps.keepContent,
      },
      deps.random,
    )
  }
}

/** A provider may not know the sender that a template names; the mail is then sent from the provider's own. */
async function sendBy(channel: Channel, message: OutgoingMessage, id: string, log: DeliveryLog): Promise<void> {
  const { from, ...unnamed } = message
  try {
    await channel.send(message, id)
  } catch (error) {
    if (from === undefined || !(error instanceof DeliveryError) || !error.refused) throw error
    log.warn({ message: id, reason: error.message }, 'A mail was refused; trying its standard sender.')
    await channel.send(unnamed, id)
  }
}

async function deliverLogout(
  { id, tenantId, recipient, notice }: Extract<TakenMessage, { channel: typeof LOGOUT_CHANNEL }>,
  deps: DeliveryDeps,
): Promise<DeliverySettlement> {
  await deps.sendLogout?.({ id, tenantId, clientId: recipient, ...notice })
  return { kind: 'sent', at: deps.clock.now(), keepContent: false }
}

function readContent(taken: { sealedContent: Uint8Array }, vault: Vault): OutgoingMessage {
  const message = openContent(taken.sealedContent, vault)
  if (!message) throw new DeliveryError('UNREADABLE', true)
  return message
}

/** An expired code is not sent: the user could not use it. */
const isOver = ({ until }: OutgoingMessage, now: Date): boolean => until !== undefined && new Date(until) <= now

const asDeliveryError = (thrown: unknown): DeliveryError =>
  thrown instanceof DeliveryError ? thrown : new DeliveryError('UNEXPECTED', false, thrown)

function logSettlement({ id, attempt }: TakenMessage, settlement: DeliverySettlement, log: DeliveryLog): void {
  const fields = { message: id, attempt }
  if (settlement.kind === 'sent') log.info(fields, 'Message sent.')
  if (settlement.kind === 'retry')
    log.warn({ ...fields, reason: settlement.reason }, 'Message not sent yet; trying again.')
  if (settlement.kind === 'failed') log.error({ ...fields, reason: settlement.reason }, 'Message given up.')
}
