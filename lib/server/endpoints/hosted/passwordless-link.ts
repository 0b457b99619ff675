// /u/passwordless-link: the mailed link that continues a login. Opening it changes nothing, because mail scanners open links.
// Its button finishes the login here, or answers for the waiting browser (lib/login/flow/login-link.ts).

import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters } from '../../../http/message'
import { LINK_PATH } from '../../../identity/strategies/passwordless-message'
import type { Parameters } from '../../../kernel/parameters'
import { readCode } from '../../../kernel/typed'
import { expiredLink } from '../../../login/expired-link'
import { answerElsewhere, finishHere, type OpenedLink, openLink } from '../../../login/flow/login-link'
import { clientView } from '../../../login/flow/person-views'
import type { Visitor } from '../../../login/visitor'
import { respondWithPage } from '../../../pages/respond'
import type { ViewOf } from '../../../pages/screens'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

export const passwordlessLink = defineEndpoint<Runtime>({
  name: 'u.passwordless_link',
  limit: 'pages',
  shed: 'last',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      const link = await opened(queryParameters(request), readVisitor(request, runtime), runtime)
      return ask(link, request, runtime)
    },
    async POST(request, runtime) {
      const sent = bodyParameters(request)
      const visitor = readVisitor(request, runtime)
      const link = await opened(sent, visitor, runtime)
      if (!link.here) return answer(link, sent, request, runtime)
      if (sent.action !== 'login') return ask(link, request, runtime)
      return respondToVisitor(await finishHere(link, visitor, runtime), runtime)
    },
  },
})

async function opened(parameters: Parameters, visitor: Visitor, runtime: Runtime): Promise<OpenedLink> {
  const link = await openLink(parameters, visitor, runtime)
  if (link) return link
  throw expiredLink('login')
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
  const phase = await answerElsewhere(link, approves ? readCode(number) : null, runtime)
  if (phase === null) throw expiredLink('login')
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
  if (!client) throw expiredLink('login')
  const screen = 'passwordless-link' as const
  return respondWithPage({ screen, client: clientView(client), ...page }, request, runtime, {
    uiLocales: wants.uiLocales,
  })
}
