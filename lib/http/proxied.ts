// The address of the client at a custom domain with a proxy of the tenant's own: the domain names a header, which is believed where
// the request has the domain's key, too (threat-model.md RL3).

import { readAddress } from '../kernel/forwarded'
import { digest, equalsConstantTime } from '../kernel/secret'
import type { HttpRequest } from './message'

type Proxied = { clientIpHeader: string | null; proxyKeyDigest: string | null }

const KEY_HEADER = 'cname-api-key'

const unchanged = (request: HttpRequest): HttpRequest => request

/** The nearest address of the header counts: a proxy that appends to a list has written that one. */
export function createReceiver(domain: Proxied | null): (request: HttpRequest) => HttpRequest {
  const { clientIpHeader: header, proxyKeyDigest: key } = domain ?? {}
  if (!header || !key) return unchanged
  const expected = Buffer.from(key, 'hex')
  return (request) => {
    if (!equalsConstantTime(digest(request.headers[KEY_HEADER] ?? ''), expected)) return request
    const ip = readAddress(request.headers[header]?.split(',').at(-1) ?? '')
    return ip === null ? request : { ...request, ip }
  }
}
