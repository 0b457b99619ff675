// The hosted pages of a login: /u/login, /u/signup, /u/forgot-password, /u/passwordless…, /u/select-account, /u/mfa-…, /u/link-account,
// /u/consent. Reading only; what is not due here is redirected to where it is due.
import { defineEndpoint } from '../../http/endpoint'
import { type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../http/message'
import { openTransaction } from '../../login/steps/open'
import { dueScreens, type LoginScreen } from '../../login/steps/requirements'
import { freshFor, isScreenPath, screenUrl, viewOf } from '../../login/steps/screens'
import { respondWithPage } from '../../pages/respond'
import type { ScreenView } from '../../pages/view'
import type { Runtime } from '../../runtime/runtime'

export const screens = defineEndpoint<Runtime>({
  name: 'u.screen',
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  methods: { GET: show },
})

async function show(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const due = await findScreen(request, runtime)
  if ('elsewhere' in due) return redirect(due.elsewhere, 303)
  return respondWithPage(due.screen, request, runtime, { uiLocales: due.uiLocales })
}

/** A login that lacks nothing is finished by the next submit, whichever button that is. */
const NOTHING_DUE: readonly LoginScreen[] = ['login']

/** The screen that is due at this address, or the address where another one is; throws what refuses to go on. */
export async function findScreen(
  request: HttpRequest,
  runtime: Runtime,
): Promise<{ screen: ScreenView; uiLocales: string | null } | { elsewhere: string }> {
  const { state, notice } = queryParameters(request)
  const open = await openTransaction(state, request, runtime, freshFor(request))
  const due = dueScreens(open.state)
  const here = (due.length > 0 ? due : NOTHING_DUE).find((screen) => isScreenPath(screen, request.path))
  if (!here) return { elsewhere: runtime.baseUrl + screenUrl(due[0] ?? 'login', open.handle) }
  return { screen: viewOf(open, here, notice, runtime), uiLocales: open.state.wants.uiLocales }
}
