// GET and POST /continue: the return from a site that a rule redirected to (the vendor's `api.redirect`). A form posted by the
// other site carries no cookie, so a page of this server submits it again.
import { asOwn } from '../../../http/cross-site'
import { defineEndpoint } from '../../../http/endpoint'
import {
  allParameters,
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  queryParameters,
} from '../../../http/message'
import { CONTINUE_PATH, continueLogin } from '../../../login/flow/continue'
import { refusalEvent } from '../../../login/reset-origin'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

/** The largest form of the other site, including a signed token. */
const MAX_BYTES = 32 * 1024

export const continueAfterRedirect = defineEndpoint<Runtime>({
  name: 'continue',
  limit: 'authorize',
  shed: 'last',
  refused: refusalEvent,
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_BYTES,
  methods: { GET: handle, POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const own = asOwn(request, allParameters(request), runtime.baseUrl + CONTINUE_PATH, runtime.random)
  if (own) return own
  const body = request.method === 'POST' ? bodyParameters(request) : {}
  const sent = { query: queryParameters(request), body }
  return respondToVisitor(await continueLogin(sent, readVisitor(request, runtime), runtime), runtime)
}
