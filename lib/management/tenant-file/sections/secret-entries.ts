// Secrets of an action or a module in a tenant file. The list is complete; a secret without a value, as in an export, stays unchanged.
import * as z from 'zod'
import { MAX_SECRETS, openActionSecret, sealActionSecret, secretName } from '../../../identity/rules/actions/action'
import { type JsonObject, ownMember } from '../../../kernel/json'
import type { Vault } from '../../../kernel/secret'
import type { PlanContext } from '../context'

export const secretEntries = z
  .array(z.object({ name: secretName, value: z.string().max(4096).optional() }))
  .max(MAX_SECRETS)

export function sealedOf(
  secrets: z.output<typeof secretEntries> | undefined,
  before: Readonly<Record<string, string>>,
  path: string,
  { vault, random, notApplied }: PlanContext,
): Record<string, string> {
  if (secrets === undefined) return before
  return Object.fromEntries(
    secrets.flatMap(({ name, value }): [string, string][] => {
      const kept = ownMember(before, name)
      if (value === undefined && kept === undefined) notApplied.push(`${path}.secrets: ${name} has no value`)
      if (value === undefined) return kept === undefined ? [] : [[name, kept]]
      const same = kept !== undefined && openActionSecret(kept, vault) === value
      return [[name, same ? kept : sealActionSecret(value, vault, random)]]
    }),
  )
}

/** In the clear, for the comparison of what is stored with what is planned. */
export const openedSecrets = (sealed: Readonly<Record<string, string>>, vault: Vault): JsonObject =>
  Object.fromEntries(Object.entries(sealed).map(([name, value]) => [`secrets.${name}`, openActionSecret(value, vault)]))
