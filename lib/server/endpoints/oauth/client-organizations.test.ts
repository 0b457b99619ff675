// Client credentials for an organization: what the client grant, the organization and the client's default say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payloadOf } from '../../../testing/journey'
import { organizationsOf } from '../../../testing/organizations'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const SETTINGS = { app_type: 'non_interactive' }
const MANAGEMENT = 'https://id.test/api/v2/'
const SCOPES = [{ value: 'read' }]

let server: TestServer
let organizations: ReturnType<typeof organizationsOf>
let acme: string
let harbour: string

/** One API for each kind of grant. */
const GRANTS = {
  'https://denies.test': {},
  'https://allows.test': { organizationUsage: 'allow' },
  'https://requires.test': { organizationUsage: 'require' },
  'https://any.test': { organizationUsage: 'require', allowAnyOrganization: true },
}

beforeAll(async () => {
  server = await testServer()
  organizations = organizationsOf(server)
  const defaults = (organization_id: string, flows = ['client_credentials']) => ({
    ...SETTINGS,
    default_organization: { organization_id, flows },
  })
  acme = await organizations.add('acme', { settings: { display_name: 'Acme', metadata: { plan: 'gold' } } })
  harbour = await organizations.add('harbour')
  for (const [clientId, settings] of Object.entries({
    machine: SETTINGS,
    defaulted: defaults(acme),
    stale: defaults('org_gone0000000000000'),
    unused: defaults(acme, []),
  }))
    await server.addClient({ clientId, secret: `${clientId}-secret`, settings })
  for (const [identifier, use] of Object.entries(GRANTS)) {
    const isStrict = identifier === 'https://allows.test'
    const format = isStrict ? { token_dialect: 'rfc9068_profile_authz', enforce_policies: true } : {}
    await server.addApi(identifier, { scopes: SCOPES, ...format })
    for (const clientId of ['machine', 'defaulted', 'stale', 'unused'])
      await organizations.addClientGrant(acme, await server.addClientGrant(clientId, identifier, ['read'], use))
  }
  const use = { organizationUsage: 'allow', allowAnyOrganization: true }
  await server.addClientGrant('machine', MANAGEMENT, ['read:users'], use)
})
afterAll(() => server.close())

const ask = (audience: string, organization?: string, clientId = 'machine', more: object = {}): Promise<TestResponse> =>
  server.browser().post('/oauth/token', {
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: `${clientId}-secret`,
      audience,
      ...(organization === undefined ? {} : { organization }),
      ...more,
    },
  })
const claimsOf = async (...request: Parameters<typeof ask>) => payloadOf((await ask(...request)).json().access_token)

describe('a token of a client for an organization', () => {
  it.each([
    ['that has the grant', 'https://allows.test', () => acme],
    ['that has the grant, where one is required', 'https://requires.test', () => acme],
    ['that has no grant, where any is allowed', 'https://any.test', () => harbour],
  ])('names the one %s', async (_case, audience, organization) => {
    const claims = await claimsOf(audience, organization())
    expect(claims).toMatchObject({ aud: audience, org_id: organization(), scope: 'read' })
    expect(claims).not.toHaveProperty('org_name')
  })

  it('has the scopes for permissions where the API enforces them', async () => {
    expect(await claimsOf('https://allows.test', acme)).toMatchObject({ permissions: ['read'], client_id: 'machine' })
  })

  it('is without one where the request names none and none is required', async () => {
    expect(await claimsOf('https://allows.test')).not.toHaveProperty('org_id')
    expect(await claimsOf('https://allows.test', '')).not.toHaveProperty('org_id')
    expect(await claimsOf('https://allows.test', undefined, 'defaulted')).not.toHaveProperty('org_id')
  })

  it('the client’s default organization is used where one is required and the request names none', async () => {
    expect(await claimsOf('https://requires.test', undefined, 'defaulted')).toMatchObject({ org_id: acme })
    expect(await claimsOf('https://any.test', harbour, 'defaulted')).toMatchObject({ org_id: harbour })
  })

  it('takes a name in any case where the tenant allows names', async () => {
    await server.setTenant({ tenant: { allow_organization_name_in_authentication_api: true } })
    try {
      expect(await claimsOf('https://allows.test', 'ACME')).toMatchObject({ org_id: acme, org_name: 'acme' })
    } finally {
      await server.setTenant({})
    }
  })

  it('is shown with it by introspection and in the audit log', async () => {
    const { access_token: token } = (await ask('https://any.test', harbour)).json()
    const form = { token: String(token), client_id: 'machine', client_secret: 'machine-secret' }
    const seen = (await server.browser().post('/oauth/introspect', { form })).json()
    expect(seen).toMatchObject({ active: true, org_id: harbour })
    const done = (await server.audited()).findLast(({ organization_id }) => organization_id === harbour)
    expect(done).toMatchObject({ type: 'seccft', client_id: 'machine', organization_name: 'harbour' })
  })
})

describe('refused organizations', () => {
  const refusal = async (...request: Parameters<typeof ask>) => {
    const answer = await ask(...request)
    const { error, error_description } = answer.json()
    return [answer.status, error, error_description]
  }
  it.each<[string, string, string | undefined, string, unknown[]]>([
    [
      'one where the grant denies them',
      'https://denies.test',
      'org_acme000000000000',
      'machine',
      [400, 'invalid_request', 'parameter organization is not allowed for this client'],
    ],
    [
      'none where one is required',
      'https://requires.test',
      undefined,
      'machine',
      [400, 'invalid_request', 'parameter organization is required for this client'],
    ],
    [
      'none where the default is for no flow',
      'https://requires.test',
      undefined,
      'unused',
      [400, 'invalid_request', 'parameter organization is required for this client'],
    ],
    [
      'a default that is gone',
      'https://requires.test',
      undefined,
      'stale',
      [400, 'invalid_request', 'parameter organization is invalid: org_gone0000000000000'],
    ],
    [
      'an organization that has not the grant',
      'https://allows.test',
      'org_harbour000000000',
      'machine',
      [403, 'access_denied', 'Client is not authorized to access the org_harbour000000000 organization'],
    ],
    [
      'an unknown organization, where any is allowed',
      'https://any.test',
      'org_unknown000000000',
      'machine',
      [400, 'invalid_request', 'parameter organization is invalid: org_unknown000000000'],
    ],
    [
      'a name where the tenant takes ids alone',
      'https://allows.test',
      'acme',
      'machine',
      [400, 'invalid_request', 'authorization request parameter organization must be an organization id'],
    ],
    [
      'one for the Management API, whatever the grant says',
      MANAGEMENT,
      'org_acme000000000000',
      'machine',
      [400, 'invalid_request', 'parameter organization is not allowed for this client'],
    ],
  ])('an organization is refused: %s', async (_case, audience, organization, clientId, expected) => {
    expect(await refusal(audience, organization, clientId)).toEqual(expected)
  })

  it('an organization that lost the grant, and one that was deleted, are refused', async () => {
    const gone = await organizations.add('gone')
    await organizations.addClientGrant(
      gone,
      await server.addClientGrant('machine', 'https://later.test', [], {
        organizationUsage: 'allow',
      }),
    )
    await server.addApi('https://later.test', { scopes: SCOPES })
    expect((await ask('https://later.test', gone)).status).toBe(200)
    await server.database.pool.query('DELETE FROM organization_client_grant WHERE organization_id = $1', [gone])
    server.clock.advance(2)
    expect(await refusal('https://later.test', gone)).toEqual([
      403,
      'access_denied',
      `Client is not authorized to access the ${gone} organization`,
    ])
    await organizations.remove(gone)
    expect((await refusal('https://later.test', gone))[0]).toBe(400)
  })
})
