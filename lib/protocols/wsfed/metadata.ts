// The metadata for relying parties (WS-Federation 1.2, 3.1): the sign-in address, current and next signing certificates, token
// types and claims.
import { NS } from '../../crypto/saml/names'
import { element, type Xml } from '../../crypto/saml/write'
import { WS } from '../../crypto/saml/ws-federation'

type Described = { issuer: string; endpoint: string; certificates: readonly string[] }

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

const CLAIM_TYPES = [
  ['emailaddress', 'E-Mail Address', 'The e-mail address of the user'],
  ['givenname', 'Given Name', 'The given name of the user'],
  ['name', 'Name', 'The name of the user'],
  ['surname', 'Surname', 'The surname of the user'],
  ['nameidentifier', 'Name ID', 'The identifier of the user'],
] as const

const TOKEN_TYPES = ['urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:1.0:assertion']

export function writeFederationMetadata({ issuer, endpoint, certificates }: Described): string {
  const role = {
    'xmlns:xsi': NS.instance,
    'xmlns:fed': WS.federation,
    'xsi:type': 'fed:SecurityTokenServiceType',
    protocolSupportEnumeration: WS.federation,
    ServiceDisplayName: issuer,
  }
  const described = element(
    'RoleDescriptor',
    role,
    ...certificates.map(keyElement),
    element('fed:TokenTypesOffered', {}, ...TOKEN_TYPES.map((uri) => element('fed:TokenType', { Uri: uri }))),
    element('fed:ClaimTypesOffered', {}, ...CLAIM_TYPES.map(claimElement)),
    element('fed:PassiveRequestorEndpoint', {}, endpointElement(endpoint)),
  )
  return element('EntityDescriptor', { xmlns: NS.metadata, entityID: issuer }, described).xml
}

const keyElement = (certificate: string): Xml =>
  element(
    'KeyDescriptor',
    { use: 'signing' },
    element('KeyInfo', { xmlns: NS.signature }, element('X509Data', {}, element('X509Certificate', {}, certificate))),
  )

const claimElement = ([name, label, description]: (typeof CLAIM_TYPES)[number]): Xml =>
  element(
    'auth:ClaimType',
    { 'xmlns:auth': WS.authorization, Uri: `${CLAIMS}/${name}`, Optional: 'true' },
    element('auth:DisplayName', {}, label),
    element('auth:Description', {}, description),
  )

const endpointElement = (address: string): Xml =>
  element('EndpointReference', { xmlns: WS.addressing }, element('Address', {}, address))
