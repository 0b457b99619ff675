// Valid answers of a WS-Federation provider, for tests that modify them, and its metadata in the form of ADFS.

import { type Assertion11, writeAssertion11 } from '../crypto/saml/assertion11'
import { type Attribute, type IssuedAssertion, writeAssertion } from '../crypto/saml/messages'
import { NAME_ID } from '../crypto/saml/names'
import { encryptAssertion } from '../crypto/saml/samlify'
import { type SigningOptions, signXml } from '../crypto/saml/sign'
import { addSeconds } from '../kernel/clock'
import type { Partner } from './saml'

export type IssuedToken = {
  now: Date
  audience: string
  version?: '1.1' | '2.0'
  nameId?: string
  attributes?: Record<string, string[]>
  assertion?: Partial<IssuedAssertion & Assertion11>
  sign?: boolean
  options?: SigningOptions
  /** The recipient's certificate, base64 of its DER. */
  encryptTo?: string
  /** Changes the assertion before it is signed. */
  bend?: (assertion: string) => string
}

export const ADFS_IDP = 'http://adfs.test/adfs/services/trust'
const SHA256: SigningOptions = { signature: 'sha256', digest: 'sha256' }

let made = 0

export async function tokenAnswer(by: Partner, expected: IssuedToken): Promise<string> {
  return answerAround(await tokenOf(by, expected))
}

export const answerAround = (token: string, trust = 'http://schemas.xmlsoap.org/ws/2005/02/trust'): string =>
  `<t:RequestSecurityTokenResponse xmlns:t="${trust}"><t:Lifetime><wsu:Created xmlns:wsu="urn:wsu">now</wsu:Created></t:Lifetime><t:RequestedSecurityToken>${token}</t:RequestedSecurityToken><t:TokenType>urn:oasis:names:tc:SAML:1.0:assertion</t:TokenType></t:RequestSecurityTokenResponse>`

async function tokenOf(by: Partner, expected: IssuedToken): Promise<string> {
  const { sign = true, options = SHA256, bend = (xml) => xml, version = '1.1' } = expected
  const plain = bend(written(expected, version))
  const token = sign ? await signXml(plain, by, options, version === '1.1' ? 'last' : 'after-issuer') : plain
  return expected.encryptTo === undefined ? token : encrypted(token, expected.encryptTo)
}

const written = (expected: IssuedToken, version: '1.1' | '2.0'): string => {
  const { now, audience, nameId = 'kim', attributes = {}, assertion } = expected
  const values = {
    id: `_t${++made}`,
    issuer: ADFS_IDP,
    audience,
    nameId: { value: nameId, format: NAME_ID.unspecified },
    issuedAt: now,
    expiresAt: addSeconds(now, 3600),
    authenticatedAt: now,
    attributes: Object.entries(attributes).map(([name, values]): Attribute => ({ name, format: null, values })),
  }
  if (version === '1.1') {
    return writeAssertion11({
      ...values,
      authenticationMethod: 'urn:oasis:names:tc:SAML:1.0:am:password',
      ...assertion,
    })
  }
  const recipient = 'https://id.test/login/callback'
  const more = { recipient, inResponseTo: null, sessionIndex: 's1', contextClass: 'urn:c', typed: true }
  return writeAssertion({ ...values, ...more, ...assertion })
}

/** ADFS puts the EncryptedData in the place of the token. */
async function encrypted(token: string, certificate: string): Promise<string> {
  const around = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${token}</samlp:Response>`
  const response = await encryptAssertion(around, certificate)
  return /<xenc:EncryptedData.*<\/xenc:EncryptedData>/s.exec(response)?.[0] ?? ''
}

export const federationMetadataOf = (...partners: Partner[]): string =>
  `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ID="_m" entityID="${ADFS_IDP}"><!-- by hand --><RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:ApplicationServiceType" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706"><KeyDescriptor use="encryption"/></RoleDescriptor><RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:SecurityTokenServiceType" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706">${partners.map(keyOf).join('')}<fed:SecurityTokenServiceEndpoint><EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://adfs.test/adfs/services/trust/2005/certificatemixed</Address></EndpointReference></fed:SecurityTokenServiceEndpoint><fed:PassiveRequestorEndpoint><EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://adfs.test/adfs/ls/</Address></EndpointReference></fed:PassiveRequestorEndpoint></RoleDescriptor></EntityDescriptor>`

const keyOf = ({ certificate }: Partner): string =>
  `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`
