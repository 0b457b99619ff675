// A tenant's action as stored, and the selection of the actions at a trigger. Code and secrets come from the tenant file. The
// ordered bindings are tenant settings, so checking whether a trigger has actions needs no query.
import * as z from 'zod'
import { isDelivering, TRIGGERS, type TriggerName } from '../../../data/tenants/triggers'
import type { Json } from '../../../kernel/json'
import type { Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import { dependency } from '../packages/need'
import { usedModule } from './used-modules'

/** The vendor's limits: actions of a tenant, characters of code; secrets and versions of an action. */
export const MAX_ACTIONS = 100
export const MAX_CODE = 100_000
export const MAX_SECRETS = 30
/** Older ones go. */
export const MAX_VERSIONS = 50

/** `__proto__` is no name: a value under it would be lost. */
export const secretName = z
  .string()
  .min(1)
  .max(128)
  .refine((name) => name !== '__proto__', 'cannot be stored')

/** What a failed action does to the operation: denies it or lets it pass. */
export const onFailure = z.enum(['deny', 'pass'])
export type OnFailure = z.output<typeof onFailure>

const PASS_BY_DEFAULT: readonly TriggerName[] = ['post-user-registration', 'post-change-password']

/** A notification after the operation can deny nothing. */
export const decidesAccess = (trigger: TriggerName): boolean => !PASS_BY_DEFAULT.includes(trigger)

export const actionSettings = z.object({
  code: z.string().max(MAX_CODE),
  dependencies: z.array(dependency).default([]),
  modules: z.array(usedModule).default([]),
  /** The digest of the bundle of its packages, and of those of its modules. */
  bundle: z.string().optional(),
  /** Of which need (need.ts). */
  built_for: z.string().optional(),
  trigger: z.enum(TRIGGERS),
  version: z.string().optional(),
  runtime: z.string().optional(),
  deployed: z.boolean().default(true),
  /** Absent: the trigger's default. */
  on_failure: onFailure.optional(),
  /** Secrets by name, each as base64 of the sealed value. */
  sealed: z.record(z.string(), z.string()).default({}),
})

export type Action = z.output<typeof actionSettings> & { name: string }

export type ActionPort = {
  find(name: string): Promise<Action | null>
  /** The names of the actions that are deployed for the trigger. */
  deployedFor(trigger: TriggerName): Promise<string[]>
  /** The text of a bundle. */
  bundle(digest: string): Promise<string | null>
  /** Its source map, for errors. */
  sourceMap(digest: string): Promise<string | null>
}

/** Null for a row that this version cannot read: the action counts as missing, and a missing action does not pass. */
export function toAction({ name, settings }: { name: string; settings: unknown }): Action | null {
  const { data } = actionSettings.safeParse(settings)
  return data ? { ...data, name } : null
}

/** A message that an action failed to deliver never counts as sent. */
export const failurePolicy = ({ on_failure, trigger }: Pick<Action, 'on_failure' | 'trigger'>): OnFailure =>
  isDelivering(trigger) ? 'deny' : (on_failure ?? (decidesAccess(trigger) ? 'deny' : 'pass'))

/** A setting that could not have an effect; null if it can. */
export const onFailureProblem = ({ on_failure, trigger }: Pick<Action, 'on_failure' | 'trigger'>): string | null =>
  on_failure === 'pass' && isDelivering(trigger) ? 'a message that the action did not deliver is tried again' : null

const PURPOSE = 'action secret'

export const sealActionSecret = (plain: string, vault: Vault, random: Random): string =>
  vault.seal(PURPOSE, plain, random).toString('base64')

export const openActionSecret = (sealed: string | undefined, vault: Vault): string | null =>
  sealed === undefined ? null : (vault.open(PURPOSE, Buffer.from(sealed, 'base64'))?.toString() ?? null)

/** Throws if a secret was sealed under another LATCHKEY_SECRET: an action must not run without its secrets. */
export function secretsOf({ name, sealed }: Pick<Action, 'name' | 'sealed'>, vault: Vault): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(sealed).map(([key, value]) => {
      const plain = openActionSecret(value, vault)
      if (plain === null) throw new Error(`a secret of ${name} cannot be opened`)
      return [key, plain]
    }),
  )
}
