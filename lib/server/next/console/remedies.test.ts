// Where a refused login is mended, and the way there: a SAML login that fails is found, explained and mended.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { decodeMessage } from '../../../crypto/saml/transport'
import { groupsIn } from '../../../kernel/schema-meta'
import { attackProtection } from '../../../management/resources/attack-protection'
import { clients } from '../../../management/resources/clients'
import { connections } from '../../../management/resources/connections'
import { tenantSettings } from '../../../management/resources/tenant-settings'
import { users } from '../../../management/resources/users'
import { authorizeQuery, locationOf, outcomeOf, SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { makePartner, type Partner } from '../../../testing/saml'
import { encoded, samlAnswer } from '../../../testing/saml-idp'
import { type TestServer, testServer } from '../../../testing/server'
import { APPLICATION_PAGES } from './application-pages'
import { connectionBodies } from './connection-options'
import { controlId } from './field'
import { bodyOf } from './form'
import { PLACES, remedyOf } from './remedies'

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
  expect(remedy).toEqual({
    kind: 'connection',
    href: '/console/connections/con_saml#connections.update-options.entityId',
    member: 'options.entityId',
    label: 'Our entity ID',
  })
  const { options } = (await manager.get('/connections/con_saml')).json()
  await manager.patch('/connections/con_saml', { options: { ...(options as object), entityId: 'urn:customer' } })
  expect(await enter('urn:customer')).toBe('code')
})

const SUBJECTS = { client: 'a/b', connection: 'con_1', user: 'auth0|1' }

/** What has no setting of its own: the object is found or made in a list. */
const LISTS = ['/console/apis', '/console/applications', '/console/connections', '/console/organizations']

/** The controls of a page, by the operation that its forms call. */
const CONTROLS = [
  [/^applications\/\[id\]/, clients.update],
  [/^connections\/\[id\]/, connections.update],
  [/^users\/\[id\]/, users.update],
  [/^settings$/, tenantSettings.update],
  [/^security$/, attackProtection.breachedPasswords.update],
  [/^security$/, attackProtection.suspiciousIps.update],
] as const

/** `applications/a%2Fb/access` → `applications/[id]/access`. */
const pageOf = (path: string): string =>
  path.replace(/^\/console\//, '').replace(/^(applications|connections|users)\/[^/]+/, '$1/[id]')

function leadsSomewhere(href: string): boolean {
  const [path = '', anchor] = href.split('#')
  const page = pageOf(path)
  const folder = `app/console/${page}`
  if (!existsSync(`${folder}/page.tsx`)) return false
  if (anchor === undefined) return LISTS.includes(path) || page === 'connections/[id]'
  const panels = readdirSync(folder).map((file) =>
    file.endsWith('.tsx') ? readFileSync(`${folder}/${file}`, 'utf8') : '',
  )
  if (panels.some((source) => source.includes(`id="${anchor}"`) || source.includes(`${anchor}: {`))) return true
  return CONTROLS.some(([pattern, operation]) => {
    const member = anchor.slice(operation.name.length + 1)
    if (!pattern.test(page) || anchor !== controlId(operation.name, member)) return false
    const bodies = operation === connections.update ? connectionBodies() : [bodyOf(operation)]
    const shown = bodies.flatMap((body) => (body ? groupsIn(body) : [])).filter(({ group }) => isOn(page, group))
    return shown.some(({ members }) => members.includes(member))
  })
}

/** An application has its groups on several pages. */
function isOn(page: string, group: string): boolean {
  if (!page.startsWith('applications/')) return true
  const name = (page.split('/')[2] ?? '') as keyof typeof APPLICATION_PAGES
  return APPLICATION_PAGES[name].some((each) => each === group)
}

it('every remedy leads to a control or a panel that is on its page, or to a list', () => {
  const remedies = Object.values(PLACES).flat()
  expect(remedies.length).toBeGreaterThan(50)
  for (const reason of Object.keys(PLACES)) {
    for (const subjects of [SUBJECTS, { client: null, connection: null, user: null }]) {
      const remedy = remedyOf(reason, subjects)
      if (remedy) expect(leadsSomewhere(remedy.href), `${reason}: ${remedy.href}`).toBe(true)
    }
    expect(remedyOf(reason, SUBJECTS), reason).not.toBeNull()
  }
  expect(leadsSomewhere('/console/applications/a/credentials#clients.update-callbacks')).toBe(false)
  expect(leadsSomewhere('/console/settings#tenant_settings.update-nothing')).toBe(false)
  expect(leadsSomewhere('/console/security/blocks#nothing')).toBe(false)
})

it('a remedy is on the page of the setting, and names its control', () => {
  expect(remedyOf('callback_missing', SUBJECTS)).toEqual({
    ...{ kind: 'client', member: 'callbacks', label: 'Allowed callback URLs' },
    href: '/console/applications/a%2Fb#clients.update-callbacks',
  })
  expect(remedyOf('grant_not_allowed', SUBJECTS)?.href).toBe(
    '/console/applications/a%2Fb/credentials#clients.update-grant_types',
  )
  expect(remedyOf('connection_not_enabled', { ...SUBJECTS, client: null })?.href).toBe('/console/connections')
})

it('there is no remedy for what is not known', () => {
  expect(remedyOf('callback_missing', { client: null, connection: null, user: null })).toBeNull()
  expect(remedyOf('server_error', { client: 'a', connection: null, user: null })).toBeNull()
  expect(remedyOf(null, { client: 'a', connection: null, user: null })).toBeNull()
})
