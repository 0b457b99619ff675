// What an action may wait for, by the names that lib/identity/rules/platform begins it with.
import type { Services } from '../sandbox/services'
import { createBreaker, withBreaker } from './breaker'
import type { Exchange } from './exchange'
import { fetchServices } from './fetch'
import { nameServices } from './names'
import type { Network } from './network'
import { socketServices } from './sockets'
import { timer } from './timer'

/** How actions reach other servers. */
export type Outgoing = { exchange: Exchange; network: Network }

export function createServices({ exchange, network }: Outgoing): Services {
  const breaker = createBreaker(() => performance.now())
  return {
    timer,
    ...fetchServices(withBreaker(exchange, breaker)),
    ...socketServices(network, breaker),
    ...nameServices(network),
  }
}
