// `auth0-forwarded-for`: a server that sends its users' passwords says for whom, so that one address does not lock out all
// of them (the vendor's brute-force documentation). It counts only from a client that proved itself and is
// registered as trusted with it (threat-model.md RL3).
import type { Client } from '../clients/client'
import type { HttpRequest } from '../http/message'
import { readAddress } from '../http/peer'

/** `client` is authenticated. */
export function addressOf(request: HttpRequest, { isPublic, settings }: Client): string {
  const forwarded = request.headers['auth0-forwarded-for']
  if (forwarded === undefined || isPublic || !settings.is_token_endpoint_ip_header_trusted) return request.ip
  return readAddress(forwarded.trim()) ?? request.ip
}
