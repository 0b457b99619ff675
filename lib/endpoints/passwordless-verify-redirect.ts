// /passwordless/verify_redirect: a code that was typed, or a link that was sent, becomes an authorization answer.
// - A link: opening it shows a page with a button and changes nothing, for mail scanners open links; the button signs in, in
//   the browser that was shown it. It goes on with what was stored when it was asked for, whatever its address says
//   (threat-model.md PW3).
// - A typed code comes in the address as auth0-js sends it, from a page that has just asked its user for it: it finishes.
// - The target is proven as at /authorize before anything is used up.
import {
  authenticateByCode,
  isPasswordless,
  lookAtCode,
  methodOf,
  type PasswordlessConnection,
  readAddress,
  wrongCode,
} from '../connections/strategies/passwordless'
import { VERIFY_REDIRECT } from '../connections/strategies/passwordless-message'
import { defineEndpoint } from '../http/endpoint'
import {
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  type Parameters,
  queryParameters,
  withHeaders,
} from '../http/message'
import { accessDenied, DomainError, tooManyCodes } from '../kernel/errors'
import { bindBrowser, checkBinding } from '../login/browser'
import { clientView } from '../login/screens'
import { startWithProof } from '../login/start-with-proof'
import { isLinkSecret, type LinkRequest } from '../one-time-code'
import { respondWithPage } from '../pages/respond'
import type { Runtime } from '../runtime/runtime'
import { answerAuthorization } from './authorization-request'
import { expiredLink } from './mail-link'

export const passwordlessVerifyRedirect = defineEndpoint<Runtime>({
  name: 'passwordless.verify_redirect',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  methods: {
    async GET(request, runtime) {
      const parameters = queryParameters(request)
      const sent = await read(parameters, request, runtime)
      const link = await lookAtLink(sent, runtime)
      if (link) return askFirst(sent, link, request, runtime)
      if (request.method === 'HEAD') throw new DomainError('method_not_allowed', 'A code is used by GET alone')
      return finish(sent, parameters, request, runtime)
    },
    async POST(request, runtime) {
      const parameters = bodyParameters(request)
      const sent = await read(parameters, request, runtime)
      const link = await lookAtLink(sent, runtime)
      if (!link) throw expiredLink(runtime)
      const shown = Buffer.from(parameters.confirmation ?? '', 'base64url')
      if (checkBinding(request, shown, runtime) !== 'bound') return askFirst(sent, link, request, runtime)
      return finish(sent, link, request, runtime)
    },
  },
})

type SentCode = { connection: PasswordlessConnection; address: string; code: string; ip: string }

async function read(parameters: Parameters, { ip }: HttpRequest, runtime: Runtime): Promise<SentCode> {
  const { connection: name, verification_code: code, email, phone_number } = parameters
  const connection = (await runtime.connections.all()).find((candidate) => candidate.name === name)
  if (!isPasswordless(connection) || code === undefined) throw expiredLink(runtime)
  const address = await readAddress(connection, (connection.strategy === 'email' ? email : phone_number) ?? '')
  if (address === null) throw expiredLink(runtime)
  return { connection, address, code, ip }
}

async function lookAtLink({ connection, ...attempt }: SentCode, runtime: Runtime): Promise<LinkRequest | null> {
  if (!isLinkSecret(attempt.code)) return null
  const tried = await lookAtCode(connection, { ...attempt, clientId: null }, runtime)
  if (tried === null) throw tooManyCodes()
  if (tried.outcome === 'fits' && tried.request) return tried.request
  throw expiredLink(runtime)
}

async function askFirst(
  { connection, address, code }: SentCode,
  link: LinkRequest,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const client = await runtime.clients.find(link.client_id ?? '')
  if (!client) throw expiredLink(runtime)
  const browser = bindBrowser(request, runtime, runtime.random)
  const confirmation = Buffer.from(browser.digest).toString('base64url')
  const page = {
    screen: 'passwordless-link' as const,
    phase: 'here' as const,
    action: VERIFY_REDIRECT,
    fields: { connection: connection.name, email: address, verification_code: code, confirmation },
    client: clientView(client),
    email: address,
  }
  return withHeaders(await respondWithPage(page, request, runtime), ...browser.cookies)
}

function finish(
  { connection, ...attempt }: SentCode,
  parameters: Parameters,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const asked = { ...parameters, response_type: parameters.response_type ?? 'code' }
  return answerAuthorization(asked, request, runtime, async (origin, wants) => {
    const at = runtime.clock.now().toISOString()
    const verdict = await authenticateByCode(connection, { ...attempt, clientId: wants.clientId }, runtime)
    if (verdict.outcome === 'too_many') throw tooManyCodes()
    if (verdict.outcome !== 'proven') throw accessDenied(wrongCode(connection))
    const proof = { method: methodOf(connection), at, connection: connection.name }
    return startWithProof(origin, wants, { user: verdict.user, evidence: [proof] }, request, runtime)
  })
}
