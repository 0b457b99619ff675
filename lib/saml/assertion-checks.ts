// The checks of an assertion that signs a user in, for SAML 2.0 and 1.1, by any protocol (SAML Core 2; threat-model.md SP4): one
// function each. Each check throws or returns normally. checks.ts lists the checks of each protocol.
import { addSeconds, PROVIDER_SKEW_SECONDS } from '../kernel/clock'
import { dialectOf, isAssertion } from './dialect'
import { BEARER, BEARER_11, NS } from './names'
import { readInstant } from './read'
import { attributeOf, childOf, childrenOf, elementsOf, malformed, textOf } from './xml'

type At = { now: Date }

/** A single assertion of a known version, without a nested assertion. */
export function alone(assertion: Element): Element {
  const { namespace, version } = dialectOf(assertion)
  const isOne = assertion.namespaceURI === namespace && assertion.localName === 'Assertion'
  const isKnown = Object.entries(version).every(([name, value]) => attributeOf(assertion, name) === value)
  if (!isOne || !isKnown || elementsOf(assertion).filter(isAssertion).length !== 1) {
    throw malformed('what is signed is no assertion')
  }
  return assertion
}

/** `around` is the issuer of the enclosing message, where it names one. */
export function checkIssuer(assertion: Element, around: string | null, expected: { issuer: string | null }): void {
  const issuer = dialectOf(assertion).issuerOf(assertion)
  const isOther = expected.issuer !== null && issuer !== expected.issuer
  if (!issuer || isOther || (around !== null && around !== issuer)) throw malformed('its issuer is another')
}

/** The conditions hold now, and none of them is unknown. */
export function checkConditions(assertion: Element, { now }: At): void {
  readInstant(attributeOf(assertion, 'IssueInstant'))
  const conditions = conditionsOf(assertion)
  checkWindow(conditions, now)
  const { namespace, conditions: names } = dialectOf(assertion)
  const known = names.flatMap((name) => childrenOf(conditions, namespace, name))
  const inside = known.flatMap((condition) => elementsOf(condition)).length
  if (inside !== elementsOf(conditions).length - 1) throw malformed('it has a condition that is not known')
}

/** Every audience restriction must name this server, and there must be at least one. */
export function checkAudience(assertion: Element, expected: { audience: string }): void {
  const {
    namespace,
    conditions: [restriction],
  } = dialectOf(assertion)
  const restrictions = childrenOf(conditionsOf(assertion), namespace, restriction)
  const namesUs = (one: Element): boolean =>
    childrenOf(one, namespace, 'Audience').some((audience) => textOf(audience) === expected.audience)
  if (restrictions.length === 0 || !restrictions.every(namesUs)) throw malformed('it is for another audience')
}

/** The assertion states an authentication, and its session has not ended. */
export function checkStatement(assertion: Element, { now }: At): void {
  const { namespace, statement: name } = dialectOf(assertion)
  const statements = childrenOf(assertion, namespace, name)
  if (statements.length === 0) throw malformed('it says of nobody that they signed in')
  for (const statement of statements) {
    const until = attributeOf(statement, 'SessionNotOnOrAfter')
    const isOver = until !== undefined && readInstant(until) <= addSeconds(now, -PROVIDER_SKEW_SECONDS)
    if (isOver) throw malformed('its session is over')
  }
}

type ExpectedResponse = At & { addresses: readonly string[]; inResponseTo: string | null }

/**
 * Requires a bearer confirmation for this server's address, this request and this time; returns its end (SAML Profiles 4.1.4.3).
 */
export function confirmedUntil(assertion: Element, expected: ExpectedResponse): Date {
  const subject = childOf(assertion, NS.assertion, 'Subject')
  if (!subject) throw malformed('its assertion has no Subject')
  const confirmed = bearerData(subject).find((data): data is Element => data !== undefined && isOurs(data, expected))
  if (!confirmed) throw malformed('its subject is not confirmed for this address, request and time')
  return readInstant(attributeOf(confirmed, 'NotOnOrAfter'))
}

/** The data of each bearer confirmation of a SAML 2.0 Subject; undefined for a confirmation without data. */
const bearerData = (subject: Element): (Element | undefined)[] =>
  childrenOf(subject, NS.assertion, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === BEARER)
    .map((confirmation) => childOf(confirmation, NS.assertion, 'SubjectConfirmationData'))

function isOurs(data: Element, { addresses, inResponseTo, now }: ExpectedResponse): boolean {
  if (!addresses.includes(attributeOf(data, 'Recipient') ?? '')) return false
  if ((attributeOf(data, 'InResponseTo') ?? null) !== inResponseTo) return false
  const from = attributeOf(data, 'NotBefore')
  const hasStarted = from === undefined || readInstant(from) <= addSeconds(now, PROVIDER_SKEW_SECONDS)
  return hasStarted && readInstant(attributeOf(data, 'NotOnOrAfter')) > addSeconds(now, -PROVIDER_SKEW_SECONDS)
}

type Bearing = At & { addresses: readonly string[] }

/**
 * Every subject must have a bearer confirmation. A token need not name a recipient address; where it does, the address must be
 * this server's.
 */
export function checkBearer(assertion: Element, expected: Bearing): void {
  const { namespace, subjectsOf } = dialectOf(assertion)
  const isBorne = namespace === NS.assertion11 ? isBorne11 : (subject: Element) => isBorne20(subject, expected)
  const subjects = subjectsOf(assertion)
  if (subjects.length === 0 || !subjects.every(isBorne)) throw malformed('its subject is not confirmed by bearing it')
}

function isBorne11(subject: Element): boolean {
  const confirmation = childOf(subject, NS.assertion11, 'SubjectConfirmation')
  const methods = confirmation ? childrenOf(confirmation, NS.assertion11, 'ConfirmationMethod') : []
  return methods.some((method) => textOf(method) === BEARER_11)
}

const isBorne20 = (subject: Element, expected: Bearing): boolean =>
  bearerData(subject).some((data) => data === undefined || fits(data, expected))

function fits(data: Element, { addresses, now }: Bearing): boolean {
  const recipient = attributeOf(data, 'Recipient')
  checkWindow(data, now)
  return (recipient === undefined || addresses.includes(recipient)) && attributeOf(data, 'InResponseTo') === undefined
}

/** The end of the token's validity, which it must state: otherwise its id would have to be stored for ever. */
export function endOf(assertion: Element): Date {
  return readInstant(attributeOf(conditionsOf(assertion), 'NotOnOrAfter'))
}

function conditionsOf(assertion: Element): Element {
  const conditions = childOf(assertion, dialectOf(assertion).namespace, 'Conditions')
  if (!conditions) throw malformed('its assertion has no Conditions')
  return conditions
}

function checkWindow(element: Element, now: Date): void {
  const [from, until] = [attributeOf(element, 'NotBefore'), attributeOf(element, 'NotOnOrAfter')]
  if (from !== undefined && readInstant(from) > addSeconds(now, PROVIDER_SKEW_SECONDS))
    throw malformed('it is not valid yet')
  if (until !== undefined && readInstant(until) <= addSeconds(now, -PROVIDER_SKEW_SECONDS))
    throw malformed('it has expired')
}
