// A SAML 1.1 assertion, from values to XML (SAML 1.1 Core 2), in the form that WS-Federation relying parties expect: the subject
// in both statements, attribute names split into namespace and name, the signature last.
import { type Attribute, instant, type NameId, textOfValue } from './messages'
import { BEARER_11, NS } from './names'
import { element, type Xml } from './write'

export type Assertion11 = {
  id: string
  issuer: string
  audience: string
  nameId: NameId
  issuedAt: Date
  expiresAt: Date
  authenticatedAt: Date
  authenticationMethod: string
  attributes: readonly Attribute[]
}

export function writeAssertion11(assertion: Assertion11): string {
  const { id, issuer, issuedAt, expiresAt } = assertion
  const attributes = {
    'xmlns:saml': NS.assertion11,
    MajorVersion: '1',
    MinorVersion: '1',
    AssertionID: id,
    Issuer: issuer,
    IssueInstant: instant(issuedAt),
  }
  const conditions = { NotBefore: instant(issuedAt), NotOnOrAfter: instant(expiresAt) }
  const audience = element('saml:Audience', {}, assertion.audience)
  return element(
    'saml:Assertion',
    attributes,
    element('saml:Conditions', conditions, element('saml:AudienceRestrictionCondition', {}, audience)),
    attributeStatement(assertion),
    authenticationStatement(assertion),
  ).xml
}

/** The schema requires at least one attribute in a statement. */
function attributeStatement(assertion: Assertion11): Xml | null {
  if (assertion.attributes.length === 0) return null
  return element('saml:AttributeStatement', {}, subject(assertion), ...assertion.attributes.map(attributeElement))
}

const authenticationStatement = (assertion: Assertion11): Xml =>
  element(
    'saml:AuthenticationStatement',
    {
      AuthenticationMethod: assertion.authenticationMethod,
      AuthenticationInstant: instant(assertion.authenticatedAt),
    },
    subject(assertion),
  )

const subject = ({ nameId: { value, format } }: Assertion11): Xml =>
  element(
    'saml:Subject',
    {},
    element('saml:NameIdentifier', { Format: format }, value),
    element('saml:SubjectConfirmation', {}, element('saml:ConfirmationMethod', {}, BEARER_11)),
  )

/** Splits the name at the last slash; a name without a slash has no namespace. */
function attributeElement({ name, values }: Attribute): Xml {
  const slash = name.lastIndexOf('/')
  return element(
    'saml:Attribute',
    { AttributeNamespace: name.slice(0, Math.max(slash, 0)), AttributeName: name.slice(slash + 1) },
    ...values.map((value) => element('saml:AttributeValue', {}, textOfValue(value))),
  )
}
