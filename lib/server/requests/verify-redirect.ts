// The code or link of a message, exchanged for an authorization response.

import type { Client } from '../../data/clients/client'
import { isPageOf } from '../../data/clients/origins'
import { isPasswordless, type PasswordlessConnection } from '../../data/connections/connection'
import { canonical, displayNameOf, type User } from '../../data/users/user'
import { bodyParameters, type HttpRequest, type HttpResponse, queryParameters } from '../../http/message'
import { type RequestOrigin, senderOf } from '../../http/navigation'
import { type CarriedParameters, isLinkSecret } from '../../identity/one-time-codes/one-time-code'
import {
  authenticateByCode,
  lookAtCode,
  methodOf,
  REASON_OF_CODE,
  readAddress,
  wrongCode,
} from '../../identity/strategies/passwordless'
import { VERIFY_REDIRECT } from '../../identity/strategies/passwordless-message'
import { accessDenied, DomainError, tooManyCodes } from '../../kernel/errors'
import { type Parameters, sentOf } from '../../kernel/parameters'
import { findSession } from '../../login/begin/signed-in'
import { startWithProof } from '../../login/begin/start-with-proof'
import { bindBrowser, checkBinding } from '../../login/browser'
import { expiredLink } from '../../login/expired-link'
import { clientView } from '../../login/flow/person-views'
import { pageStep } from '../../login/inspected-steps'
import type { Origin, Wants } from '../../login/transaction'
import type { Visitor } from '../../login/visitor'
import { respondWithPage } from '../../pages/respond'
import { respondToVisitor, setCookies } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'
import { answerAuthorization } from './authorization-request'

export async function lookAtSent(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = queryParameters(request)
  const sent = await read(parameters, readVisitor(request, runtime), runtime)
  const link = await lookAtLink(sent, runtime)
  if (link) return askAboutLink(sent, link, request, runtime)
  if (request.method === 'HEAD') throw new DomainError('method_not_allowed', 'A code is used by GET alone')
  return answer(sent, parameters, 'unasked', request, runtime)
}

export async function answerSent(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { confirmation = '', action: _, ...parameters } = bodyParameters(request)
  const sent = await read(parameters, readVisitor(request, runtime), runtime)
  const link = await lookAtLink(sent, runtime)
  const isShown = checkBinding(sent.visitor, Buffer.from(confirmation, 'base64url')) === 'bound'
  if (link && !isShown) return askAboutLink(sent, link, request, runtime)
  return answer(sent, link ?? parameters, isShown ? 'given' : 'missing', request, runtime)
}

type SentCode = { connection: PasswordlessConnection; address: string; code: string; visitor: Visitor }

async function read(parameters: Parameters, visitor: Visitor, runtime: Runtime): Promise<SentCode> {
  const { connection: name, verification_code: code, email, phone_number } = parameters
  const connection = (await runtime.connections.all()).find((candidate) => candidate.name === name)
  if (!isPasswordless(connection) || code === undefined) throw expiredLink('login')
  const address = await readAddress(connection, (connection.strategy === 'email' ? email : phone_number) ?? '')
  if (address === null) throw expiredLink('login')
  return { connection, address, code, visitor }
}

const attemptOf = ({ address, code, visitor }: SentCode) => ({ address, code, ip: visitor.ip })

async function lookAtLink(sent: SentCode, runtime: Runtime): Promise<CarriedParameters | null> {
  if (!isLinkSecret(sent.code)) return null
  const tried = await lookAtCode(sent.connection, { ...attemptOf(sent), clientId: null }, runtime)
  if (tried === null) throw tooManyCodes()
  if (tried.outcome === 'fits' && tried.request) return tried.request
  throw expiredLink('login')
}

async function otherSignedIn({ connection, address, visitor }: SentCode, runtime: Runtime) {
  const signedIn = await findSession(visitor, runtime)
  if (!signedIn) return null
  const account = await runtime.users.findAccount(connection.id, canonical(address))
  return account?.user.id === signedIn.user.id ? null : signedIn.user
}

async function askAboutLink(
  sent: SentCode,
  link: CarriedParameters,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const client = await runtime.clients.find(link.client_id ?? '')
  if (!client) throw expiredLink('login')
  const other = await otherSignedIn(sent, runtime)
  return askFirst(sent, { client, other, fields: {} }, request, runtime)
}

type Question = { client: Client; other: User | null; fields: Parameters; typed?: true }

async function askFirst(
  { connection, address, code, visitor }: SentCode,
  { client, other, fields, ...kind }: Question,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const browser = bindBrowser(visitor, runtime)
  const confirmation = Buffer.from(browser.digest).toString('base64url')
  const own = {
    connection: connection.name,
    [connection.strategy === 'email' ? 'email' : 'phone_number']: address,
    verification_code: code,
    confirmation,
  }
  const page = {
    screen: 'passwordless-link' as const,
    phase: 'here' as const,
    action: VERIFY_REDIRECT,
    fields: { ...sentOf(fields), ...own },
    client: clientView(client),
    email: address,
    ...kind,
    ...(other ? { replaces: other.email ?? displayNameOf(other) } : {}),
  }
  runtime.trail.step(pageStep(page.screen, {}))
  return setCookies(await respondWithPage(page, request, runtime), browser.cookies, runtime)
}

/** `given` by the button of our own page; `unasked` for a GET, which may need no confirmation. */
type Confirmation = 'given' | 'missing' | 'unasked'

function answer(
  sent: SentCode,
  parameters: Parameters,
  confirmation: Confirmation,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const withResponseType = { ...parameters, response_type: parameters.response_type ?? 'code' }
  return answerAuthorization(withResponseType, request, runtime, async (origin, wants) => {
    const asking = { clientId: wants.clientId, fields: parameters, confirmation }
    const question = confirmation === 'given' ? null : await questionAbout(sent, asking, request, runtime)
    if (!question) return finish(sent, origin, wants, runtime)
    if (wants.prompt.includes('none'))
      throw new DomainError('interaction_required', 'The person must confirm the login')
    return askFirst(sent, question, request, runtime)
  })
}

/** Null if no other user's session would end and the code comes from a page of the client, or from no browser (BF4). */
async function questionAbout(
  sent: SentCode,
  { clientId, fields, confirmation }: { clientId: string; fields: Parameters; confirmation: Confirmation },
  request: HttpRequest,
  runtime: Runtime,
): Promise<Question | null> {
  const client = await runtime.clients.find(clientId)
  if (!client) return null
  const other = await otherSignedIn(sent, runtime)
  const sender = senderOf(request, runtime.baseUrl)
  const isSentHere = sender === 'no-browser' || (await isOfApplication(sender, client, runtime))
  if (confirmation === 'unasked' && other === null && isSentHere) return null
  return { client, other, fields, typed: true }
}

const isOfApplication = async (sender: RequestOrigin, client: Client, runtime: Runtime): Promise<boolean> =>
  typeof sender === 'object' && (sender.origin === runtime.baseUrl || (await isPageOf(client, sender.origin, runtime)))

async function finish(sent: SentCode, origin: Origin, wants: Wants, runtime: Runtime): Promise<HttpResponse> {
  const { connection, visitor } = sent
  const verdict = await authenticateByCode(connection, { ...attemptOf(sent), clientId: wants.clientId }, runtime)
  if (verdict.outcome === 'too_many') throw tooManyCodes()
  if (verdict.outcome !== 'proven')
    throw accessDenied(wrongCode(connection), { reason: REASON_OF_CODE[verdict.outcome] })
  const proof = { method: methodOf(connection), at: verdict.at, connection: connection.name }
  const requested = isLinkSecret(sent.code) ? { ...wants, startedElsewhere: true as const } : wants
  const response = await startWithProof(origin, requested, { user: verdict.user, evidence: [proof] }, visitor, runtime)
  return respondToVisitor(response, runtime)
}
