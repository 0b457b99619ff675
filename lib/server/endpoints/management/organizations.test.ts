// Organizations of the Management API: members, roles, connections, invitations and client grants, and the races between them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openContent } from '../../../data/outbox/outbox'
import { FIRST_TENANT } from '../../../data/tenants/settings'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

const AUDIENCE = 'https://id.test/api/v2/'

let server: TestServer
let manager: Manager
let org: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  for (const name of ['ann', 'bob', 'cy', 'dee', 'eve'])
    await server.addUser({ id: name, email: `${name}@mail.test`, data: { name: name.toUpperCase() } })
  await server.addRole('Editors', {})
  await server.addRole('Readers', {})
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.advance(1)
  org = String((await manager.post('/organizations', { name: `org-${++count}` })).json().id)
})

const at = (path: string): string => `/organizations/${org}${path}`
const listOf = (answer: TestResponse): Body[] => JSON.parse(answer.text)
const statuses = (answers: readonly TestResponse[]) => [...new Set(answers.map(({ status }) => status))].sort()
const roleId = async (name: string): Promise<string> =>
  String(listOf(await manager.get('/roles', { query: { name_filter: name } }))[0]?.id)
const connection = async (name: string, strategy = 'auth0'): Promise<string> => {
  const [found] = listOf(await manager.get('/connections', { query: { name } }))
  return String((found ?? (await manager.post('/connections', { name, strategy })).json()).id)
}

describe('an organization', () => {
  it('has an id like the vendor’s, and is found by its name', async () => {
    expect(org).toMatch(/^org_[A-Za-z0-9]{16}$/)
    const read = await manager.get(`/organizations/name/org-${count}`)
    expect(read.json()).toEqual({ id: org, name: `org-${count}` })
    expect((await manager.get('/organizations/name/none')).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_organization',
    })
  })

  it.each(['Upper', 'with space', 'a.b', '', 'x'.repeat(51), 'org_like-an-id', 'ä'])(
    'cannot be called %j',
    async (name) => {
      expect((await manager.post('/organizations', { name })).json()).toMatchObject({ errorCode: 'invalid_body' })
    },
  )

  it('may not take the name of another, at creation or later', async () => {
    const taken = { statusCode: 409, errorCode: 'organization_already_exists' }
    expect((await manager.post('/organizations', { name: `org-${count}` })).json()).toMatchObject(taken)
    await manager.post('/organizations', { name: 'another' })
    expect((await manager.patch(at(''), { name: 'another' })).json()).toMatchObject(taken)
    expect((await manager.patch(at(''), { name: `renamed-${count}` })).json()).toEqual({
      id: org,
      name: `renamed-${count}`,
    })
  })

  it('keeps its branding and metadata, and refuses wrong ones', async () => {
    const branding = { logo_url: 'https://a.test/l.png', colors: { primary: '#112233', page_background: '#fff' } }
    await manager.patch(at(''), { branding, metadata: { plan: 'gold' }, display_name: 'Acme' })
    const read = (await manager.get(at(''))).json()
    expect(read).toMatchObject({ branding, metadata: { plan: 'gold' }, display_name: 'Acme' })
    for (const wrong of [
      { branding: { logo_url: 'javascript:alert(1)' } },
      { branding: { colors: { primary: 'red' } } },
      { metadata: { plan: 5 } },
      { metadata: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`m${n}`, 'x'])) },
    ])
      expect((await manager.patch(at(''), wrong)).json()).toMatchObject({ errorCode: 'invalid_body' })
    expect((await manager.get(at(''))).json()).toEqual(read)
  })

  it('is sorted by name or age, and by nothing else', async () => {
    const names = async (sort: string): Promise<string[]> =>
      listOf(await manager.get('/organizations', { query: { sort, per_page: '100' } })).map(({ name }) => String(name))
    expect(await names('name:-1')).toEqual([...(await names('name:1'))].reverse())
    expect((await names('created_at:1'))[0]).toBe('org-1')
    expect((await manager.get('/organizations', { query: { sort: 'id:1' } })).json().errorCode).toBe(
      'invalid_query_string',
    )
  })

  it('begins with connections, which must exist', async () => {
    const id = await connection('First')
    const body = { name: 'with-connections', enabled_connections: [{ connection_id: id }] }
    const made = (await manager.post('/organizations', body)).json()
    expect(made.enabled_connections).toEqual([
      {
        connection_id: id,
        assign_membership_on_login: false,
        show_as_button: true,
        is_signup_enabled: false,
        connection: { name: 'First', strategy: 'auth0' },
      },
    ])
    const refused = await manager.post('/organizations', {
      name: 'refused',
      enabled_connections: [{ connection_id: 'none' }],
    })
    expect(refused.json()).toMatchObject({ errorCode: 'invalid_body' })
    expect((await manager.get('/organizations/name/refused')).status).toBe(404)
  })

  it('has no clients, in the shape that tools read', async () => {
    expect((await manager.get(at('/clients'))).json()).toEqual({ clients: [] })
    expect((await manager.get('/organizations/none/clients')).status).toBe(404)
  })
})

describe('members', () => {
  const add = (...members: string[]) => manager.post(at('/members'), { members: members.map((id) => `auth0|${id}`) })

  it('are added, listed in each shape, and removed', async () => {
    expect((await add('ann', 'bob', 'cy')).status).toBe(204)
    const ann = { user_id: 'auth0|ann', email: 'ann@mail.test', name: 'ANN' }
    expect(listOf(await manager.get(at('/members')))[0]).toEqual(ann)
    const totals = (await manager.get(at('/members'), { query: { include_totals: 'true', per_page: '2' } })).json()
    expect(totals).toMatchObject({ start: 0, limit: 2, length: 2, total: 3 })
    const first = (await manager.get(at('/members'), { query: { take: '2' } })).json()
    const second = (await manager.get(at('/members'), { query: { take: '2', from: String(first.next) } })).json()
    expect([...(first.members as Body[]), ...(second.members as Body[])].map(({ user_id }) => user_id)).toEqual([
      'auth0|ann',
      'auth0|bob',
      'auth0|cy',
    ])
    expect(second).not.toHaveProperty('next')
    expect((await manager.remove(at('/members'), { members: ['auth0|bob', 'auth0|dee'] })).status).toBe(204)
    expect(listOf(await manager.get(at('/members'))).map(({ user_id }) => user_id)).toEqual(['auth0|ann', 'auth0|cy'])
  })

  it('must be users, and none is added where one is unknown', async () => {
    expect((await add('ann', 'nobody')).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(listOf(await manager.get(at('/members')))).toEqual([])
    const nowhere = await manager.post('/organizations/none/members', { members: ['auth0|ann'] })
    expect(nowhere.json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_organization' })
  })

  it('leave when the user is deleted, and so do their roles', async () => {
    await server.addUser({ id: 'gone', email: 'gone@mail.test' })
    await add('gone')
    await manager.post(at('/members/auth0%7Cgone/roles'), { roles: [await roleId('Editors')] })
    await server.database.pool.query(`DELETE FROM "user" WHERE id = 'auth0|gone'`)
    expect(listOf(await manager.get(at('/members')))).toEqual([])
    const { rows } = await server.database.pool.query(
      `SELECT 1 FROM organization_member_role WHERE organization_id = $1`,
      [org],
    )
    expect(rows).toEqual([])
  })

  it('have roles in the organization alone', async () => {
    await add('ann')
    const [editors, readers] = [await roleId('Editors'), await roleId('Readers')]
    expect((await manager.post(at('/members/auth0%7Cann/roles'), { roles: [editors, readers] })).status).toBe(204)
    const roles = listOf(await manager.get(at('/members/auth0%7Cann/roles')))
    expect(roles.map(({ name }) => name).sort()).toEqual(['Editors', 'Readers'])
    expect(listOf(await manager.get(`/roles/${editors}/users`))).toEqual([])
    await manager.remove(at('/members/auth0%7Cann/roles'), { roles: [editors] })
    const answer = await manager.get(at('/members'), { query: { fields: 'user_id,roles' } })
    expect(listOf(answer)).toEqual([{ user_id: 'auth0|ann', roles: [{ id: readers, name: 'Readers' }] }])
  })

  it('show roles only to those who may read them', async () => {
    const token = await manager.token(['read:organization_members'])
    const answer = await manager.get(at('/members'), { token, query: { fields: 'roles' } })
    expect(answer.json()).toMatchObject({
      statusCode: 403,
      message: 'Insufficient scope, expected any of: read:organization_member_roles',
    })
    expect((await manager.get(at('/members'), { token })).status).toBe(200)
  })

  it('get no role that does not exist, and no other user gets one', async () => {
    await add('ann')
    const wrong = await manager.post(at('/members/auth0%7Cann/roles'), { roles: ['rol_none'] })
    expect(wrong.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    const body = { roles: [await roleId('Editors')] }
    const absent = { statusCode: 404, errorCode: 'inexistent_organization_member' }
    expect((await manager.post(at('/members/auth0%7Cbob/roles'), body)).json()).toMatchObject(absent)
    expect((await manager.get(at('/members/auth0%7Cbob/roles'))).json()).toMatchObject(absent)
    expect((await manager.remove(at('/members/auth0%7Cbob/roles'), body)).json()).toMatchObject(absent)
  })

  it('can read their organizations', async () => {
    await add('eve')
    const mine = listOf(await manager.get('/users/auth0%7Ceve/organizations'))
    expect(mine).toEqual([{ id: org, name: `org-${count}` }])
    const totals = await manager.get('/users/auth0%7Ceve/organizations', { query: { include_totals: 'true' } })
    expect(totals.json()).toMatchObject({ total: 1, organizations: mine })
    expect(listOf(await manager.get('/users/auth0%7Cdee/organizations'))).toEqual([])
    expect((await manager.get('/users/auth0%7Cnobody/organizations')).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_user',
    })
  })

  it('are members once, however many add them at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add('ann', 'bob')))
    expect(statuses(answers)).toEqual([204])
    expect(listOf(await manager.get(at('/members')))).toHaveLength(2)
  })

  it('are added to an organization or find it gone, when it is deleted at the same moment', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => add('ann')),
      manager.remove(at('')),
      ...Array.from({ length: 10 }, () => add('bob')),
    ])
    for (const status of statuses(answers)) expect([204, 404]).toContain(status)
    const { rows } = await server.database.pool.query('SELECT 1 FROM organization_member WHERE organization_id = $1', [
      org,
    ])
    expect(rows).toEqual([])
  })
})

describe('connections', () => {
  it('are the same under both paths', async () => {
    const id = await connection('Both')
    const body = { connection_id: id, assign_membership_on_login: true, is_signup_enabled: true }
    const added = await manager.post(at('/enabled_connections'), body)
    expect(added.status).toBe(201)
    expect(added.json()).toEqual({
      ...body,
      show_as_button: true,
      connection: { name: 'Both', strategy: 'auth0' },
    })
    expect((await manager.get(at(`/connections/${id}`))).json()).toEqual({ ...added.json(), is_enabled: true })
    const ours = { organization_connection_name: 'Ours', organization_access_level: 'full' }
    await manager.patch(at(`/connections/${id}`), { is_enabled: false, ...ours })
    expect(await lastReported(server)).toEqual(Object.keys(ours))
    expect((await manager.get(at(`/enabled_connections/${id}`))).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_organization_connection',
    })
    expect(listOf(await manager.get(at('/enabled_connections')))).toEqual([])
    expect(listOf(await manager.get(at('/connections'), { query: { is_enabled: 'true' } }))).toEqual([])
    const whole = (await manager.get(at('/connections'), { query: { include_totals: 'true' } })).json()
    expect(whole).toMatchObject({ total: 1, connections: [{ organization_connection_name: 'Ours' }] })
    expect((await manager.post(at('/enabled_connections'), body)).status).toBe(201)
    expect((await manager.get(at(`/enabled_connections/${id}`))).status).toBe(200)
    expect((await manager.remove(at(`/connections/${id}`))).status).toBe(204)
    expect((await manager.remove(at(`/connections/${id}`))).status).toBe(204)
    expect(listOf(await manager.get(at('/connections')))).toEqual([])
  })

  it('are refused: twice, unknown, absent, or with a sign-up that cannot work', async () => {
    const id = await connection('Once')
    const add = (body: Body) => manager.post(at('/connections'), body)
    expect((await add({ connection_id: id })).status).toBe(201)
    expect((await add({ connection_id: id })).json()).toMatchObject({ statusCode: 409 })
    expect((await add({ connection_id: 'none' })).json()).toMatchObject({ errorCode: 'invalid_body' })
    expect((await manager.patch(at('/connections/none'), {})).status).toBe(404)
    const unassigned = await manager.patch(at(`/connections/${id}`), { is_signup_enabled: true })
    expect(unassigned.json()).toMatchObject({ errorCode: 'invalid_body' })
    const other = await connection('mail-code', 'email')
    const noDatabase = await add({
      connection_id: other,
      is_signup_enabled: true,
      assign_membership_on_login: true,
    })
    expect(noDatabase.json()).toMatchObject({ errorCode: 'invalid_body' })
  })

  it('are added once, however many add them at once', async () => {
    const id = await connection('Race')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => manager.post(at('/connections'), { connection_id: id })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(statuses(answers)).toEqual([201, 409])
  })
})

describe('client grants', () => {
  it('are added, listed and removed', async () => {
    const settings = { app_type: 'non_interactive' }
    await server.addClient({ clientId: 'machine', secret: 'a secret of the machine', settings })
    await server.addClientGrant('machine', AUDIENCE, ['read:roles'])
    const [grant] = listOf(await manager.get('/client-grants', { query: { client_id: 'machine' } }))
    const added = await manager.post(at('/client-grants'), { grant_id: grant?.id })
    expect(added.status).toBe(201)
    expect(added.json()).toEqual(grant)
    expect((await manager.post(at('/client-grants'), { grant_id: grant?.id })).status).toBe(409)
    expect(listOf(await manager.get(at('/client-grants'), { query: { client_id: 'machine' } }))).toEqual([grant])
    expect(listOf(await manager.get(at('/client-grants'), { query: { client_id: 'none' } }))).toEqual([])
    expect((await manager.post(at('/client-grants'), { grant_id: 'cgr_none' })).status).toBe(404)
    const path = `/client-grants/${grant?.id}/organizations`
    expect((await manager.get(path, { query: { take: '5' } })).json()).toEqual({
      organizations: [{ id: org, name: `org-${count}` }],
    })
    expect((await manager.get('/client-grants/cgr_none/organizations')).status).toBe(404)
    expect((await manager.remove(at(`/client-grants/${grant?.id}`))).status).toBe(204)
    expect(listOf(await manager.get(at('/client-grants')))).toEqual([])
    expect(listOf(await manager.get(path))).toEqual([])
  })

  it('say for which organizations tokens may be, except those of the Management API', async () => {
    await server.addClient({ clientId: 'jobs', settings: { app_type: 'non_interactive' } })
    await server.addApi('https://jobs.test', {})
    const grant = { client_id: 'jobs', audience: 'https://jobs.test', scope: [] }
    const made = (await manager.post('/client-grants', { ...grant, organization_usage: 'require' })).json()
    expect(made).toMatchObject({ organization_usage: 'require', allow_any_organization: false })
    const path = `/client-grants/${made.id}`
    const wide = (await manager.patch(path, { allow_any_organization: true })).json()
    expect(wide).toMatchObject({ organization_usage: 'require', allow_any_organization: true })
    const query = { allow_any_organization: 'true' }
    expect(listOf(await manager.get('/client-grants', { query })).map(({ id }) => id)).toEqual([made.id])
    for (const wrong of [{ organization_usage: 'maybe' }, { allow_any_organization: 'yes' }])
      expect((await manager.patch(path, wrong)).json()).toMatchObject({ errorCode: 'invalid_body' })
    expect((await manager.patch(path, { organization_usage: null })).json()).toMatchObject({
      organization_usage: 'deny',
    })
    const own = { ...grant, audience: AUDIENCE, organization_usage: 'allow' }
    expect((await manager.post('/client-grants', own)).json()).toMatchObject({ errorCode: 'invalid_body' })
  })
})

describe('invitations', () => {
  const invited = { inviter: { name: 'Ada' }, invitee: { email: 'new@mail.test' }, client_id: 'app' }
  const invite = (more: Body = {}) => manager.post(at('/invitations'), { ...invited, ...more })

  beforeAll(async () => {
    const settings = { initiate_login_uri: 'https://app.test/login?a=1' }
    await server.addClient({ clientId: 'app', settings })
    await manager.patch('/clients/app', { organization_usage: 'allow' })
    await server.addClient({ clientId: 'closed', settings })
    await server.addClient({ clientId: 'routeless', settings: {} })
    await manager.patch('/clients/routeless', { organization_usage: 'require' })
  })

  const mails = async () =>
    (await (await server.runtime()).outbox.list({ tenantId: FIRST_TENANT, to: 'new@mail.test', limit: 100 })).map(
      ({ sealedContent }) => openContent(sealedContent, server.vault),
    )

  it('have the application’s link, are mailed with it, and are shown again', async () => {
    await manager.patch(at(''), { display_name: 'Acme Users' })
    const answer = await invite({ roles: [await roleId('Editors')], app_metadata: { a: 1 } })
    expect(answer.status, answer.text).toBe(201)
    const made = answer.json()
    expect(made).toMatchObject({ ...invited, organization_id: org, app_metadata: { a: 1 } })
    expect(made.id).toMatch(/^uinv_[A-Za-z0-9]{16}$/)
    expect(Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at))).toBe(604_800_000)
    const link = new URL(String(made.invitation_url))
    expect(link.origin + link.pathname).toBe('https://app.test/login')
    expect(Object.fromEntries(link.searchParams)).toEqual({
      a: '1',
      invitation: made.ticket_id,
      organization: org,
      organization_name: `org-${count}`,
    })
    const [mail] = await mails()
    expect(mail?.link).toBe(link.href)
    expect(mail?.text).toContain(link.href)
    for (const fact of ['Ada', 'Acme Users']) expect(mail?.text).toContain(fact)
    expect((await manager.get(at(`/invitations/${made.id}`))).json()).toEqual(made)
    const listed = (await manager.get(at('/invitations'), { query: { include_totals: 'true' } })).json()
    expect(listed).toMatchObject({ total: 1, invitations: [made] })
  })

  it('show their link to those who may make one, and its mask to others', async () => {
    const { id, ticket_id, ...made } = (await invite()).json()
    const masked = { ...made, id, invitation_url: '********', ticket_id: '********' }
    const token = await manager.token(['read:organization_invitations'])
    const shown = async (path: string, query = {}) => (await manager.get(at(path), { token, query })).text
    expect(JSON.parse(await shown(`/invitations/${id}`))).toEqual(masked)
    expect(JSON.parse(await shown('/invitations'))).toEqual([masked])
    expect(JSON.parse(await shown('/invitations', { include_totals: 'true' })).invitations).toEqual([masked])
    expect(await shown('/invitations', { fields: 'ticket_id' })).toBe('[{"ticket_id":"********"}]')
    const both = await manager.token(['read:organization_invitations', 'create:organization_invitations'])
    expect((await manager.get(at(`/invitations/${id}`), { token: both })).json()).toMatchObject({ ticket_id })
  })

  it.each([
    ['roles', ['rol_any'], 'create:organization_member_roles'],
    ['app_metadata', { a: 1 }, 'update:users,update:users_app_metadata'],
    ['user_metadata', { a: 1 }, 'update:users'],
  ])('give %s by the scope that gives them elsewhere', async (name, value, scopes) => {
    const token = await manager.token(['create:organization_invitations'])
    const json = { ...invited, [name]: value }
    expect((await manager.send('POST', at('/invitations'), { token, json })).json()).toMatchObject({
      statusCode: 403,
      message: `Insufficient scope, expected any of: ${scopes}`,
    })
  })

  it('store no ticket in the clear, and audit none', async () => {
    const made = (await invite()).json()
    const { rows } = await server.database.pool.query(
      'SELECT to_jsonb(i)::text AS text FROM organization_invitation AS i WHERE id = $1',
      [made.id],
    )
    expect(rows[0].text).toContain('new@mail.test')
    expect(rows[0].text).not.toContain(made.ticket_id)
    expect(rows[0].text).not.toContain(Buffer.from(String(made.ticket_id)).toString('hex'))
    expect(JSON.stringify(await server.audited())).not.toContain(made.ticket_id)
  })

  it('send no mail where none is wanted', async () => {
    const before = (await mails()).length
    expect((await invite({ send_invitation_email: false, ttl_sec: 60 })).status).toBe(201)
    expect(await mails()).toHaveLength(before)
  })

  it('an invitation uses the tenant’s address for an application that has none', async () => {
    const routeless = { client_id: 'routeless' }
    expect((await invite(routeless)).json().message).toMatch(/A default login route is required/)
    const limits = { management: { burst: 100_000, per_minute: 100_000 } }
    await server.setTenant({ tenant: { rate_limits: limits, default_redirection_uri: 'https://tenant.test/in' } })
    expect((await invite(routeless)).json().invitation_url).toMatch(/^https:\/\/tenant\.test\/in\?invitation=/)
  })

  it.each([
    [{ client_id: 'none' }, 'The specified client_id does not exist.'],
    [{ client_id: 'closed' }, 'The specified client_id (closed) does not allow organizations.'],
    [{ connection_id: 'none' }, 'The specified connection does not exist.'],
    [{ roles: ['rol_none'] }, 'One or more of the specified roles do not exist: rol_none.'],
    [{ invitee: { email: 'a@b.test, c@d.test' } }, 'must be one e-mail address'],
    [{ ttl_sec: 2_592_001 }, 'ttl_sec'],
    [{ inviter: { name: '' } }, 'inviter'],
  ])('are refused with %j', async (more, message) => {
    const before = (await mails()).length
    const answer = (await invite(more)).json()
    expect(answer).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(answer.message).toContain(message)
    expect(await mails()).toHaveLength(before)
  })

  it('are refused for a connection without passwords or a provider', async () => {
    const answer = await invite({ connection_id: await connection('codes', 'email') })
    expect(answer.json().message).toContain('Passwordless connections are not supported.')
  })

  it('are withdrawn once, and are no other organization’s', async () => {
    const { id } = (await invite()).json()
    const other = String((await manager.post('/organizations', { name: `other-${count}` })).json().id)
    expect((await manager.get(`/organizations/${other}/invitations/${id}`)).status).toBe(404)
    expect((await manager.remove(`/organizations/${other}/invitations/${id}`)).status).toBe(204)
    expect((await manager.get(at(`/invitations/${id}`))).status).toBe(200)
    expect((await manager.remove(at(`/invitations/${id}`))).status).toBe(204)
    expect((await manager.get(at(`/invitations/${id}`))).json()).toMatchObject({
      statusCode: 404,
      errorCode: 'inexistent_invitation',
    })
  })

  it('are whole or absent, when one is deleted while it is read', async () => {
    const made = (await invite()).json()
    const reads = () => Array.from({ length: 10 }, () => manager.get(at(`/invitations/${made.id}`)))
    const lists = () => Array.from({ length: 5 }, () => manager.get(at('/invitations')))
    const deletes = () => Array.from({ length: 3 }, () => manager.remove(at(`/invitations/${made.id}`)))
    const [read, listed, deleted] = await Promise.all(
      [[...reads()], [...lists()], [...deletes()]].map((each) => Promise.all(each)),
    )
    expect(statuses(deleted ?? [])).toEqual([204])
    for (const answer of read ?? []) {
      if (answer.status === 200) expect(answer.json()).toEqual(made)
      else expect(answer.status).toBe(404)
    }
    for (const answer of listed ?? []) for (const each of listOf(answer)) expect(each).toEqual(made)
    const removals = (await server.audited()).filter(
      ({ details }) =>
        (details as Body).change === 'organizations.invitations.delete' &&
        Object.keys(((details as Body).difference ?? {}) as Body).length > 0 &&
        (details as Body).target === made.id,
    )
    expect(removals).toHaveLength(1)
  })
})
