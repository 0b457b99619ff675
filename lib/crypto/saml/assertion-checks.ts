// The checks of an assertion that signs a user in, for SAML 2.0 and 1.1, by any protocol (SAML Core 2; threat-model.md SP4): one
// function each. Each check throws or returns normally. response-checks.ts lists the checks of each protocol.
// What is signed by the provider and meant for another time, audience or issuer is `unfit`; what is not an answer to this request at
// this address is refused like a forgery.
import { addSeconds, PROVIDER_SKEW_SECONDS } from '../../kernel/clock'
import type { Reason } from '../../kernel/reasons'
import { dialectOf, isAssertion, type NameIdRead } from './dialect'
import { BEARER, BEARER_11, NS } from './names'
import { readInstant } from './read'
import { attributeOf, childOf, childrenOf, elementsOf, malformed, quoted, textOf, unfit } from './xml'

type At = { now: Date }

/** A single assertion of a known version, without a nested assertion. */
export function requireSingleAssertion(assertion: Element): Element {
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
  if (!issuer || (around !== null && around !== issuer)) throw malformed('its issuer is another')
  if (expected.issuer !== null && issuer !== expected.issuer)
    throw unfit(
      `its issuer is ${quoted(issuer)}, and the connection names ${quoted(expected.issuer)}`,
      'upstream_issuer',
    )
}

/** The conditions hold now, and none of them is unknown. */
export function checkConditions(assertion: Element, { now }: At): void {
  readInstant(attributeOf(assertion, 'IssueInstant'))
  const conditions = conditionsOf(assertion)
  checkWindow(conditions, now)
  const { namespace, conditions: names } = dialectOf(assertion)
  const known = names.flatMap((name) => childrenOf(conditions, namespace, name))
  const inside = known.flatMap((condition) => elementsOf(condition)).length
  if (inside !== elementsOf(conditions).length - 1) throw unfit('it has a condition that is not known')
}

/** Every audience restriction must name this server, and there must be at least one. */
export function checkAudience(assertion: Element, expected: { audience: string }): void {
  const {
    namespace,
    conditions: [restriction],
  } = dialectOf(assertion)
  const restrictions = childrenOf(conditionsOf(assertion), namespace, restriction)
  if (restrictions.length === 0) throw unfit('it names no audience', 'upstream_audience')
  const others = restrictions
    .map((one) => childrenOf(one, namespace, 'Audience').map(textOf))
    .find((audiences) => !audiences.includes(expected.audience))
  if (others) {
    throw unfit(
      `it is for the audience ${quoted(others.join(' '))}, and this one is ${quoted(expected.audience)}`,
      'upstream_audience',
    )
  }
}

/** The assertion states an authentication, and its session has not ended. */
export function checkStatement(assertion: Element, { now }: At): void {
  const { namespace, statement: name } = dialectOf(assertion)
  const statements = childrenOf(assertion, namespace, name)
  if (statements.length === 0) throw unfit('it does not state that a person signed in')
  const end = sessionEnd(assertion, now)
  if (end !== null && end <= now)
    throw unfit(outside("the person's session at the provider ended at", end, now), 'upstream_expired')
}

/**
 * When the provider says that the person's session ends (SAML Core 2.7.2), the earliest of all statements; null where it says
 * nothing. An end that has come by our clock alone counts by the provider's.
 */
export function sessionEnd(assertion: Element, now: Date): Date | null {
  const { namespace, statement: name } = dialectOf(assertion)
  const ends = childrenOf(assertion, namespace, name)
    .map((statement) => attributeOf(statement, 'SessionNotOnOrAfter'))
    .filter((until) => until !== undefined)
    .map((until) => readInstant(until).getTime())
  if (ends.length === 0) return null
  const end = new Date(Math.min(...ends))
  return end > now ? end : addSeconds(end, PROVIDER_SKEW_SECONDS)
}

type ExpectedResponse = At & { addresses: readonly string[]; inResponseTo: string | null }

/**
 * Requires a bearer confirmation for this server's address, this request and this time; returns its end (SAML Profiles 4.1.4.3).
 */
export function confirmedUntil(assertion: Element, expected: ExpectedResponse): Date {
  const subject = childOf(assertion, NS.assertion, 'Subject')
  if (!subject) throw malformed('its assertion has no Subject')
  const ours = bearerData(subject).filter((data): data is Element => data !== undefined && isOurs(data, expected))
  const [first] = ours
  if (!first) throw unconfirmed(subject, expected)
  const confirmed = ours.find((data) => problemOfTime(data, expected.now) === null) ?? first
  checkWindow(confirmed, expected.now)
  return readInstant(attributeOf(confirmed, 'NotOnOrAfter'))
}

/** The data of each bearer confirmation of a SAML 2.0 Subject; undefined for a confirmation without data. */
const bearerData = (subject: Element): (Element | undefined)[] =>
  childrenOf(subject, NS.assertion, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === BEARER)
    .map((confirmation) => childOf(confirmation, NS.assertion, 'SubjectConfirmationData'))

const isOurs = (data: Element, { addresses, inResponseTo }: ExpectedResponse): boolean =>
  addresses.includes(attributeOf(data, 'Recipient') ?? '') &&
  (attributeOf(data, 'InResponseTo') ?? null) === inResponseTo

/** For another address, or for another request to this one. */
function unconfirmed(subject: Element, { addresses }: ExpectedResponse): Error {
  const isHere = bearerData(subject).some((data) => addresses.includes((data && attributeOf(data, 'Recipient')) ?? ''))
  const reason = isHere ? 'upstream_other_request' : 'upstream_address'
  return malformed('its subject is not confirmed for this address and request', reason)
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

/**
 * A persistent or transient name of another namespace may be another person's here (SAML Core 8.3.7, 8.3.8). The qualifiers are
 * optional and meaningless in other formats.
 */
export function checkQualifiers(nameId: NameIdRead | null, expected: { issuer: string; audience: string }): void {
  if (!nameId || !/:nameid-format:(?:persistent|transient)$/i.test(nameId.format ?? '')) return
  const { name, sp } = nameId.qualifiers
  if ((name ?? '') !== '' && name !== expected.issuer)
    throw unfit(`the NameQualifier of its NameID is ${quoted(name ?? '')}`)
  if ((sp ?? '') !== '' && sp !== expected.audience)
    throw unfit(
      `the SPNameQualifier of its NameID is ${quoted(sp ?? '')}, and this one is ${quoted(expected.audience)}`,
    )
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
  const problem = problemOfTime(element, now)
  if (problem !== null) throw unfit(problem.what, problem.reason)
}

/** What is wrong with `NotBefore` and `NotOnOrAfter`, where they are present; null for nothing. */
function problemOfTime(element: Element, now: Date): { what: string; reason: Reason } | null {
  const at = (name: string): Date | null => {
    const value = attributeOf(element, name)
    return value === undefined ? null : readInstant(value)
  }
  const [from, until] = [at('NotBefore'), at('NotOnOrAfter')]
  if (from !== null && from > addSeconds(now, PROVIDER_SKEW_SECONDS)) {
    return { what: outside('it is not valid before', from, now), reason: 'upstream_early' }
  }
  const isOver = until !== null && until <= addSeconds(now, -PROVIDER_SKEW_SECONDS)
  return isOver ? { what: outside('it expired at', until, now), reason: 'upstream_expired' } : null
}

/** Both times, because the difference may be that of the clocks. */
const outside = (what: string, time: Date, now: Date): string =>
  `${what} ${time.toISOString()}, and it is ${now.toISOString()} here`
