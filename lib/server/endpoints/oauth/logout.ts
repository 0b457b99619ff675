// GET /v2/logout (the contract's "Logout"): ends the session on the server, then redirects by three rules:
// 1. with client_id, returnTo must be one of the client's logout URLs;
// 2. without client_id, it must be one of the tenant's;
// 3. with client_id and no returnTo, the client's first logout URL.
// `federated` redirects through the logout of the provider that signed the user in, if it has one.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { firstLogoutUrl } from '../../../data/clients/registered-urls'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, SIGNED_OUT } from '../../../http/examples'
import { queryParameters } from '../../../http/message'
import { unknownClientPage } from '../../../kernel/errors'
import { findSession } from '../../../login/begin/signed-in'
import { upstreamLogout } from '../../../login/upstream/upstream-logout'
import type { Visitor } from '../../../login/visitor'
import { readVisitor } from '../../login-http/visitor'
import { checkReturn, endSession, leave } from '../../requests/end-session'
import type { Runtime } from '../../runtime/runtime'

export const logout = defineEndpoint<Runtime>({
  name: 'logout',
  limit: 'logout',
  shed: 'last',
  refused: 'logout_refused',
  cors: 'none',
  errors: 'page',
  describe: () => ({
    tag: 'Logout',
    GET: {
      summary: 'End the session',
      query: z.object({
        client_id: optional('The client whose logout URLs apply; without it those of the tenant'),
        returnTo: optional('Where the browser continues; the default is the first logout URL of the client'),
        federated: optional('Ends the session at the identity provider, too'),
      }),
      answers: {
        302: { says: 'To the given URL, or to the logout of the provider' },
        200: { says: 'The session has ended; nowhere to continue, or clients to notify', type: 'text/plain' },
      },
      examples: { return: { query: { ...APP, returnTo: SIGNED_OUT } } },
    },
  }),
  methods: {
    async GET(request, runtime) {
      const { client_id, returnTo } = queryParameters(request)
      const client = client_id === undefined ? null : await findClient(client_id, runtime)
      if (returnTo !== undefined) checkReturn('returnTo', returnTo, client, runtime)
      const to = returnTo ?? (client ? firstLogoutUrl(client) : undefined) ?? null
      const visitor = readVisitor(request, runtime)
      const upstream = request.query.has('federated') ? await upstreamOf(visitor, to, runtime) : null
      return leave(upstream ?? to, await endSession(visitor, runtime), request, runtime)
    },
  },
})

async function upstreamOf(visitor: Visitor, to: string | null, runtime: Runtime): Promise<string | null> {
  const signedIn = await findSession(visitor, runtime)
  return signedIn && upstreamLogout(signedIn.session, to, runtime)
}

async function findClient(clientId: string, runtime: Runtime): Promise<Client> {
  const client = await runtime.clients.find(clientId)
  if (client) {
    runtime.trail.context({ client })
    return client
  }
  throw unknownClientPage(clientId)
}
