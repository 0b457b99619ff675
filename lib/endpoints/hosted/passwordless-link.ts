// /u/passwordless-link: the mailed link that continues a login. Opening it changes nothing, because mail scanners open links.
// Its button finishes the login here, or answers for the waiting browser (lib/login/steps/login-link.ts).

import { defineEndpoint } from '../../http/endpoint'
import {
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  type Parameters,
  queryParameters,
} from '../../http/message'
import { answerElsewhere, finishHere, type OpenedLink, openLink } from '../../login/steps/login-link'
import { clientView } from '../../login/steps/screens'
import { respondWithPage } from '../../pages/respond'
import type { ViewOf } from '../../pages/screens'
import type { Runtime } from '../../runtime/runtime'
import { LINK_PATH } from '../../strategies/passwordless-message'
import { expiredLink } from './mail-link'

export const passwordlessLink = defineEndpoint<Runtime>({
  name: 'u.passwordless_link',
  limit: 'pages',
  shed: 'last',
  refused: null,
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      return ask(await opened(queryParameters(request), request, runtime), request, runtime)
    },
    async POST(request, runtime) {
      const sent = bodyParameters(request)
      const link = await opened(sent, request, runtime)
      if (link.here) return sent.action === 'login' ? finishHere(link, request, runtime) : ask(link, request, runtime)
      return answer(link, sent, request, runtime)
    },
  },
})

async function opened(parameters: Parameters, request: HttpRequest, runtime: Runtime): Promise<OpenedLink> {
  const link = await openLink(parameters, request, runtime)
  if (link) return link
  throw expiredLink(runtime)
}

function ask(link: OpenedLink, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const page = {
    phase: link.here ? ('here' as const) : ('elsewhere' as const),
    action: LINK_PATH,
    fields: { state: link.handle, ticket: link.secret },
    email: link.link.address,
  }
  return show(link, page, request, runtime)
}

async function answer(link: OpenedLink, { action, number = '' }: Parameters, request: HttpRequest, runtime: Runtime) {
  const approves = action === 'approve'
  if (!approves && action !== 'reject') return ask(link, request, runtime)
  const phase = await answerElsewhere(link, approves ? number.trim() : null, runtime)
  if (phase === null) throw expiredLink(runtime)
  return show(link, { phase }, request, runtime)
}

type WithoutFrame<View> = View extends unknown ? Omit<View, 'screen' | 'client'> : never

async function show(
  { transaction: { wants } }: OpenedLink,
  page: WithoutFrame<ViewOf<'passwordless-link'>>,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const client = await runtime.clients.find(wants.clientId)
  if (!client) throw expiredLink(runtime)
  const screen = 'passwordless-link' as const
  return respondWithPage({ screen, client: clientView(client), ...page }, request, runtime, {
    uiLocales: wants.uiLocales,
  })
}
