// One certificate as PKCS #7 (RFC 2315, a SignedData without signatures), a format that some products require.
export function writePkcs7(certificate: Uint8Array): Buffer {
  const content = der(SEQUENCE, OID_DATA)
  const signedData = der(SEQUENCE, VERSION_1, der(SET), content, der(CONTEXT_0, certificate), der(SET))
  return der(SEQUENCE, OID_SIGNED_DATA, der(CONTEXT_0, signedData))
}

const SEQUENCE = 0x30
const SET = 0x31
const CONTEXT_0 = 0xa0
const VERSION_1 = Buffer.from('020101', 'hex')
/** 1.2.840.113549.1.7.1 and .2 */
const OID_DATA = Buffer.from('06092a864886f70d010701', 'hex')
const OID_SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex')

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff]
  return [0x80 | bytes.length, ...bytes]
}
