// The messages that partners send, from XML to values (SAML Core 3.4, 3.7). This file checks only what every message needs: the
// version, an id that a response may repeat, the time of issue and the issuer.
import { NS } from './names'
import { attributeOf, childOf, childrenOf, isNamed, malformed, textOf } from './xml'

type Message = {
  id: string
  issueInstant: Date
  destination: string | null
  issuer: string | null
}

export type AuthnRequest = Message & {
  assertionConsumerUrl: string | null
  assertionConsumerIndex: number | null
  protocolBinding: string | null
  forceAuthn: boolean
  isPassive: boolean
  /** The requested subject, where the request names one. */
  subject: string | null
  nameIdFormat: string | null
  contexts: RequestedContexts | null
}

const COMPARISONS = ['exact', 'minimum', 'maximum', 'better'] as const
export type RequestedContexts = { comparison: (typeof COMPARISONS)[number]; classes: string[] }

export type LogoutRequest = Message & {
  nameId: string
  nameIdFormat: string | null
  sessions: string[]
  notOnOrAfter: Date | null
}

export type LogoutResponse = Message & { inResponseTo: string | null; succeeded: boolean }

export function readAuthnRequest(root: Element): AuthnRequest {
  const message = readMessage(root, 'AuthnRequest')
  const subject = childOf(root, NS.assertion, 'Subject')
  const policy = childOf(root, NS.protocol, 'NameIDPolicy')
  const index = attributeOf(root, 'AssertionConsumerServiceIndex')
  return {
    ...message,
    assertionConsumerUrl: attributeOf(root, 'AssertionConsumerServiceURL') ?? null,
    assertionConsumerIndex: index === undefined ? null : readIndex(index),
    protocolBinding: attributeOf(root, 'ProtocolBinding') ?? null,
    forceAuthn: readBoolean(root, 'ForceAuthn'),
    isPassive: readBoolean(root, 'IsPassive'),
    subject: (subject && textIn(subject, 'NameID')) ?? null,
    nameIdFormat: (policy && bounded(attributeOf(policy, 'Format'), 'Format')) ?? null,
    contexts: readContexts(root),
  }
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

function readMessage(root: Element, name: string): Message {
  if (!isNamed(root, NS.protocol, name)) throw malformed(`it is no ${name}`)
  if (attributeOf(root, 'Version') !== '2.0') throw malformed('its version is not 2.0')
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
  if (Number.isNaN(instant.getTime())) throw malformed('a time in it is none')
  return instant
}

function readIndex(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw malformed('AssertionConsumerServiceIndex is no number')
  return Number(value)
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
  if (!comparison || classes.length > MAX_CLASSES) throw malformed('RequestedAuthnContext is none')
  for (const name of classes) bounded(name, 'AuthnContextClassRef')
  return { comparison, classes }
}
