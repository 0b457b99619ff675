// A certificate as the Management API shows it.
import { X509Certificate } from 'node:crypto'
import { writePkcs7 } from '../../../crypto/keys/pkcs7'
import { pemOf } from '../../../crypto/saml/certificate'
import { createMemo } from '../../../kernel/memo'

const MAX_DESCRIBED = 100
const described = createMemo<ReturnType<typeof readCertificate>>(MAX_DESCRIBED)

/** Kept, because parsing a certificate costs more than the rest of reading a client. */
export const describeCertificate = (certificate: string) => described(certificate, () => readCertificate(certificate))

/** `certificate` is base64 DER. */
function readCertificate(certificate: string) {
  const der = Buffer.from(certificate, 'base64')
  const { subject, fingerprint } = new X509Certificate(der)
  return {
    cert: pemOf(certificate),
    pkcs7: pemOf(writePkcs7(der).toString('base64')).replaceAll('CERTIFICATE', 'PKCS7'),
    subject,
    fingerprint,
  }
}
