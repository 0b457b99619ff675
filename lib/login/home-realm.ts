// Home-realm discovery: the domain of a typed address picks the provider that its people sign in with. It is the tenant's
// configuration that answers, never its accounts: every address of a domain is treated alike (threat-model.md UP4).
import type { Connection } from '../connections/connection'
import type { LoginState } from './requirements'

type Realms = Pick<LoginState, 'wants' | 'federated'>

export function homeOf(identifier: string, { wants, federated }: Realms): Connection | null {
  const domain = /@([^@\s]+)$/.exec(identifier.trim().toLowerCase())?.[1]
  if (domain === undefined || wants.connection !== null) return null
  return federated.find((connection) => aliasesOf(connection).some((alias) => alias.toLowerCase() === domain)) ?? null
}

/** Whether an address is to be asked for before a password. */
export const hasRealms = ({ wants, federated }: Realms): boolean =>
  wants.connection === null && federated.some((connection) => aliasesOf(connection).length > 0)

const aliasesOf = ({ settings }: Connection): readonly string[] => settings.options.domain_aliases ?? []
