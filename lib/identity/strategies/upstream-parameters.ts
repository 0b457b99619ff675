// The parameters that a connection adds to every request to its provider (`upstream_params`, and `authParams` with `authParamsMap` of a
// plain OAuth 2.0 connection): constants, or names of parameters of the client's request.
import type { FederatedConnection } from '../../data/connections/connection'
import type { UpstreamAsk } from '../../data/connections/upstream/upstream'

type Options = Pick<FederatedConnection['settings']['options'], 'upstream_params' | 'authParams' | 'authParamsMap'>

export function configured(
  { upstream_params = {}, authParams = {}, authParamsMap = {} }: Options,
  { parameters, used = {}, loginHint }: UpstreamAsk,
): Record<string, string> {
  const known: Record<string, string | null | undefined> = { ...used, ...parameters, login_hint: loginHint }
  const sent = (name: string): string | null | undefined => (Object.hasOwn(known, name) ? known[name] : undefined)
  const entries: [string, string | null | undefined][] = [
    ...Object.entries(authParams),
    ...Object.entries(authParamsMap).map(([from, to]): [string, string | null | undefined] => [to, sent(from)]),
    ...Object.entries(upstream_params).map(([name, given]): [string, string | null | undefined] => [
      name,
      given === null ? null : 'value' in given ? given.value : sent(given.alias),
    ]),
  ]
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
