// Pushed authorization requests (RFC 9126): checked when they are pushed, kept for half a minute under a name that
// cannot be guessed, used once, by the client that pushed them (threat-model.md CO8).
// - A request_uri is looked up among our own and never fetched (AZ8).
// - One that is signed (request-object.ts) is read, and its parameters are what was pushed.
// - What was pushed is all that counts: what stands beside it in the address is not read (RFC 9101 6.3).
import type { Client } from '../../clients/client'
import type { Parameters } from '../../http/message'
import { invalidRequest } from '../../kernel/errors'
import { consumeTicket, issueTicket, type TicketDeps, ticketKind } from '../../tickets/ticket'
import { repeatableOf } from './parameters'
import { type ReadDeps, readRequest } from './read'
import { checkNeedNotSign } from './request'
import { parseTarget } from './target'

const PREFIX = 'urn:ietf:params:oauth:request_uri:'
/** The vendor's. */
const LIFETIME_SECONDS = 30

/** `subject`: whom a verified id_token_hint named; the token itself is not kept. */
export type Pushed = { parameters: Record<string, string>; subject: string | null }

const PUSHED = ticketKind<Pushed>('pushed-request', LIFETIME_SECONDS)

export type PushedAnswer = { request_uri: string; expires_in: number }

export async function push(sent: Parameters, client: Client, deps: ReadDeps & TicketDeps): Promise<PushedAnswer> {
  if (sent.request_uri !== undefined) throw invalidRequest('A pushed request cannot be a request_uri')
  const parameters = await parametersOf(sent, client, deps)
  const { wants } = await readRequest(parameters, parseTarget(parameters, client), deps)
  const pushed = { parameters: repeatableOf(parameters), subject: wants.subject }
  return { request_uri: PREFIX + (await issueTicket(PUSHED, pushed, deps)), expires_in: LIFETIME_SECONDS }
}

async function parametersOf(sent: Parameters, client: Client, deps: ReadDeps): Promise<Parameters> {
  if (sent.request !== undefined) {
    const { openRequestObject } = await import('./request-object')
    const signed = await openRequestObject(sent, client, deps)
    if (signed) return signed
  }
  checkNeedNotSign(client)
  return { ...sent, client_id: client.clientId }
}

/** The request that `request_uri` stands for, and uses it; null where the parameters stand for themselves. */
export async function takePushed(
  { client_id, request_uri }: Parameters,
  deps: Omit<TicketDeps, 'random'>,
): Promise<Pushed | null> {
  if (client_id === undefined || !request_uri?.startsWith(PREFIX)) return null
  const pushed = await consumeTicket(PUSHED, request_uri.slice(PREFIX.length), deps)
  if (pushed?.parameters.client_id === client_id) return pushed
  throw invalidRequest('The request_uri is unknown, was used before or has expired', {
    redirectable: false,
    page: { code: 'expired_transaction' },
  })
}
