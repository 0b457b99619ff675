// The hosted pages of a login: /u/login, /u/select-account, /u/consent. Reading only; what is not due here is
// redirected to where it is due.
import { defineEndpoint } from '../http/endpoint'
import { type HttpRequest, type HttpResponse, queryParameters, redirect } from '../http/message'
import { openTransaction } from '../login/open'
import { isScreenPath, screenUrl, viewOf } from '../login/screens'
import { respondWithPage } from '../pages/respond'
import type { Runtime } from '../runtime/runtime'

export const screens = defineEndpoint<Runtime>({
  name: 'u.screen',
  cors: 'none',
  errors: 'page',
  methods: { GET: show },
})

async function show(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { state, notice } = queryParameters(request)
  const open = await openTransaction(state, request, runtime)
  const due = open.screen ?? 'login'
  if (!isScreenPath(due, request.path)) return redirect(runtime.baseUrl + screenUrl(due, open.handle), 303)
  const view = await viewOf(open, due, notice, runtime)
  return respondWithPage(view, request, runtime, { uiLocales: open.state.wants.uiLocales })
}
