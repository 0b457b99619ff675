// What must hold of an assertion that is to sign somebody in, of SAML 2.0 or 1.1, by whatever protocol it came (SAML Core 2;
// threat-model.md SP4): one function each. checks.ts lists which of them a protocol asks for; each throws or says nothing.
import { addSeconds } from '../kernel/clock'
import { dialectOf, isAssertion } from './dialect'
import { BEARER, BEARER_11, NS } from './names'
import { readInstant } from './read'
import { attributeOf, childOf, childrenOf, elementsOf, malformed, textOf } from './xml'

export const SKEW_SECONDS = 120

type At = { now: Date }

/** One assertion, of a version that is known, with none inside. */
export function alone(assertion: Element): Element {
  const { namespace, version } = dialectOf(assertion)
  const isOne = assertion.namespaceURI === namespace && assertion.localName === 'Assertion'
  const isKnown = Object.entries(version).every(([name, value]) => attributeOf(assertion, name) === value)
  if (!isOne || !isKnown || elementsOf(assertion).filter(isAssertion).length !== 1) {
    throw malformed('what is signed is no assertion')
  }
  return assertion
}

/** `around` is who sent it, where that is said as well. */
export function checkIssuer(assertion: Element, around: string | null, expected: { issuer: string | null }): void {
  const issuer = dialectOf(assertion).issuerOf(assertion)
  const isOther = expected.issuer !== null && issuer !== expected.issuer
  if (!issuer || isOther || (around !== null && around !== issuer)) throw malformed('its issuer is another')
}

/** It is of now, and has no condition that is not understood. */
export function checkConditions(assertion: Element, { now }: At): void {
  readInstant(attributeOf(assertion, 'IssueInstant'))
  const conditions = conditionsOf(assertion)
  checkWindow(conditions, now)
  const { namespace, conditions: names } = dialectOf(assertion)
  const known = names.flatMap((name) => childrenOf(conditions, namespace, name))
  const inside = known.flatMap((condition) => elementsOf(condition)).length
  if (inside !== elementsOf(conditions).length - 1) throw malformed('it has a condition that is not known')
}

/** Every restriction must name us, and there must be one. */
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

/** Somebody has signed in, and has not been signed out since. */
export function checkStatement(assertion: Element, { now }: At): void {
  const { namespace, statement: name } = dialectOf(assertion)
  const statements = childrenOf(assertion, namespace, name)
  if (statements.length === 0) throw malformed('it says of nobody that they signed in')
  for (const statement of statements) {
    const until = attributeOf(statement, 'SessionNotOnOrAfter')
    const isOver = until !== undefined && readInstant(until) <= addSeconds(now, -SKEW_SECONDS)
    if (isOver) throw malformed('its session is over')
  }
}

type Asked = At & { addresses: readonly string[]; inResponseTo: string | null }

/** One bearer confirmation for our address, this request and now; until when (SAML Profiles 4.1.4.3). */
export function confirmedUntil(assertion: Element, asked: Asked): Date {
  const subject = childOf(assertion, NS.assertion, 'Subject')
  if (!subject) throw malformed('its assertion has no Subject')
  const confirmed = bearerData(subject).find((data): data is Element => data !== undefined && isOurs(data, asked))
  if (!confirmed) throw malformed('its subject is not confirmed for this address, request and time')
  return readInstant(attributeOf(confirmed, 'NotOnOrAfter'))
}

/** Confirmation data of a Subject of SAML 2.0, by its bearing alone; undefined for one that has none. */
const bearerData = (subject: Element): (Element | undefined)[] =>
  childrenOf(subject, NS.assertion, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === BEARER)
    .map((confirmation) => childOf(confirmation, NS.assertion, 'SubjectConfirmationData'))

function isOurs(data: Element, { addresses, inResponseTo, now }: Asked): boolean {
  if (!addresses.includes(attributeOf(data, 'Recipient') ?? '')) return false
  if ((attributeOf(data, 'InResponseTo') ?? null) !== inResponseTo) return false
  const from = attributeOf(data, 'NotBefore')
  const hasStarted = from === undefined || readInstant(from) <= addSeconds(now, SKEW_SECONDS)
  return hasStarted && readInstant(attributeOf(data, 'NotOnOrAfter')) > addSeconds(now, -SKEW_SECONDS)
}

type Bearing = At & { addresses: readonly string[] }

/** Every subject is confirmed by bearing it. A token need not say for which address; one that does must say ours. */
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

/** When it can no longer be used anyway: a token must say so, or it could be kept for ever. */
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
  if (from !== undefined && readInstant(from) > addSeconds(now, SKEW_SECONDS)) throw malformed('it is not valid yet')
  if (until !== undefined && readInstant(until) <= addSeconds(now, -SKEW_SECONDS)) throw malformed('it has expired')
}
