// Where a refused login is mended, and the way there: a SAML login that fails is found, explained and mended.
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { REASONS } from '../../../kernel/reasons'
import { authorizeQuery, locationOf, outcomeOf, SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { makePartner, type Partner } from '../../../testing/saml'
import { encoded, samlAnswer } from '../../../testing/saml-idp'
import { type TestServer, testServer } from '../../../testing/server'
import { remedyOf } from './remedies'

let server: TestServer
let manager: Manager
let idp: Partner

beforeAll(async () => {
  idp = await makePartner()
  server = await testServer()
  await server.addClient(SPA)
  const options = { signInEndpoint: 'https://idp.test/sso', signingCert: idp.certificatePem }
  await server.addConnection('saml', { options } as never, 'con_saml', 'samlp')
  manager = await addManager(server)
})
afterAll(() => server.close())

/** A login whose provider answers for the audience that its administrator has entered. */
async function enter(audience: string): Promise<string> {
  server.clock.advance(2)
  const browser = server.browser()
  const left = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'saml' }) }))
  const { id } = readAuthnRequest(parseXml(decodeMessage(left.searchParams.get('SAMLRequest') ?? '')))
  const recipient = 'https://id.test/login/callback?connection=saml'
  const xml = await samlAnswer(idp, { now: server.clock.now(), recipient, audience, inResponseTo: id })
  const form = { SAMLResponse: encoded(xml), RelayState: left.searchParams.get('RelayState') ?? '' }
  const kept = locationOf(await browser.post('/login/callback', { query: { connection: 'saml' }, form }))
  return outcomeOf(await browser.get(kept.pathname + kept.search))
}

type Found = { id: string; reason: string; client_id: string }
type Step = { kind: string; lines?: { name: string; verdict: string; says?: string }[] }

it('a SAML login that fails is found, explained and mended', async () => {
  expect(await enter('urn:customer')).not.toBe('code')
  await server.loginLog.flush()
  const [found] = (await manager.get('/logins?outcome=failed&connection=saml')).json() as unknown as Found[]
  expect(found).toMatchObject({ reason: 'upstream_audience', client_id: 'spa' })
  const { requests } = (await manager.get(`/logins/${found?.id}`)).json() as unknown as {
    requests: { steps: Step[] }[]
  }
  const answer = requests.flatMap(({ steps }) => steps).find(({ kind }) => kind === 'provider_answer')
  const failed = answer?.lines?.filter(({ name, verdict }) => verdict === 'failed' && name !== 'failure')
  expect(failed?.map(({ name }) => name)).toEqual(['audience'])
  expect(failed?.[0]?.says).toContain('it is for the audience "urn:customer", and this one is "urn:id.test:saml"')
  const remedy = remedyOf(found?.reason ?? null, { client: 'spa', connection: 'con_saml', user: null })
  expect(remedy).toEqual({ kind: 'connection', href: '/console/connections/con_saml', member: 'options.entityId' })
  const { options } = (await manager.get('/connections/con_saml')).json()
  await manager.patch('/connections/con_saml', { options: { ...(options as object), entityId: 'urn:customer' } })
  expect(await enter('urn:customer')).toBe('code')
})

it('every remedy leads to a page of the console', () => {
  const subjects = { client: 'a/b', connection: 'con_1', user: 'auth0|1' }
  const remedies = Object.keys(REASONS).flatMap((reason) => remedyOf(reason, subjects) ?? [])
  expect(remedies.length).toBeGreaterThan(40)
  for (const { href } of remedies) {
    const [, , section = '', ...rest] = href.split('/')
    const isObject = rest.length > 0 && section !== 'security'
    expect(
      existsSync(`app/console/${isObject ? `${section}/[id]` : [section, ...rest].join('/')}/page.tsx`),
      href,
    ).toBe(true)
  }
  expect(remedyOf('callback_missing', subjects)?.href).toBe('/console/applications/a%2Fb')
})

it('there is no remedy for what is not known', () => {
  expect(remedyOf('callback_missing', { client: null, connection: null, user: null })).toBeNull()
  expect(remedyOf('server_error', { client: 'a', connection: null, user: null })).toBeNull()
  expect(remedyOf(null, { client: 'a', connection: null, user: null })).toBeNull()
})
