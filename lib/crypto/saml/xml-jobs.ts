// What is done with XML of other parties: each job reads one document and returns plain data. It runs on the threads of
// xml-thread.ts, never on the event loop (threat-model.md BF13); xml-reader.ts is the way there.
import type { KeyObject } from 'node:crypto'
import { DomainError, type ErrorCode, type ErrorOptions } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import { type AssertionCheck, checksOf } from './check-list'
import { readFederationMetadata } from './federation-metadata'
import { readIdpMetadata } from './idp-metadata'
import { REQUEST } from './limits'
import { outlineXml } from './outline'
import { parseXml } from './parse'
import { isSignedQuery, type MessageName } from './query-signature'
import { readAuthnRequest, readLogoutRequest, readLogoutResponse } from './read'
import { type ExpectedResponse, type ExpectedToken, judgeResponse, judgeToken } from './response-checks'
import { StatusError } from './status-error'
import { decodeMessage } from './transport'
import { verifiedRoot } from './verify'
import { malformed } from './xml'

/** A request or logout message as it was sent. */
export type SentMessage = {
  name: MessageName
  encoded: string
  /**
   * The keys of which one must have signed the message, and the raw query that holds the signature; without a query it is inside
   * the XML. Null: the sender does not sign.
   */
  signed: { keys: readonly KeyObject[]; query: string | null } | null
}

const JOBS = {
  authnRequest: (sent: SentMessage) => readAuthnRequest(rootOf(sent)),
  logoutRequest: (sent: SentMessage) => readLogoutRequest(rootOf(sent)),
  logoutResponse: (sent: SentMessage) => readLogoutResponse(rootOf(sent)),
  response: ({ encoded, expected }: { encoded: string; expected: ExpectedResponse }) =>
    judgeResponse(encoded, expected),
  token: ({ source, expected }: { source: string; expected: ExpectedToken }) => judgeToken(source, expected),
  idpMetadata: readIdpMetadata,
  federationMetadata: readFederationMetadata,
  outline: outlineXml,
}

export type XmlJobs = typeof JOBS
export type XmlJob = { [Name in keyof XmlJobs]: { name: Name; input: Parameters<XmlJobs[Name]>[0] } }[keyof XmlJobs]

export type XmlAnswer =
  | { kind: 'read'; value: unknown }
  | {
      kind: 'refused'
      code: ErrorCode
      reason: Reason
      description: string
      redirectable: boolean
      page: ErrorOptions['page']
      checks: AssertionCheck[]
    }
  /** The provider reports that the login failed. */
  | { kind: 'status'; message: string }
  /** A fault of this server. */
  | { kind: 'failed'; message: string; stack: string }

export function runXmlJob({ name, input }: XmlJob): XmlAnswer {
  try {
    return { kind: 'read', value: JOBS[name](input as never) }
  } catch (error) {
    if (error instanceof StatusError) return { kind: 'status', message: error.message }
    if (error instanceof DomainError) {
      const { code, reason, description, redirectable, page } = error
      return { kind: 'refused', code, reason, description, redirectable, page, checks: checksOf(error) }
    }
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    return { kind: 'failed', message, stack }
  }
}

/** The root element; where the message must be signed, only what is signed. */
function rootOf({ name, encoded, signed }: SentMessage): Element {
  const source = decodeMessage(encoded)
  if (signed === null) return parseXml(source, REQUEST)
  if (signed.query !== null) {
    if (!isSignedQuery(signed.query, name, signed.keys))
      throw malformed('its signature does not hold', 'signature_invalid')
    return parseXml(source, REQUEST)
  }
  const root = verifiedRoot(source, signed.keys, REQUEST)
  if (!root) throw malformed('it is not signed', 'signature_missing')
  return root
}
