// The metadata of a WS-Federation provider, from XML to values (WS-Federation 1.2, 3.1): its name, its sign-in address and its
// signing certificates. It is trusted because the operator supplied it, or because of the address that it was fetched from.
import { certificatesIn } from './idp-metadata'
import { OPERATOR } from './limits'
import { NS } from './names'
import { parseXml } from './parse'
import { readInstant } from './read'
import { WS } from './ws-federation'
import { attributeOf, childrenOf, elementsOf, isNamed, malformed, textOf } from './xml'

export type FederationMetadata = {
  entityId: string
  /** Base64 of each DER. */
  certificates: string[]
  passive: string | null
  validUntil: Date | null
}

export function readFederationMetadata(xml: string): FederationMetadata {
  const root = parseXml(xml.replace(/<!--[\s\S]*?-->/g, ''), OPERATOR)
  const [entity, ...more] = elementsOf(root).filter((element) => tokenServicesOf(element).length > 0)
  const [service] = entity ? tokenServicesOf(entity) : []
  if (!entity || !service || more.length > 0) throw malformed('it does not describe one token service')
  const until = attributeOf(entity, 'validUntil') ?? attributeOf(root, 'validUntil')
  return {
    entityId: attributeOf(entity, 'entityID') ?? '',
    certificates: certificatesIn(service),
    passive: passiveOf(service),
    validUntil: until === undefined ? null : readInstant(until),
  }
}

/** Whether a document describes one token service. */
export function isFederationMetadata(xml: string): boolean {
  try {
    return readFederationMetadata(xml).entityId !== ''
  } catch {
    return false
  }
}

const tokenServicesOf = (element: Element): Element[] =>
  isNamed(element, NS.metadata, 'EntityDescriptor')
    ? childrenOf(element, NS.metadata, 'RoleDescriptor').filter(isTokenService)
    : []

const isTokenService = (role: Element): boolean =>
  role.getAttributeNS(NS.instance, 'type')?.split(':').at(-1) === 'SecurityTokenServiceType'

/** The first address that a browser can be sent to. */
function passiveOf(service: Element): string | null {
  const addresses = childrenOf(service, WS.federation, 'PassiveRequestorEndpoint')
    .flatMap(elementsOf)
    .filter((element) => isNamed(element, WS.addressing, 'Address'))
    .map(textOf)
  return addresses.find((address) => /^https?:\/\//i.test(address) && URL.canParse(address)) ?? null
}
