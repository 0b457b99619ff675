// Secrets in a body of the Management API that are write-only and sealed: of actions and of their modules.
import * as z from 'zod'
import { MAX_SECRETS, sealActionSecret, secretName } from '../../identity/tenant-code/actions/action'
import { ownMember } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { invalidBody } from '../operations/errors'

export const actionSecrets = z
  .array(z.object({ name: secretName, value: z.string().max(4096).optional() }))
  .max(MAX_SECRETS)

export const shownSecrets = z.array(z.object({ name: z.string(), updated_at: z.string() }))

export type ActionSecretsRow = {
  /** Secrets by name, each as base64 of the sealed value. */
  sealed: Record<string, string>
  /** When each secret was set, by name. */
  secrets_set: Record<string, string>
}

type Deps = { clock: { now(): Date }; random: Random; vault: Vault }

/** The list of secrets is complete; one without a value keeps the stored one. */
export function sealSecrets(
  given: z.output<typeof actionSecrets> | undefined,
  known: ActionSecretsRow,
  { vault, random, clock }: Deps,
): ActionSecretsRow {
  if (given === undefined) return { sealed: known.sealed, secrets_set: known.secrets_set }
  const sealed: Record<string, string> = {}
  const secrets_set: Record<string, string> = {}
  for (const { name, value } of given) {
    const stored = ownMember(known.sealed, name)
    if (value === undefined && stored === undefined)
      throw invalidBody({ path: 'secrets', message: `The secret ${name} has no value` })
    sealed[name] = value === undefined ? (stored ?? '') : sealActionSecret(value, vault, random)
    secrets_set[name] = value === undefined ? (known.secrets_set[name] ?? '') : clock.now().toISOString()
  }
  return { sealed, secrets_set }
}

export const presentSecrets = ({ secrets_set }: Pick<ActionSecretsRow, 'secrets_set'>) =>
  Object.entries(secrets_set).map(([name, updated_at]) => ({ name, updated_at }))
