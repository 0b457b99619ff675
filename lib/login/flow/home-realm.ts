// Home-realm discovery: the domain of a typed address selects the provider of its users. Only the tenant's configuration
// decides, never its accounts, so all addresses of a domain are treated alike (threat-model.md UP4).
import type { UpstreamConnection } from '../../data/connections/connection'
import { canonical, readableDomain } from '../../kernel/mail-address'
import type { LoginState } from '../login-state'
import { toProve } from './linking'

/** In its canonical form; null for what is no address. */
export const domainOf = (identifier: string): string | null => /@([^@\s]+)$/.exec(canonical(identifier))?.[1] ?? null

type Realms = Pick<LoginState, 'wants' | 'federated' | 'decisions'>

export function homeOf(identifier: string, realms: Realms): UpstreamConnection | null {
  const domain = domainOf(identifier)
  if (domain === null || isFixed(realms)) return null
  const isHome = (alias: string): boolean => readableDomain(alias) === domain
  return realms.federated.find((connection) => aliasesOf(connection).some(isHome)) ?? null
}

/** Whether the page asks for an address before a password. */
export const hasRealms = (realms: Realms): boolean =>
  !isFixed(realms) && realms.federated.some((connection) => aliasesOf(connection).length > 0)

/** The client requested a connection, or the account to prove is known. */
const isFixed = (realms: Realms): boolean => realms.wants.connection !== null || toProve(realms) !== null

const aliasesOf = ({ settings }: UpstreamConnection): readonly string[] => settings.options.domain_aliases ?? []
