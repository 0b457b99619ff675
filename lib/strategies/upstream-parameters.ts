// The parameters that a connection adds to every request to its provider (`upstream_params`): constants, or names of parameters
// of the client's request.
import type { FederatedConnection } from '../connections/connection'
import type { UpstreamAsk } from '../connections/upstream/upstream'

type Options = Pick<FederatedConnection['settings']['options'], 'upstream_params'>

export function configured(
  { upstream_params = {} }: Options,
  { parameters, loginHint }: UpstreamAsk,
): Record<string, string> {
  const known: Record<string, string | null | undefined> = { ...parameters, login_hint: loginHint }
  const entries = Object.entries(upstream_params).flatMap(([name, given]): [string, string][] => {
    const value = 'value' in given ? given.value : Object.hasOwn(known, given.alias) ? known[given.alias] : undefined
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}
