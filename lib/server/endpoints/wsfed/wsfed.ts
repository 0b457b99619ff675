// GET /wsfed and /wsfed/{client_id} (the contract's "WS-Federation"): sign-in through the login pipeline, and sign-out.
// `wsignoutcleanup1.0`, which a server sends to its relying parties, ends the session here like `wsignout1.0`.

import * as z from 'zod'
import { ACTION } from '../../../crypto/saml/ws-federation'
import type { Client } from '../../../data/clients/client'
import { organizationNameIn } from '../../../data/organizations/client-organization'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { type HttpRequest, type HttpResponse, queryParameters } from '../../../http/message'
import { DomainError, malformedParameter } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { startLogin } from '../../../login/begin/start'
import { requestStep } from '../../../login/inspected-steps'
import { parseSignIn } from '../../../protocols/wsfed/request'
import { refuse } from '../../../protocols/wsfed/response'
import { findRelyingParty, parseSignInTarget } from '../../../protocols/wsfed/target'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { checkReturn, endSession, leave } from '../../requests/end-session'
import { noteRefusal, notingRefusal } from '../../requests/noted-refusal'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const wsfed = defineEndpoint<Runtime>({
  name: 'wsfed',
  limit: 'authorize',
  shed: 'first',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  methods: { GET: handle },
  describe: () => ({
    tag: 'WS-Federation',
    GET: {
      summary: 'Sign a person in or out',
      query: z.object({
        wa: optional('`wsignin1.0`, the default, or `wsignout1.0`'),
        wtrealm: optional('The realm of the client'),
        'client-id': optional('The client, where neither path nor realm names it'),
        wreply: optional('Where the response is posted, or where the browser continues after the logout'),
        wctx: optional('Returned to the client unchanged'),
        whr: optional('The connection to sign in with'),
        wfresh: optional('The largest age of the login in minutes'),
        organization: optional('The organization to sign in to'),
        wauth: optional('The kind of login that is required'),
      }),
      answers: {
        302: { says: 'To the login page, or on after the logout' },
        200: { says: 'A form that posts the response to the client, or the page after a logout', type: PAGE },
      },
      examples: { login: { path: APP, query: { wtrealm: 'urn:shop-app', wctx: 'orders' } } },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = queryParameters(request)
  const action = parameters.wa ?? ACTION.signIn
  const find = () => findRelyingParty(parameters, request.params.client_id, runtime.clients)
  const client = await (action === ACTION.signIn ? notingRefusal('wsfed', parameters, runtime, find) : find())
  if (client) runtime.trail.context({ client })
  switch (action) {
    case ACTION.signIn:
      return signIn(parameters, client, request, runtime)
    case ACTION.signOut:
    case ACTION.cleanUp:
      return signOut(parameters, client, request, runtime)
    default:
      throw malformedParameter('wa', undefined, { redirectable: false })
  }
}

async function signIn(
  parameters: Parameters,
  client: Client | null,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const organization = await organizationNameIn(parameters.organization, client, runtime)
  const target = await notingRefusal('wsfed', parameters, runtime, () =>
    parseSignInTarget(parameters, client, organization),
  )
  try {
    const { request: parsed, wants } = parseSignIn(parameters, target)
    runtime.trail.login()
    runtime.trail.step(() => requestStep('wsfed', parameters, { wants }))
    const visitor = readVisitor(request, runtime)
    return respondToVisitor(await startLogin({ protocol: 'wsfed', request: parsed }, wants, visitor, runtime), runtime)
  } catch (error) {
    if (!(error instanceof DomainError) || !error.redirectable) throw error
    noteRefusal('wsfed', parameters, error, runtime)
    runtime.report(error, request, wsfed)
    return respondToVisitor(refuse(target, error), runtime)
  }
}

async function signOut(
  { wreply }: Parameters,
  client: Client | null,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  if (wreply !== undefined) checkReturn('wreply', wreply, client, runtime)
  return leave(wreply ?? null, await endSession(readVisitor(request, runtime), runtime), request, runtime, {
    page: true,
  })
}
