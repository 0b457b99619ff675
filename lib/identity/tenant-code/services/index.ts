// What an action may wait for, by the names that lib/identity/tenant-code/platform begins it with.
import type { Services } from '../sandbox/services'
import { createBreaker, withBreaker } from './breaker'
import type { SendRequest } from './exchange'
import { fetchServices } from './fetch'
import { nameServices } from './names'
import type { Network } from './network'
import { socketServices } from './sockets'
import { timer } from './timer'

/** How actions reach other servers. */
export type ActionNetwork = { exchange: SendRequest; network: Network }

export function createServices({ exchange, network }: ActionNetwork): Services {
  const breaker = createBreaker(() => performance.now())
  return {
    timer,
    ...fetchServices(withBreaker(exchange, breaker)),
    ...socketServices(network, breaker),
    ...nameServices(network),
  }
}
