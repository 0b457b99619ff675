// Selects the strategy of an upstream connection. Its code and library are loaded by the first login that needs them.
import type {
  FederatedConnection,
  SamlConnection,
  UpstreamConnection,
  WsFedConnection,
} from '../../data/connections/connection'
import { SAMLP } from '../../data/connections/saml-options'
import { providerOf } from '../../data/connections/upstream/providers'
import type { RedirectStrategy, UnsolicitedStrategy, UpstreamReply } from '../../data/connections/upstream/upstream'
import { ADFS, speaksWsFederation, WAAD } from '../../data/connections/wsfed-options'

const federated = (connection: FederatedConnection): RedirectStrategy => ({
  start: async (...input) => (await import('./federated')).federated(connection).start(...input),
  complete: async (...input) => (await import('./federated')).federated(connection).complete(...input),
  saidOnce: (reply) => replyFields(connection, reply),
  logoutUrl: async (...input) => (await import('./federated')).federated(connection).logoutUrl(...input),
})

/** Small, as a name is. */
const MAX_SAID = 2000

function replyFields({ strategy }: FederatedConnection, reply: UpstreamReply): Record<string, string> {
  const name = providerOf(strategy)?.replyClaims
  const text = name === undefined ? undefined : reply[name]
  return name === undefined || text === undefined || text.length > MAX_SAID ? {} : { [name]: text }
}

export const saml = (connection: SamlConnection): UnsolicitedStrategy => ({
  start: async (...input) => (await import('./samlp')).samlp(connection).start(...input),
  complete: async (...input) => (await import('./samlp')).samlp(connection).complete(...input),
  unsolicited: async (...input) => (await import('./samlp')).samlp(connection).unsolicited(...input),
  preverify: async (...input) => (await import('./samlp')).samlp(connection).preverify(...input),
  logoutUrl: async (...input) => (await import('./samlp')).samlp(connection).logoutUrl(...input),
})

const wsfed = (connection: WsFedConnection): RedirectStrategy => ({
  start: async (...input) => (await import('./wsfed')).wsfed(connection).start(...input),
  complete: async (...input) => (await import('./wsfed')).wsfed(connection).complete(...input),
  preverify: async (...input) => (await import('./wsfed')).wsfed(connection).preverify(...input),
  logoutUrl: async (...input) => (await import('./wsfed')).wsfed(connection).logoutUrl(...input),
})

export function strategyOf(connection: UpstreamConnection): RedirectStrategy {
  if (connection.strategy === SAMLP) return saml(connection)
  if (connection.strategy === ADFS) return wsfed(connection)
  if (connection.strategy === WAAD && speaksWsFederation(connection.settings.options)) return wsfed(connection)
  return federated(connection)
}
