// Reads a partner's message, from the parameters to its root element (SAML Bindings 3.4, 3.5). Where the client has a
// `signingCert`, the message must be signed by it, in the query or inside the XML, and only signed content is read. A
// Destination must be this server's address.
import type { KeyObject } from 'node:crypto'
import type { SamlSettings } from '../../clients/saml'
import { type HttpRequest, type Parameters, queryParameters } from '../../http/message'
import { lazy } from '../../kernel/lazy'
import { publicKeyOf } from '../../saml/certificate'
import { REQUEST } from '../../saml/limits'
import { isSignedQuery, type MessageName } from '../../saml/query-signature'
import { decodeMessage } from '../../saml/transport'
import { attributeOf, malformed } from '../../saml/xml'

export type Sent = { request: HttpRequest; parameters: Parameters }

export type Received = { root: Element; signed: boolean }

/** `url` is this server's address that the message must be sent to. */
export async function receive(
  name: MessageName,
  sent: Sent,
  { signingCert }: SamlSettings,
  url: string,
): Promise<Received> {
  const key = signingCert === undefined ? null : publicKeyOf(signingCert)
  if (!key) return { root: await parse(decodeMessage(sent.parameters[name] ?? '')), signed: false }
  return { root: await receiveSigned(name, sent, [key], url), signed: true }
}

/** The root element, verified with one of `keys`. */
export async function receiveSigned(
  name: MessageName,
  sent: Sent,
  keys: readonly KeyObject[],
  url: string,
): Promise<Element> {
  const root = await signedRoot(name, sent, keys)
  const destination = attributeOf(root, 'Destination')
  if (destination !== undefined && destination.split('?', 1)[0] !== url) throw malformed('it is for another address')
  return root
}

/** A query signature covers the query only; it does not cover a form body. */
async function signedRoot(
  name: MessageName,
  { request, parameters }: Sent,
  keys: readonly KeyObject[],
): Promise<Element> {
  const source = decodeMessage(parameters[name] ?? '')
  if (parameters.Signature !== undefined) {
    const inAddress = queryParameters(request)
    const isAllSigned = [name, 'RelayState'].every((each) => inAddress[each] === parameters[each])
    if (isAllSigned && isSignedQuery(request.search, name, keys)) return parse(source)
    throw malformed('its signature does not hold')
  }
  const { verifiedRoot } = await verifier()
  const root = verifiedRoot(source, keys, REQUEST)
  if (!root) throw malformed('it is not signed')
  return root
}

const verifier = lazy(() => import('../../saml/verify'))
const parser = lazy(() => import('../../saml/parse'))

const parse = async (source: string): Promise<Element> => (await parser()).parseXml(source, REQUEST)
