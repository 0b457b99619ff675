// Compiles a tenant's claim rules, once for each version of them. The rule language is loaded only where a tenant has rules.

import type { Tenant } from '../../data/tenants/settings'
import type { ClaimRules } from '../../identity/tenant-code/claims/compile'
import type { Logger } from '../maintenance/log'

export async function openClaimRules({ id, settings }: Tenant, log: Logger): Promise<ClaimRules | null> {
  if (settings.claimRules.length === 0) return null
  const { compileRules } = await import('../../identity/tenant-code/claims/compile')
  return compileRules(settings.claimRules, (rule, claim, problem) =>
    log.warn({ tenant: id, rule, claim, problem }, 'A claim rule had no value.'),
  )
}
