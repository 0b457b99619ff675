// What every way to an authorization answer does: prove the target, read the request, and from then on let errors travel to
// the application. `begin` is how the login begins.

import type { Client } from '../clients/client'
import type { HttpRequest, HttpResponse, Parameters } from '../http/message'
import { DomainError } from '../kernel/errors'
import type { Origin, Wants } from '../login/transaction'
import { readRequest } from '../protocols/oidc/read'
import { type AuthorizeRequest, checkNeedNotSign } from '../protocols/oidc/request'
import { refuse } from '../protocols/oidc/response'
import { parseTarget } from '../protocols/oidc/target'
import type { Runtime } from '../runtime/runtime'

type Begin = (origin: Origin, wants: Wants) => Promise<HttpResponse>

export type Reading = {
  /** Throws what the client may not ask for in this way; unless said otherwise, what it has to sign. */
  check?(client: Client): void
  /** Whom a hint named that was verified when the request was pushed. */
  subject?: string | null
  /** What is to be known of the request besides. */
  mark?: Partial<AuthorizeRequest>
}

export async function answerAuthorization(
  parameters: Parameters,
  request: HttpRequest,
  runtime: Runtime,
  begin: Begin,
  { check = checkNeedNotSign, subject, mark }: Reading = {},
): Promise<HttpResponse> {
  const found = parameters.client_id === undefined ? null : await runtime.clients.find(parameters.client_id)
  const target = parseTarget(parameters, found)
  try {
    check(target.client)
    const { request: parsed, wants } = await readRequest(parameters, target, runtime, subject)
    return await begin({ protocol: 'oidc', request: mark ? { ...parsed, ...mark } : parsed }, wants)
  } catch (error) {
    if (!(error instanceof DomainError) || !error.redirectable) throw error
    runtime.report(error, request, 'authorize')
    return refuse(target.returnTo, error, runtime)
  }
}
