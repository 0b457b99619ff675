// GET /v2/logout (the contract's "Logout"): ends the session on the server, then goes where its three rules allow:
// 1. with client_id, returnTo must be one of the application's logout URLs;
// 2. without, one of the tenant's;
// 3. with client_id and no returnTo, the application's first.

import { type Client, firstLogoutUrl, matchLogoutUrl } from '../clients/client'
import { dropCookie } from '../http/cookies'
import { defineEndpoint } from '../http/endpoint'
import { type HttpRequest, queryParameters, redirect, text, withHeaders } from '../http/message'
import { untrustedRedirect } from '../kernel/errors'
import { findSession } from '../login/start'
import type { Runtime } from '../runtime/runtime'

export const logout = defineEndpoint<Runtime>({
  name: 'logout',
  cors: 'none',
  errors: 'page',
  methods: {
    async GET(request, runtime) {
      const { client_id, returnTo } = queryParameters(request)
      const client = client_id === undefined ? null : await findClient(client_id, runtime)
      const { allowed_logout_urls: allowed } = client?.settings ?? runtime.settings.tenant
      if (returnTo !== undefined && !matchLogoutUrl(allowed, returnTo)) {
        throw untrustedRedirect('logout_url', 'The returnTo URL is not among the allowed logout URLs', { returnTo })
      }
      const to = returnTo ?? (client ? firstLogoutUrl(client) : undefined)
      const ended = await endSession(request, runtime)
      return withHeaders(to === undefined ? text('OK') : redirect(to), ...ended)
    },
  },
})

async function findClient(clientId: string, runtime: Runtime): Promise<Client> {
  const client = await runtime.clients.find(clientId)
  if (client) return client
  throw untrustedRedirect('unknown_client', `Unknown client: ${clientId}`, { client_id: clientId })
}

/** Ends the browser's session, if it has one; the headers that make the browser forget it. */
export async function endSession(request: HttpRequest, runtime: Runtime): Promise<[string, string][]> {
  const signedIn = await findSession(request, runtime)
  if (signedIn && (await runtime.sessions.end(signedIn.session.idDigest, runtime.clock.now()))) runtime.wakeDispatcher()
  return [dropCookie('session', runtime)]
}
