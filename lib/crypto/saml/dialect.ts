// The differences between the two versions of assertions in names and positions (SAML 1.1 Core 2, SAML 2.0 Core 2), for readers.
// assertion-checks.ts decides what must hold.
import { NS } from './names'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed, textOf } from './xml'

export type NameIdRead = {
  value: string
  format: string | null
  /** Within which the name is unique (SAML Core 8.3.7); null where the assertion does not say. */
  qualifiers: { name: string | null; sp: string | null }
}

export type Dialect = {
  namespace: string
  /** The name of the ID attribute. */
  id: 'ID' | 'AssertionID'
  version: Readonly<Record<string, string>>
  /** The supported conditions, the audience condition first. */
  conditions: readonly [string, ...string[]]
  /** The name of the statement of an authentication. */
  statement: string
  nameId: string
  issuerOf(assertion: Element): string | null
  subjectsOf(assertion: Element): Element[]
  attributeName(attribute: Element): string
}

export const SAML_20: Dialect = {
  namespace: NS.assertion,
  id: 'ID',
  version: { Version: '2.0' },
  conditions: ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'],
  statement: 'AuthnStatement',
  nameId: 'NameID',
  issuerOf,
  subjectsOf: (assertion) => childrenOf(assertion, NS.assertion, 'Subject'),
  attributeName: (attribute) => attributeOf(attribute, 'Name') ?? '',
}

const WITH_SUBJECT = ['AuthenticationStatement', 'AttributeStatement', 'AuthorizationDecisionStatement']

export const SAML_11: Dialect = {
  namespace: NS.assertion11,
  id: 'AssertionID',
  version: { MajorVersion: '1', MinorVersion: '1' },
  conditions: ['AudienceRestrictionCondition', 'DoNotCacheCondition'],
  statement: 'AuthenticationStatement',
  nameId: 'NameIdentifier',
  issuerOf: (assertion) => attributeOf(assertion, 'Issuer') ?? null,
  subjectsOf: (assertion) =>
    WITH_SUBJECT.flatMap((name) => childrenOf(assertion, NS.assertion11, name)).flatMap((statement) =>
      childrenOf(statement, NS.assertion11, 'Subject'),
    ),
  attributeName(attribute) {
    const [space = '', name = ''] = ['AttributeNamespace', 'AttributeName'].map((part) => attributeOf(attribute, part))
    return space === '' ? name : `${space}/${name}`
  },
}

export const dialectOf = ({ namespaceURI }: Element): Dialect => (namespaceURI === NS.assertion11 ? SAML_11 : SAML_20)

/** Reads the issuer of an assertion, or of a SAML 2.0 response. */
export function issuerOf(element: Element): string | null {
  const issuer = childOf(element, NS.assertion, 'Issuer')
  return issuer ? textOf(issuer) : null
}

/** Either version, encrypted or not. */
export const isAssertion = (element: Element): boolean =>
  isNamed(element, NS.assertion, 'Assertion') ||
  isNamed(element, NS.assertion, 'EncryptedAssertion') ||
  isNamed(element, NS.assertion11, 'Assertion')

/** The NameID, which must be the same in every statement; null where there is none. `decrypt` opens an EncryptedID. */
export function nameIdOf(assertion: Element, decrypt: (encrypted: Element) => Element): NameIdRead | null {
  const { subjectsOf, namespace, nameId } = dialectOf(assertion)
  const named = subjectsOf(assertion)
    .map((subject) => {
      const encrypted = childOf(subject, NS.assertion, 'EncryptedID')
      const element = encrypted ? decrypt(encrypted) : childOf(subject, namespace, nameId)
      return element && isNamed(element, namespace, nameId) ? element : undefined
    })
    .filter((element) => element !== undefined)
    .map((element) => ({
      value: textOf(element),
      format: attributeOf(element, 'Format') ?? null,
      qualifiers: {
        name: attributeOf(element, 'NameQualifier') ?? null,
        sp: attributeOf(element, 'SPNameQualifier') ?? null,
      },
    }))
  const [first = null, ...others] = named
  if (others.some(({ value }) => value !== first?.value)) throw malformed('it names two people')
  return first
}

/** Texts, and the names in values that hold one NameID (eduPersonTargetedID); a value with other elements is skipped. */
export function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const { namespace, attributeName } = dialectOf(assertion)
  const found = childrenOf(assertion, namespace, 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, namespace, 'Attribute'))
    .map((attribute): [string, string[]] => [
      attributeName(attribute),
      childrenOf(attribute, namespace, 'AttributeValue')
        .map((value) => childOf(value, NS.assertion, 'NameID') ?? value)
        .filter((value) => elementsOf(value).length === 1)
        .map(textOf)
        .filter((text) => text !== ''),
    ])
  const all = new Map<string, string[]>()
  for (const [name, values] of found) all.set(name, [...(all.get(name) ?? []), ...values])
  return all
}
