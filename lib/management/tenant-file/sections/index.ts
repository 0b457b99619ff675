// The sections of a tenant file, in the order of their dependencies.
import type { Section } from '../context'
import { actionModules } from './action-modules'
import { actions } from './actions'
import { attackProtection } from './attack-protection'
import { branding } from './branding'
import { claimRules } from './claim-rules'
import { clientGrants } from './client-grants'
import { clients } from './clients'
import { connections, databases } from './connections'
import { emailTemplates, phoneTemplates, themes } from './documents'
import { emailProvider } from './email-provider'
import {
  guardianFactors,
  guardianPhoneFactorMessageTypes,
  guardianPhoneFactorSelectedProvider,
  guardianPolicies,
  guardianWebauthnRoaming,
} from './guardian'
import { hooks } from './hooks'
import { logStreams } from './log-streams'
import { organizations } from './organizations'
import { phoneProviders } from './phone-providers'
import { prompts } from './prompts'
import { resourceServers } from './resource-servers'
import { roles } from './roles'
import { rules, rulesConfigs } from './rules'
import { tenant } from './tenant'
import { tokenExchangeProfiles } from './token-exchange-profiles'
import { triggers } from './triggers'
import { users } from './users'

export const SECTIONS: readonly Section[] = [
  tenant,
  branding,
  themes,
  prompts,
  emailProvider,
  emailTemplates,
  phoneProviders,
  phoneTemplates,
  attackProtection,
  guardianFactors,
  guardianPolicies,
  guardianPhoneFactorMessageTypes,
  guardianPhoneFactorSelectedProvider,
  guardianWebauthnRoaming,
  claimRules,
  clients,
  resourceServers,
  clientGrants,
  databases,
  connections,
  organizations,
  actionModules,
  actions,
  rulesConfigs,
  rules,
  hooks,
  triggers,
  tokenExchangeProfiles,
  roles,
  logStreams,
  users,
]
