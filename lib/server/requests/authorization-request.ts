// Shared by all authorization endpoints: validate client and redirect URI, check the form of the request that the client
// requires, read the request. From then on errors are redirected to the client. `begin` starts the login.
import type { Client } from '../../data/clients/client'
import { type LoginTest, testOfRequest } from '../../data/login-tests/login-test'
import { organizationNameIn } from '../../data/organizations/client-organization'
import type { HttpRequest, HttpResponse } from '../../http/message'
import { DomainError, invalidRequest } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { requestStep } from '../../login/inspected-steps'
import type { Origin, Wants } from '../../login/transaction'
import { readRequest } from '../../protocols/oidc/read'
import { checkNeedNotSign } from '../../protocols/oidc/request'
import { refuse } from '../../protocols/oidc/response'
import { parseAuthorizationTarget } from '../../protocols/oidc/target'
import { respondToVisitor } from '../login-http/respond'
import type { Runtime } from '../runtime/runtime'
import { noteRefusal, notingRefusal } from './noted-refusal'

type Begin = (origin: Origin, wants: Wants) => Promise<HttpResponse>

/** How the request arrived: as plain parameters, as a signed request object, or pushed by the client beforehand. */
type Arrival = 'plain' | 'signed' | 'pushed'

export type AuthorizationReading = {
  /** The default is `plain`. */
  arrival?: Arrival
  /** The user of a hint that was verified when the request was pushed. */
  subject?: string | null
  /** What is wrong with a parameter that could not be read. */
  problem?: DomainError
  /** The digest of the ticket of an invitation that was pushed. */
  invitation?: string | undefined
}

/** The name of an authorization request in logs, for any endpoint. */
export const AUTHORIZE = { name: 'authorize', refused: 'login_refused' } as const

export async function answerAuthorization(
  parameters: Parameters,
  request: HttpRequest,
  runtime: Runtime,
  begin: Begin,
  { arrival = 'plain', problem, subject, invitation }: AuthorizationReading = {},
): Promise<HttpResponse> {
  const found = parameters.client_id === undefined ? null : await runtime.clients.find(parameters.client_id)
  if (found) runtime.trail.context({ client: found })
  const test = arrival === 'plain' ? await testOfRequest(parameters, runtime) : null
  if (test) followTest(test, runtime)
  const target = await targetOf(parameters, found, test !== null, runtime)
  try {
    if (problem) throw problem
    checkArrival(arrival, target.client)
    const { request: parsed, wants: requested } = await readRequest(parameters, target, runtime, subject)
    const wants = test ? { ...requested, apart: test.opens === undefined ? {} : { opens: test.opens } } : requested
    runtime.trail.step(() => requestStep('oidc', parameters, { wants }))
    const origin = { protocol: 'oidc' as const, request: arrival === 'plain' ? parsed : { ...parsed, pushed: true } }
    return await begin(origin, invitation === undefined ? wants : { ...wants, invitation })
  } catch (error) {
    if (!(error instanceof DomainError) || !error.redirectable) throw error
    noteRefusal('oidc', parameters, error, runtime)
    runtime.report(error, request, AUTHORIZE)
    return respondToVisitor(await refuse(target.returnTo, error, runtime), runtime)
  }
}

/** The login was named when the test was made. */
function followTest({ login }: LoginTest, { trail }: Runtime): void {
  trail.follow(login)
  trail.context({ tested: true })
}

/** The client and address of the answer; what refuses them is a step of the login that does not begin. */
async function targetOf(parameters: Parameters, client: Client | null, isTest: boolean, runtime: Runtime) {
  const organization = await organizationNameIn(parameters.organization, client, runtime)
  return notingRefusal('oidc', parameters, runtime, () =>
    parseAuthorizationTarget(parameters, client, organization, isTest),
  )
}

/**
 * Checked at every endpoint that issues authorization responses; otherwise the client's requirement could be bypassed (RFC 9126
 * 6, RFC 9101 10.5; BF11).
 */
function checkArrival(arrival: Arrival, client: Client): void {
  if (arrival === 'plain') checkNeedNotSign(client)
  if (arrival !== 'pushed' && client.settings.require_pushed_authorization_requests) {
    throw invalidRequest('This client must push its requests', { reason: 'request_not_pushed' })
  }
}
