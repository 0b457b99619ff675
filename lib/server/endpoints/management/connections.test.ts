// A connection whose strategy this release does not have (written by a later release), and options of another strategy.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginLogin, SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

let server: UpstreamTestServer
let manager: Manager

beforeAll(async () => {
  server = await upstreamTestServer()
  manager = await addManager(server)
  await server.addClient(SPA)
})
afterAll(() => server.close())

const stored = async (id: string) => {
  const { rows } = await server.database.pool.query('SELECT settings, kept FROM connection WHERE id = $1', [id])
  return rows[0] as { settings: { options: Record<string, unknown> }; kept: unknown } | undefined
}

describe('a connection of an unknown strategy', () => {
  const SETTINGS = { options: { host: 'ldap.test', countries: 7 }, show_as_button: true, enabled_clients: 'not a list' }

  beforeAll(() => server.addConnection('Directory', SETTINGS, 'con_Directory', 'ldap'))

  it('does not exist for a login, and disturbs no other connection', async () => {
    expect((await (await server.runtime()).connections.all()).map(({ name }) => name)).toEqual(['Users'])
    const browser = server.browser()
    const page = await browser.get('/u/login', { query: { state: await beginLogin(browser) } })
    expect([page.status, page.text.includes('Directory')]).toEqual([200, false])
    const body = { client_id: 'spa', connection: 'Directory', email: 'kim@mail.test', password: 'long enough 1' }
    const answer = await server.browser().post('/dbconnections/signup', { json: body })
    expect([answer.status, answer.text.includes('does not exist')]).toEqual([400, true])
  })

  it('is listed and deleted by the Management API, and is not made or changed', async () => {
    expect((await manager.get('/connections/con_Directory')).json()).toMatchObject({ strategy: 'ldap' })
    const before = await stored('con_Directory')
    const changed = await manager.patch('/connections/con_Directory', { options: { host: 'other.test' } })
    expect(changed.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    const made = await manager.post('/connections', { name: 'Second', strategy: 'ldap' })
    expect(made.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(await stored('con_Directory')).toEqual(before)
    expect((await manager.remove('/connections/con_Directory')).status).toBe(204)
    expect(await stored('con_Directory')).toBeUndefined()
  })
})

it('an option of another strategy is kept and returned, and has no effect', async () => {
  const options = { from: 'Acme', countries: ['DE'], send: 'link', email: { subject: 'Hello' } }
  const made = (await manager.post('/connections', { name: 'mails', strategy: 'email', options })).json()
  const id = String(made.id)
  expect(made.options).toEqual(options)
  const [connection] = (await (await server.runtime()).connections.all()).filter(({ name }) => name === 'mails')
  expect(connection?.settings.options).toMatchObject({ send: 'link', disable_signup: false })
  expect(connection?.settings.options).not.toHaveProperty('countries')
  const changed = await manager.patch(`/connections/${id}`, { options: { ...options, send: 'both', from: 'Other' } })
  expect(changed.json().options).toEqual({ ...options, send: 'both', from: 'Other' })
})

it('keeps what an earlier release stored as the settings of another strategy, until the options are replaced', async () => {
  await server.addConnection('codes', { options: { send: 'link', from: 'Acme' } }, 'con_codes', 'email')
  expect((await manager.get('/connections/con_codes')).json().options).toEqual({ send: 'link', from: 'Acme' })
  await manager.patch('/connections/con_codes', { display_name: 'Codes' })
  expect((await manager.get('/connections/con_codes')).json()).toMatchObject({
    display_name: 'Codes',
    options: { send: 'link', from: 'Acme' },
  })
})

it('loses an application that is deleted, and only that', async () => {
  const client = async (name: string) =>
    String((await manager.post('/clients', { name, app_type: 'spa' })).json().client_id)
  const [gone, other] = [await client('Gone'), await client('Other')]
  const body = { name: 'Shared', strategy: 'auth0', enabled_clients: [gone, other] }
  const { id } = (await manager.post('/connections', body)).json()
  expect((await manager.remove(`/clients/${gone}`)).status).toBe(204)
  expect((await stored(String(id)))?.settings).toMatchObject({ enabled_clients: [other] })
})

it('shows what to enter at the identity provider, and nothing for a database', async () => {
  const options = { signInEndpoint: 'https://idp.test/sso', entityId: 'urn:own' }
  const made = (await manager.post('/connections', { name: 'partner', strategy: 'samlp', options })).json()
  const setup = await manager.get(`/connections/${made.id}/setup`)
  expect([setup.status, setup.json()]).toMatchObject([
    200,
    { entity_id: 'urn:own', metadata_url: expect.stringContaining('/samlp/metadata?connection=partner') },
  ])
  const { id } = (await manager.post('/connections', { name: 'house', strategy: 'auth0' })).json()
  expect((await manager.get(`/connections/${id}/setup`)).json()).toEqual({})
  expect((await manager.get('/connections/con_none/setup')).status).toBe(404)
})

it.each([
  ['samlp', 'metadataXml', '@@META@@', 'must describe one identity provider'],
  ['samlp', 'metadataXml', '<a/>', 'must describe one identity provider'],
  ['samlp', 'metadataXml', './idp-metadata.xml', 'is the path of a file'],
  ['adfs', 'fedMetadataXml', '@@META@@', 'must describe one token service'],
])('for %s with the %s %s is refused, new or changed', async (strategy, member, text, message) => {
  const whole = { signInEndpoint: 'https://idp.test/sso', metadataUrl: 'https://idp.test/m', adfs_server: 'idp.test' }
  const options = { ...whole, [member]: text }
  const made = await manager.post('/connections', { name: `${strategy}-refused`, strategy, options })
  expect(made.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  expect(String(made.json().message)).toContain(message)
  const known = await manager.post('/connections', { name: `${strategy}-${text.length}`, strategy, options: whole })
  expect(known.status).toBe(201)
  const changed = await manager.patch(`/connections/${known.json().id}`, { options })
  expect(String(changed.json().message)).toContain(message)
})
