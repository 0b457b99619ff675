// `auth0-forwarded-for`: a server that forwards its users' passwords names the user's address, so that limits count users and not
// the server. It counts only from an authenticated client that is registered as trusted for it (threat-model.md RL3).
import type { Client } from '../../data/clients/client'
import type { HttpRequest } from '../../http/message'
import { readAddress } from '../../kernel/forwarded'

/** `client` must be authenticated. */
export function addressOf(request: HttpRequest, { isPublic, settings }: Client): string {
  const forwarded = request.headers['auth0-forwarded-for']
  if (forwarded === undefined || isPublic || !settings.is_token_endpoint_ip_header_trusted) return request.ip
  return readAddress(forwarded) ?? request.ip
}
