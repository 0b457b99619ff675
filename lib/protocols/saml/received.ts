// Reads a partner's message, from the parameters to plain data (SAML Bindings 3.4, 3.5). Where the client has a `signingCert`, the
// message must be signed by it, in the query or inside the XML, and only signed content is read. A Destination must be this server's
// address.
import type { KeyObject } from 'node:crypto'
import { publicKeyOf } from '../../crypto/saml/certificate'
import type { MessageName } from '../../crypto/saml/query-signature'
import type { AuthnRequest, LogoutRequest, LogoutResponse } from '../../crypto/saml/read'
import { malformed, quoted, unfit } from '../../crypto/saml/xml'
import type { XmlReader } from '../../crypto/saml/xml-reader'
import type { SamlSettings } from '../../data/clients/saml'
import type { Parameters } from '../../kernel/parameters'

/** `query` and `search` are the parameters of the URL and its query exactly as sent; `parameters` also has those of a form. */
export type SentRequest = { parameters: Parameters; query: Parameters; search: string }

type Messages = { authnRequest: AuthnRequest; logoutRequest: LogoutRequest; logoutResponse: LogoutResponse }
type Kind = keyof Messages

export type ReceivedMessage<Name extends Kind> = { message: Messages[Name]; signed: boolean }

type Deps = { readXml: XmlReader }

const PARAMETER: Readonly<Record<Kind, MessageName>> = {
  authnRequest: 'SAMLRequest',
  logoutRequest: 'SAMLRequest',
  logoutResponse: 'SAMLResponse',
}

/** `url` is this server's address that the message must be sent to. */
export async function receive<Name extends Kind>(
  kind: Name,
  sent: SentRequest,
  { signingCert }: SamlSettings,
  url: string,
  deps: Deps,
): Promise<ReceivedMessage<Name>> {
  const key = signingCert === undefined ? null : publicKeyOf(signingCert)
  if (key) return { message: await receiveSigned(kind, sent, [key], url, deps), signed: true }
  return { message: forHere(await read(kind, sent, null, deps), url), signed: false }
}

/** Core 3.2.1: a message for another destination must be discarded, signed or not. */
function forHere<M extends { destination: string | null }>(message: M, url: string): M {
  const { destination } = message
  if (destination && destination.split('?', 1)[0] !== url) throw unfit(`it is for ${quoted(destination)}`)
  return message
}

/** The message, verified with one of `keys`. */
export async function receiveSigned<Name extends Kind>(
  kind: Name,
  sent: SentRequest,
  keys: readonly KeyObject[],
  url: string,
  deps: Deps,
): Promise<Messages[Name]> {
  return forHere(await read(kind, sent, { keys, query: signedQuery(kind, sent) }, deps), url)
}

/** A query signature covers the query only; it does not cover a form body. */
function signedQuery(kind: Kind, { parameters, query, search }: SentRequest): string | null {
  if (parameters.Signature === undefined) return null
  const isAllSigned = [PARAMETER[kind], 'RelayState'].every((each) => query[each] === parameters[each])
  if (!isAllSigned) throw malformed('its signature does not hold', 'signature_invalid')
  return search
}

async function read<Name extends Kind>(
  kind: Name,
  { parameters }: SentRequest,
  signed: { keys: readonly KeyObject[]; query: string | null } | null,
  { readXml }: Deps,
): Promise<Messages[Name]> {
  const name = PARAMETER[kind]
  const message: Messages[Kind] = await readXml(kind, { name, encoded: parameters[name] ?? '', signed })
  return message as Messages[Name]
}
