// Home-realm discovery: the domain of a typed address picks the provider that its people sign in with. It is the tenant's
// configuration that answers, never its accounts: every address of a domain is treated alike (threat-model.md UP4).
import type { Connection } from '../../connections/connection'
import { toProve } from './linking'
import type { LoginState } from './requirements'

type Realms = Pick<LoginState, 'wants' | 'federated' | 'decisions'>

export function homeOf(identifier: string, realms: Realms): Connection | null {
  const domain = /@([^@\s]+)$/.exec(identifier.trim().toLowerCase())?.[1]
  if (domain === undefined || isFixed(realms)) return null
  const isHome = (alias: string): boolean => alias.toLowerCase() === domain
  return realms.federated.find((connection) => aliasesOf(connection).some(isHome)) ?? null
}

/** Whether an address is to be asked for before a password. */
export const hasRealms = (realms: Realms): boolean =>
  !isFixed(realms) && realms.federated.some((connection) => aliasesOf(connection).length > 0)

/** The application names the way in, or it is known whose account is to be proven. */
const isFixed = (realms: Realms): boolean => realms.wants.connection !== null || toProve(realms) !== null

const aliasesOf = ({ settings }: Connection): readonly string[] => settings.options.domain_aliases ?? []
