// The messages that partners send, from XML to values (SAML Core 3.4, 3.7). This file checks only what every message needs: the
// version, an id that a response may repeat, the time of issue and the issuer.
import { BEARER, NS, nameIdFormat } from './names'
import { attributeOf, childElements, childOf, childrenOf, isNamed, malformed, textOf } from './xml'

type Message = {
  id: string
  issueInstant: Date
  destination: string | null
  issuer: string | null
}

/** The members of an AuthnRequest (Core 3.4.1); docs/compat.md lists what becomes of each. */
export type AuthnRequest = Message & {
  /** A later version of SAML than 2.0. */
  isLater: boolean
  assertionConsumerUrl: string | null
  assertionConsumerIndex: number | null
  protocolBinding: string | null
  forceAuthn: boolean
  isPassive: boolean
  /** The requested subject, where the request names one. */
  subject: RequestedSubject | null
  nameIdFormat: string | null
  /** The namespace that the name has to be in, where the request names one. */
  spNameQualifier: string | null
  contexts: RequestedContexts | null
  conditions: RequestedConditions | null
  scoping: Scoping | null
}

/** `isReadable`: it names the person by a NameID, and may be confirmed as a bearer. */
export type RequestedSubject = { nameId: string | null; format: string | null; isReadable: boolean }

export type RequestedConditions = {
  notBefore: Date | null
  notOnOrAfter: Date | null
  /** Each list must contain the audience. */
  audiences: string[][]
  oneTimeUse: boolean
  /** There is another condition. */
  hasOther: boolean
}

export type Scoping = { proxyCount: number | null; identityProviders: string[] | null }

const COMPARISONS = ['exact', 'minimum', 'maximum', 'better'] as const
/** `declarations`: a reference to a declaration, of which there are none here. */
export type RequestedContexts = {
  comparison: (typeof COMPARISONS)[number]
  classes: string[]
  declarations?: boolean
}

export type LogoutRequest = Message & {
  nameId: string
  nameIdFormat: string | null
  sessions: string[]
  notOnOrAfter: Date | null
}

export type LogoutResponse = Message & { inResponseTo: string | null; succeeded: boolean }

export function readAuthnRequest(root: Element): AuthnRequest {
  const message = readMessage(root, 'AuthnRequest', LATER)
  const policy = childOf(root, NS.protocol, 'NameIDPolicy')
  const format = policy && bounded(attributeOf(policy, 'Format'), 'Format')
  if (policy) readBoolean(policy, 'AllowCreate')
  readNumber(root, 'AttributeConsumingServiceIndex')
  return {
    ...message,
    isLater: attributeOf(root, 'Version') !== VERSION,
    assertionConsumerUrl: attributeOf(root, 'AssertionConsumerServiceURL') ?? null,
    assertionConsumerIndex: readNumber(root, 'AssertionConsumerServiceIndex') ?? null,
    protocolBinding: attributeOf(root, 'ProtocolBinding') ?? null,
    forceAuthn: readBoolean(root, 'ForceAuthn'),
    isPassive: readBoolean(root, 'IsPassive'),
    subject: readSubject(root),
    nameIdFormat: format === undefined ? null : nameIdFormat(format),
    spNameQualifier: (policy && bounded(attributeOf(policy, 'SPNameQualifier'), 'SPNameQualifier')) || null,
    contexts: readContexts(root),
    conditions: readConditions(root),
    scoping: readScoping(root),
  }
}

function readSubject(root: Element): RequestedSubject | null {
  const subject = childOf(root, NS.assertion, 'Subject')
  if (!subject) return null
  const nameId = childOf(subject, NS.assertion, 'NameID')
  const methods = childrenOf(subject, NS.assertion, 'SubjectConfirmation').map((each) => attributeOf(each, 'Method'))
  const format = nameId && bounded(attributeOf(nameId, 'Format'), 'Format')
  return {
    nameId: textIn(subject, 'NameID') ?? null,
    format: format === undefined ? null : nameIdFormat(format),
    isReadable: nameId !== undefined && (methods.length === 0 || methods.includes(BEARER)),
  }
}

const MAX_AUDIENCES = 20

function readConditions(root: Element): RequestedConditions | null {
  const conditions = childOf(root, NS.assertion, 'Conditions')
  if (!conditions) return null
  const restrictions = childrenOf(conditions, NS.assertion, 'AudienceRestriction')
  const once = childrenOf(conditions, NS.assertion, 'OneTimeUse')
  const audiences = restrictions.map((each) => childrenOf(each, NS.assertion, 'Audience').map(textOf))
  if (audiences.flat().length > MAX_AUDIENCES) throw malformed('it has too many audiences')
  const at = (name: string): Date | null => {
    const value = attributeOf(conditions, name)
    return value === undefined ? null : readInstant(value)
  }
  return {
    notBefore: at('NotBefore'),
    notOnOrAfter: at('NotOnOrAfter'),
    audiences,
    oneTimeUse: once.length > 0,
    hasOther: childElements(conditions).length > restrictions.length + once.length,
  }
}

function readScoping(root: Element): Scoping | null {
  const scoping = childOf(root, NS.protocol, 'Scoping')
  if (!scoping) return null
  const list = childOf(scoping, NS.protocol, 'IDPList')
  const providers =
    list && childrenOf(list, NS.protocol, 'IDPEntry').map((entry) => attributeOf(entry, 'ProviderID') ?? '')
  return { proxyCount: readNumber(scoping, 'ProxyCount') ?? null, identityProviders: providers ?? null }
}

function readNumber(element: Element, name: string): number | undefined {
  const value = attributeOf(element, name)
  if (value !== undefined && !/^\d{1,5}$/.test(value)) throw malformed(`${name} is no number`)
  return value === undefined ? undefined : Number(value)
}

export function readLogoutRequest(root: Element): LogoutRequest {
  const message = readMessage(root, 'LogoutRequest')
  const nameId = childOf(root, NS.assertion, 'NameID')
  if (!nameId) throw malformed('it has no NameID')
  const notOnOrAfter = attributeOf(root, 'NotOnOrAfter')
  return {
    ...message,
    nameId: textOf(nameId),
    nameIdFormat: attributeOf(nameId, 'Format') ?? null,
    sessions: childrenOf(root, NS.protocol, 'SessionIndex').map(textOf),
    notOnOrAfter: notOnOrAfter === undefined ? null : readInstant(notOnOrAfter),
  }
}

export function readLogoutResponse(root: Element): LogoutResponse {
  const message = readMessage(root, 'LogoutResponse')
  const status = childOf(root, NS.protocol, 'Status')
  const code = status && childOf(status, NS.protocol, 'StatusCode')
  const nested = code && childOf(code, NS.protocol, 'StatusCode')
  return {
    ...message,
    inResponseTo: attributeOf(root, 'InResponseTo') ?? null,
    succeeded: !nested && (code ? attributeOf(code, 'Value') : undefined)?.endsWith(':status:Success') === true,
  }
}

/** In characters: these values are stored for an hour. */
const MAX = 1024

function bounded(value: string | undefined, name: string): string | undefined {
  if (value !== undefined && value.length > MAX) throw malformed(`${name} is too long`)
  return value
}

const VERSION = '2.0'
const LATER = /^(?:2\.[1-9]\d?|[3-9]\.\d{1,2})$/

/** `later` are further versions that are not refused here. */
function readMessage(root: Element, name: string, later?: RegExp): Message {
  if (!isNamed(root, NS.protocol, name)) throw malformed(`it is no ${name}`)
  const version = attributeOf(root, 'Version') ?? ''
  if (version !== VERSION && !later?.test(version)) throw malformed('its version is not 2.0')
  return {
    id: readId(attributeOf(root, 'ID')),
    issueInstant: readInstant(attributeOf(root, 'IssueInstant')),
    destination: bounded(attributeOf(root, 'Destination'), 'Destination') ?? null,
    issuer: textIn(root, 'Issuer') ?? null,
  }
}

function textIn(parent: Element, name: string): string | undefined {
  const child = childOf(parent, NS.assertion, name)
  return child && bounded(textOf(child), name)
}

/** xs:ID: the response repeats the id as InResponseTo, which has the same type. */
export function readId(value: string | undefined): string {
  if (value === undefined || !/^[\p{L}_][\p{L}\p{N}_.\-·]{0,255}$/u.test(value)) throw malformed('its ID is no xs:ID')
  return value
}

export function readInstant(value: string | undefined): Date {
  const instant = new Date(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value ?? '') ? (value ?? '') : '',
  )
  if (Number.isNaN(instant.getTime())) throw malformed('a time in it is invalid')
  return instant
}

function readBoolean(root: Element, name: string): boolean {
  const value = attributeOf(root, name)
  if (value === undefined || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1') return true
  throw malformed(`${name} is neither true nor false`)
}

const MAX_CLASSES = 20

function readContexts(root: Element): RequestedContexts | null {
  const requested = childOf(root, NS.protocol, 'RequestedAuthnContext')
  if (!requested) return null
  const sent = attributeOf(requested, 'Comparison') ?? 'exact'
  const comparison = COMPARISONS.find((known) => known === sent)
  const classes = childrenOf(requested, NS.assertion, 'AuthnContextClassRef').map(textOf)
  if (!comparison || classes.length > MAX_CLASSES) throw malformed('RequestedAuthnContext is invalid')
  for (const name of classes) bounded(name, 'AuthnContextClassRef')
  const declarations = childrenOf(requested, NS.assertion, 'AuthnContextDeclRef').length > 0
  return { comparison, classes, ...(declarations ? { declarations } : {}) }
}
