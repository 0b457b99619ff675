// Independent, unmodified identity providers: the package `saml` (which the vendor's own identity providers use) writes
// assertions, plain and encrypted, and we read them; xmllint validates our metadata; and another tenant of this server is the
// provider, with its own certificate, configured only by the two metadata documents.
import { execFileSync } from 'node:child_process'
import { Saml20 } from 'saml'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { authorizeQuery, locationOf, payloadOf, redeem, SPA, submitPassword } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { encoded } from '../../../testing/saml-idp'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { hasTool } from '../../../testing/tools'

const ACS = 'https://id.test/login/callback?connection=vendor'

let server: TestServer
let idp: Partner
let clock: () => void

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  server = await testServer()
  idp = await makePartner()
  clock = () => vi.setSystemTime(server.clock.now())
  await server.addClient(SPA)
  const options = { signInEndpoint: 'https://vendor.test/samlp', signingCert: idp.certificatePem }
  await server.addConnection('vendor', { options }, 'con_vendor', 'samlp')
})
afterAll(async () => {
  vi.useRealTimers()
  await server.close()
})

async function claimsOf(browser: Browser, answer: TestResponse): Promise<Record<string, unknown>> {
  const code = locationOf(answer).searchParams.get('code') ?? ''
  return payloadOf((await redeem(browser, code)).json().id_token)
}

type Encryption = {
  disallowEncryptionWithInsecureAlgorithm?: boolean
  encryptionCert?: string
  encryptionPublicKey?: string
  encryptionAlgorithm?: string
}

const assertionOf = (inResponseTo: string, more: Encryption = {}): Promise<string> => {
  clock()
  return new Promise((resolve, reject) => {
    const made = {
      cert: idp.certificatePem,
      key: idp.privatePem,
      issuer: 'urn:vendor',
      audiences: 'urn:id.test:vendor',
      recipient: ACS,
      inResponseTo,
      lifetimeInSeconds: 300,
      nameIdentifier: 'auth0|kim',
      sessionIndex: 's-1',
      attributes: { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name': 'Kim & Co <ö>', roles: ['a', 'b'] },
      signatureAlgorithm: 'rsa-sha256' as const,
      digestAlgorithm: 'sha256' as const,
      ...more,
    }
    Saml20.create(made, (error, assertion) => (error ? reject(error) : resolve(assertion)))
  })
}

const around = (assertion: string, id: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="${server.clock.now().toISOString()}" InResponseTo="${id}" Destination="${ACS}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">urn:vendor</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`

describe('assertions of the package `saml`', () => {
  it.each<[string, string | null]>([
    ['plain', null],
    ['encrypted by AES-CBC', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'],
    ['encrypted by AES-GCM', 'http://www.w3.org/2009/xmlenc11#aes256-gcm'],
  ])('an assertion signs in: %s', async (_, encryptionAlgorithm) => {
    const ours = (await server.runtime()).keyring.current
    const { createPublicKey } = await import('node:crypto')
    const certificate = pemOf(ours.certificate)
    const publicKey = createPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString()
    const encryption =
      encryptionAlgorithm === null
        ? {}
        : {
            encryptionCert: certificate,
            encryptionPublicKey: publicKey,
            encryptionAlgorithm,
            disallowEncryptionWithInsecureAlgorithm: false,
            keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
          }
    const browser = server.browser()
    const query = authorizeQuery({ connection: 'vendor' })
    const { searchParams } = locationOf(await browser.get('/authorize', { query }))
    const { id } = readAuthnRequest(parseXml(decodeMessage(searchParams.get('SAMLRequest') ?? '')))
    const made = await assertionOf(id, encryption)
    expect(made.includes('EncryptedAssertion') || made.includes('EncryptedData')).toBe(encryptionAlgorithm !== null)
    const form = {
      SAMLResponse: encoded(around(made, id)),
      RelayState: searchParams.get('RelayState') ?? '',
    }
    const posted = await browser.post('/login/callback', { query: { connection: 'vendor' }, form })
    const claims = await claimsOf(browser, await browser.get(posted.header('location') ?? ''))
    expect(claims).toMatchObject({ sub: 'samlp|vendor|auth0|kim', name: 'Kim & Co <ö>' })
  })
})

describe('our metadata', () => {
  it('describes this service provider for a connection', async () => {
    const answer = await server.browser().get('/samlp/metadata', { query: { connection: 'vendor' } })
    expect(answer.header('content-type')).toContain('application/xml')
    expect(answer.text).toContain('entityID="urn:id.test:vendor"')
    expect(answer.text).toContain(`Location="${ACS}"`)
  })

  it.skipIf(!hasTool('xmllint'))('is well-formed for others', async () => {
    const { text } = await server.browser().get('/samlp/metadata', { query: { connection: 'vendor' } })
    expect(() => execFileSync('xmllint', ['--noout', '-'], { input: text })).not.toThrow()
  })

  it('is of SAML connections alone', async () => {
    expect((await server.browser().get('/samlp/metadata')).status).toBe(400)
    for (const connection of ['Users', 'nobody']) {
      expect((await server.browser().get('/samlp/metadata', { query: { connection } })).status).toBe(404)
    }
  })
})

describe('another tenant as the provider', () => {
  it('signs in by the two metadata documents, everything signed and encrypted', async () => {
    const there = await server.addTenant('upstream', 'https://up.test')
    await there.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', emailVerified: true } })
    const far = server.browser({ host: 'up.test' })
    const certificate = pemOf((await server.runtime()).keyring.current.certificate)
    const samlp = { signingCert: certificate, encryptionCert: certificate, signResponse: true, signAssertion: true }
    const callbacks = ['https://id.test/login/callback?connection=far']
    await there.addClient({ clientId: 'latchkey', settings: { callbacks, addons: { samlp } } })
    const metadataXml = (await far.get('/samlp/metadata/latchkey')).text
    await server.addConnection('far', { options: { metadataXml } }, 'con_far', 'samlp')
    server.clock.advance(2)

    const near = server.browser()
    const leaving = await near.get('/authorize', { query: authorizeQuery({ connection: 'far' }) })
    const page = locationOf(await far.get(leaving.header('location') ?? ''))
    const answer = await submitPassword(far, page.searchParams.get('state') ?? '', 'kim@mail.test')
    const { action, fields } = formOf(answer.text)
    expect(action).toBe(callbacks[0])
    const posted = await near.post(action, { form: fields, headers: { 'sec-fetch-site': 'cross-site' } })
    const claims = await claimsOf(near, await near.get(posted.header('location') ?? ''))
    expect(claims).toMatchObject({ sub: 'samlp|far|auth0|kim', email: 'kim@mail.test', email_verified: false })
  })
})
