// What service providers import: metadata and the certificate in every format, before and after key rotation.
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signingKeyStore } from '../../../adapters/store/prisma/keys'
import { rotateKeys } from '../../../crypto/keys/keyring'
import { parseXml } from '../../../crypto/saml/parse'
import { attributeOf, elementsOf } from '../../../crypto/saml/xml'
import { type Browser, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, hasTool, schemaProblems } from '../../../testing/tools'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } } })
  await server.addClient({ clientId: 'third', settings: { callbacks: ['https://sp.test/acs'], is_first_party: false } })
  browser = server.browser()
})
afterAll(() => server.close())

const metadata = async () => (await browser.get('/samlp/metadata/sp')).text
const namesOf = (xml: string) =>
  elementsOf(parseXml(xml))
    .slice(2)
    .filter(({ parentNode }) => parentNode?.nodeName === 'IDPSSODescriptor')
    .map(({ localName }) => localName)
const certificatesOf = (xml: string) => [...xml.matchAll(/<X509Certificate>([^<]*)</g)].map(([, text]) => text)

it('metadata contains the entity id, the endpoints, and the current and next signing keys', async () => {
  const { header, text } = await browser.get('/samlp/metadata/sp')
  expect(header('content-type')).toMatch(/^application\/xml/)
  expect(attributeOf(parseXml(text), 'entityID')).toBe('urn:id.test')
  expect(certificatesOf(text)).toEqual((await server.runtime()).keyring.certificates)
  expect(certificatesOf(text)).toHaveLength(2)
  expect(namesOf(text)).toEqual([
    'KeyDescriptor',
    'KeyDescriptor',
    'SingleLogoutService',
    'SingleLogoutService',
    'NameIDFormat',
    'NameIDFormat',
    'NameIDFormat',
    'SingleSignOnService',
    'SingleSignOnService',
    ...Array<string>(5).fill('Attribute'),
  ])
  expect(text).toContain('Location="https://id.test/samlp/sp/logout"')
  expect(text).toContain('Location="https://id.test/samlp/sp"')
})

it.skipIf(!hasSamlSchemas())('metadata is valid by the published schema', async () => {
  expect(schemaProblems(await metadata(), 'metadata')).toBe('')
})

it('does not exist for a client without SAML', async () => {
  expect((await browser.get('/samlp/metadata/nobody')).status).toBe(400)
  expect((await browser.get('/samlp/metadata/third')).status).toBe(403)
})

const der = async () => Buffer.from((await server.runtime()).keyring.current.certificate, 'base64')
const bytesOf = (body: string | Uint8Array) => Buffer.from(body)

it.each([
  ['/pem', 'application/x-pem-file', (body: Buffer) => new X509Certificate(body).raw],
  ['/cer', 'application/pkix-cert', (body: Buffer) => body],
  ['/rawpem', 'text/plain', (body: Buffer) => Buffer.from(body.toString(), 'base64')],
])('%s is the certificate', async (path, type, read) => {
  for (const query of ['', '?cert=connection']) {
    const answer = await browser.get(path + query)
    expect(answer.header('content-type')).toContain(type)
    expect(read(bytesOf(answer.body))).toEqual(await der())
  }
})

it.skipIf(!hasTool('openssl'))('/pb7 is the certificate for OpenSSL', async () => {
  const { body } = await browser.get('/pb7')
  const input = bytesOf(body)
  const pem = execFileSync('openssl', ['pkcs7', '-inform', 'DER', '-print_certs'], { input })
  expect(new X509Certificate(pem).raw).toEqual(await der())
})

it('/fingerprint is its SHA-1', async () => {
  const { text } = await browser.get('/fingerprint')
  expect(text.replaceAll(':', '').toLowerCase()).toBe(
    createHash('sha1')
      .update(await der())
      .digest('hex'),
  )
})

it('after a rotation what was next signs, and was known before', async () => {
  const [, next] = certificatesOf(await metadata())
  const { clock, random, vault } = server
  const port = signingKeyStore(server.db, 'default')
  await rotateKeys(port, { clock, random, vault, host: 'id.test' })
  clock.advance(2)
  const [current, following] = certificatesOf(await metadata())
  expect(current).toBe(next)
  expect(following).not.toBe(next)
  expect((await browser.get('/rawpem')).text).toBe(next)
})
