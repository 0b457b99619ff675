// The metadata of this identity provider (SAML Metadata 2.4.3): endpoints, current and next signing certificates, name formats
// and attributes. The schema requires this order of elements.

import { ATTRIBUTE_FORMAT, BINDING, NAME_ID, NS } from '../../crypto/saml/names'
import { element, type Xml } from '../../crypto/saml/write'
import { DEFAULT_MAPPINGS, type SamlSettings } from '../../data/clients/saml'
import { issuerOf, logoutUrl, ssoUrl } from './sender'

export type WriteMetadataDeps = { baseUrl: string; entityId: string; keyring: { certificates: readonly string[] } }

const NAME_ID_FORMATS = [NAME_ID.email, NAME_ID.persistent, NAME_ID.transient]
const BINDINGS = [BINDING.redirect, BINDING.post]

const ATTRIBUTES = [
  ['email', 'E-Mail Address'],
  ['given_name', 'Given Name'],
  ['name', 'Name'],
  ['family_name', 'Surname'],
  ['user_id', 'Name ID'],
] as const

export function writeMetadata(clientId: string, settings: SamlSettings, deps: WriteMetadataDeps): string {
  const described = element(
    'IDPSSODescriptor',
    { protocolSupportEnumeration: NS.protocol, WantAuthnRequestsSigned: String(settings.signingCert !== undefined) },
    ...deps.keyring.certificates.map(keyElement),
    ...services('SingleLogoutService', logoutUrl(deps.baseUrl, clientId)),
    ...NAME_ID_FORMATS.map((format) => element('NameIDFormat', {}, format)),
    ...services('SingleSignOnService', ssoUrl(deps.baseUrl, clientId)),
    ...ATTRIBUTES.map(attributeElement),
  )
  return element('EntityDescriptor', { xmlns: NS.metadata, entityID: issuerOf(settings, deps) }, described).xml
}

const keyElement = (certificate: string): Xml => {
  const data = element('X509Data', {}, element('X509Certificate', {}, certificate))
  return element('KeyDescriptor', { use: 'signing' }, element('KeyInfo', { xmlns: NS.signature }, data))
}

const services = (name: string, location: string): Xml[] =>
  BINDINGS.map((binding) => element(name, { Binding: binding, Location: location }))

const attributeElement = ([field, label]: (typeof ATTRIBUTES)[number]): Xml =>
  element('Attribute', {
    xmlns: NS.assertion,
    Name: DEFAULT_MAPPINGS[field],
    NameFormat: ATTRIBUTE_FORMAT.uri,
    FriendlyName: label,
  })
