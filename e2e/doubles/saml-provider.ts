// A SAML identity provider and an application, each on a site of its own, for one test. The provider signs everyone in at once, for the audience
// that its administrator has entered.
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeSigningKey, SEALED_FOR } from '../../lib/crypto/keys/key'
import { pemOf } from '../../lib/crypto/saml/certificate'
import { parseXml } from '../../lib/crypto/saml/parse'
import { readAuthnRequest } from '../../lib/crypto/saml/read'
import { decodeMessage } from '../../lib/crypto/saml/transport'
import { systemClock } from '../../lib/kernel/clock'
import { systemRandom } from '../../lib/kernel/random'
import { createVault } from '../../lib/kernel/secret'
import { encoded, samlAnswer } from '../../lib/testing/saml-idp'
import { SERVER } from '../origins'
import { postPage } from './provider-pages'

type At = { connection: string; audience: string }

export async function startSamlProvider(at: At) {
  const partner = await makePartner()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://saml.e2e.test')
    pageAt(url, at, partner).then(
      (html) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    signInEndpoint: `http://saml.e2e.test:${port}/sso`,
    signingCert: partner.certificatePem,
    /** Of the application. */
    callback: `http://shop.e2e.test:${port}/callback`,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function pageAt({ pathname, searchParams: sent }: URL, at: At, partner: Partner): Promise<string> {
  if (pathname !== '/sso') return '<!doctype html><title>Shop</title><h1>Shop</h1>'
  const { id } = readAuthnRequest(parseXml(decodeMessage(sent.get('SAMLRequest') ?? '')))
  const recipient = `${SERVER}/login/callback?connection=${at.connection}`
  const attributes = { mail: [`${at.connection}@saml.e2e.test`] }
  const answer = { now: new Date(), recipient, audience: at.audience, inResponseTo: id, attributes }
  const xml = await samlAnswer(partner, answer)
  return postPage(recipient, { SAMLResponse: encoded(xml), RelayState: sent.get('RelayState') ?? '' })
}

type Partner = Awaited<ReturnType<typeof makePartner>>

async function makePartner() {
  const vault = createVault('a secret of the identity provider double')
  const made = await makeSigningKey('saml.e2e.test', 'RS256', { clock: systemClock, random: systemRandom, vault })
  const key = vault.open(SEALED_FOR, made.sealedPrivate)
  if (!key) throw new Error('the key was sealed just now')
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  const [certificate] = made.publicJwk.x5c
  return {
    ...{ privateKey, certificate, certificatePem: pemOf(certificate) },
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
