// Which strategy signs people in by somebody else's server. Its code, and the library under it, is loaded by the first login
// that needs it.
import type { Connection } from '../connection'
import { providerOf } from '../upstream/providers'
import type { RedirectStrategy } from '../upstream/upstream'

const federated: RedirectStrategy = {
  start: async (...input) => (await import('./federated')).federated.start(...input),
  complete: async (...input) => (await import('./federated')).federated.complete(...input),
  logoutUrl: async (...input) => (await import('./federated')).federated.logoutUrl(...input),
}

/** Null for a connection whose people prove themselves here. */
export const strategyOf = ({ strategy }: Pick<Connection, 'strategy'>): RedirectStrategy | null =>
  providerOf(strategy) ? federated : null
