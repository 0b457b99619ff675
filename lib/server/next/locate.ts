// Which endpoint answers a request to Next's one route.
import type { Endpoint } from '../../http/endpoint'
import { createRouter } from '../../http/route'
import { withoutSlash } from '../../http/target'
import { ENDPOINTS } from '../endpoints/index'
import { refusing } from '../endpoints/refusals'
import type { Runtime } from '../runtime/runtime'
import { refusalAt } from './refusal'
import { isBelowU } from './screen-address'

export type Location = { path: string; params: Record<string, string> }

type Located = { endpoint: Endpoint<Runtime>; location: Location }

const route = createRouter(ENDPOINTS)

/**
 * @param path of the request, because Next decodes segments differently
 * @param segments of the address that the proxy rewrote it to: a refusal, which the requested path must not win over
 */
export function locate(path: string, segments: readonly string[] = []): Located {
  const refused = refusalAt(`/${segments.join('/')}`)
  const nothing = { endpoint: refused ?? refusing('unknown', path), location: { path, params: {} } }
  return refused || isBelowU(path) ? nothing : (endpointAt(path) ?? endpointAt(withoutSlash(path)) ?? nothing)
}

function endpointAt(path: string): Located | null {
  const match = route(path)
  return match && { endpoint: match.endpoint, location: { path, params: match.params } }
}
