// The screens of a login, each at `/u/<name>` (lib/pages/screens.ts). Read-only. A request for a screen that is not due is
// redirected to the due one.

import { brandOf } from '../../../data/organizations/organization'
import { defineEndpoint } from '../../../http/endpoint'
import { type HttpRequest, type HttpResponse, queryParameters, redirect } from '../../../http/message'
import { openTransaction } from '../../../login/flow/open'
import { freshFor, screenUrl } from '../../../login/flow/screen-urls'
import { viewOf } from '../../../login/flow/view-of'
import { dueScreens } from '../../../login/steps/index'
import { respondWithPage } from '../../../pages/respond'
import { type LoginScreen, type ScreenView, screenPath } from '../../../pages/screens'
import type { Branding } from '../../../pages/view'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

export const screens = defineEndpoint<Runtime>({
  name: 'u.screen',
  limit: 'pages',
  shed: 'last',
  // A page that is over or was bookmarked is no event.
  refused: (_known, code) => (code === 'access_denied' ? 'login_refused' : null),
  cors: 'none',
  errors: 'page',
  methods: { GET: show },
})

async function show(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const due = await findScreen(request, runtime)
  if ('elsewhere' in due) return redirect(due.elsewhere, 303)
  const { screen, uiLocales, brand } = due
  return respondWithPage(screen, request, runtime, { uiLocales, brand })
}

/** If nothing is missing, any submit finishes the login, whatever its button. */
const NOTHING_DUE: readonly LoginScreen[] = ['login']

/** The due screen of this path, or the URL of the screen that is due instead; throws if the login cannot continue. */
export async function findScreen(
  request: HttpRequest,
  runtime: Runtime,
): Promise<{ screen: ScreenView; uiLocales: string | null; brand: Partial<Branding> } | { elsewhere: string }> {
  const parameters = queryParameters(request)
  const visitor = readVisitor(request, runtime)
  const open = await openTransaction(parameters.state, visitor, runtime, freshFor(parameters, 'page'))
  const due = dueScreens(open.state)
  const here = (due.length > 0 ? due : NOTHING_DUE).find((screen) => screenPath(screen) === request.path)
  if (!here) return { elsewhere: runtime.baseUrl + screenUrl(due[0] ?? 'login', open.handle) }
  const { wants, organization } = open.state
  const screen = viewOf(open, here, parameters.notice, runtime)
  return { screen, uiLocales: wants.uiLocales, brand: organization ? brandOf(organization) : {} }
}
