// How SAML messages travel (SAML Bindings 3.4, 3.5): base64 of the XML in a form, base64 of the deflated XML in an address.
// Either is taken in either place, as the vendor does; what inflates to more than a message may have is stopped on the way.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { ANSWER, REQUEST } from './limits'
import { malformed } from './xml'

/** A character of UTF-8 has at most four bytes, base64 four characters for three of them. */
const MAX_ENCODED = Math.ceil((ANSWER.characters * 4) / 3)
/** What an address can hold is no larger; a few hundred bytes could inflate to anything. */
const MAX_INFLATED = REQUEST.characters
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

export function decodeMessage(encoded: string): string {
  if (encoded.length > MAX_ENCODED || !BASE64.test(encoded)) throw malformed('it is not base64, or too large')
  const bytes = Buffer.from(encoded, 'base64')
  return decodeText(looksLikeXml(bytes) ? bytes : inflate(bytes))
}

const BYTE_ORDER_MARK = 0xef

const looksLikeXml = (bytes: Buffer): boolean =>
  bytes[0] === BYTE_ORDER_MARK || bytes.subarray(0, 64).toString('latin1').trimStart().startsWith('<')

function inflate(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED })
  } catch {
    throw malformed('it cannot be inflated')
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('it is not UTF-8')
  }
}

export const encodeForForm = (xml: string): string => Buffer.from(xml).toString('base64')

export const encodeForAddress = (xml: string): string => deflateRawSync(xml).toString('base64')
