// Costly or endless work with XML of strangers: others are answered meanwhile, and each endpoint says 503 in its own format
// (threat-model.md BF13).
import { DOMParser } from '@xmldom/xmldom'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { encodeForForm } from '../../../crypto/saml/transport'
import { openXmlThreads } from '../../../crypto/saml/xml-reader'
import { authorizeQuery, locationOf, SPA } from '../../../testing/journey'
import { makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { openXml } from '../../runtime/xml-threads'

const PROTOCOL = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
/** As costly as a request may be, and refused only when it was parsed: it has two issuers. */
const COSTLY = `<samlp:AuthnRequest ${PROTOCOL} ID="_r" Version="2.0" IssueInstant="2027-01-15T08:00:00Z"><saml:Issuer>a</saml:Issuer><saml:Issuer>b</saml:Issuer>${'<x/>'.repeat(290)}</samlp:AuthnRequest>`

const addParties = async (server: TestServer, idp: Partner): Promise<void> => {
  await server.addClient(SPA)
  await server.addClient({ clientId: 'sp', settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} } } })
  const saml = {
    signInEndpoint: 'https://idp.test/sso',
    signingCert: idp.certificatePem,
    idpinitiated: { enabled: true },
  }
  await server.addConnection('corp', { options: saml as never }, 'con_corp', 'samlp')
  const adfs = {
    signInEndpoint: 'https://adfs.test/adfs/ls/',
    signingCert: idp.certificatePem,
    idpEntityId: 'https://adfs.test/trust',
  }
  await server.addConnection('office', { options: adfs as never }, 'con_office', 'adfs')
}

const ask = (browser: Browser, xml = COSTLY): Promise<TestResponse> =>
  browser.post('/samlp/sp', { form: { SAMLRequest: encodeForForm(xml) } })

describe('costly documents', () => {
  let server: TestServer
  const order: string[] = []
  let startReading = (): void => {}
  const reading = new Promise<void>((resolve) => {
    startReading = resolve
  })

  beforeAll(async () => {
    const threads = openXml(process.cwd())
    server = await testServer({
      xmlThreads: {
        ...threads,
        async run(job, tenantId) {
          startReading()
          const ended = await threads.run(job, tenantId)
          order.push(ended.kind)
          return ended
        },
      },
    })
    await addParties(server, await makePartner())
  })
  afterAll(() => server.close())
  afterEach(() => vi.restoreAllMocks())

  it('do not hold up others, for the event loop reads none of them', async () => {
    const parsed = vi.spyOn(DOMParser.prototype, 'parseFromString')
    const verified = vi.spyOn(SignedXml.prototype, 'checkSignature')
    const hostile = Array.from({ length: 30 }, () => ask(server.browser()))
    await reading
    const health = await server.browser().get('/healthz')
    order.push('healthz')
    expect((await Promise.all(hostile)).map(({ status }) => status)).toEqual(Array(30).fill(400))
    expect(health.status).toBe(200)
    expect(order).toHaveLength(31)
    expect(order.at(-1)).toBe('answered')
    expect([parsed, verified].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })
})

describe('threads that do not answer', () => {
  const SILENT = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {}); parentPort.postMessage('ready')",
  )
  let server: TestServer
  beforeAll(async () => {
    const xmlThreads = openXmlThreads({ file: SILENT, threads: 1, queueLimit: 0, milliseconds: 300 })
    server = await testServer({ xmlThreads })
    await addParties(server, await makePartner())
  })
  afterAll(() => server.close())

  const unavailable = (answer: TestResponse): void => {
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('1')
    expect(answer.header('content-type')).toMatch(/^text\/html/)
  }

  it('cost the request that missed the time limit, and those for which no thread is left, a 503', async () => {
    const browser = server.browser()
    for (const answer of await Promise.all([ask(browser), ask(browser), ask(browser)])) unavailable(answer)
    const causes = server.lines.filter(({ level }) => level === 'warn').map(({ fields }) => String(fields.err))
    expect(causes.toSorted()).toEqual([
      expect.stringContaining('the time limit of a thread is over'),
      expect.stringContaining('too many of this tenant'),
    ])
  })

  it('a message of a logout gets the same answer', async () => {
    const browser = server.browser()
    unavailable(await browser.post('/samlp/sp/logout', { form: { SAMLRequest: encodeForForm(COSTLY) } }))
    unavailable(await browser.post('/samlp/sp/logout', { form: { SAMLResponse: encodeForForm(COSTLY) } }))
    const form = { SAMLRequest: encodeForForm(COSTLY) }
    unavailable(await browser.post('/logout/callback', { query: { connection: 'corp' }, form }))
  })

  it.each([
    ['corp', 'RelayState', (state: string) => ({ SAMLResponse: encodeForForm(COSTLY), RelayState: state })],
    ['office', 'wctx', (state: string) => ({ wresult: COSTLY, wctx: state })],
  ])(
    'an unread answer of the provider of %s gets the same answer, and is not taken for a forged one',
    async (connection, name, form) => {
      const browser = server.browser()
      const leaving = await browser.get('/authorize', { query: authorizeQuery({ connection }) })
      const state = locationOf(leaving).searchParams.get(name) ?? ''
      const headers = { 'sec-fetch-site': 'cross-site' }
      const posted = await server.browser().post('/login/callback', { form: form(state), headers })
      expect(posted.status).toBe(303)
      unavailable(await browser.get(posted.header('location') ?? ''))
    },
  )
})
