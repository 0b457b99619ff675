// Begins the test of a SAML or WS-Federation add-on: the login that the application could request, without a request of its own (docs/adr/0072).
import type { Client } from '../../data/clients/client'
import { samlOf } from '../../data/clients/saml'
import type { LoginTest, TestedProtocol } from '../../data/login-tests/login-test'
import { organizationNameIn } from '../../data/organizations/client-organization'
import { type HttpRequest, type HttpResponse, redirect } from '../../http/message'
import { DomainError, unauthorizedClient, unknownClientPage } from '../../kernel/errors'
import { startLogin } from '../../login/begin/start'
import { requestStep } from '../../login/inspected-steps'
import type { Wants } from '../../login/transaction'
import { parseLogin } from '../../protocols/saml/request'
import type { TestRequest } from '../../protocols/test/protocol'
import { parseSignIn } from '../../protocols/wsfed/request'
import { parseSignInTarget } from '../../protocols/wsfed/target'
import { respondToVisitor } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'
import { noteRefusal } from './noted-refusal'

const STEP_NAMES = { samlp: 'saml', wsfed: 'wsfed' } as const

/** To the first page of the login; to the login inspector where there is none. */
export async function beginAnswerTest(
  { clientId, login, parameters }: LoginTest,
  protocol: TestedProtocol,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  const { trail } = runtime
  trail.follow(login)
  trail.context({ tested: true })
  try {
    const client = await runtime.clients.find(clientId)
    if (!client) throw unknownClientPage(clientId)
    trail.context({ client })
    const { tested, wants } = await requestOf(protocol, client, parameters, runtime)
    trail.step(() => requestStep(STEP_NAMES[protocol], parameters, { wants }))
    const origin = { protocol: 'test' as const, request: { ...tested, protocol, login } }
    const visitor = readVisitor(request, runtime)
    return respondToVisitor(await startLogin(origin, { ...wants, apart: {} }, visitor, runtime), runtime)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    noteRefusal(STEP_NAMES[protocol], parameters, error, runtime)
    runtime.report(error, request, { name: 'login_test.start', refused: 'login_refused' })
    await trail.settled()
    await runtime.storeLogins()
    return redirect(`${runtime.baseUrl}/console/logins/${login}`, 303)
  }
}

type Requested = { tested: Pick<TestRequest, 'request' | 'reply' | 'realm'>; wants: Wants }

async function requestOf(
  protocol: TestedProtocol,
  client: Client,
  parameters: Readonly<Record<string, string>>,
  runtime: Runtime,
): Promise<Requested> {
  const organization = await organizationNameIn(parameters.organization, client, runtime)
  if (protocol === 'wsfed') {
    const { request, wants } = parseSignIn(parameters, parseSignInTarget(parameters, client, organization))
    return { tested: { request, reply: request.reply, realm: request.realm }, wants }
  }
  const settings = samlOf(client)
  if (!settings)
    throw unauthorizedClient('SAML is not enabled for this client', { reason: 'saml_not_enabled', redirectable: false })
  const { request, wants } = parseLogin(null, parameters, client, settings, runtime, organization)
  return { tested: { request, reply: request.acs, realm: null }, wants }
}
