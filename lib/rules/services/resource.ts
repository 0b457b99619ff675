import type { Scope } from '../sandbox/services'

/** Keeps what lives over several operations of a run, and returns its number. */
export function addResource({ resources }: Scope, resource: { close(): void }): number {
  const number = Math.max(0, ...resources.keys()) + 1
  resources.set(number, resource)
  return number
}
