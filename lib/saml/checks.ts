// The verdict on a response of an identity provider (SAML Core 2, 3; Profiles 4.1.4.3; threat-model.md SP1 to SP4): everything
// that must hold before anybody is signed in by it, one function each, listed in `judgeResponse` and nowhere else.
// - Identity is read from the bytes that one of the connection's own keys signed, parsed anew; keys and certificates that the
//   message brings are not looked at.
// - What stands outside the signed assertion can only refuse, never let in.
// - Whether the assertion was used before, the caller asks last, of the database.
import type { KeyObject } from 'node:crypto'
import { addSeconds } from '../kernel/clock'
import { decryptElement } from './decrypt'
import { BEARER, NS, STATUS } from './names'
import { readId, readInstant } from './read'
import { decodeMessage } from './transport'
import { verifiedElement, verifiedRoot } from './verify'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed, parseXml, textOf } from './xml'

export type Expected = {
  now: Date
  /** Of the provider, from the connection's configuration alone. */
  keys: readonly KeyObject[]
  /** Ours, for what is encrypted to us. */
  decryptionKey: KeyObject
  /** What the provider is called; null where the connection does not say. */
  issuer: string | null
  /** What we are called. */
  audience: string
  /** Our addresses that it may be sent to. */
  addresses: readonly string[]
  /** The id of the request that this browser left with; null for what nobody asked for. */
  inResponseTo: string | null
}

export type Verdict = {
  issuer: string
  assertionId: string
  /** From then on it could not be used again anyway. */
  until: Date
  nameId: { value: string; format: string | null }
  sessionIndex: string | null
  attributes: ReadonlyMap<string, readonly string[]>
}

/** The provider says that nobody signed in. */
export class StatusError extends Error {}

export const SKEW_SECONDS = 120

export function judgeResponse(encoded: string, expected: Expected): Verdict {
  const source = decodeMessage(encoded)
  const message = parseXml(source)
  checkIsResponse(message)
  checkStatus(message)
  const said = { ...signedPart(source, message, expected), expected }
  checkIssuer(said)
  checkDestination(said)
  checkAnswers(said)
  checkConditions(said)
  checkAudience(said)
  checkStatement(said)
  const confirmedUntil = checkSubjectConfirmation(said)
  return verdictOf(said.assertion, confirmedUntil)
}

type Said = { response: Element; responseIsSigned: boolean; assertion: Element; expected: Expected }

function checkIsResponse(response: Element): void {
  if (!isNamed(response, NS.protocol, 'Response') || attributeOf(response, 'Version') !== '2.0') {
    throw malformed('it is no Response of SAML 2.0')
  }
  readInstant(attributeOf(response, 'IssueInstant'))
}

function checkStatus(response: Element): void {
  const status = childOf(response, NS.protocol, 'Status')
  const code = status && childOf(status, NS.protocol, 'StatusCode')
  const value = code && attributeOf(code, 'Value')
  if (value === STATUS.success) return
  const detail = code && childOf(code, NS.protocol, 'StatusCode')
  const names = [value, detail && attributeOf(detail, 'Value')].map((name) => name?.split(':').at(-1) ?? '')
  throw new StatusError(names.map((name) => name.replace(/\W/g, '').slice(0, 100)).join(' '))
}

/** The one assertion, as it was signed: with the response around it, or by itself. Encrypted ones are opened first. */
function signedPart(source: string, message: Element, { keys, decryptionKey }: Expected): Omit<Said, 'expected'> {
  onlyAssertion(message)
  const whole = verifiedRoot(source, keys)
  const response = whole ?? message
  const found = onlyAssertion(response)
  const around = { response, responseIsSigned: whole !== null }
  if (isNamed(found, NS.assertion, 'EncryptedAssertion')) {
    const inner = decryptElement(found, decryptionKey)
    return { ...around, assertion: alone(whole ? parseXml(inner) : signed(verifiedRoot(inner, keys))) }
  }
  return { ...around, assertion: alone(whole ? found : signed(verifiedElement(source, onlyAssertion, keys))) }
}

function onlyAssertion(response: Element): Element {
  const all = elementsOf(response).filter(isAssertion)
  const [assertion] = [
    ...childrenOf(response, NS.assertion, 'Assertion'),
    ...childrenOf(response, NS.assertion, 'EncryptedAssertion'),
  ]
  if (!assertion || all.length !== 1) throw malformed('it does not have exactly one assertion')
  return assertion
}

const isAssertion = (element: Element): boolean =>
  isNamed(element, NS.assertion, 'Assertion') || isNamed(element, NS.assertion, 'EncryptedAssertion')

function signed(assertion: Element | null): Element {
  if (!assertion) throw malformed('neither it nor its assertion is signed')
  return assertion
}

function alone(assertion: Element): Element {
  const isOne = isNamed(assertion, NS.assertion, 'Assertion') && elementsOf(assertion).filter(isAssertion).length === 1
  if (!isOne || attributeOf(assertion, 'Version') !== '2.0') throw malformed('what is signed is no assertion')
  return assertion
}

function checkIssuer({ response, assertion, expected }: Said): void {
  const [outer, inner] = [issuerOf(response), issuerOf(assertion)]
  const isOther = expected.issuer !== null && inner !== expected.issuer
  if (inner === null || isOther || (outer !== null && outer !== inner)) throw malformed('its issuer is another')
}

function issuerOf(element: Element): string | null {
  const issuer = childOf(element, NS.assertion, 'Issuer')
  return issuer ? textOf(issuer) : null
}

/** Whoever signs a message says whom it is for (SAML Bindings 3.5.5.2). */
function checkDestination({ response, responseIsSigned, expected }: Said): void {
  const destination = attributeOf(response, 'Destination')
  const isWrong = destination === undefined ? responseIsSigned : !expected.addresses.includes(destination)
  if (isWrong) throw malformed('its Destination is another address')
}

/** The assertion's own InResponseTo is looked at with its confirmation. */
function checkAnswers({ response, expected }: Said): void {
  const answered = attributeOf(response, 'InResponseTo')
  if (answered !== undefined && answered !== expected.inResponseTo) throw malformed('it answers another request')
}

const KNOWN_CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

function checkConditions({ assertion, expected }: Said): void {
  readInstant(attributeOf(assertion, 'IssueInstant'))
  const conditions = conditionsOf(assertion)
  checkWindow(conditions, expected.now)
  const known = KNOWN_CONDITIONS.flatMap((name) => childrenOf(conditions, NS.assertion, name))
  const inside = known.flatMap((condition) => elementsOf(condition)).length
  if (inside !== elementsOf(conditions).length - 1) throw malformed('it has a condition that is not known')
}

function conditionsOf(assertion: Element): Element {
  const conditions = childOf(assertion, NS.assertion, 'Conditions')
  if (!conditions) throw malformed('its assertion has no Conditions')
  return conditions
}

function checkWindow(element: Element, now: Date): void {
  const [from, until] = [attributeOf(element, 'NotBefore'), attributeOf(element, 'NotOnOrAfter')]
  if (from !== undefined && readInstant(from) > addSeconds(now, SKEW_SECONDS)) throw malformed('it is not valid yet')
  if (until !== undefined && readInstant(until) <= addSeconds(now, -SKEW_SECONDS)) throw malformed('it has expired')
}

/** Every restriction must name us, and there must be one. */
function checkAudience({ assertion, expected }: Said): void {
  const restrictions = childrenOf(conditionsOf(assertion), NS.assertion, 'AudienceRestriction')
  const namesUs = (restriction: Element): boolean =>
    childrenOf(restriction, NS.assertion, 'Audience').some((audience) => textOf(audience) === expected.audience)
  if (restrictions.length === 0 || !restrictions.every(namesUs)) throw malformed('it is for another audience')
}

/** Somebody has signed in, and has not been signed out since. */
function checkStatement({ assertion, expected }: Said): void {
  const statements = childrenOf(assertion, NS.assertion, 'AuthnStatement')
  if (statements.length === 0) throw malformed('it says of nobody that they signed in')
  for (const statement of statements) {
    const until = attributeOf(statement, 'SessionNotOnOrAfter')
    const isOver = until !== undefined && readInstant(until) <= addSeconds(expected.now, -SKEW_SECONDS)
    if (isOver) throw malformed('its session is over')
  }
}

/** One bearer confirmation for our address, this request and now; until when. */
function checkSubjectConfirmation({ assertion, expected }: Said): Date {
  const confirmed = childrenOf(subjectOf(assertion), NS.assertion, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === BEARER)
    .map((confirmation) => childOf(confirmation, NS.assertion, 'SubjectConfirmationData'))
    .find((data): data is Element => data !== undefined && isOurs(data, expected))
  if (!confirmed) throw malformed('its subject is not confirmed for this address, request and time')
  return readInstant(attributeOf(confirmed, 'NotOnOrAfter'))
}

function isOurs(data: Element, { addresses, inResponseTo, now }: Expected): boolean {
  if (!addresses.includes(attributeOf(data, 'Recipient') ?? '')) return false
  if ((attributeOf(data, 'InResponseTo') ?? null) !== inResponseTo) return false
  const from = attributeOf(data, 'NotBefore')
  const hasBegun = from === undefined || readInstant(from) <= addSeconds(now, SKEW_SECONDS)
  return hasBegun && readInstant(attributeOf(data, 'NotOnOrAfter')) > addSeconds(now, -SKEW_SECONDS)
}

function subjectOf(assertion: Element): Element {
  const subject = childOf(assertion, NS.assertion, 'Subject')
  if (!subject) throw malformed('its assertion has no Subject')
  return subject
}

function verdictOf(assertion: Element, confirmedUntil: Date): Verdict {
  const nameId = childOf(subjectOf(assertion), NS.assertion, 'NameID')
  if (!nameId) throw malformed('it names nobody')
  const [statement] = childrenOf(assertion, NS.assertion, 'AuthnStatement')
  return {
    issuer: issuerOf(assertion) ?? '',
    assertionId: readId(attributeOf(assertion, 'ID')),
    until: addSeconds(confirmedUntil, SKEW_SECONDS),
    nameId: { value: textOf(nameId), format: attributeOf(nameId, 'Format') ?? null },
    sessionIndex: (statement && attributeOf(statement, 'SessionIndex')) ?? null,
    attributes: attributesOf(assertion),
  }
}

/** Values that are text; what holds elements is nothing that we read. */
function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const found = childrenOf(assertion, NS.assertion, 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, NS.assertion, 'Attribute'))
    .map((attribute): [string, string[]] => [
      attributeOf(attribute, 'Name') ?? '',
      childrenOf(attribute, NS.assertion, 'AttributeValue')
        .filter((value) => elementsOf(value).length === 1)
        .map(textOf)
        .filter((text) => text !== ''),
    ])
  const all = new Map<string, string[]>()
  for (const [name, values] of found) all.set(name, [...(all.get(name) ?? []), ...values])
  return all
}
