// The handle of a login in the pages' addresses: a secret, and behind it the client, if its id is that of a client. So a bookmark still knows
// the application when the login has been deleted. What a visitor changes in it leads to no login, and to a registered page at most.
import type { Random } from '../kernel/random'

/** Characters of 32 bytes in base64url. */
const SECRET = 43
const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/

export const newHandle = (clientId: string, random: Random): string =>
  random.token() + (CLIENT_ID.test(clientId) ? clientId : '')

export function clientOfHandle(handle: string): string | null {
  const clientId = handle.slice(SECRET)
  return CLIENT_ID.test(clientId) ? clientId : null
}
