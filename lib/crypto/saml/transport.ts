// The encodings of SAML messages (SAML Bindings 3.4, 3.5): base64 of the XML in a form, base64 of the deflated XML in an
// address. Both encodings are accepted in both places, as at the vendor. Inflation stops at the size limit of a message.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { ANSWER, REQUEST } from './limits'
import { malformed } from './xml'

/** A UTF-8 character has at most four bytes, and base64 writes three bytes as four characters. */
const MAX_ENCODED = Math.ceil((ANSWER.characters * 4) / 3)
/** A message in an address is a request, and a few hundred deflated bytes could inflate to any size. */
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
