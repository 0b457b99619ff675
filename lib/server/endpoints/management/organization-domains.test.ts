// Discovery domains of organizations: claimed, proven in the DNS, and used at logins.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TextLookupError } from '../../../kernel/domain'
import { authorizeQuery, locationOf, SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

let server: TestServer
let manager: Manager
let org: string
let other: string
/** What the DNS answers. */
let records: Record<string, string[] | Error>
let names: string[]
let count = 0

beforeAll(async () => {
  server = await testServer({
    findTexts: async (name) => {
      names.push(name)
      const found = records[name] ?? new TextLookupError(null)
      if (found instanceof Error) throw found
      return found
    },
  })
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  const found = {
    organization_usage: 'require',
    organization_require_behavior: 'pre_login_prompt',
    organization_discovery_methods: ['email'],
  }
  await server.addClient({ clientId: 'found', settings: { ...SPA.settings, ...found } })
  other = String((await manager.post('/organizations', { name: 'other' })).json().id)
})
afterAll(() => server.close())
beforeEach(async () => {
  records = {}
  names = []
  org = String((await manager.post('/organizations', { name: `org-${++count}` })).json().id)
})

const at = (path = '', id = org): string => `/organizations/${id}/discovery-domains${path}`
const claim = async (domain: string, more: Body = {}): Promise<Body> => {
  const answer = await manager.post(at(), { domain, ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.json()
}
const publish = ({ verification_host, verification_txt }: Body): void => {
  records[String(verification_host)] = ['v=spf1 -all', String(verification_txt)]
}
const verify = ({ id }: Body) => manager.patch(at(`/${id}`), { status: 'verified' })
/** Where the page that asks for the organization leads an address. */
async function leadsTo(organization: string): Promise<string> {
  server.clock.advance(2)
  const browser = server.browser()
  const start = locationOf(await browser.get('/authorize', { query: authorizeQuery({ client_id: 'found' }) }))
  const form = { action: 'name-organization', state: start.searchParams.get('state') ?? '', organization }
  return locationOf(await browser.post('/u/submit', { form })).pathname
}

describe('a discovery domain', () => {
  it('is pending when it is claimed, says its proof, and leads no user', async () => {
    const made = await claim('ACME1.example')
    expect(made).toEqual({
      id: expect.stringMatching(/^org_dom_[A-Za-z0-9]{16}$/),
      domain: 'acme1.example',
      status: 'pending',
      use_for_organization_discovery: true,
      verification_txt: expect.stringMatching(/^latchkey-domain-verification=/),
      verification_host: '_latchkey-challenge.acme1.example',
    })
    expect(names).toEqual([])
    expect(await leadsTo('kim@acme1.example')).toBe('/u/organization-selection')
    expect((await manager.get(at(`/${made.id}`))).json()).toEqual(made)
    expect((await manager.get(at('/name/Acme1.example'))).json()).toEqual(made)
    expect((await manager.get(at())).json()).toEqual({ domains: [made] })
  })

  it('is verified by its record alone, and then leads its addresses until it is pending again', async () => {
    const made = await claim('acme2.example')
    publish({ ...made, verification_txt: 'something else' })
    const refused = await verify(made)
    expect(refused.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(refused.json().message).toContain('_latchkey-challenge.acme2.example has no TXT record')
    expect(await leadsTo('kim@acme2.example')).toBe('/u/organization-selection')
    publish(made)
    expect((await verify(made)).json()).toEqual({ ...made, status: 'verified' })
    expect(await leadsTo('kim@Acme2.Example')).toBe('/u/login')
    await manager.patch(at(`/${made.id}`), { status: 'pending' })
    expect(await leadsTo('kim@acme2.example')).toBe('/u/organization-selection')
  })

  it('is looked up once: a verified one stays so when its record is gone', async () => {
    const made = await claim('acme3.example')
    publish(made)
    await verify(made)
    records = {}
    expect((await verify(made)).json()).toMatchObject({ status: 'verified' })
    expect(names).toHaveLength(1)
  })

  it('may be claimed as verified where its record is published already', async () => {
    expect((await manager.post(at(), { domain: 'acme4.example', status: 'verified' })).status).toBe(400)
    expect((await manager.get(at())).json()).toEqual({ domains: [] })
    const made = await claim('acme4.example')
    await manager.remove(at(`/${made.id}`))
    publish(made)
    expect(await claim('acme4.example', { status: 'verified' })).toMatchObject({
      status: 'verified',
      verification_txt: made.verification_txt,
    })
  })

  it('stays pending when the look-up fails', async () => {
    const made = await claim('acme5.example')
    records[String(made.verification_host)] = new TextLookupError('ETIMEOUT')
    const refused = await verify(made)
    expect(refused.status).toBe(400)
    expect(refused.json().message).toContain('could not be looked up: it did not answer in time (ETIMEOUT)')
    expect((await manager.get(at(`/${made.id}`))).json()).toMatchObject({ status: 'pending' })
  })

  it('leads no user where it is not for discovery', async () => {
    const made = await claim('acme6.example', { use_for_organization_discovery: false })
    publish(made)
    await verify(made)
    expect(await leadsTo('kim@acme6.example')).toBe('/u/organization-selection')
    const changed = await manager.patch(at(`/${made.id}`), { use_for_organization_discovery: true })
    expect(changed.json()).toMatchObject({ status: 'verified', use_for_organization_discovery: true })
    expect(await leadsTo('kim@acme6.example')).toBe('/u/login')
  })

  it('is found by letters outside ASCII as by its punycode', async () => {
    const made = await claim('bücher7.example')
    expect(made.domain).toBe('xn--bcher7-3ya.example')
    publish(made)
    await verify(made)
    expect(await leadsTo('kim@Bücher7.example')).toBe('/u/login')
  })

  it('belongs to one organization, whichever claims it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => manager.post(at('', n % 2 ? org : other), { domain: 'acme8.example' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    const taken = answers.find(({ status }) => status === 409)?.json()
    expect(taken).toMatchObject({ errorCode: 'organization_discovery_domain_conflict' })
  })

  it('is no other organization’s to read, change or remove', async () => {
    const made = await claim('acme9.example')
    const path = at(`/${made.id}`, other)
    for (const answer of [
      await manager.get(path),
      await manager.patch(path, { status: 'pending' }),
      await manager.get(at('/name/acme9.example', other)),
    ])
      expect(answer.json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_discovery_domain' })
    expect((await manager.remove(path)).status).toBe(204)
    expect((await manager.get(at(`/${made.id}`))).status).toBe(200)
    await manager.remove(at(`/${made.id}`))
    expect((await manager.get(at(`/${made.id}`))).status).toBe(404)
  })

  it.each(['acme', 'kim@acme.example', '10.0.0.1', 'a b.example', 'acme.example:80', '_x.example'])(
    'is not %j',
    async (domain) => {
      expect((await manager.post(at(), { domain })).json()).toMatchObject({ errorCode: 'invalid_body' })
    },
  )

  it('is claimed for an organization that exists, and goes with it', async () => {
    expect((await manager.post(at('', 'org_none'), { domain: 'acme10.example' })).status).toBe(404)
    const made = await claim('acme10.example')
    await manager.remove(`/organizations/${org}`)
    const query = 'SELECT 1 FROM organization_domain WHERE id = $1'
    expect((await server.database.pool.query(query, [made.id])).rowCount).toBe(0)
  })

  it('is listed in pages, to the end', async () => {
    for (const n of [1, 2, 3]) await claim(`page${n}.example`)
    const first = (await manager.get(at(), { query: { take: '2' } })).json()
    const second = (await manager.get(at(), { query: { take: '2', from: String(first.next) } })).json()
    const ids = [...(first.domains as Body[]), ...(second.domains as Body[])].map(({ domain }) => domain)
    expect(ids.sort()).toEqual(['page1.example', 'page2.example', 'page3.example'])
    expect(second).not.toHaveProperty('next')
  })
})
