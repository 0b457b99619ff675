// Namespaces and identifiers of WS-Federation 1.2, WS-Trust and SOAP.
export const ACTION = {
  signIn: 'wsignin1.0',
  signOut: 'wsignout1.0',
  cleanUp: 'wsignoutcleanup1.0',
} as const

export const WS = {
  federation: 'http://docs.oasis-open.org/wsfed/federation/200706',
  authorization: 'http://docs.oasis-open.org/wsfed/authorization/200706',
  addressing: 'http://www.w3.org/2005/08/addressing',
  trust: 'http://schemas.xmlsoap.org/ws/2005/02/trust',
  trust13: 'http://docs.oasis-open.org/ws-sx/ws-trust/200512',
  soap: 'http://www.w3.org/2003/05/soap-envelope',
  soap11: 'http://schemas.xmlsoap.org/soap/envelope/',
} as const
