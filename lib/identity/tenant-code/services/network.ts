// Connections of an action to other servers, and look-ups of names, as a dependency: its implementation (lib/adapters/channels/action-network.ts) is
// behind the guard of all outgoing requests (threat-model.md SE8).
import type { Duplex } from 'node:stream'

/** `signal` ends what is under way, and no socket that is open. */
type Caller = { tenantId: string; signal: AbortSignal }

export type HostAndPort = { host: string; port: number }

export type FoundAddress = { address: string; family: number }
export type ServiceRecord = { name: string; port: number; priority: number; weight: number }

/** Each rejects with an error that has a `code`. */
export type Network = {
  /** An open socket. */
  connect(target: HostAndPort, caller: Caller): Promise<Duplex>
  /** Whether this is the tenant's own address, which sockets do not reach. */
  isOwn(target: HostAndPort, tenantId: string): Promise<boolean>
  /** The addresses of a name that an action may reach. @param family 4, 6, or 0 for both */
  lookUp(name: string, family: number, caller: Caller): Promise<FoundAddress[]>
  /** SRV records, RFC 2782. */
  services(name: string, caller: Caller): Promise<ServiceRecord[]>
  /** TXT records, each in its parts. */
  texts(name: string, caller: Caller): Promise<string[][]>
}
