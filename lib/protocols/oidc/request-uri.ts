// A request object by reference (OIDC Core 6.2, RFC 9101 5.2): `request_uri` names an https address that the client registered.
// - No other address is fetched (threat-model.md AZ8). `callOut` refuses private addresses and follows no redirect.
// - A fragment distinguishes versions of the object for caches. Nothing is cached here, so it is ignored.
import type { Client } from '../../data/clients/client'
import { type CallOut, CallOutError } from '../../kernel/call-out'
import { DomainError } from '../../kernel/errors'

/** As large as a request object in a parameter may be. */
const MAX_BYTES = 16 * 1024
const FETCH_SECONDS = 5

/** Null where the client registered no address. */
export async function fetchRequestObject(
  requestUri: string,
  { settings: { request_uris } }: Client,
  { callOut }: { callOut: CallOut },
): Promise<string | null> {
  if (request_uris.length === 0) return null
  const address = withoutFragment(requestUri)
  if (!request_uris.some((registered) => withoutFragment(registered) === address)) throw invalid('not registered')
  try {
    const accept = 'application/oauth-authz-req+jwt, application/jwt, text/plain'
    const { status, body } = await callOut(address, { method: 'GET', headers: { accept }, seconds: FETCH_SECONDS })
    if (status !== 200) throw invalid(`it answers ${status}`)
    if (body.length > MAX_BYTES) throw invalid('too large')
    return Buffer.from(body).toString().trim()
  } catch (error) {
    throw error instanceof CallOutError ? invalid(`it could not be read: ${error.message}`) : error
  }
}

const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? ''

const invalid = (detail: string): DomainError =>
  new DomainError('invalid_request_uri', 'The request_uri is not valid', { detail, redirectable: false })
