// Which pages of other origins may sign people in.
import { admitsOrigin, loginOrigins, refusedOrigin } from '../../../data/clients/origins'
import { unregistered } from '../../../data/clients/unregistered'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

export const openOrigins = ({ stores }: Opening) =>
  ({
    async allowsOrigin(this: Runtime, origin, clientId) {
      const client = clientId === undefined ? null : await stores.clients.find(clientId)
      if (client) this.trail.context({ client })
      else if (clientId !== undefined) return { reason: 'unknown_client', detail: `unknown client: ${clientId}` }
      const origins = client ? loginOrigins(client) : await stores.clients.loginOrigins()
      if (await admitsOrigin(origins, origin, stores)) return true
      return client ? refusedOrigin(client, origin) : unregistered('origin_not_allowed', origin, origins)
    },
    isRegisteredOrigin: async (origin) => admitsOrigin(await stores.clients.registeredOrigins(), origin, stores),
  }) satisfies Partial<Runtime>
