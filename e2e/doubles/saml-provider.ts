// A SAML identity provider inside one page: the browser's requests to it are answered by the test. Its administrator has entered an audience.
import { createPrivateKey } from 'node:crypto'
import type { Page } from '@playwright/test'
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

const ADDRESS = 'http://saml.e2e.test/sso'

export type SamlProvider = { signInEndpoint: string; signingCert: string }

/** `audience` is what its administrator entered for the server under test. */
export async function samlProvider(
  page: Page,
  { connection, audience }: { connection: string; audience: string },
): Promise<SamlProvider> {
  const vault = createVault('a secret of the identity provider double')
  const made = await makeSigningKey('saml.e2e.test', 'RS256', { clock: systemClock, random: systemRandom, vault })
  const privateKey = createPrivateKey({
    key: vault.open(SEALED_FOR, made.sealedPrivate) ?? '',
    ...{ format: 'der', type: 'pkcs8' },
  })
  const [certificate] = made.publicJwk.x5c
  const partner = {
    ...{ privateKey, certificate, certificatePem: pemOf(certificate) },
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
  await page.context().route(`${ADDRESS}*`, async (route) => {
    const sent = new URL(route.request().url()).searchParams
    const { id } = readAuthnRequest(parseXml(decodeMessage(sent.get('SAMLRequest') ?? '')))
    const recipient = `${SERVER}/login/callback?connection=${connection}`
    const attributes = { mail: [`${connection}@saml.e2e.test`] }
    const xml = await samlAnswer(partner, { now: new Date(), recipient, audience, inResponseTo: id, attributes })
    const fields = { SAMLResponse: encoded(xml), RelayState: sent.get('RelayState') ?? '' }
    await route.fulfill({ contentType: 'text/html; charset=utf-8', body: postPage(recipient, fields) })
  })
  return { signInEndpoint: ADDRESS, signingCert: partner.certificatePem }
}
