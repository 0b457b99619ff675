// A temporary certificate authority and its certificates, created for every run.
import 'reflect-metadata'
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export type Certificates = { ca: string; cert: string; key: string }

/** For `localhost`. */
export async function makeCertificates(): Promise<Certificates> {
  const authorityKeys = await makeKeys()
  const serverKeys = await makeKeys()
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) }
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Throw-away authority',
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
    ...validity,
  })
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    ...validity,
  })
  return { ca: authority.toString('pem'), cert: certificate.toString('pem'), key: await pemOf(serverKeys.privateKey) }
}

const makeKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

async function pemOf(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}

const SIGNING = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}

export type Credentials = { cert: string; key: string }

/** The keys of a SAML partner: an RSA key and a self-signed certificate. */
export async function makeCredentials(name: string): Promise<Credentials> {
  const keys = await crypto.subtle.generateKey(SIGNING, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: SIGNING,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
  })
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}
