// GET /logout/callback: back from a provider's own logout, and on to where /v2/logout was asked to go.
import { defineEndpoint } from '../http/endpoint'
import { queryParameters, redirect } from '../http/message'
import { afterUpstreamLogout } from '../login/upstream-logout'
import { respondWithPage } from '../pages/respond'
import type { Runtime } from '../runtime/runtime'

export const logoutCallback = defineEndpoint<Runtime>({
  name: 'logout.callback',
  cors: 'none',
  errors: 'page',
  methods: {
    async GET(request, runtime) {
      const to = await afterUpstreamLogout(queryParameters(request).state, runtime)
      return to === null ? respondWithPage({ screen: 'logged-out', frames: [] }, request, runtime) : redirect(to)
    },
  },
})
