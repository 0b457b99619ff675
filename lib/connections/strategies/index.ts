// Which strategy signs people in by somebody else's server. Its code, and the library under it, is loaded by the first login
// that needs it.
import type { Connection } from '../connection'
import { SAMLP } from '../saml-options'
import { providerOf } from '../upstream/providers'
import type { RedirectStrategy } from '../upstream/upstream'

const federated: RedirectStrategy = {
  start: async (...input) => (await import('./federated')).federated.start(...input),
  complete: async (...input) => (await import('./federated')).federated.complete(...input),
  logoutUrl: async (...input) => (await import('./federated')).federated.logoutUrl(...input),
}

const saml: RedirectStrategy = {
  start: async (...input) => (await import('./samlp')).samlp.start(...input),
  complete: async (...input) => (await import('./samlp')).samlp.complete(...input),
  unsolicited: async (...input) => (await import('./samlp')).samlp.unsolicited(...input),
  vouch: async (...input) => (await import('./samlp')).samlp.vouch(...input),
  logoutUrl: async (...input) => (await import('./samlp')).samlp.logoutUrl(...input),
}

/** Null for a connection whose people prove themselves here. */
export const strategyOf = ({ strategy }: Pick<Connection, 'strategy'>): RedirectStrategy | null => {
  if (strategy === SAMLP) return saml
  return providerOf(strategy) ? federated : null
}

/** An organisation's own provider: no button unless the connection asks for one, and nothing social about it. */
export const isEnterprise = ({ strategy }: Pick<Connection, 'strategy'>): boolean =>
  strategy === SAMLP || providerOf(strategy)?.enterprise === true
