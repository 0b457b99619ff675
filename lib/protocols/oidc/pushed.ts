// Pushed authorization requests (RFC 9126): validated when they are pushed, stored for 30 seconds under an unguessable name, and
// usable for one login, of the client that pushed them (threat-model.md CO8).
// - The browser that opened one may open it again until that login ends: a reload shows the login, not an error (FAPI 2.0 5.3.2.2).
// - A request_uri is looked up among the stored requests and never fetched (AZ8).
// - A pushed request object (request-object.ts) is verified, and its parameters are stored.
// - Only the pushed parameters count: other parameters in the address are ignored (RFC 9101 6.3).
import type { Trail } from '../../data/audit/trail'
import { type Client, PUSHED_SECONDS } from '../../data/clients/client'
import { type OrganizationNameDeps, organizationNameIn } from '../../data/organizations/client-organization'
import { consumeTicket, issueTicket, type TicketDeps, ticketKind } from '../../data/tickets/ticket'
import { DomainError, invalidRequest, malformedParameter } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { Vault } from '../../kernel/secret'
import { repeatableOf } from './parameters'
import { type ReadDeps, readRequest } from './read'
import { checkNeedNotSign } from './request'
import type { RequestObjectDeps } from './request-object'
import { parseAuthorizationTarget } from './target'

const PREFIX = 'urn:ietf:params:oauth:request_uri:'
/** The vendor's lifetime. */

/** `subject` is the user of a verified id_token_hint, `invitation` the digest of a ticket; neither token nor ticket is stored. */
export type Pushed = {
  parameters: Record<string, string>
  subject: string | null
  invitation?: string
  /** The id of the login, for the log. */
  login?: string
}

const PUSHED = ticketKind<Pushed>('pushed-request', PUSHED_SECONDS)

export type PushedAnswer = { request_uri: string; expires_in: number }

/** `jkt` is the thumbprint of the key that the request proves, which the code will be bound to (RFC 9449 10.1). */
export async function push(
  sent: Parameters,
  client: Client,
  jkt: string | undefined,
  deps: ReadDeps & RequestObjectDeps & TicketDeps & OrganizationNameDeps & { trail: Pick<Trail, 'login'> },
): Promise<PushedAnswer> {
  if (sent.request_uri !== undefined)
    throw malformedParameter('request_uri', 'A pushed request cannot be a request_uri')
  const parameters = withKey(await parametersOf(sent, client, deps), jkt)
  const organization = await organizationNameIn(parameters.organization, client, deps)
  const { wants } = await readRequest(parameters, parseAuthorizationTarget(parameters, client, organization), deps)
  const { subject, invitation } = wants
  const pushed: Pushed = {
    ...{ parameters: repeatableOf(parameters), subject, login: deps.trail.login() },
    ...(invitation === undefined ? {} : { invitation }),
  }
  const { par_request_expiry: lifetimeSeconds = PUSHED_SECONDS } = client.settings
  return {
    request_uri: PREFIX + (await issueTicket(PUSHED, pushed, deps, { lifetimeSeconds })),
    expires_in: lifetimeSeconds,
  }
}

function withKey(parameters: Parameters, jkt: string | undefined): Parameters {
  if (jkt === undefined) return parameters
  if ((parameters.dpop_jkt ?? jkt) === jkt) return { ...parameters, dpop_jkt: jkt }
  throw new DomainError('invalid_dpop_proof', 'The DPoP proof is of another key than dpop_jkt', {
    reason: 'key_unproven',
  })
}

async function parametersOf(sent: Parameters, client: Client, deps: ReadDeps & RequestObjectDeps): Promise<Parameters> {
  if (sent.request !== undefined) {
    const { openRequestObject, unsignedRequest } = await import('./request-object')
    const signed = await openRequestObject(sent, client, deps)
    if (!signed) throw unsignedRequest()
    return signed
  }
  checkNeedNotSign(client)
  return { ...sent, client_id: client.clientId }
}

/** Consumes the pushed request that `request_uri` names; null if it was used before, has expired or is of another client. */
export async function takePushed(
  { client_id, request_uri = '' }: Parameters,
  deps: Omit<TicketDeps, 'random'>,
): Promise<Pushed | null> {
  const pushed = await consumeTicket(PUSHED, request_uri.slice(PREFIX.length), deps)
  return pushed?.parameters.client_id === client_id ? pushed : null
}

/** Whether the request has a request_uri of this server. */
export const isPushed = ({ client_id, request_uri }: Parameters): boolean =>
  client_id !== undefined && request_uri?.startsWith(PREFIX) === true

/** The handle of the login that a pushed request begins: the browser that began it can open the request again. */
export const pushedHandle = ({ request_uri = '' }: Parameters, { vault }: { vault: Pick<Vault, 'mac'> }): string =>
  vault.mac('pushed-login', request_uri).toString('base64url')

export const usedRequestUri = (way: { restartUrl?: string }): DomainError =>
  invalidRequest('The request_uri is unknown, was used before or has expired', {
    reason: 'request_uri_used',
    redirectable: false,
    page: { code: 'expired_transaction', ...way },
  })
