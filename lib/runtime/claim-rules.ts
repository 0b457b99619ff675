// Compiles a tenant's claim rules, once for each version of them. The rule language is loaded only where a tenant has rules.

import type { Logger } from '../operations/log'
import type { ClaimRules } from '../rules/claims/compile'
import type { Tenant } from '../tenants/settings'

export async function openClaimRules({ id, settings }: Tenant, log: Logger): Promise<ClaimRules | null> {
  if (settings.claimRules.length === 0) return null
  const { compileRules } = await import('../rules/claims/compile')
  return compileRules(settings.claimRules, (rule, claim, problem) =>
    log.warn({ tenant: id, rule, claim, problem }, 'A claim rule had no value.'),
  )
}
