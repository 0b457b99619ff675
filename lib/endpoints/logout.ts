// GET /v2/logout (api.md "Logout"): ends the session on the server, then goes where its three rules allow:
// 1. with client_id, returnTo must be one of the application's logout URLs;
// 2. without, one of the tenant's;
// 3. with client_id and no returnTo, the application's first.

import { matchLogoutUrl } from '../clients/client'
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
      const allowed = await allowedUrls(client_id, runtime)
      const to = returnTo ?? (client_id === undefined ? undefined : allowed[0])
      if (to !== undefined && !matchLogoutUrl(allowed, to)) {
        throw untrustedRedirect('logout_url', 'The returnTo URL is not among the allowed logout URLs', { returnTo: to })
      }
      const ended = await endSession(request, runtime)
      return withHeaders(to === undefined ? text('OK') : redirect(to), ...ended)
    },
  },
})

async function allowedUrls(clientId: string | undefined, runtime: Runtime): Promise<readonly string[]> {
  if (clientId === undefined) return runtime.settings.tenant.allowed_logout_urls
  const client = await runtime.clients.find(clientId)
  if (client) return client.settings.allowed_logout_urls
  throw untrustedRedirect('unknown_client', `Unknown client: ${clientId}`, { client_id: clientId })
}

/** Ends the browser's session, if it has one; the headers that make the browser forget it. */
export async function endSession(request: HttpRequest, runtime: Runtime): Promise<[string, string][]> {
  const signedIn = await findSession(request, runtime)
  if (signedIn) await runtime.sessions.end(signedIn.session.idDigest, runtime.clock.now())
  return [dropCookie('session', runtime)]
}
