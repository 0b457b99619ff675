// What the operator of a tenant has to look after: messages that are not delivered, and secrets that have become old. Ours.
import * as z from 'zod'
import { addSeconds } from '../../kernel/clock'
import { count } from '../operations/list'
import type { Actor } from '../operations/operation'
import { operationsWith } from '../operations/operation'

const MESSAGES = { email: 'read:email_provider', phone: 'read:phone_providers' } as const

/** Of messages by which nothing was delivered since. */
export type UndeliveredMessages = { kind: keyof typeof MESSAGES; count: number; since: Date; lastError: string }

const SECRETS = {
  client: 'read:clients',
  connection: 'read:connections',
  email_provider: 'read:email_provider',
  phone_provider: 'read:phone_providers',
} as const

export type SecretKind = keyof typeof SECRETS

/** `id`: of the client or the connection; of a provider of messages its name. */
export type OldSecret = { kind: SecretKind; id: string; name: string; changedAt: Date }

export type UpkeepStore = {
  /** Of the newest thousand since then. */
  undelivered(since: Date): Promise<UndeliveredMessages[]>
  /** Those that were changed last before then, the oldest first. */
  oldSecrets(before: Date, kinds: readonly SecretKind[], limit: number): Promise<OldSecret[]>
}

export type UpkeepDeps = { clock: { now(): Date }; upkeep: UpkeepStore }

const operation = operationsWith<UpkeepDeps>()

const DAY = 86_400
/** Days. */
const OLD = 365
const MAX_SECRETS = 100

const undelivered = z.object({ count: z.number(), since: z.iso.datetime(), last_error: z.string() })

/** The kinds that the actor may read. */
const readable = <Kind extends string>(scopes: Readonly<Record<Kind, string>>, actor: Actor): Kind[] =>
  (Object.keys(scopes) as Kind[]).filter((kind) => actor.scopes.has(scopes[kind]))

export const upkeep = {
  deliveries: operation({
    name: 'message_deliveries.read',
    method: 'GET',
    path: '/message-deliveries',
    summary: 'Read which messages of the last day were not delivered since the last that was (ours)',
    scopes: Object.values(MESSAGES),
    status: 200,
    answer: z.object({ email: undelivered.nullable(), phone: undelivered.nullable() }).partial(),
    async handle({ actor, deps }) {
      const found = await deps.upkeep.undelivered(addSeconds(deps.clock.now(), -DAY))
      const shown = readable(MESSAGES, actor).map((kind) => {
        const trouble = found.find((each) => each.kind === kind)
        const { count = 0, since, lastError = '' } = trouble ?? {}
        return [kind, since ? { count, since: since.toISOString(), last_error: lastError } : null] as const
      })
      return { body: Object.fromEntries(shown) }
    },
  }),
  oldSecrets: operation({
    name: 'old_secrets.list',
    method: 'GET',
    path: '/old-secrets',
    summary:
      'List secrets of applications, connections and providers of messages that were not changed for long (ours)',
    scopes: Object.values(SECRETS),
    query: z.object({
      days: count(36_500).optional().meta({ description: 'At least so many; 365 without it' }),
      take: count(MAX_SECRETS).optional().meta({ description: 'Entries in the answer' }),
    }),
    status: 200,
    answer: z.object({
      secrets: z.array(
        z.object({
          kind: z.enum(['client', 'connection', 'email_provider', 'phone_provider']),
          id: z.string(),
          name: z.string(),
          changed_at: z.iso.datetime(),
        }),
      ),
    }),
    async handle({ query: { days = OLD, take = MAX_SECRETS }, actor, deps }) {
      const before = addSeconds(deps.clock.now(), -days * DAY)
      const found = await deps.upkeep.oldSecrets(before, readable(SECRETS, actor), take)
      const secrets = found.map(({ changedAt, ...secret }) => ({ ...secret, changed_at: changedAt.toISOString() }))
      return { body: { secrets } }
    },
  }),
}
