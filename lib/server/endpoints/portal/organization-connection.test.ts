// An organization's own identity provider, which its administrator connects in the account portal: what is stored, what it signs in to,
// and what is refused (threat-model.md OR13).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCallOut } from '../../../adapters/channels/call-out'
import { openSecret } from '../../../data/connections/upstream/secrets'
import type { CallOut } from '../../../kernel/call-out'
import { authorizeQuery, beginLogin, locationOf, payloadOf, redeem, SPA } from '../../../testing/journey'
import { addManager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { enterPortal, submitInPortal } from '../../../testing/portal'
import { makePartner } from '../../../testing/saml'
import { CONNECTION_ID } from '../../../testing/seed'
import type { Browser, TestResponse } from '../../../testing/server'
import {
  comeBack,
  directTo,
  press,
  type UpstreamTestServer,
  upstreamDouble,
  upstreamTestServer,
} from '../../../testing/upstream'

const DISCOVERY = 'https://idp.test/.well-known/openid-configuration'
const SECRET = 'the secret of the provider'
const OIDC = { strategy: 'oidc', address: DISCOVERY, client_id: 'us', client_secret: SECRET, assign: 'true' }
const guarded = createCallOut({ allowLoopback: false, allowPrivate: false })

let server: UpstreamTestServer
let organizations: ReturnType<typeof organizationsOf>
let browser: Browser
let ada: string
let ben: string
let acme: string
let other: string
let metadata: string
let count = 200

beforeAll(async () => {
  const double = upstreamDouble()
  const callOut: CallOut = (address, request) =>
    address.startsWith('https://idp.test/') ? double.callOut(address, request) : guarded(address, request)
  server = { ...(await upstreamTestServer({ callOut })), double }
  organizations = organizationsOf(server)
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  await server.addRole('Owners', {})
  await (await addManager(server)).patch('/roles/Owners', { administers_organization: true })
  const { certificate } = await makePartner()
  metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/saml"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  await server.setTenant({ tenant: { organization_connections: true } })
  ada = await server.addUser({ email: `ada${count}@mail.test`, data: { emailVerified: true } })
  ben = await server.addUser({ email: `ben${count}@mail.test`, data: { emailVerified: true } })
  acme = await organizations.add(`acme${count}`, { members: [ada, ben], roles: { [ada]: ['Owners'] } })
  other = await organizations.add(`other${count}`, { members: [ada, ben] })
  browser = await enter(`ada${count}@mail.test`)
})

async function enter(email: string): Promise<Browser> {
  const own = server.browser({ ip: `203.0.113.${count % 250}` })
  await enterPortal(own, email)
  return own
}

const pageOf = async (organization: string, own = browser) =>
  (await own.get('/account/organizations', { query: { organization } })).text

const post = (action: string, fields: Record<string, string> = {}, own = browser): Promise<TestResponse> =>
  submitInPortal(own, 'organizations', { action, organization: acme, ...fields })

const noticeOf = (answer: TestResponse): string | null => locationOf(answer).searchParams.get('notice')
const connect = async (fields: Record<string, string> = OIDC, own = browser) =>
  noticeOf(await post('connect', fields, own))

type Stored = { id: string; name: string; strategy: string; settings: Record<string, unknown> }

/** The connections beside the test's database. */
async function stored(): Promise<Stored[]> {
  const { rows } = await server.database.pool.query(
    "SELECT id, name, strategy, settings FROM connection WHERE name LIKE 'sso-%' ORDER BY name",
  )
  return rows
}
const own = async (): Promise<Stored | undefined> =>
  (await stored()).find(({ settings }) => settings.organization_id === acme)

/** Configuration is cached for a second. */
const settled = (): void => server.clock.advance(2)

describe('an administrator', () => {
  it('connects a provider, whose people become members and get the organization in their tokens', async () => {
    expect(await pageOf(acme)).toContain('name="client_secret"')
    expect(await connect()).toBe('portal_saved')
    const row = await own()
    expect(row).toMatchObject({
      strategy: 'oidc',
      settings: {
        organization_id: acme,
        suggest_account_linking: false,
        options: { should_trust_email_verified_connection: 'never_set_emails_as_verified' },
      },
    })
    expect(row?.settings).not.toHaveProperty('enabled_clients')
    settled()
    const visitor = server.browser()
    const address = await directTo(visitor, row?.name ?? '', { organization: acme })
    expect(address.origin).toBe('https://idp.test')
    const person = { sub: 'kit', email: `kit${count}@mail.test`, email_verified: true }
    const back = await comeBack(visitor, server.double, address, person)
    const tokens = await redeem(visitor, locationOf(back).searchParams.get('code') ?? '')
    expect(payloadOf(tokens.json().id_token)).toMatchObject({
      org_id: acme,
      email: person.email,
      email_verified: false,
    })
    expect(await organizations.members(acme)).toHaveLength(3)
    const portal = await visitor.get(locationOf(await visitor.get('/account')).href.replace('https://id.test', ''))
    expect(portal.text).toContain('name="password"')
  })

  it('never sees the secret again, keeps it with an empty field, and replaces it', async () => {
    await connect()
    const secretOf = async () =>
      openSecret('client_secret', ((await own())?.settings.sealed ?? {}) as Record<string, string>, server.vault)
    expect(await secretOf()).toBe(SECRET)
    for (const text of [await pageOf(acme), JSON.stringify([await stored(), await server.audited()])])
      expect(text).not.toContain(SECRET)
    expect(await connect({ ...OIDC, client_id: 'new', client_secret: '', assign: '' })).toBe('portal_saved')
    expect(await secretOf()).toBe(SECRET)
    expect((await own())?.settings).toMatchObject({ options: { client_id: 'new' } })
    expect(await connect({ ...OIDC, client_secret: 'another' })).toBe('portal_saved')
    expect(await secretOf()).toBe('another')
    const changes = (await server.audited()).filter((record) => JSON.stringify(record).includes('connection changed'))
    expect(changes.at(-1)).toMatchObject({ user_id: ada, organization_id: acme })
  })

  it('connects a SAML provider by the text of its metadata, and removes it', async () => {
    expect(await connect({ strategy: 'samlp', metadata })).toBe('portal_saved')
    const page = await pageOf(acme)
    expect(page).toContain((await own())?.name)
    expect(page).not.toContain('name="client_secret"')
    expect(await connect({})).toBe('portal_saved')
    expect((await own())?.settings).toMatchObject({ options: { metadataXml: metadata } })
    expect(noticeOf(await post('disconnect'))).toBe('portal_removed')
    expect(await own()).toBeUndefined()
  })

  it('leaves it switched off where the tenant switched it off', async () => {
    await connect()
    await server.database.pool.query(
      'UPDATE organization_connection SET enabled = false WHERE organization_id = $1 AND connection_id = $2',
      [acme, (await own())?.id],
    )
    expect(await connect()).toBe('portal_saved')
    const { rows } = await server.database.pool.query(
      'SELECT enabled FROM organization_connection WHERE organization_id = $1 AND connection_id = $2',
      [acme, (await own())?.id],
    )
    expect(rows).toEqual([{ enabled: false }])
  })

  it('makes one connection, also at once', async () => {
    const answers = await Promise.all([connect(), connect(), connect()])
    expect(answers).toContain('portal_saved')
    expect((await stored()).filter(({ settings }) => settings.organization_id === acme)).toHaveLength(1)
  })
})

describe('an organization’s provider signs no one in', () => {
  it.each([
    ['to an application without the organization', () => ({})],
    ['to another organization that enables it', () => ({ organization: other })],
  ])('the provider signs no user in %s', async (_case, extra) => {
    await connect()
    const { id = '', name = '' } = (await own()) ?? {}
    await server.database.pool.query(
      `INSERT INTO organization_connection (organization_id, connection_id, tenant_id, assign_membership, show_as_button, signup_enabled, enabled)
       VALUES ($1, $2, 'default', true, true, false, true)`,
      [other, id],
    )
    settled()
    const visitor = server.browser()
    const started = await visitor.get('/authorize', { query: authorizeQuery({ connection: name, ...extra() }) })
    expect(locationOf(started).origin).not.toBe('https://idp.test')
    const state = await beginLogin(visitor, extra())
    expect((await press(visitor, state, name)).origin).not.toBe('https://idp.test')
  })

  it('the provider does not sign in to an application without the organization by a session that it began', async () => {
    await connect()
    settled()
    const visitor = server.browser()
    const address = await directTo(visitor, (await own())?.name ?? '', { organization: acme })
    await comeBack(visitor, server.double, address, { sub: `solo${count}` })
    const silent = (extra: Record<string, string>) =>
      visitor.get('/authorize', { query: authorizeQuery({ prompt: 'none', ...extra }) })
    expect(locationOf(await silent({ organization: acme })).searchParams.get('code')).not.toBeNull()
    expect(locationOf(await silent({})).searchParams.get('error')).toBe('login_required')
  })
})

describe('what an administrator of an organization may not connect', () => {
  it.each<[string, Record<string, string>]>([
    ['no protocol', { ...OIDC, strategy: '' }],
    ['a protocol of the tenant alone', { ...OIDC, strategy: 'auth0' }],
    ['no address', { ...OIDC, address: '' }],
    ['no client id', { ...OIDC, client_id: '' }],
    ['what is no address', { ...OIDC, address: 'idp.test' }],
    ['another scheme', { ...OIDC, address: 'file:///etc/passwd' }],
    ['an address without TLS', { ...OIDC, address: 'http://203.0.113.9/x' }],
    ['an address of a private network', { ...OIDC, address: 'https://10.0.0.1/.well-known/openid-configuration' }],
    ['an address of this machine', { ...OIDC, address: 'https://127.0.0.1/.well-known/openid-configuration' }],
    ['an address of cloud metadata', { ...OIDC, address: 'https://169.254.169.254/.well-known/openid-configuration' }],
    ['a page that is no document', { ...OIDC, address: 'https://idp.test/nothing' }],
    ['a long secret', { ...OIDC, client_secret: 'x'.repeat(2001) }],
    ['SAML without metadata', { strategy: 'samlp' }],
    ['SAML with what is no metadata', { strategy: 'samlp', metadata: '<x/>' }],
    ['SAML with an entity declaration', { strategy: 'samlp', metadata: '<!DOCTYPE x [<!ENTITY e "e">]><x>&e;</x>' }],
    ['SAML metadata in a private network', { strategy: 'samlp', address: 'https://10.0.0.1/metadata' }],
  ])('a provider is refused with %s', async (_case, fields) => {
    expect(await connect(fields)).toBe('portal_provider_failed')
    expect(await own()).toBeUndefined()
  })

  it('a provider of another organization is refused, and everything by a member who is not an administrator', async () => {
    await connect()
    const before = await stored()
    const member = await enter(`ben${count}@mail.test`)
    expect(await connect({ ...OIDC, organization: other })).toBe('portal_gone')
    expect(noticeOf(await post('disconnect', { organization: other }))).toBe('portal_gone')
    expect(await connect(OIDC, member)).toBe('portal_gone')
    expect(noticeOf(await post('disconnect', {}, member))).toBe('portal_gone')
    expect(await pageOf(acme, member)).not.toContain('client_secret')
    expect(await stored()).toEqual(before)
  })

  it('a connection of the tenant is neither changed nor removed, even under the same name', async () => {
    await server.addConnection(`sso-acme${count}000000000`.slice(0, 20), {}, `con_tenant${count}`, 'oidc')
    const before = await stored()
    expect(await connect()).toBe('portal_gone')
    expect(noticeOf(await post('disconnect', { connection: CONNECTION_ID }))).toBe('portal_gone')
    expect(await stored()).toEqual(before)
  })

  it('every request is refused where the tenant does not offer own connections', async () => {
    await connect()
    const before = await stored()
    await server.setTenant({ tenant: { organization_connections: false } })
    settled()
    expect(await pageOf(acme)).not.toContain('client_secret')
    expect(await connect({ ...OIDC, client_id: 'new' })).toBe('portal_gone')
    expect(noticeOf(await post('disconnect'))).toBe('portal_gone')
    expect(await stored()).toEqual(before)
  })

  it('a change of the own connection is refused once a person with rights over the tenant has an account there', async () => {
    expect(await connect()).toBe('portal_saved')
    const { pool } = server.database
    const { rows } = await pool.query(`SELECT id FROM connection WHERE settings ->> 'organization_id' = $1`, [acme])
    await pool.query(
      `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('default', $1, 'boss', 'oidc', $2)`,
      [rows[0].id, ben],
    )
    await (await server.runtime()).administrators.put(ben, 'owner', server.clock.now())
    expect(await connect({ ...OIDC, client_id: 'theirs' })).toBe('portal_above')
    expect(noticeOf(await post('disconnect'))).toBe('portal_above')
    const { rows: kept } = await pool.query('SELECT settings FROM connection WHERE id = $1', [rows[0].id])
    expect(kept[0].settings.options.client_id).toBe('us')
  })

  it('a change without a recent sign-in is refused', async () => {
    server.clock.advance(3600)
    for (const action of ['connect', 'disconnect'])
      expect(locationOf(await post(action, OIDC)).pathname).toMatch(/^\/u\//)
    expect(await own()).toBeUndefined()
  })

  it('more than 20 attempts in an hour are refused', async () => {
    for (let n = 0; n < 20; n++) await connect({ ...OIDC, client_id: '' })
    expect(await connect()).toBe('too_many_attempts')
    expect(await own()).toBeUndefined()
  })
})
