// Validates the answer of an identity provider: a SAML 2.0 response (SAML Core 3, Profiles 4.1.4.3) or a WS-Federation token
// (1.2, 13.2.3; threat-model.md SP1 to SP4). Every check before a login is one function, listed in `judgeResponse` and
// `judgeToken` and nowhere else.
// - The identity is read from the bytes that a key of the connection signed, parsed again. Keys and certificates in the message
//   are ignored.
// - Content outside the signed assertion can only cause a refusal.
// - The caller checks for a replay last, in the database.
import type { KeyObject } from 'node:crypto'
import { addSeconds, PROVIDER_SKEW_SECONDS } from '../../kernel/clock'
import { DomainError, invalidRequest } from '../../kernel/errors'
import {
  checkAudience,
  checkBearer,
  checkConditions,
  checkIssuer,
  checkQualifiers,
  checkStatement,
  confirmedUntil,
  endOf,
  requireSingleAssertion,
  sessionEnd,
} from './assertion-checks'
import { type AssertionCheck, createChecks } from './check-list'
import { decryptElement } from './decrypt'
import { attributesOf, dialectOf, isAssertion, issuerOf, type NameIdRead, nameIdOf } from './dialect'
import { NS, STATUS } from './names'
import { parseXml } from './parse'
import { readId, readInstant } from './read'
import { StatusError } from './status-error'
import { readTokenAnswer } from './token-answer'
import { decodeMessage } from './transport'
import { verifiedElement, verifiedRoot } from './verify'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed } from './xml'

export type ExpectedToken = {
  now: Date
  /** The provider's keys, from the connection's configuration only. */
  keys: readonly KeyObject[]
  /** This server's keys, for encrypted assertions. */
  decryptionKeys: readonly KeyObject[]
  /** The provider's entity id; null where the connection does not name it. */
  issuer: string | null
  /** This server's entity id. */
  audience: string
  /** This server's addresses that accept the message. */
  addresses: readonly string[]
}

export type ExpectedResponse = ExpectedToken & {
  /** The id of the request that this browser was sent with; null for an unsolicited response. */
  inResponseTo: string | null
}

export type VerifiedAssertion = {
  issuer: string
  assertionId: string
  /** The end of validity; a replay after it fails anyway. */
  until: Date
  /** Null where the assertion identifies the user by attributes only. */
  nameId: NameIdRead | null
  sessionIndex: string | null
  /** When the person's session at the provider ends, and so ours; null where the provider does not say. */
  sessionEnd: Date | null
  attributes: ReadonlyMap<string, readonly string[]>
  checks: AssertionCheck[]
}

export function judgeResponse(encoded: string, expected: ExpectedResponse): VerifiedAssertion {
  const source = decodeMessage(encoded)
  const message = parseXml(source)
  checkIsResponse(message)
  checkStatus(message)
  const checks = createChecks()
  const signed = checks.first('signature', () => signedPart(source, message, expected))
  const { response, assertion } = signed
  checks.add('issuer', () => checkIssuer(assertion, issuerOf(response), expected))
  checks.add('destination', () => checkDestination(signed, expected))
  checks.add('in_response_to', () => checkAnswers(response, expected))
  checks.add('conditions', () => checkConditions(assertion, expected))
  checks.add('audience', () => checkAudience(assertion, expected))
  checks.add('session', () => checkStatement(assertion, expected))
  return checks.end('confirmation', (all) => verdictOf(assertion, confirmedUntil(assertion, expected), expected, all))
}

/** WS-Federation has no InResponseTo: `wctx` binds the answer to a request of this browser (lib/login/upstream/upstream.ts). */
export function judgeToken(source: string, expected: ExpectedToken): VerifiedAssertion {
  const answer = readTokenAnswer(parseXml(source))
  if ('fault' in answer) throw new StatusError(answer.fault)
  const checks = createChecks()
  const assertion = checks.first('signature', () => signedToken(source, answer, expected))
  checks.add('issuer', () => checkIssuer(assertion, null, expected))
  checks.add('conditions', () => checkConditions(assertion, expected))
  checks.add('audience', () => checkAudience(assertion, expected))
  checks.add('session', () => checkStatement(assertion, expected))
  checks.add('confirmation', () => checkBearer(assertion, expected))
  return checks.end('subject', (all) => verdictOf(assertion, endOf(assertion), expected, all))
}

type Signed = { response: Element; responseIsSigned: boolean; assertion: Element }

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

/**
 * The single assertion, from the signed bytes: the response is signed, or the assertion itself. An encrypted assertion is
 * decrypted first.
 */
function signedPart(source: string, message: Element, { keys, decryptionKeys }: ExpectedResponse): Signed {
  onlyAssertion(message)
  const whole = verifiedRoot(source, keys)
  const response = whole ?? message
  const found = onlyAssertion(response)
  const around = { response, responseIsSigned: whole !== null }
  if (isNamed(found, NS.assertion, 'EncryptedAssertion')) {
    if (whole) return { ...around, assertion: version20(parseXml(decryptElement(found, decryptionKeys))) }
    return { ...around, assertion: version20(signedInside(found, { keys, decryptionKeys })) }
  }
  return {
    ...around,
    assertion: version20(whole ? found : requireSigned(verifiedElement(source, onlyAssertion, keys))),
  }
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

function version20(assertion: Element): Element {
  if (assertion.namespaceURI !== NS.assertion) throw malformed('what is signed is no assertion')
  return requireSingleAssertion(assertion)
}

/** Only the token's own signature counts, whatever surrounds the token. */
function signedToken(
  source: string,
  { requested, assertion }: { requested: Element; assertion: Element | null },
  { keys, decryptionKeys }: ExpectedToken,
): Element {
  if (assertion) return requireSingleAssertion(requireSigned(verifiedElement(source, tokenIn, keys)))
  return requireSingleAssertion(signedInside(requested, { keys, decryptionKeys }))
}

/** One reason for every failure: whether what no one signed could be decrypted would be an oracle. */
function signedInside(encrypted: Element, { keys, decryptionKeys }: Pick<ExpectedToken, 'keys' | 'decryptionKeys'>) {
  try {
    return requireSigned(verifiedRoot(decryptElement(encrypted, decryptionKeys), keys))
  } catch (error) {
    throw error instanceof DomainError ? asUndecryptable(error) : error
  }
}

/** For the log the sentence stays. */
const asUndecryptable = ({ description }: DomainError): DomainError =>
  invalidRequest(description, { reason: 'upstream_undecryptable', redirectable: false })

function tokenIn(root: Element): Element {
  const answer = readTokenAnswer(root)
  if ('fault' in answer || !answer.assertion) throw malformed('it has no token')
  return answer.assertion
}

function requireSigned(assertion: Element | null): Element {
  if (!assertion) throw malformed('neither it nor its assertion is signed', 'signature_missing')
  return assertion
}

/** A signed message must name its Destination (SAML Bindings 3.5.5.2). */
function checkDestination({ response, responseIsSigned }: Signed, expected: ExpectedResponse): void {
  const destination = attributeOf(response, 'Destination')
  const isWrong = destination === undefined ? responseIsSigned : !expected.addresses.includes(destination)
  if (isWrong) throw malformed('its Destination is another address', 'upstream_address')
}

/** The assertion's own InResponseTo is checked with its confirmation. */
function checkAnswers(response: Element, expected: ExpectedResponse): void {
  const answered = attributeOf(response, 'InResponseTo')
  if (answered !== undefined && answered !== expected.inResponseTo)
    throw malformed('it answers another request', 'upstream_other_request')
}

function verdictOf(
  assertion: Element,
  end: Date,
  { now, audience, decryptionKeys }: ExpectedToken,
  checks: AssertionCheck[],
): VerifiedAssertion {
  const { namespace, id, statement: name, issuerOf } = dialectOf(assertion)
  const [statement] = childrenOf(assertion, namespace, name)
  const issuer = issuerOf(assertion) ?? ''
  const nameId = nameIdOf(assertion, (encrypted) => parseXml(decryptElement(encrypted, decryptionKeys)))
  checkQualifiers(nameId, { issuer, audience })
  return {
    issuer,
    assertionId: readId(attributeOf(assertion, id)),
    until: addSeconds(end, PROVIDER_SKEW_SECONDS),
    nameId,
    sessionIndex: (statement && attributeOf(statement, 'SessionIndex')) ?? null,
    sessionEnd: sessionEnd(assertion, now),
    attributes: attributesOf(assertion),
    checks,
  }
}
