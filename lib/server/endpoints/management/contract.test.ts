// What holds for every resource of the Management API. A new resource needs a line in SAMPLES, and gets all of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../management'
import { scopesIn } from '../../../management/operations/member-access'
import { addJudge } from '../../../testing/bind-action'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

type Sample = {
  /** A valid body of a new object; different for each number. */
  create(n: number): Body
  update: Body
  /** A body with a member of a wrong type. */
  wrong: Body
  /** The member of a list's answer that holds the entries. */
  key: string
  id: string
  /** Whether unknown members are kept. */
  keeps: boolean
  /** How many objects there are before. */
  before?: number
  path: string
  /** Members of a body that are not shown. */
  unshown?: readonly string[]
}

const SAMPLES: Record<string, Sample> = {
  roles: {
    path: '/roles',
    key: 'roles',
    id: 'id',
    keeps: true,
    create: (n) => ({ name: `Role ${n}`, description: `Number ${n}` }),
    update: { description: 'changed' },
    wrong: { name: 5 },
  },
  resource_servers: {
    path: '/resource-servers',
    key: 'resource_servers',
    id: 'id',
    keeps: true,
    create: (n) => ({ identifier: `https://api${n}.test/a b`, name: `API ${n}`, scopes: [{ value: 'read:it' }] }),
    update: { token_lifetime: 1234 },
    wrong: { token_lifetime: 'long' },
  },
  clients: {
    path: '/clients',
    key: 'clients',
    id: 'client_id',
    keeps: true,
    create: (n) => ({ name: `App ${n}`, app_type: 'regular_web', callbacks: [`https://app${n}.test/cb`] }),
    update: { description: 'changed' },
    wrong: { callbacks: 'https://app.test/cb' },
  },
  client_grants: {
    path: '/client-grants',
    key: 'client_grants',
    id: 'id',
    keeps: true,
    create: (n) => ({ client_id: `granted${n}`, audience: 'https://id.test/api/v2/', scope: ['read:roles'] }),
    update: { scope: ['read:roles', 'read:clients'] },
    wrong: { scope: 'read:roles' },
  },
  hooks: {
    path: '/hooks',
    key: 'hooks',
    id: 'id',
    keeps: false,
    create: (n) => ({ name: `Hook ${n}`, script: 'module.exports = () => {}', triggerId: 'post-change-password' }),
    update: { enabled: false },
    wrong: { name: 5 },
  },
  rules: {
    path: '/rules',
    key: 'rules',
    id: 'id',
    keeps: false,
    create: (n) => ({ name: `Rule ${n}`, script: 'function (user, context, callback) { callback() }', order: n }),
    update: { enabled: false },
    wrong: { name: 5 },
  },
  token_exchange_profiles: {
    path: '/token-exchange-profiles',
    key: 'token_exchange_profiles',
    id: 'id',
    keeps: false,
    create: (n) => ({
      ...{ name: `Profile ${n}`, subject_token_type: `urn:acme:type-${n}`, type: 'custom_authentication' },
      action_id: 'judge',
    }),
    update: { name: 'changed' },
    wrong: { name: 5 },
  },
  organizations: {
    path: '/organizations',
    key: 'organizations',
    id: 'id',
    keeps: true,
    create: (n) => ({ name: `org-${n}`, display_name: `Organization ${n}` }),
    update: { display_name: 'changed', metadata: { plan: 'gold' } },
    wrong: { display_name: 5 },
  },
  connections: {
    path: '/connections',
    key: 'connections',
    id: 'id',
    keeps: true,
    create: (n) => ({ name: `Base-${n}`, strategy: 'auth0', options: { disable_signup: true } }),
    update: { display_name: 'changed' },
    wrong: { display_name: 5 },
  },
  custom_domains: {
    path: '/custom-domains',
    key: 'custom_domains',
    id: 'custom_domain_id',
    keeps: true,
    create: (n) => ({ domain: `login${n}.example.com`, type: 'self_managed_certs', domain_metadata: { n: String(n) } }),
    update: { relying_party_identifier: 'example.com' },
    wrong: { domain_metadata: 'none' },
  },
  log_streams: {
    path: '/log-streams',
    key: 'log_streams',
    id: 'id',
    keeps: true,
    create: (n) => ({
      name: `Stream ${n}`,
      type: 'http',
      sink: { httpEndpoint: `https://sink${n}.test/logs`, httpContentFormat: 'JSONARRAY' },
      filters: [{ type: 'category', name: 'auth.login.fail' }],
    }),
    update: { status: 'paused' },
    wrong: { filters: 'all' },
  },
  users: {
    path: '/users',
    key: 'users',
    id: 'user_id',
    keeps: false,
    create: (n) => ({ connection: 'Users', email: `sample${n}@mail.test`, name: `Person ${n}`, verify_email: false }),
    update: { nickname: 'changed' },
    wrong: { blocked: 'yes' },
    unshown: ['connection', 'verify_email'],
  },
}

const shownOf = ({ create, unshown = [] }: Sample, n: number): Body =>
  Object.fromEntries(Object.entries(create(n)).filter(([name]) => !unshown.includes(name)))

const COUNT = 5

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  for (let n = 0; n < 20; n += 1) {
    await server.addClient({
      clientId: `granted${n}`,
      secret: 'a secret of the client',
      settings: { app_type: 'non_interactive' },
    })
  }
  await addJudge(server, 'urn:acme:judged', '')
})
afterAll(() => server.close())

/** Their lists have another shape at the vendor; their tests are in a file of their own. */
const OTHERS = ['actions', 'action_modules', 'login_shares', 'login_tests']

it('has a sample for every resource that can be created', () => {
  const created = OPERATIONS.flatMap(({ name }) => /^(\w+)\.create$/.exec(name)?.[1] ?? [])
  expect([...Object.keys(SAMPLES), ...OTHERS].sort()).toEqual(created.sort())
})

it('has a scope, a name and a place of its own for every operation', () => {
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length)
  for (const { scopes } of OPERATIONS) expect(scopes.length).toBeGreaterThan(0)
})

const sampleAsk = (method: string): TestRequest => (method === 'GET' || method === 'DELETE' ? {} : { json: {} })

describe('every operation', () => {
  it.each(OPERATIONS.map(({ name, method, path, scopes }) => ({ name, method, path, scopes: scopesIn(scopes) })))(
    '$name is refused with two hundred other scopes, before it looks for anything',
    async ({ method, path, scopes }) => {
      const others = await tokenWithout(scopes)
      const answer = await manager.send(method, path.replace(/:\w+/g, 'none'), { ...sampleAsk(method), token: others })
      expect(answer.json()).toMatchObject({
        statusCode: 403,
        errorCode: 'insufficient_scope',
        message: `Insufficient scope, expected any of: ${scopes.join(',')}`,
      })
    },
  )
})

/** A token request may name no more. */
const MAX_SCOPES = 200

async function tokenWithout(scopes: readonly string[]): Promise<string> {
  const { MANAGEMENT_SCOPES } = await import('../../../data/apis/management-scopes')
  return manager.token([...MANAGEMENT_SCOPES.keys()].filter((scope) => !scopes.includes(scope)).slice(0, MAX_SCOPES))
}

describe.each(Object.entries(SAMPLES))('%s', (_plural, sample) => {
  const { path, key, id } = sample
  const made: Body[] = []
  const one = (): string => `${path}/${encodeURIComponent(String(made[0]?.[id]))}`

  it('are created, and shown as they were created', async () => {
    for (let n = 0; n < COUNT; n += 1) {
      const answer = await manager.post(path, sample.create(n))
      expect(answer.status, answer.text).toBe(201)
      made.push(answer.json())
    }
    expect(made[0]).toMatchObject(shownOf(sample, 0))
    const read = await manager.get(one())
    expect(read.status).toBe(200)
    expect(read.json()).toMatchObject(shownOf(sample, 0))
  })

  it('are refused when they exist already, or have a member of a wrong type', async () => {
    if (_plural !== 'clients') expect((await manager.post(path, sample.create(0))).status).toBe(409)
    const wrong = await manager.post(path, { ...sample.create(99), ...sample.wrong })
    expect(wrong.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect((await manager.patch(one(), sample.wrong)).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'invalid_body',
    })
  })

  it('are changed, and keep what was not changed', async () => {
    const answer = await manager.patch(one(), sample.update)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({ ...shownOf(sample, 0), ...sample.update })
    expect((await manager.get(one())).json()).toEqual(answer.json())
  })

  if (sample.keeps) {
    it('keep unknown members until null unsets them, but no secret, and report both', async () => {
      const unknown = { of_tomorrow: { deep: [1, 'two'] }, its_secret: 'plain' }
      await manager.patch(one(), unknown)
      const kept = (await manager.get(one())).json()
      expect(kept).toMatchObject({ of_tomorrow: { deep: [1, 'two'] } })
      expect(kept).not.toHaveProperty('its_secret')
      expect(await lastReported(server)).toEqual(expect.arrayContaining(['of_tomorrow', 'its_secret']))
      await manager.patch(one(), { of_tomorrow: null })
      expect((await manager.get(one())).json()).not.toHaveProperty('of_tomorrow')
    })
  }

  it('are absent under an unknown id: 404, and nothing to delete', async () => {
    expect((await manager.get(`${path}/none`)).json()).toMatchObject({ statusCode: 404, error: 'Not Found' })
    expect((await manager.patch(`${path}/none`, sample.update)).status).toBe(404)
    expect((await manager.remove(`${path}/none`)).status).toBe(204)
  })

  it('are listed in the four shapes, to the end', async () => {
    const listOf = async (query: Record<string, string>): Promise<unknown> =>
      JSON.parse((await manager.get(path, { query })).text)
    const all = (await listOf({ per_page: '100' })) as Body[]
    const ids = all.map((each) => each[id])
    expect(ids).toEqual(expect.arrayContaining(made.map((each) => each[id])))
    const paged: unknown[] = []
    for (let page = 0; paged.length < ids.length; page += 1) {
      const answer = (await listOf({ page: String(page), per_page: '2', include_totals: 'true' })) as Body
      expect(answer).toMatchObject({ start: page * 2, limit: 2, total: ids.length })
      paged.push(...(answer[key] as Body[]).map((each) => each[id]))
      expect(answer.length).toBe((answer[key] as Body[]).length)
    }
    expect(paged).toEqual(ids)
    const followed: unknown[] = []
    let next: string | undefined
    do {
      const answer = (await listOf({
        take: '2',
        include_totals: 'true',
        ...(next === undefined ? {} : { from: next }),
      })) as Body
      followed.push(...(answer[key] as Body[]).map((each) => each[id]))
      next = answer.next as string | undefined
      expect(followed.length).toBeLessThanOrEqual(ids.length)
    } while (next !== undefined)
    expect([...followed].sort()).toEqual([...ids].sort())
  })

  it('show the fields that are asked for', async () => {
    const named = await manager.get(one(), { query: { fields: `${id},name`, include_fields: 'true' } })
    expect(Object.keys(named.json()).filter((name) => name !== id && name !== 'name')).toEqual([])
    const without = (await manager.get(one(), { query: { fields: 'name', include_fields: 'false' } })).json()
    expect(without).not.toHaveProperty('name')
    expect(without).toHaveProperty(id)
  })

  it('are changed and deleted only as they were read, where the caller demands it', async () => {
    const tag = (await manager.get(one())).header('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{16}"$/)
    expect((await manager.get(one(), { headers: { 'if-none-match': tag } })).status).toBe(304)
    const changed = await manager.patch(one(), sample.update, { 'if-match': '"of-another-version"' })
    expect(changed.json()).toMatchObject({ statusCode: 412, errorCode: 'precondition_failed' })
    expect((await manager.send('DELETE', one(), { headers: { 'if-match': '"of-another-version"' } })).status).toBe(412)
    expect((await manager.patch(one(), sample.update, { 'if-match': tag })).status).toBe(200)
  })

  it('are no other tenant’s', async () => {
    const far = await foreignManager()
    const answer = await far('GET', one())
    expect(answer.status).toBe(404)
    expect((await far('PATCH', one(), { json: sample.update })).status).toBe(404)
    expect((await far('DELETE', one())).status).toBe(204)
    expect((await manager.get(one())).status).toBe(200)
    const theirs = JSON.parse((await far('GET', path)).text) as Body[]
    for (const each of made) expect(theirs.map((one) => one[id])).not.toContain(each[id])
  })

  it('are deleted once, and then are gone', async () => {
    expect((await manager.remove(one())).status).toBe(204)
    expect((await manager.get(one())).status).toBe(404)
    expect((await manager.remove(one())).status).toBe(204)
  })
})

let foreign: Promise<(method: string, path: string, ask?: TestRequest) => Promise<TestResponse>> | undefined

/** Everything may be done by this one, in another tenant. */
function foreignManager() {
  foreign ??= openForeign()
  return foreign
}

async function openForeign() {
  const { MANAGEMENT_SCOPES } = await import('../../../data/apis/management-scopes')
  const there = await server.addTenant('far', 'https://far.test')
  const audience = 'https://far.test/api/v2/'
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'] }
  await there.addClient({ clientId: 'far-manager', secret: 'the secret of far', settings })
  await there.addClientGrant('far-manager', audience, [...MANAGEMENT_SCOPES.keys()])
  const browser = server.browser({ host: 'far.test' })
  const form = {
    grant_type: 'client_credentials',
    client_id: 'far-manager',
    client_secret: 'the secret of far',
    audience,
  }
  const token = String((await browser.post('/oauth/token', { form })).json().access_token)
  return (method: string, path: string, ask: TestRequest = {}) =>
    browser.send(method, `/api/v2${path}`, { ...ask, headers: { authorization: `Bearer ${token}` } })
}
