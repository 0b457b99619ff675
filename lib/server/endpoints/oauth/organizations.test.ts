import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  userinfo,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { organizationsOf } from '../../../testing/organizations'
import { CONNECTION_ID } from '../../../testing/seed'
import { type Browser, PASSWORD, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'
const CLIENTS = {
  spa: { organization_usage: 'allow' },
  plain: {},
  placed: {
    organization_usage: 'allow',
    cross_origin_authentication: true,
    callbacks: ['https://{organization_name}.place.test/cb'],
    allowed_origins: ['https://{organization_name}.page.test'],
  },
  denied: { callbacks: ['https://{organization_name}.place.test/cb', 'https://app.test/cb'] },
  must: { organization_usage: 'require' },
  before: { organization_usage: 'require', organization_require_behavior: 'pre_login_prompt' },
  found: {
    organization_usage: 'require',
    organization_require_behavior: 'pre_login_prompt',
    organization_discovery_methods: ['email'],
  },
  after: { organization_usage: 'require', organization_require_behavior: 'post_login_prompt' },
}

let server: TestServer
let organizations: ReturnType<typeof organizationsOf>
let kim: string
let lee: string
let acme: string
let harbour: string
let strange: string

beforeAll(async () => {
  server = await testServer()
  organizations = organizationsOf(server)
  for (const [clientId, settings] of Object.entries(CLIENTS))
    await server.addClient({ clientId, settings: { ...SPA.settings, ...settings } })
  const guard = { grant_types: [], resource_server_identifier: API }
  await server.addClient({ clientId: 'guard', secret: 'guard-secret', settings: guard })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types: ['password'], ...CLIENTS.must } })
  await server.addConnection('Partners', {}, 'con_partners')
  await server.addApi(API, {
    scopes: [{ value: 'read' }, { value: 'write' }],
    enforce_policies: true,
    token_dialect: 'access_token_authz',
    allow_offline_access: true,
  })
  await server.addRole('Reader', { [API]: ['read'] })
  await server.addRole('Writer', { [API]: ['write'] })
  kim = await server.addUser({ email: 'kim@mail.test' })
  lee = await server.addUser({ email: 'lee@mail.test' })
  await server.addUser({ email: 'max@mail.test' })
  await server.giveRole(kim, 'Writer')
  const branding = { logo_url: 'https://cdn.test/acme.svg', colors: { primary: '#0a7d33' } }
  acme = await organizations.add('acme', {
    settings: { display_name: 'Acme Ltd', branding, metadata: { plan: 'gold' } },
    members: [kim],
    roles: { [kim]: ['Reader'] },
  })
  harbour = await organizations.add('harbour', { members: [kim, lee] })
  const sam = await server.addUser({ email: 'sam@mail.test' })
  strange = await organizations.add('strange', { settings: { display_name: 'Foreign' }, members: [sam] })
})
afterAll(() => server.close())

const authorizeAt = async (browser: Browser, extra: Record<string, string>) =>
  locationOf(await browser.get('/authorize', { query: authorizeQuery(extra) }))
const refused = async (extra: Record<string, string>): Promise<[string | null, string | null]> => {
  const { host, searchParams } = await authorizeAt(server.browser(), extra)
  expect(host).toBe('app.test')
  return [searchParams.get('error'), searchParams.get('error_description')]
}
const submit = (browser: Browser, state: string, form: Record<string, string>) =>
  browser.post('/u/submit', { form: { state, ...form } })
const page = async (browser: Browser, screen: string, state: string): Promise<string> =>
  (await browser.get(`/u/${screen}`, { query: { state } })).text

describe('{organization_name} in a callback', () => {
  const at = (name: string) => `https://${name}.place.test/cb`
  const opened = async (extra: Record<string, string>) => {
    const answer = await server
      .browser()
      .get('/authorize', { query: authorizeQuery({ client_id: 'placed', ...extra }) })
    return [answer.status, answer.header('location')?.split('?')[0] ?? null]
  }

  it('is the organization of the request, to which its code goes', async () => {
    const sent = { client_id: 'placed', organization: acme, redirect_uri: at('acme') }
    const code = (await signIn(server.browser(), 'kim@mail.test', sent)).get('code') ?? ''
    const tokens = await redeem(server.browser(), code, { client_id: 'placed', redirect_uri: at('acme') })
    expect(payloadOf(tokens.json().id_token)).toMatchObject({ org_id: acme })
  })

  it.each<[string, () => Record<string, string>]>([
    ['another organization', () => ({ organization: harbour, redirect_uri: at('acme') })],
    ['no organization', () => ({ redirect_uri: at('acme') })],
    ['an organization that does not exist', () => ({ organization: 'org_x', redirect_uri: at('x') })],
    ['the placeholder itself', () => ({ organization: acme, redirect_uri: at('{organization_name}') })],
    ['no redirect_uri', () => ({ organization: acme, redirect_uri: '' })],
    ['a client without organizations', () => ({ client_id: 'denied', organization: acme, redirect_uri: at('acme') })],
  ])('matches nothing for %s, and shows a page (threat-model.md AZ1)', async (_name, extra) => {
    expect(await opened(extra())).toEqual([400, null])
  })

  it('counts in a pushed request, and names the organization as the tenant allows', async () => {
    const push = (extra: Record<string, string>) =>
      server.browser().post('/oauth/par', { form: { ...authorizeQuery({ client_id: 'placed', ...extra }) } })
    expect((await push({ organization: acme, redirect_uri: at('acme') })).status).toBe(201)
    expect((await push({ organization: harbour, redirect_uri: at('acme') })).status).toBe(400)
    expect((await push({ organization: 'acme', redirect_uri: at('acme') })).status).toBe(400)
  })

  it('in an allowed origin is any organization of the tenant', async () => {
    const preflight = (origin: string) =>
      server
        .browser()
        .send('OPTIONS', '/co/authenticate', { headers: { origin, 'access-control-request-method': 'POST' } })
    expect((await preflight('https://acme.page.test')).header('access-control-allow-origin')).toBe(
      'https://acme.page.test',
    )
    expect((await preflight('https://nobody.page.test')).header('access-control-allow-origin')).toBeUndefined()
  })
})

describe('the parameter organization', () => {
  it.each<[string, Record<string, string>, string]>([
    ['none where one is required', { client_id: 'must' }, 'parameter organization is required for this client'],
    [
      'one where the client takes none',
      { client_id: 'plain', organization: 'org_acme000000000000' },
      'parameter organization is not allowed for this client',
    ],
    [
      'a name where the tenant takes ids alone',
      { organization: 'acme' },
      'authorization request parameter organization must be an organization id',
    ],
    [
      'an unknown id',
      { organization: 'org_unknown000000000' },
      'parameter organization is invalid: org_unknown000000000',
    ],
    ['an unknown id, silently', { organization: 'org_x', prompt: 'none' }, 'parameter organization is invalid: org_x'],
  ])('is refused: %s', async (_case, extra, description) => {
    expect(await refused(extra)).toEqual(['invalid_request', description])
  })

  it('is refused in the response mode of the request', async () => {
    const query = authorizeQuery({ organization: 'org_x', response_mode: 'form_post' })
    const answer = await server.browser().get('/authorize', { query })
    expect(answer.text).toContain('parameter organization is invalid: org_x')
    expect(answer.text).toContain('action="https://app.test/cb"')
  })

  it('signs a member in, with the organization in every token, and in those of a refresh', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test', {
      organization: acme,
      audience: API,
      scope: 'openid read write offline_access',
    })
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme })
    expect(payloadOf(tokens.id_token)).not.toHaveProperty('org_name')
    expect(payloadOf(tokens.access_token)).toMatchObject({
      org_id: acme,
      permissions: ['read'],
      scope: 'openid read offline_access',
    })
    expect((await userinfo(browser, tokens.access_token)).json()).toMatchObject({ sub: kim, org_id: acme })
    const next = (await refresh(browser, tokens.refresh_token)).json()
    expect(payloadOf(next.id_token)).toMatchObject({ org_id: acme })
    expect(payloadOf(next.access_token)).toMatchObject({ org_id: acme, permissions: ['read'] })
  })

  it('is of the request: the same session gets tokens without one, with the roles of the tenant', async () => {
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test', { organization: acme })
    const { searchParams } = await authorizeAt(browser, { prompt: 'none', audience: API, scope: 'openid read write' })
    const tokens = (await redeem(browser, searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).not.toHaveProperty('org_id')
    expect(payloadOf(tokens.access_token)).toMatchObject({ permissions: ['write'] })
    const again = await authorizeAt(browser, { prompt: 'none', organization: harbour })
    const other = (await redeem(browser, again.searchParams.get('code') ?? '')).json()
    expect(payloadOf(other.id_token)).toMatchObject({ org_id: harbour })
  })

  it('refuses who is no member, only after the password, and through single sign-on too', async () => {
    const browser = server.browser()
    const answer = await signIn(browser, 'lee@mail.test', { organization: acme })
    const description = `user ${lee} is not part of the ${acme} organization`
    expect([answer.get('error'), answer.get('error_description')]).toEqual(['access_denied', description])
    expect(answer.get('code')).toBeNull()
    await signIn(browser, 'lee@mail.test')
    for (const extra of [{}, { prompt: 'none' }] as Record<string, string>[]) {
      const { searchParams } = await authorizeAt(browser, { organization: acme, ...extra })
      expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(['access_denied', description])
    }
    const records = (await server.audited()).filter(({ description: says }) => says === description)
    expect(records[0]).toMatchObject({ organization_id: acme, organization_name: 'acme', user_id: lee })
  })

  it('takes a name in any case where the tenant allows names, and says it in lower case', async () => {
    await server.setTenant({ tenant: { allow_organization_name_in_authentication_api: true } })
    try {
      const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { organization: 'ACME', audience: API })
      expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme, org_name: 'acme' })
      expect(payloadOf(tokens.access_token)).toMatchObject({ org_id: acme, org_name: 'acme' })
      const byId = await signInForTokens(server.browser(), 'kim@mail.test', { organization: acme })
      expect(payloadOf(byId.id_token)).toMatchObject({ org_id: acme, org_name: 'acme' })
      expect(await refused({ organization: 'nope' })).toEqual([
        'invalid_request',
        'parameter organization is invalid: nope',
      ])
    } finally {
      await server.setTenant({})
    }
  })

  it('is required of logins without a browser too', async () => {
    const form = {
      ...webCredentials(),
      grant_type: 'password',
      username: 'kim@mail.test',
      password: 'correct horse battery staple',
    }
    const answer = await server.browser().post('/oauth/token', { form: { ...form, scope: 'openid' } })
    expect(answer.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'parameter organization is required for this client',
    })
  })
})

describe('a refresh token of an organization', () => {
  const begin = async () => {
    const browser = server.browser()
    const id = await organizations.add(`gone${server.random.hex(8)}`, { members: [kim] })
    const { refresh_token } = await signInForTokens(browser, 'kim@mail.test', { organization: id })
    return { browser, id, token: refresh_token }
  }

  it('is refused once its user is no member, and works again for one who came back', async () => {
    const { browser, id, token } = await begin()
    await organizations.leave(id, kim)
    const answer = await refresh(browser, token)
    expect(answer.status).toBe(403)
    expect(answer.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: `user ${kim} is not part of the ${id} organization`,
    })
    await organizations.join(id, kim)
    expect((await refresh(browser, token)).status).toBe(200)
  })

  it('is refused once the organization is deleted, as its access token is', async () => {
    const { browser, id, token } = await begin()
    const { access_token, refresh_token } = (await refresh(browser, token)).json() as Record<string, string>
    await organizations.remove(id)
    expect((await refresh(browser, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await userinfo(browser, access_token)).status).toBe(401)
  })

  it('leaves an access token that is not active once the organization is deleted', async () => {
    const id = await organizations.add(`gone${server.random.hex(8)}`, { members: [kim] })
    const { access_token } = await signInForTokens(server.browser(), 'kim@mail.test', {
      organization: id,
      audience: API,
    })
    const inspect = async () => {
      const form = { client_id: 'guard', client_secret: 'guard-secret', token: String(access_token) }
      return (await server.browser().post('/oauth/introspect', { form })).json()
    }
    expect(await inspect()).toMatchObject({ active: true, org_id: id })
    await organizations.remove(id)
    expect(await inspect()).toEqual({ active: false })
  })
})

describe('the connections of an organization', () => {
  it('are the only ones that sign in to it, also where a session has another proof', async () => {
    const other = await organizations.add('partners', { connections: { con_partners: {} }, members: [kim] })
    const browser = server.browser()
    await signIn(browser, 'kim@mail.test')
    const silent = await authorizeAt(browser, { organization: other, prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('login_required')
    expect((await authorizeAt(browser, { organization: other })).pathname).toBe('/u/login')
  })

  it('make members of those who sign in by them, where they assign membership', async () => {
    const open = await organizations.add('open', { connections: { [CONNECTION_ID]: { assignMembership: true } } })
    const tokens = await signInForTokens(server.browser(), 'lee@mail.test', { organization: open })
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: open })
    expect(await organizations.members(open)).toEqual([lee])
    const browser = server.browser()
    await signIn(browser, 'max@mail.test')
    expect((await authorizeAt(browser, { organization: open, prompt: 'none' })).searchParams.get('code')).not.toBeNull()
    expect(await organizations.members(open)).toHaveLength(2)
  })

  it('take sign-ups for the organization alone where it says so', async () => {
    const assigns = { assignMembership: true, signupEnabled: true }
    const welcoming = await organizations.add('welcoming', { connections: { [CONNECTION_ID]: assigns } })
    const browser = server.browser()
    const closed = await beginLogin(browser, { organization: acme })
    expect(await page(browser, 'login', closed)).not.toContain('/u/signup')
    await submit(browser, closed, { action: 'sign-up', email: 'evil@mail.test', password: 'some long words here' })
    expect((await server.database.pool.query(`SELECT 1 FROM "user" WHERE email = 'evil@mail.test'`)).rowCount).toBe(0)
    const state = await beginLogin(browser, { organization: welcoming, screen_hint: 'signup' })
    const form = { action: 'sign-up', email: 'new@mail.test', password: 'some long words here' }
    const answer = locationOf(await submit(browser, state, form))
    const tokens = (await redeem(browser, answer.searchParams.get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: welcoming, email: 'new@mail.test' })
  })
})

describe('the pages', () => {
  it('have the name, logo and colour of the organization', async () => {
    const browser = server.browser()
    const html = await page(browser, 'login', await beginLogin(browser, { organization: acme }))
    expect(html).toContain('for Acme Ltd')
    expect(html).toContain('https://cdn.test/acme.svg')
    expect(html).toContain('#0a7d33')
  })

  it('ask for the name before the login', async () => {
    const browser = server.browser()
    const first = await authorizeAt(browser, { client_id: 'before' })
    expect(first.pathname).toBe('/u/organization-selection')
    const state = first.searchParams.get('state') ?? ''
    expect(await page(browser, 'organization-selection', state)).toContain('name="organization"')
    for (const organization of ['nope', '', 'kim@acme.test', 'x'.repeat(5000)]) {
      const again = locationOf(await submit(browser, state, { action: 'name-organization', organization }))
      expect(again.searchParams.get('notice')).toBe('unknown_organization')
    }
    const next = locationOf(await submit(browser, state, { action: 'name-organization', organization: 'Acme' }))
    expect(next.pathname).toBe('/u/login')
    const wrong = locationOf(await submitPassword(browser, state, 'kim@mail.test', 'wrong'))
    expect(wrong.pathname).toBe('/u/login')
    const code = locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.get('code') ?? ''
    const tokens = (await redeem(browser, code, { client_id: 'before' })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: acme })
    const silent = await authorizeAt(browser, { client_id: 'before', prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('interaction_required')
  })

  it('find the organization by a verified domain alone', async () => {
    await organizations.addDomain(acme, 'acme.test', server.clock.now())
    await organizations.addDomain(harbour, 'harbour.test', null)
    const browser = server.browser()
    const state = (await authorizeAt(browser, { client_id: 'found' })).searchParams.get('state') ?? ''
    for (const organization of ['lee@harbour.test', 'acme']) {
      const again = locationOf(await submit(browser, state, { action: 'name-organization', organization }))
      expect(again.searchParams.get('notice')).toBe('unknown_organization')
    }
    const form = { action: 'name-organization', organization: 'kim@ACME.test' }
    expect(locationOf(await submit(browser, state, form)).pathname).toBe('/u/login')
    expect(await page(browser, 'login', state)).toContain('value="kim@ACME.test"')
  })

  it('offer the organizations of the user after the login', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser, { client_id: 'after' })
    const next = locationOf(await submitPassword(browser, state, 'kim@mail.test'))
    expect(next.pathname).toBe('/u/organization-picker')
    const html = await page(browser, 'organization-picker', state)
    for (const name of ['harbour', 'Acme']) expect(html).toContain(name)
    expect(html).not.toContain('Foreign')
    const foreign = locationOf(await submit(browser, state, { action: 'choose-organization', account: strange }))
    expect(foreign.pathname).toBe('/u/organization-picker')
    const done = locationOf(await submit(browser, state, { action: 'choose-organization', account: harbour }))
    const tokens = (await redeem(browser, done.searchParams.get('code') ?? '', { client_id: 'after' })).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ org_id: harbour })
    const sso = await authorizeAt(browser, { client_id: 'after' })
    expect(sso.pathname).toBe('/u/organization-picker')
  })

  it('ask no one who belongs to one organization only, also silently, and follow the account that signs in', async () => {
    const browser = server.browser()
    const orgOf = async (code: string | null) =>
      payloadOf((await redeem(browser, code ?? '', { client_id: 'after' })).json().id_token).org_id
    const tom = await server.addUser({ email: 'tom@mail.test' })
    const own = await organizations.add('toms', { members: [tom] })
    const first = await signIn(browser, 'tom@mail.test', { client_id: 'after' })
    expect(await orgOf(first.get('code'))).toBe(own)
    const silent = await authorizeAt(browser, { client_id: 'after', prompt: 'none' })
    expect(await orgOf(silent.searchParams.get('code'))).toBe(own)
    const again = await authorizeAt(browser, { client_id: 'after', prompt: 'select_account' })
    const state = again.searchParams.get('state') ?? ''
    await submit(browser, state, { action: 'switch' })
    const other = locationOf(await submitPassword(browser, state, 'sam@mail.test'))
    expect(await orgOf(other.searchParams.get('code'))).toBe(strange)
  })

  it('do not apply to a grant: it names the organization, also if there is only one', async () => {
    const settings = { ...WEB.settings, grant_types: ['password'], ...CLIENTS.after }
    await server.addClient({ ...WEB, clientId: 'grant', settings })
    const uma = await server.addUser({ email: 'uma@mail.test' })
    await organizations.add('umas', { members: [uma] })
    const form = { grant_type: 'password', client_id: 'grant', client_secret: WEB.secret, scope: 'openid' }
    const person = { username: 'uma@mail.test', password: PASSWORD }
    const answer = await server.browser().post('/oauth/token', { form: { ...form, ...person } })
    expect([answer.status, answer.json().error]).toEqual([403, 'interaction_required'])
  })

  it('refuse a user without an organization after the login', async () => {
    const browser = server.browser()
    const nora = await server.addUser({ email: 'nora@mail.test' })
    const answer = await signIn(browser, 'nora@mail.test', { client_id: 'after' })
    expect(answer.get('error')).toBe('invalid_request')
    expect(answer.get('error_description')).toBe(
      'client requires organization membership, but user does not belong to any organization',
    )
    expect(nora).toMatch(/^auth0/)
  })

  it('have a search where the list has not all', async () => {
    const ray = await server.addUser({ email: 'ray@mail.test' })
    for (let n = 10; n < 31; n++) await organizations.add(`team${n}`, { members: [ray] })
    const browser = server.browser()
    const state = await beginLogin(browser, { client_id: 'after' })
    await submitPassword(browser, state, 'ray@mail.test')
    const html = await page(browser, 'organization-picker', state)
    expect(html.match(/type="radio"/g)).toHaveLength(20)
    expect(html).not.toContain('team30')
    await submit(browser, state, { action: 'search-organizations', search: 'AM30' })
    const found = await page(browser, 'organization-picker', state)
    expect(found).toContain('team30')
    expect(found).not.toContain('team11')
    await submit(browser, state, { action: 'search-organizations', search: "x'%" })
    expect(await page(browser, 'organization-picker', state)).toContain('None of your organizations')
  })
})
