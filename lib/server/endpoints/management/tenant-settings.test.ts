// The tenant's settings in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { LOCALES } from '../../../text/locale'

const PATH = '/tenants/settings'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const read = async () => (await manager.get(PATH)).json()
const applied = async () => {
  server.clock.advance(2)
  return (await server.runtime()).settings.tenant
}

describe('the settings of the tenant', () => {
  it('start with the defaults', async () => {
    expect(await read()).toMatchObject({ session_lifetime: 168, idle_session_lifetime: 72, allowed_logout_urls: [] })
  })

  it('say the languages that are enabled while none is named, and keep that when they are sent back', async () => {
    const { enabled_locales } = await read()
    expect(enabled_locales).toEqual([...LOCALES])
    await manager.patch(PATH, { enabled_locales, friendly_name: 'Sent back' })
    expect(await applied()).not.toHaveProperty('enabled_locales')
    await manager.patch(PATH, { enabled_locales: ['de'] })
    expect(await read()).toMatchObject({ enabled_locales: ['de'] })
    await manager.patch(PATH, { enabled_locales })
    expect(await applied()).toMatchObject({ enabled_locales })
    await manager.patch(PATH, { enabled_locales: null })
    expect(await read()).toMatchObject({ enabled_locales })
  })

  it('are changed, applied and shown', async () => {
    const given = {
      friendly_name: 'Acme',
      support_email: 'help@acme.test',
      picture_url: 'https://acme.test/logo.png',
      default_directory: 'Users',
      enabled_locales: ['de', 'en'],
      flags: { enable_public_signup_user_exists_error: true },
    }
    const answer = await manager.patch(PATH, given)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject(given)
    expect(await read()).toEqual(answer.json())
    expect(await applied()).toMatchObject(given)
    expect((await server.runtime()).tenantName).toBe('Acme')
  })

  it('take a lifetime in minutes as the same value in hours', async () => {
    await manager.patch(PATH, { session_lifetime_in_minutes: 10080, idle_session_lifetime_in_minutes: 90 })
    expect(await read()).toMatchObject({ session_lifetime: 168, idle_session_lifetime: 1.5 })
    expect(await read()).not.toHaveProperty('session_lifetime_in_minutes')
    await manager.patch(PATH, { idle_session_lifetime: 72 })
    expect(await applied()).toMatchObject({ idle_session_lifetime: 72 })
    const minutes = { ephemeral_session_lifetime_in_minutes: 120, idle_ephemeral_session_lifetime_in_minutes: 30 }
    await manager.patch(PATH, minutes)
    expect(await applied()).toMatchObject({ ephemeral_session_lifetime: 2, idle_ephemeral_session_lifetime: 0.5 })
    expect(await lastReported(server)).toEqual([])
  })

  it('the tenant chooses the picture of users without one', async () => {
    const id = encodeURIComponent(await server.addUser({ email: 'ada@mail.test', data: { emailVerified: true } }))
    const picture = async () => {
      server.clock.advance(2)
      return String((await manager.get(`/users/${id}`)).json().picture)
    }
    expect(await picture()).toContain('/avatar/')
    await manager.patch(PATH, { default_picture: 'gravatar' })
    expect(await picture()).toContain('gravatar.com')
  })

  it('have lifetimes of their own for sessions that end with the browser', async () => {
    await manager.patch(PATH, {
      session_cookie: { mode: 'non-persistent' },
      ephemeral_session_lifetime: 24,
      idle_ephemeral_session_lifetime: 2,
    })
    const { sessionPolicy } = await import('../../../data/tenants/settings')
    await applied()
    const { settings } = await server.runtime()
    expect(sessionPolicy(settings)).toEqual({ idleSeconds: 7200, absoluteSeconds: 86_400, persistent: false })
    await manager.patch(PATH, { session_cookie: { mode: 'persistent' } })
    await applied()
    expect(sessionPolicy((await server.runtime()).settings)).toMatchObject({ idleSeconds: 259_200, persistent: true })
  })

  it('say how many logins are stored step by step, and for how many days', async () => {
    await manager.patch(PATH, { login_inspector: { days: 3 } })
    expect((await read()).login_inspector).toEqual({ successes_per_hour: 120, days: 3 })
    await manager.patch(PATH, { login_inspector: { successes_per_hour: 0 } })
    await applied()
    const begin = () => server.browser().get('/authorize', { query: { client_id: 'nobody' } })
    await begin()
    await server.loginLog.flush()
    const { rows } = await server.database.pool.query(
      'SELECT outcome, expires_at - started_at AS kept FROM login_record',
    )
    expect(rows).toEqual([{ outcome: 'failed', kept: expect.objectContaining({ days: 3 }) }])
    expect((await manager.patch(PATH, { login_inspector: { days: 91 } })).status).toBe(400)
  })

  it('merge flags, and keep what is not known here without effect', async () => {
    await manager.patch(PATH, { flags: { enable_sso: true }, sandbox_version: '22' })
    await manager.patch(PATH, { flags: { enable_dynamic_client_registration: true } })
    expect(await read()).toMatchObject({
      sandbox_version: '22',
      flags: {
        enable_sso: true,
        enable_dynamic_client_registration: true,
        enable_public_signup_user_exists_error: true,
      },
    })
    expect(await applied()).not.toHaveProperty('sandbox_version')
    await manager.patch(PATH, { sandbox_version: null, support_email: '' })
    expect(await read()).not.toHaveProperty('sandbox_version')
    expect(await read()).not.toHaveProperty('support_email')
  })

  it.each([
    { session_lifetime: -1 },
    { session_lifetime_in_minutes: 'long' },
    { friendly_name: 5 },
    { country_codes: { list: ['DE'], mode: 'allow' } },
    { default_token_quota: { clients: { client_credentials: { per_day: 1 } } } },
    { security_headers: { x_xss_protection: { enabled: true } } },
    { mtls: { enable_endpoint_aliases: true } },
    { flags: { require_pushed_authorization_requests: true } },
  ])('refuse %j and stay as they are', async (body) => {
    const before = await read()
    expect((await manager.patch(PATH, body)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    expect(await read()).toEqual(before)
  })

  it('are not changed after another change', async () => {
    const { headers } = await manager.get(PATH)
    const etag = String(new Map(headers).get('etag'))
    expect((await manager.patch(PATH, { friendly_name: 'One' }, { 'if-match': etag })).status).toBe(200)
    expect((await manager.patch(PATH, { friendly_name: 'Two' }, { 'if-match': etag })).status).toBe(412)
    expect((await read()).friendly_name).toBe('One')
  })

  it('lose nothing in concurrent changes of different members', async () => {
    const flags = ['enable_apis_section', 'enable_client_connections', 'disable_fields_map_fix', 'enable_pipeline2']
    await Promise.all(flags.map((name) => manager.patch(PATH, { flags: { [name]: true } })))
    expect((await read()).flags).toMatchObject(Object.fromEntries(flags.map((name) => [name, true])))
  })

  it('belong to one tenant', async () => {
    const other = await server.addTenant('other', 'https://other.test')
    await other.setTenant({ tenant: { friendly_name: 'Other' } })
    await manager.patch(PATH, { friendly_name: 'First' })
    const runtime = await server.runtime('other.test')
    expect(runtime.settings.tenant.friendly_name).toBe('Other')
  })

  it('are in the audit log with who changed what', async () => {
    await manager.patch(PATH, { support_url: 'https://acme.test/help' })
    const changes = (await server.audited()).filter(({ type }) => type === 'sapi')
    expect(JSON.stringify(changes.at(-1))).toContain('https://acme.test/help')
  })
})
