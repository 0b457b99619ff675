// Secrets of an action or a module in a tenant file. The list is complete; a secret without a value, as in an export, stays unchanged.
import type * as z from 'zod'
import { openActionSecret } from '../../../identity/tenant-code/actions/action'
import { type JsonObject, ownMember } from '../../../kernel/json'
import type { Vault } from '../../../kernel/secret'
import type { actionSecrets } from '../../resources/action-secrets'
import type { PlanContext } from '../context'

type Sealed = Readonly<Record<string, string>>

/** As the API takes them: with the values that differ from the stored ones. */
export const secretsThatDiffer = (
  secrets: z.output<typeof actionSecrets>,
  before: Sealed,
  path: string,
  { vault, notApplied }: PlanContext,
): JsonObject[] =>
  secrets.flatMap(({ name, value }): JsonObject[] => {
    const kept = ownMember(before, name)
    if (value === undefined && kept === undefined) {
      notApplied.push(`${path}.secrets: ${name} has no value`)
      return []
    }
    return [value === undefined || openActionSecret(kept, vault) === value ? { name } : { name, value }]
  })

/** In the clear, for the comparison of what is stored with what is planned. */
export const openedSecrets = (sealed: Sealed, vault: Vault): JsonObject =>
  Object.fromEntries(Object.entries(sealed).map(([name, value]) => [`secrets.${name}`, openActionSecret(value, vault)]))

export const secretNames = (sealed: Sealed): JsonObject[] => Object.keys(sealed).map((name) => ({ name }))
