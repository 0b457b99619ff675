// Where a login or a token for an organization says so: actions, claim rules, introspection, SAML and WS-Federation.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { beginLogin, payloadOf, redeem, SPA, signIn, signInForTokens } from '../../../testing/journey'
import { organizationsOf } from '../../../testing/organizations'
import { formOf } from '../../../testing/saml'
import { CONNECTION_ID } from '../../../testing/seed'
import { PASSWORD, type TestServer, testServer } from '../../../testing/server'
import { RELYING_PARTY, signInByWsFed } from '../../../testing/wsfed'

const API = 'https://api.test'
const EVENT = 'https://app.test/event'
const NAMES = { tenant: { allow_organization_name_in_authentication_api: true } }

let server: TestServer
let acme: string
let kim: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  await server.addClient({ ...RELYING_PARTY, settings: { ...RELYING_PARTY.settings, organization_usage: 'allow' } })
  await server.addClient({
    clientId: 'sp',
    settings: { callbacks: ['https://sp.test/acs'], addons: { samlp: {} }, organization_usage: 'allow' },
  })
  const machine = { app_type: 'non_interactive', resource_server_identifier: API }
  await server.addClient({ clientId: 'machine', secret: 'machine-secret', settings: machine })
  await server.addApi(API, { scopes: [{ value: 'read' }] })
  await server.addClientGrant('machine', API, ['read'], { organizationUsage: 'allow', allowAnyOrganization: true })
  kim = await server.addUser({ email: 'kim@mail.test', data: { emailVerified: true } })
  acme = await organizationsOf(server).add('acme', {
    settings: { display_name: 'Acme Ltd', metadata: { plan: 'gold' } },
    connections: { [CONNECTION_ID]: { assignMembership: true, signupEnabled: true } },
    members: [kim],
  })
})
afterAll(() => server.close())

const ORGANIZATION = () => ({ id: acme, name: 'acme', display_name: 'Acme Ltd', metadata: { plan: 'gold' } })

it('post-login actions see the organization of the login, and none of a login without one', async () => {
  const code = postLogin(`api.idToken.setCustomClaim('${EVENT}', JSON.stringify(event.organization ?? null))`)
  await bindAction(server, 'post-login', code)
  const seen = async (extra: Record<string, string>) =>
    JSON.parse(String(payloadOf((await signInForTokens(server.browser(), 'kim@mail.test', extra)).id_token)[EVENT]))
  expect(await seen({ organization: acme })).toEqual(ORGANIZATION())
  expect(await seen({})).toBeNull()
  await server.setTenant({})
})

it('pre-user-registration actions see it', async () => {
  const code = `exports.onExecutePreUserRegistration = async (event, api) => {
    api.user.setAppMetadata('organization', JSON.stringify(event.organization ?? null)) }`
  await bindAction(server, 'pre-user-registration', code)
  const signUp = async (email: string, extra: Record<string, string>) => {
    const browser = server.browser()
    const state = await beginLogin(browser, { ...extra, screen_hint: 'signup' })
    await browser.post('/u/submit', { form: { state, action: 'sign-up', email, password: PASSWORD } })
    const { rows } = await server.database.pool.query('SELECT app_metadata FROM "user" WHERE email = $1', [email])
    return JSON.parse(rows[0].app_metadata.organization)
  }
  expect(await signUp('new@mail.test', { organization: acme })).toEqual(ORGANIZATION())
  expect(await signUp('plain@mail.test', {})).toBeNull()
  await server.setTenant({})
})

it('credentials-exchange actions and claim rules see it', async () => {
  const code = `exports.onExecuteCredentialsExchange = async (event, api) => {
    api.accessToken.setCustomClaim('${EVENT}', JSON.stringify(event.organization ?? null)) }`
  const claimRules = [
    { name: 'Plan', claim: 'https://app.test/plan', value: 'organization.metadata.plan', when: 'has(organization.id)' },
  ]
  await bindAction(server, 'credentials-exchange', code, { claimRules })
  const exchange = async (organization?: string) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: 'machine',
      client_secret: 'machine-secret',
      audience: API,
    }
    const answer = await server
      .browser()
      .post('/oauth/token', { form: { ...form, ...(organization === undefined ? {} : { organization }) } })
    return payloadOf(answer.json().access_token)
  }
  const claims = await exchange(acme)
  expect(JSON.parse(String(claims[EVENT]))).toEqual(ORGANIZATION())
  expect(claims).toMatchObject({ org_id: acme, 'https://app.test/plan': 'gold' })
  const plain = await exchange()
  expect(JSON.parse(String(plain[EVENT]))).toBeNull()
  expect(plain).not.toHaveProperty('https://app.test/plan')
  const member = payloadOf((await signInForTokens(server.browser(), 'kim@mail.test', { organization: acme })).id_token)
  expect(member).toMatchObject({ 'https://app.test/plan': 'gold' })
  await server.setTenant({})
})

it('introspection shows it', async () => {
  await server.setTenant(NAMES)
  const extra = { organization: 'acme', audience: API, scope: 'openid read offline_access' }
  const browser = server.browser()
  const tokens = (await redeem(browser, (await signIn(browser, 'kim@mail.test', extra)).get('code') ?? '')).json()
  const form = { token: String(tokens.access_token), client_id: 'machine', client_secret: 'machine-secret' }
  const seen = (await server.browser().post('/oauth/introspect', { form })).json()
  expect(seen).toMatchObject({ active: true, sub: kim, org_id: acme, org_name: 'acme' })
  await server.setTenant({})
})

it('a WS-Federation login is for it, and its token names it', async () => {
  await server.setTenant(NAMES)
  const posted = await signInByWsFed(server.browser(), 'kim@mail.test', { organization: 'acme' })
  const attribute = (name: string): string | undefined =>
    new RegExp(`AttributeName="${name}"[^>]*><saml:AttributeValue[^>]*>([^<]*)<`).exec(posted.wresult)?.[1]
  expect([attribute('org_id'), attribute('org_name')]).toEqual([acme, 'acme'])
  const plain = await signInByWsFed(server.browser(), 'kim@mail.test')
  expect(plain.wresult).not.toContain('org_id')
  await server.setTenant({})
})

it('WS-Federation refuses users who are not members, and clients that take no organization', async () => {
  await server.addUser({ email: 'lee@mail.test' })
  const closed = await organizationsOf(server).add('closed')
  const posted = await signInByWsFed(server.browser(), 'lee@mail.test', { organization: closed })
  expect(posted.wresult).not.toContain('Assertion')
  await server.addClient(RELYING_PARTY)
  const answer = await server.browser().get('/wsfed', { query: { wtrealm: 'urn:portal', organization: acme } })
  expect(answer.text).not.toContain('Assertion')
  expect(answer.header('location') ?? '').not.toContain('/u/login')
})

it('a SAML assertion names it', async () => {
  const browser = server.browser()
  await signIn(browser, 'kim@mail.test')
  const assertion = async (query: Record<string, string>) =>
    Buffer.from(formOf((await browser.get('/samlp/sp', { query })).text).fields.SAMLResponse ?? '', 'base64').toString()
  const xml = await assertion({ organization: acme })
  expect(xml).toMatch(new RegExp(`Name="http://schemas.auth0.com/org_id"[^>]*>\\s*<saml:AttributeValue[^>]*>${acme}<`))
  expect(xml).not.toContain('org_name')
  expect(await assertion({})).not.toContain('org_id')
})
