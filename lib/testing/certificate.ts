// A certificate for servers of a test, which is its own authority.
import { systemClock } from '../kernel/clock'

type TestCertificate = { cert: string; key: string }

const DAY_MS = 86_400_000

/** The parser needs the metadata polyfill first. Valid now, by the clock of the machine, which TLS reads. */
export async function makeCertificate(...names: string[]): Promise<TestCertificate> {
  await import('reflect-metadata')
  const { SubjectAlternativeNameExtension, X509CertificateGenerator } = await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = systemClock.now().getTime()
  const made = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [names[0] ?? ''] }],
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: made.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` }
}
