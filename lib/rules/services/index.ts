// What an action may wait for, by the names that lib/rules/platform begins it with.
import type { Services } from '../sandbox/services'
import { withBreaker } from './breaker'
import type { Exchange } from './exchange'
import { fetchServices } from './fetch'
import { timer } from './timer'

export const createServices = ({ exchange }: { exchange: Exchange }): Services => ({
  timer,
  ...fetchServices(withBreaker(exchange, () => performance.now())),
})
