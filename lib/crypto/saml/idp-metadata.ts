// The metadata of an identity provider, from XML to values (SAML Metadata 2.4.3): its name, its endpoints and its signing
// certificates. It is trusted because the operator supplied it, or because of the address that it was fetched from; a signature
// in the metadata adds nothing.
import { signingCertificateOf } from './certificate'
import { OPERATOR } from './limits'
import { BINDING, NS } from './names'
import { parseXml } from './parse'
import { readInstant } from './read'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed, textOf } from './xml'

export type BindingName = keyof typeof BINDING

export type IdpMetadata = {
  entityId: string
  /** Base64 of each DER. */
  certificates: string[]
  signIn: Partial<Record<BindingName, string>>
  signOut: Partial<Record<BindingName, string>>
  /** Where responses to the provider's own requests go, if that address differs. */
  signOutAnswers: Partial<Record<BindingName, string>>
  validUntil: Date | null
}

export function readIdpMetadata(xml: string): IdpMetadata {
  const root = parseXml(xml.replace(/<!--[\s\S]*?-->/g, ''), OPERATOR)
  const [entity, ...more] = elementsOf(root).filter(isProvider)
  const described = entity && childOf(entity, NS.metadata, 'IDPSSODescriptor')
  if (!entity || !described || more.length > 0) throw malformed('it does not describe one identity provider')
  const until = attributeOf(entity, 'validUntil') ?? attributeOf(root, 'validUntil')
  return {
    entityId: attributeOf(entity, 'entityID') ?? '',
    certificates: certificatesIn(described),
    signIn: servicesIn(described, 'SingleSignOnService'),
    signOut: servicesIn(described, 'SingleLogoutService'),
    signOutAnswers: servicesIn(described, 'SingleLogoutService', 'ResponseLocation'),
    validUntil: until === undefined ? null : readInstant(until),
  }
}

/** Whether a document describes one identity provider. */
export function isIdpMetadata(xml: string): boolean {
  try {
    return readIdpMetadata(xml).entityId !== ''
  } catch {
    return false
  }
}

const isProvider = (element: Element): boolean =>
  isNamed(element, NS.metadata, 'EntityDescriptor') && childrenOf(element, NS.metadata, 'IDPSSODescriptor').length > 0

/** A key without a use is also a signing key. */
export function certificatesIn(described: Element): string[] {
  const keys = childrenOf(described, NS.metadata, 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  )
  const found = keys
    .flatMap(elementsOf)
    .filter((element) => isNamed(element, NS.signature, 'X509Certificate'))
    .map((element) => signingCertificateOf(textOf(element)))
  return found.filter((certificate) => certificate !== null)
}

function servicesIn(
  described: Element,
  name: string,
  place: 'Location' | 'ResponseLocation' = 'Location',
): Partial<Record<BindingName, string>> {
  const services = childrenOf(described, NS.metadata, name)
  const at = (binding: string): string | undefined => {
    const service = services.find((each) => attributeOf(each, 'Binding') === binding)
    const location = service && attributeOf(service, place)
    return location && /^https?:\/\//i.test(location) && URL.canParse(location) ? location : undefined
  }
  const [redirect, post] = [at(BINDING.redirect), at(BINDING.post)]
  return { ...(redirect ? { redirect } : {}), ...(post ? { post } : {}) }
}
