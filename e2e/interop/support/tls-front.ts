// A TLS-terminating proxy with a throw-away authority, as it stands in front of the server in production.
import 'reflect-metadata'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

export type TlsFront = {
  /** The authority's certificate, for NODE_EXTRA_CA_CERTS. */
  caFile: string
  close(): Promise<void>
}

/** Listens on `port` for https and passes everything on to `target`, with the forwarding headers of a proxy. */
export async function startTlsFront(port: number, target: number): Promise<TlsFront> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-ca-'))
  const { ca, cert, key } = await makeCertificates()
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming
    const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '', 'x-forwarded-proto': 'https' }
    const onward = request({ host: 'localhost', port: target, method, path: url, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    caFile,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

async function makeCertificates(): Promise<{ ca: string; cert: string; key: string }> {
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
