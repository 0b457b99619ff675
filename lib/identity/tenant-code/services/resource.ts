import type { RunContext } from '../sandbox/services'
import { failure } from './failure'

/** In a run: requests with their redirects, sockets and look-ups. */
const MAX_REQUESTS = 50

/** Counts and records what leaves to another server. */
export function beginRequest(
  { requests }: RunContext,
  method: string,
  host: string,
): ReturnType<RunContext['requests']['begin']> {
  if (requests.length >= MAX_REQUESTS) throw failure('ETOOMANYREQUESTS')
  return requests.begin(method, host)
}

/** Keeps what lives over several operations of a run, and returns its number. */
export function addResource({ resources }: RunContext, resource: { close(): void }): number {
  const number = Math.max(0, ...resources.keys()) + 1
  resources.set(number, resource)
  return number
}
