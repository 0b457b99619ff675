// XML of other parties is read on threads: the same results and the same refusals as on the event loop, which reads none of it
// (threat-model.md BF13).
import { DOMParser } from '@xmldom/xmldom'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { openXml } from '../../server/runtime/xml-threads'
import { makePartner, type Partner } from '../../testing/saml'
import { encoded, IDP, type SamlAnswerOptions, samlAnswer } from '../../testing/saml-idp'
import { ADFS_IDP, tokenAnswer } from '../../testing/wsfed-idp'
import { publicKeyOf } from './certificate'
import { readFederationMetadata } from './federation-metadata'
import { readIdpMetadata } from './idp-metadata'
import { STATUS } from './names'
import { signedAddress } from './query-signature'
import { type ExpectedResponse, judgeResponse, judgeToken } from './response-checks'
import { signXml } from './sign'
import { StatusError } from './status-error'
import { encodeForForm } from './transport'
import { runXmlJob, type SentMessage } from './xml-jobs'
import { createXmlReader, openXmlThreads } from './xml-reader'

const NOW = new Date('2027-01-15T08:00:00Z')
const ACS = 'https://id.test/login/callback'
const US = 'urn:id.test:corp'
const SHA256 = { signature: 'sha256', digest: 'sha256' } as const

const readXml = createXmlReader(openXml(process.cwd()), 'default')

let idp: Partner
let us: Partner
let expected: ExpectedResponse

beforeAll(async () => {
  ;[idp, us] = [await makePartner(), await makePartner()]
  expected = {
    now: NOW,
    keys: keysOf(idp),
    decryptionKeys: [us.privateKey],
    issuer: IDP,
    audience: US,
    addresses: [ACS],
    inResponseTo: '_r1',
  }
})

const keysOf = ({ certificate }: Partner) => [publicKeyOf(certificate)].filter((key) => key !== null)
const issued = (more: Partial<SamlAnswerOptions> = {}): SamlAnswerOptions => ({
  now: NOW,
  recipient: ACS,
  audience: US,
  inResponseTo: '_r1',
  attributes: { groups: ['a', 'b'] },
  ...more,
})

const NAMES = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
const message = (name: string, content = '', attributes = '') =>
  `<samlp:${name} ${NAMES} ID="_m" Version="2.0" IssueInstant="2027-01-15T08:00:00Z" ${attributes}><saml:Issuer>urn:sp</saml:Issuer>${content}</samlp:${name}>`
const sent = (xml: string, more: Partial<SentMessage> = {}): SentMessage => ({
  name: 'SAMLRequest',
  encoded: encodeForForm(xml),
  signed: null,
  ...more,
})

describe('the same as on the event loop', () => {
  it('requests and logout messages', async () => {
    const request = message('AuthnRequest', '<samlp:NameIDPolicy Format="urn:f"/>', 'ForceAuthn="true"')
    expect(await readXml('authnRequest', sent(request))).toMatchObject({
      id: '_m',
      issueInstant: NOW,
      issuer: 'urn:sp',
      forceAuthn: true,
      nameIdFormat: 'urn:f',
      contexts: null,
    })
    const logout = message('LogoutRequest', '<saml:NameID>kim</saml:NameID>', 'NotOnOrAfter="2027-01-15T08:05:00Z"')
    expect(await readXml('logoutRequest', sent(logout))).toMatchObject({
      nameId: 'kim',
      sessions: [],
      notOnOrAfter: new Date('2027-01-15T08:05:00Z'),
    })
    const response = message(
      'LogoutResponse',
      `<samlp:Status><samlp:StatusCode Value="${STATUS.success}"/></samlp:Status>`,
      'InResponseTo="_q"',
    )
    expect(await readXml('logoutResponse', sent(response, { name: 'SAMLResponse' }))).toMatchObject({
      inResponseTo: '_q',
      succeeded: true,
    })
  })

  it.each(['assertion', 'response'] as const)('a signed and encrypted response: the %s is signed', async (sign) => {
    const response = encoded(await samlAnswer(idp, issued({ sign, encryptTo: us.certificate })))
    const verdict = await readXml('response', { encoded: response, expected })
    expect(verdict).toEqual(judgeResponse(response, expected))
    expect(verdict).toMatchObject({ nameId: { value: 'kim' }, attributes: new Map([['groups', ['a', 'b']]]) })
  })

  it('a token of WS-Federation is read as on the event loop', async () => {
    const source = await tokenAnswer(idp, { now: NOW, audience: US })
    const more = { ...expected, issuer: ADFS_IDP }
    expect(await readXml('token', { source, expected: more })).toEqual(judgeToken(source, more))
  })

  it('metadata is read as on the event loop', async () => {
    const key = `<KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${idp.certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`
    const around = (content: string) =>
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}" validUntil="2027-02-01T00:00:00Z">${content}</EntityDescriptor>`
    const saml = around(`<IDPSSODescriptor>${key}</IDPSSODescriptor>`)
    const federation = around(
      `<RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="SecurityTokenServiceType">${key}</RoleDescriptor>`,
    )
    expect(await readXml('idpMetadata', saml)).toEqual(readIdpMetadata(saml))
    expect(await readXml('federationMetadata', federation)).toEqual(readFederationMetadata(federation))
    expect(readIdpMetadata(saml).certificates).toEqual([idp.certificate])
    await expect(readXml('idpMetadata', federation)).rejects.toThrow('it does not describe one identity provider')
  })
})

describe('signatures of requests', () => {
  const signedQuery = async (by: Partner, xml: string): Promise<Partial<SentMessage>> => {
    const signing = { key: by.privateKey, hash: 'sha256' } as const
    const address = await signedAddress('https://x.test/', { name: 'SAMLRequest', xml, relayState: null }, signing)
    const { search, searchParams } = new URL(address)
    const signed = { keys: keysOf(idp), query: search.slice(1) }
    return { encoded: searchParams.get('SAMLRequest') ?? '', signed }
  }

  it('a signature in the query is verified', async () => {
    const good = await signedQuery(idp, message('AuthnRequest'))
    expect(await readXml('authnRequest', sent('', good))).toMatchObject({ id: '_m' })
    const forged = await signedQuery(us, message('AuthnRequest'))
    await expect(readXml('authnRequest', sent('', forged))).rejects.toThrow('its signature does not hold')
  })

  it('a signature inside the document is verified', async () => {
    const signed = { keys: keysOf(idp), query: null }
    const xml = message('AuthnRequest')
    expect(await readXml('authnRequest', sent(await signXml(xml, idp, SHA256), { signed }))).toMatchObject({ id: '_m' })
    const forged = readXml('authnRequest', sent(await signXml(xml, us, SHA256), { signed }))
    await expect(forged).rejects.toThrow('its signature does not hold')
    await expect(readXml('authnRequest', sent(xml, { signed }))).rejects.toThrow('it is not signed')
  })
})

describe('what is refused', () => {
  it('is refused with the same error', async () => {
    const refusal = { code: 'invalid_request', redirectable: false }
    await expect(readXml('authnRequest', sent('<a>'))).rejects.toMatchObject({
      ...refusal,
      description: 'Invalid SAML message: it is not well-formed',
    })
    await expect(readXml('response', { encoded: '%', expected })).rejects.toMatchObject({
      ...refusal,
      description: 'Invalid SAML message: it is not base64, or too large',
    })
  })

  it('is a refusal of the provider where the provider says so', async () => {
    const status = { code: STATUS.responder, detail: STATUS.requestDenied }
    const response = encoded(await samlAnswer(idp, issued({ status })))
    const refused = await readXml('response', { encoded: response, expected }).catch((error) => error)
    expect(refused).toBeInstanceOf(StatusError)
    expect(refused.message).toBe('Responder RequestDenied')
  })

  it('a fault of this server stays one, with its place', async () => {
    const fault = await readXml('response', { expected } as never).catch((error) => error)
    expect(fault).not.toHaveProperty('code')
    expect(fault).toMatchObject({ name: 'Error', stack: expect.stringContaining('xml-thread.mjs') })
    expect(runXmlJob({ name: 'response', input: {} } as never)).toMatchObject({ kind: 'failed' })
  })
})

describe('the event loop', () => {
  const spies = () => [
    vi.spyOn(DOMParser.prototype, 'parseFromString'),
    vi.spyOn(SignedXml.prototype, 'checkSignature'),
  ]
  let watched: ReturnType<typeof spies>
  beforeEach(() => {
    watched = spies()
  })
  afterEach(() => vi.restoreAllMocks())
  const calls = () => watched.map(({ mock }) => mock.calls.length)

  it('parses and verifies nothing', async () => {
    const response = encoded(await samlAnswer(idp, issued()))
    const [parsed = 0] = calls()
    await readXml('response', { encoded: response, expected })
    expect(calls()).toEqual([parsed, 0])
    judgeResponse(response, expected)
    const [after = 0, verified = 0] = calls()
    expect([after > parsed, verified > 0]).toEqual([true, true])
  })

  it('turns while a document is read', async () => {
    const costly = encodeForForm(`<a>${'<b>c</b>'.repeat(1490)}</a>`)
    const order: string[] = []
    const documents = Array.from({ length: 20 }, async () => {
      await readXml('response', { encoded: costly, expected }).catch(() => {})
      order.push('read')
    })
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    order.push('turned')
    await Promise.all(documents)
    expect(order).toHaveLength(21)
    expect(order.at(-1)).toBe('read')
  })
})

describe('threads that do not answer', () => {
  const silent = (milliseconds: number, queueLimit = 0) =>
    createXmlReader(openXmlThreads({ file: SILENT, threads: 1, queueLimit, milliseconds }), 'default')
  const SILENT = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {}); parentPort.postMessage('ready')",
  )

  it('are ended after the time limit, which answers 503', async () => {
    const read = silent(50)
    for (let time = 0; time < 2; time++)
      await expect(read('idpMetadata', '<a/>')).rejects.toMatchObject({
        code: 'temporarily_unavailable',
        detail: 'the time limit of a thread is over',
        retryAfter: 1,
      })
  })

  it('leave the queue full, which answers 503 at once', async () => {
    const read = silent(500)
    const first = read('idpMetadata', '<a/>').catch(({ detail }) => detail)
    const second = read('idpMetadata', '<a/>').catch(({ code, description }) => [code, description])
    expect(await second).toEqual(['temporarily_unavailable', 'The server is busy reading messages, try again shortly'])
    expect(await first).toBe('the time limit of a thread is over')
  })

  it('because their file is missing answer 503 with the cause', async () => {
    const threads = openXmlThreads({ file: '/nowhere/xml.mjs', threads: 1, queueLimit: 0, milliseconds: 10_000 })
    await expect(createXmlReader(threads, 'default')('idpMetadata', '<a/>')).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      cause: { message: expect.stringContaining('/nowhere/xml.mjs') },
    })
  })
})
