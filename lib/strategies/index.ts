// Selects the strategy of an upstream connection. Its code and library are loaded by the first login that needs them.
import type { Connection } from '../connections/connection'
import { SAMLP } from '../connections/saml-options'
import { providerOf } from '../connections/upstream/providers'
import type { RedirectStrategy } from '../connections/upstream/upstream'
import { speaksWsFederation } from '../connections/wsfed-options'

const federated: RedirectStrategy = {
  start: async (...input) => (await import('./federated')).federated.start(...input),
  complete: async (...input) => (await import('./federated')).federated.complete(...input),
  logoutUrl: async (...input) => (await import('./federated')).federated.logoutUrl(...input),
}

const saml: RedirectStrategy = {
  start: async (...input) => (await import('./samlp')).samlp.start(...input),
  complete: async (...input) => (await import('./samlp')).samlp.complete(...input),
  unsolicited: async (...input) => (await import('./samlp')).samlp.unsolicited(...input),
  preverify: async (...input) => (await import('./samlp')).samlp.preverify(...input),
  logoutUrl: async (...input) => (await import('./samlp')).samlp.logoutUrl(...input),
}

const wsfed: RedirectStrategy = {
  start: async (...input) => (await import('./wsfed')).wsfed.start(...input),
  complete: async (...input) => (await import('./wsfed')).wsfed.complete(...input),
  preverify: async (...input) => (await import('./wsfed')).wsfed.preverify(...input),
  logoutUrl: async (...input) => (await import('./wsfed')).wsfed.logoutUrl(...input),
}

/** Null for a connection whose users authenticate at this server. */
export const strategyOf = (connection: Connection): RedirectStrategy | null => {
  if (connection.strategy === SAMLP) return saml
  if (speaksWsFederation(connection)) return wsfed
  return providerOf(connection.strategy) ? federated : null
}
