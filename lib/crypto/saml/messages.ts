// The messages that this server writes, from values to XML (SAML Core 2, 3). Namespaces are declared where they are first
// needed, so an assertion has the same meaning alone, inside a response and decrypted.
import { BEARER, BINDING, NS } from './names'
import { element, written, type Xml } from './write'

/** With milliseconds, as the vendor writes instants. */
export const instant = (date: Date): string => date.toISOString()

export type NameId = { value: string; format: string }

export type AttributeValue = string | number | boolean
export type Attribute = { name: string; format: string | null; values: readonly AttributeValue[] }

export type IssuedAssertion = {
  id: string
  issuer: string
  audience: string
  recipient: string
  inResponseTo: string | null
  nameId: NameId
  issuedAt: Date
  /** The beginning of its validity, unless that is when it is issued. */
  notBefore?: Date | null
  expiresAt: Date
  /** It must not be kept for later use. */
  oneTimeUse?: boolean
  authenticatedAt: Date
  sessionIndex: string
  /** When the session ends, as far as it is known. */
  sessionEnd?: Date | null
  contextClass: string
  attributes: readonly Attribute[]
  /** Whether each value states its XML type; otherwise every value is `xs:anyType`. */
  typed: boolean
}

const issuerElement = (issuer: string): Xml => element('saml:Issuer', {}, issuer)

const nameIdElement = ({ value, format }: NameId): Xml => element('saml:NameID', { Format: format }, value)

export function writeAssertion(assertion: IssuedAssertion): string {
  const { id, issuer, issuedAt, notBefore, expiresAt, oneTimeUse } = assertion
  const attributes = {
    'xmlns:saml': NS.assertion,
    'xmlns:xs': NS.schema,
    'xmlns:xsi': NS.instance,
    ID: id,
    Version: '2.0',
    IssueInstant: instant(issuedAt),
  }
  const conditions = { NotBefore: instant(notBefore ?? issuedAt), NotOnOrAfter: instant(expiresAt) }
  const audience = element('saml:AudienceRestriction', {}, element('saml:Audience', {}, assertion.audience))
  return element(
    'saml:Assertion',
    attributes,
    issuerElement(issuer),
    subjectElement(assertion),
    element('saml:Conditions', conditions, audience, oneTimeUse ? element('saml:OneTimeUse', {}) : null),
    authnElement(assertion),
    attributesElement(assertion),
  ).xml
}

function subjectElement({ nameId, recipient, inResponseTo, expiresAt }: IssuedAssertion): Xml {
  const data = { NotOnOrAfter: instant(expiresAt), Recipient: recipient, InResponseTo: inResponseTo }
  const confirmed = element(
    'saml:SubjectConfirmation',
    { Method: BEARER },
    element('saml:SubjectConfirmationData', data),
  )
  return element('saml:Subject', {}, nameIdElement(nameId), confirmed)
}

function authnElement({ authenticatedAt, sessionIndex, sessionEnd, contextClass }: IssuedAssertion): Xml {
  const attributes = {
    AuthnInstant: instant(authenticatedAt),
    SessionIndex: sessionIndex,
    SessionNotOnOrAfter: sessionEnd ? instant(sessionEnd) : null,
  }
  const context = element('saml:AuthnContext', {}, element('saml:AuthnContextClassRef', {}, contextClass))
  return element('saml:AuthnStatement', attributes, context)
}

/** The schema requires at least one attribute in a statement. */
function attributesElement({ attributes, typed }: IssuedAssertion): Xml | null {
  if (attributes.length === 0) return null
  return element('saml:AttributeStatement', {}, ...attributes.map((attribute) => attributeElement(attribute, typed)))
}

const attributeElement = ({ name, format, values }: Attribute, typed: boolean): Xml =>
  element(
    'saml:Attribute',
    { Name: name, NameFormat: format },
    ...values.map((value) =>
      element('saml:AttributeValue', { 'xsi:type': typed ? typeOf(value) : 'xs:anyType' }, textOfValue(value)),
    ),
  )

const XS_TYPES: Readonly<Record<string, string>> = { string: 'xs:string', boolean: 'xs:boolean', number: 'xs:double' }
export const textOfValue = (value: AttributeValue): string => String(value)
const typeOf = (value: AttributeValue): string => XS_TYPES[typeof value] ?? 'xs:anyType'

export type Status = { code: string; detail?: string; message?: string }

const statusElement = ({ code, detail, message }: Status): Xml =>
  element(
    'samlp:Status',
    {},
    element(
      'samlp:StatusCode',
      { Value: code },
      detail === undefined ? null : element('samlp:StatusCode', { Value: detail }),
    ),
    message === undefined ? null : element('samlp:StatusMessage', {}, message),
  )

type Envelope = { id: string; issuer: string; at: Date; destination: string }

const envelope = ({ id, at, destination }: Envelope, more: Record<string, string | null> = {}) => ({
  'xmlns:samlp': NS.protocol,
  'xmlns:saml': NS.assertion,
  ID: id,
  Version: '2.0',
  IssueInstant: instant(at),
  Destination: destination,
  ...more,
})

export type AuthnAsk = Envelope & { assertionConsumerUrl: string; forceAuthn: boolean }

export const writeAuthnRequest = (ask: AuthnAsk): string =>
  element(
    'samlp:AuthnRequest',
    envelope(ask, {
      ProtocolBinding: BINDING.post,
      AssertionConsumerServiceURL: ask.assertionConsumerUrl,
      ForceAuthn: ask.forceAuthn ? 'true' : null,
    }),
    issuerElement(ask.issuer),
  ).xml

export type StatusResponse = Envelope & { inResponseTo: string | null; status: Status }

/** `assertion` is the signed XML where the assertion was signed. */
export const writeResponse = (answer: StatusResponse, assertion: string | null): string =>
  element(
    'samlp:Response',
    envelope(answer, { InResponseTo: answer.inResponseTo }),
    issuerElement(answer.issuer),
    statusElement(answer.status),
    assertion === null ? null : written(assertion),
  ).xml

export const writeLogoutResponse = (answer: StatusResponse): string =>
  element(
    'samlp:LogoutResponse',
    envelope(answer, { InResponseTo: answer.inResponseTo }),
    issuerElement(answer.issuer),
    statusElement(answer.status),
  ).xml

export const writeLogoutRequest = (
  request: Envelope & { expiresAt: Date; nameId: NameId; sessionIndex: string | null },
): string =>
  element(
    'samlp:LogoutRequest',
    envelope(request, { NotOnOrAfter: instant(request.expiresAt) }),
    issuerElement(request.issuer),
    nameIdElement(request.nameId),
    request.sessionIndex === null ? null : element('samlp:SessionIndex', {}, request.sessionIndex),
  ).xml
