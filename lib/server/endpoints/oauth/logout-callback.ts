// /logout/callback: the return from a provider's logout, which continues to the target of /v2/logout. SAML providers may post
// and call the state RelayState; whether they ended their session makes no difference here. LogoutRequests of SAML providers
// (provider-logout.ts) arrive here too.
import { defineEndpoint } from '../../../http/endpoint'
import { allParameters, type HttpRequest, type HttpResponse, redirect } from '../../../http/message'
import { afterUpstreamLogout } from '../../../login/upstream/upstream-logout'
import { respondWithPage } from '../../../pages/respond'
import { answerTheProvider, endByProvider } from '../../requests/provider-logout'
import type { Runtime } from '../../runtime/runtime'
import { MAX_SAML_BODY } from '../saml/samlp'

export const logoutCallback = defineEndpoint<Runtime>({
  name: 'logout.callback',
  limit: 'logout',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_SAML_BODY,
  methods: { GET: handle, POST: handle },
})

function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { SAMLRequest, answer } = allParameters(request)
  if (SAMLRequest !== undefined) return endByProvider(request, runtime)
  return answer === undefined ? goOn(request, runtime) : answerTheProvider(answer, request, runtime)
}

async function goOn(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { state, RelayState } = allParameters(request)
  const to = await afterUpstreamLogout(state ?? RelayState, runtime)
  return to === null
    ? respondWithPage({ screen: 'logged-out', frames: [] }, request, runtime)
    : redirect(to, request.method === 'POST' ? 303 : 302)
}
