// Namespaces and identifiers of SAML and XML Signature.
export const NS = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  assertion11: 'urn:oasis:names:tc:SAML:1.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  schema: 'http://www.w3.org/2001/XMLSchema',
  instance: 'http://www.w3.org/2001/XMLSchema-instance',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  encryption11: 'http://www.w3.org/2009/xmlenc11#',
} as const

export const BINDING = {
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
} as const

export const NAME_ID = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const

/** Senders differ in the version and the case of a format's name; an unknown format is returned unchanged. */
export const nameIdFormat = (sent: string): string =>
  Object.values(NAME_ID).find((known) => bareFormat(known) === bareFormat(sent)) ?? sent

const bareFormat = (format: string): string =>
  format.toLowerCase().replace(/^urn:oasis:names:tc:saml:[12]\.[01]:nameid-format:/, '')

export const ATTRIBUTE_FORMAT = {
  uri: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  basic: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
  unspecified: 'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified',
} as const

const status = (name: string): string => `urn:oasis:names:tc:SAML:2.0:status:${name}`

export const STATUS = {
  success: status('Success'),
  requester: status('Requester'),
  responder: status('Responder'),
  noPassive: status('NoPassive'),
  requestDenied: status('RequestDenied'),
  authnFailed: status('AuthnFailed'),
  noAuthnContext: status('NoAuthnContext'),
  invalidNameIdPolicy: status('InvalidNameIDPolicy'),
  unsupportedBinding: status('UnsupportedBinding'),
  unknownPrincipal: status('UnknownPrincipal'),
  partialLogout: status('PartialLogout'),
  versionMismatch: status('VersionMismatch'),
  versionTooHigh: status('RequestVersionTooHigh'),
  requestUnsupported: status('RequestUnsupported'),
  noSupportedIdp: status('NoSupportedIDP'),
  proxyCountExceeded: status('ProxyCountExceeded'),
} as const

export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const BEARER_11 = 'urn:oasis:names:tc:SAML:1.0:cm:bearer'
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const INCLUSIVE_C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
