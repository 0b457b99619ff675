// The account portal as a client: built in, because the login pipeline signs people in to clients. It has no secret, no callback and no
// grant, so only the portal itself can use it. A registered client with the same id does not replace it.
import { type Client, type ClientPort, toClient } from './client'

export const PORTAL_CLIENT = '$account'
export const PORTAL_PATH = '/account'

export function withPortal<Port extends ClientPort>(registered: Port): Port {
  const portal: Client = toClient({
    clientId: PORTAL_CLIENT,
    name: 'Account portal',
    secretDigest: null,
    settings: { app_type: 'regular_web', grant_types: [], is_first_party: true },
  })
  return { ...registered, find: async (id) => (id === PORTAL_CLIENT ? portal : registered.find(id)) }
}
