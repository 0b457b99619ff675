// A message of a partner's, from the parameters to its root element (SAML Bindings 3.4, 3.5). Where the client has a
// `signingCert` it must be signed by it, in the address or inside; then only what was signed is read, and a Destination,
// where it has one, must be ours.
import type { KeyObject } from 'node:crypto'
import type { SamlSettings } from '../../clients/saml'
import type { HttpRequest, Parameters } from '../../http/message'
import { publicKeyOf } from '../../saml/certificate'
import { isSignedQuery, type MessageName } from '../../saml/query-signature'
import { decodeMessage } from '../../saml/transport'
import { verifiedRoot } from '../../saml/verify'
import { attributeOf, malformed, parseXml } from '../../saml/xml'

export type Received = { root: Element; signed: boolean }

/** `url` is the address of ours that the message must be for. */
export function receive(
  name: MessageName,
  sent: { request: HttpRequest; parameters: Parameters },
  { signingCert }: SamlSettings,
  url: string,
): Received {
  const source = decodeMessage(sent.parameters[name] ?? '')
  const key = signingCert === undefined ? null : publicKeyOf(signingCert)
  if (!key) return { root: parseXml(source), signed: false }
  const root = signedRoot(name, source, sent, key)
  const destination = attributeOf(root, 'Destination')
  if (destination !== undefined && destination.split('?', 1)[0] !== url) throw malformed('it is for another address')
  return { root, signed: true }
}

function signedRoot(
  name: MessageName,
  source: string,
  { request, parameters }: { request: HttpRequest; parameters: Parameters },
  key: KeyObject,
): Element {
  if (parameters.Signature !== undefined) {
    if (isSignedQuery(request.search, name, [key])) return parseXml(source)
    throw malformed('its signature does not hold')
  }
  const root = verifiedRoot(source, [key])
  if (!root) throw malformed('it is not signed')
  return root
}
