// A tenant's action as stored, and which of them run at a trigger. Its code and secrets come from the tenant file; the
// bindings, in their order, are settings of the tenant, so that asking whether anything is bound costs nothing.
import * as z from 'zod'
import type { Json } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { TRIGGERS, type TriggerName } from '../trigger'

/** The vendor's limits: characters of code, secrets of an action, actions at a trigger. */
export const MAX_CODE = 100_000
export const MAX_SECRETS = 30
export const MAX_BOUND = 20

const binding = z.object({ action_name: z.string().min(1).max(255), display_name: z.string().max(255).optional() })

export const triggersSection = z.partialRecord(z.enum(TRIGGERS), z.array(binding).max(MAX_BOUND))

export type TriggerBindings = z.output<typeof triggersSection>

/** What an action that failed does to the moment it ran in. */
export const onFailure = z.enum(['deny', 'pass'])
export type OnFailure = z.output<typeof onFailure>

const PASS_BY_DEFAULT: readonly TriggerName[] = ['post-user-registration', 'post-change-password']

/** After the fact there is nothing left to deny. */
export const decidesAccess = (trigger: TriggerName): boolean => !PASS_BY_DEFAULT.includes(trigger)

export const actionSettings = z.object({
  code: z.string().max(MAX_CODE),
  trigger: z.enum(TRIGGERS),
  version: z.string().optional(),
  runtime: z.string().optional(),
  deployed: z.boolean().default(true),
  /** Absent: as the trigger has it. */
  on_failure: onFailure.optional(),
  /** Base64 of what the vault sealed, by name. */
  sealed: z.record(z.string(), z.string()).default({}),
})

export type Action = z.output<typeof actionSettings> & { name: string }

export type ActionPort = { find(name: string): Promise<Action | null> }

/** Null for what this version cannot read: it counts as missing, and is none that passes. */
export function toAction({ name, settings }: { name: string; settings: unknown }): Action | null {
  const { data } = actionSettings.safeParse(settings)
  return data ? { ...data, name } : null
}

export const failurePolicy = ({ on_failure, trigger }: Pick<Action, 'on_failure' | 'trigger'>): OnFailure =>
  on_failure ?? (decidesAccess(trigger) ? 'deny' : 'pass')

const PURPOSE = 'action secret'

export const sealActionSecret = (plain: string, vault: Vault, random: Random): string =>
  vault.seal(PURPOSE, plain, random).toString('base64')

export const openActionSecret = (sealed: string | undefined, vault: Vault): string | null =>
  sealed === undefined ? null : (vault.open(PURPOSE, Buffer.from(sealed, 'base64'))?.toString() ?? null)

/** Throws when one was sealed under another secret of the process: an action without its secret must not guess. */
export function secretsOf({ name, sealed }: Action, vault: Vault): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(sealed).map(([key, value]) => {
      const plain = openActionSecret(value, vault)
      if (plain === null) throw new Error(`a secret of ${name} cannot be opened`)
      return [key, plain]
    }),
  )
}
