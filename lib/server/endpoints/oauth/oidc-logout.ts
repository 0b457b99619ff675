// GET and POST /oidc/logout (OIDC RP-Initiated Logout 1.0).
// - An id_token_hint of this server, expired or not, or a logout_hint (sid) of the browser's session logs out at once. Otherwise the
//   user must confirm, so no foreign page can end a session.
// - post_logout_redirect_uri must exactly match a registered one, including the query, of the client in the hint or in
//   client_id. Otherwise our own page reports it and no redirect happens.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { matchPostLogoutUri } from '../../../data/clients/registered-urls'
import { throughGet } from '../../../http/cross-site'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, SIGNED_OUT } from '../../../http/examples'
import { type HttpRequest, type HttpResponse, parametersOf, redirect } from '../../../http/message'
import { invalidRequest, unknownClientPage } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { findSession } from '../../../login/begin/signed-in'
import { bindBrowser, checkBinding } from '../../../login/browser'
import { clientView, personView } from '../../../login/flow/person-views'
import type { SignedIn, Visitor } from '../../../login/visitor'
import { respondWithPage } from '../../../pages/respond'
import { type IdTokenHint, readIdTokenHint } from '../../../protocols/oidc/id-token-hint'
import { setCookies } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { endSession, leave, unregisteredLogout } from '../../requests/end-session'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const oidcLogout = defineEndpoint<Runtime>({
  name: 'oidc.logout',
  limit: 'logout',
  shed: 'last',
  refused: 'logout_refused',
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  methods: { GET: handle, POST: handle },
  describe: () => ({
    tag: 'Logout',
    GET: {
      summary: 'End the session (OpenID Connect RP-Initiated Logout)',
      query: logoutParameters(),
      answers: ANSWERS,
      examples: { return: { query: { ...APP, post_logout_redirect_uri: SIGNED_OUT, state: 'xyz' } } },
    },
    POST: {
      summary: 'The same, with a form',
      body: logoutParameters().extend({
        action: optional('The button of the page: `logout` or `stay`'),
        confirmation: optional('The value that the page had'),
      }),
      encoding: 'form',
      answers: { ...ANSWERS, 303: { says: 'A form becomes a GET, which carries the cookies of this server' } },
      examples: { return: { body: { ...APP, post_logout_redirect_uri: SIGNED_OUT } } },
    },
  }),
})

const logoutParameters = () =>
  z.object({
    id_token_hint: optional('An ID token of the session'),
    logout_hint: optional('The `sid` of the session'),
    client_id: optional('The client, unless an ID token names it'),
    post_logout_redirect_uri: optional('One of the logout URLs of the client'),
    state: optional('Returned to the application unchanged'),
    ui_locales: optional('The languages of the pages, the preferred first'),
  })

const ANSWERS = {
  302: { says: 'To the given URL' },
  200: { says: 'A page that asks first, or that says that the session has ended', type: PAGE },
}

const FIELDS = ['id_token_hint', 'logout_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = parametersOf(request)
  const anew = throughGet(request, parameters, `${runtime.baseUrl}/oidc/logout`)
  if (anew) return anew
  const hint = await readHint(parameters.id_token_hint, runtime)
  const client = await findClient(parameters.client_id, hint, runtime)
  const target = provenTarget(parameters, client)
  const visitor = readVisitor(request, runtime)
  const signedIn = await findSession(visitor, runtime)
  if (signedIn && parameters.action === 'stay') return redirect(target ?? `${runtime.baseUrl}/`, target ? 302 : 303)
  if (!signedIn || isProven(parameters, hint, signedIn) || isConfirmed(visitor, parameters)) {
    const options = { uiLocales: parameters.ui_locales ?? null, page: true }
    return leave(target, await endSession(visitor, runtime), request, runtime, options)
  }
  return askFirst(request, visitor, parameters, client, signedIn, runtime)
}

async function readHint(token: string | undefined, runtime: Runtime): Promise<IdTokenHint | null> {
  if (token === undefined) return null
  const hint = await readIdTokenHint(token, runtime)
  if (!hint) {
    const page = { code: 'logout_hint', values: { parameter: 'id_token_hint' } }
    throw invalidRequest('The id_token_hint is not an ID token of this server', {
      reason: 'id_token_hint_invalid',
      redirectable: false,
      page,
    })
  }
  return hint
}

async function findClient(
  clientId: string | undefined,
  hint: IdTokenHint | null,
  runtime: Runtime,
): Promise<Client | null> {
  if (clientId !== undefined && hint && hint.aud !== clientId) {
    throw invalidRequest('client_id and id_token_hint name different clients', {
      reason: 'clients_differ',
      redirectable: false,
    })
  }
  const id = clientId ?? hint?.aud
  if (id === undefined) return null
  const client = await runtime.clients.find(id)
  if (!client) throw unknownClientPage(id)
  runtime.trail.context({ client })
  return client
}

function provenTarget({ post_logout_redirect_uri: uri, state }: Parameters, client: Client | null): string | null {
  if (uri === undefined) return null
  if (!client || !matchPostLogoutUri(client, uri)) {
    const registered = client?.settings.allowed_logout_urls ?? []
    throw unregisteredLogout('post_logout_redirect_uri', { post_logout_redirect_uri: uri }, registered)
  }
  if (state === undefined) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

/** The caller proves that it knows the session that would end. */
function isProven({ logout_hint }: Parameters, hint: IdTokenHint | null, { session, user }: SignedIn): boolean {
  if (logout_hint !== undefined && logout_hint === session.sid) return true
  return hint !== null && hint.sub === user.id && (hint.sid === null || hint.sid === session.sid)
}

/** The button of our own page, in the browser that the page was shown in. */
function isConfirmed(visitor: Visitor, { action, confirmation }: Parameters): boolean {
  if (visitor.method !== 'POST' || action !== 'logout' || confirmation === undefined) return false
  return checkBinding(visitor, Buffer.from(confirmation, 'base64url')) === 'bound'
}

async function askFirst(
  request: HttpRequest,
  visitor: Visitor,
  parameters: Parameters,
  client: Client | null,
  { user }: SignedIn,
  runtime: Runtime,
): Promise<HttpResponse> {
  const browser = bindBrowser(visitor, runtime)
  const sent = FIELDS.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]]))
  const fields = { ...Object.fromEntries(sent), confirmation: Buffer.from(browser.digest).toString('base64url') }
  const view = {
    screen: 'confirm-logout' as const,
    action: '/oidc/logout',
    fields,
    user: personView(user),
    ...(client ? { client: clientView(client) } : {}),
  }
  const page = await respondWithPage(view, request, runtime, { uiLocales: parameters.ui_locales ?? null })
  return setCookies(page, browser.cookies, runtime)
}
