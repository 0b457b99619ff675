// The Management API, driven by the vendor's own SDKs in their two generations. They speak https only.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperationRouter } from '../../lib/management/router'
import { type ManagedTenant, startManagedTenant, TOOLBOX } from './support/managed-tenant'

let tenant: ManagedTenant

beforeAll(async () => {
  tenant = await startManagedTenant()
})
afterAll(() => tenant?.end())

type Seen = Record<
  'role' | 'client' | 'changed' | 'rotated' | 'grant' | 'connection' | 'byId',
  Record<string, unknown>
> & {
  permissions: object[]
  enabled?: object[]
  counted: { total: number }
  missing: object
  taken: object
}

const drive = <T = Seen>(generation: 'classic' | 'current' | 'organizations'): Promise<T> =>
  run<T>('management-client.mjs', { generation })

async function run<T>(script: string, task: object = {}): Promise<T> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: tenant.caFile }
  const argument = JSON.stringify({ domain: tenant.domain, ...TOOLBOX, ...task })
  const { stdout } = await promisify(execFile)(process.execPath, [path, argument], { env, maxBuffer: 10_000_000 })
  return JSON.parse(stdout) as T
}

describe.each([
  ['auth0 4.x', 'classic', 'Classic'],
  ['auth0 7.x', 'current', 'Current'],
] as const)('ManagementClient of %s', (_package, generation, name) => {
  let seen: Seen
  beforeAll(async () => {
    seen = await drive(generation)
  })

  it('creates, reads and changes roles, APIs, applications, grants and connections', () => {
    expect(seen.role).toMatchObject({ id: expect.stringMatching(/^rol_/), name })
    expect(seen.byId).toMatchObject({ name, scopes: [{ value: 'read:it' }], is_system: false })
    expect(seen.permissions).toMatchObject([{ permission_name: 'read:it', resource_server_name: name }])
    expect(seen.client).toMatchObject({ name, app_type: 'regular_web', client_secret: expect.any(String) })
    expect(seen.changed).toMatchObject({ client_metadata: { a: '1' }, description: 'changed' })
    expect(seen.rotated.client_secret).not.toBe(seen.client.client_secret)
    expect(seen.grant).toMatchObject({ scope: ['read:it'] })
    expect(seen.connection).toMatchObject({ name: generation, strategy: 'auth0' })
    if (seen.enabled) expect(seen.enabled).toEqual([{ client_id: seen.client.client_id }])
  })

  it('counts and pages', () => expect(seen.counted.total).toBe(3))

  it('understands refusals', () => {
    expect(seen.missing).toMatchObject({ statusCode: 404, errorCode: 'inexistent_role' })
    expect(seen.taken).toMatchObject({ statusCode: 409, errorCode: 'role_conflict' })
  })
})

it('manages organizations and custom domains with auth0 7.x', async () => {
  const seen = await drive<Record<string, unknown>>('organizations')
  expect(seen).toMatchObject({
    made: { id: expect.stringMatching(/^org_/), name: 'acme', display_name: 'Acme' },
    changed: { display_name: 'Acme Boats' },
    read: ['Acme Boats', 'Acme Boats'],
    listed: 1,
    enabled: Array(2).fill({ assign_membership_on_login: true, connection: { name: 'customers', strategy: 'auth0' } }),
    connections: Array(2).fill({ is_enabled: false }),
    roles: [{ name: 'Customer' }],
    members: [{ email: 'o@api.test' }],
    grants: [{ audience: 'https://customers.test/' }],
    invitations: Array(2).fill({
      invitee: { email: 'new@api.test' },
      invitation_url: expect.stringMatching(/^https:\/\/customers\.test\/login\?/),
    }),
    domains: Array(3).fill({ domain: 'acme.invalid', status: 'pending', verification_txt: expect.any(String) }),
    unproven: { statusCode: 400 },
    clients: [],
    custom: {
      read: { domain: 'login.acme.invalid', status: 'pending_verification' },
      changed: { custom_client_ip_header: 'x-forwarded-for' },
      listed: [{ domain: 'login.acme.invalid' }],
      verified: { status: 'pending_verification' },
      tested: { success: false },
      standard: expect.any(Object),
      unproven: { statusCode: 400 },
      gone: { statusCode: 404 },
    },
    gone: { statusCode: 404 },
  })
})

/** Methods that cannot succeed on this machine or for this tenant, with the status of their refusal. */
const REFUSED: Readonly<Record<string, number>> = {
  // The address is not blocked; the user has no recovery code.
  'anomaly.blocks.checkIp': 404,
  'users.regenerateRecoveryCode': 404,
  // Providers and templates that do not exist here (docs/management-api.md).
  'branding.templates.getUniversalLogin': 404,
  'branding.templates.updateUniversalLogin': 400,
  'guardian.factors.duo.settings.set': 400,
  'guardian.factors.duo.settings.update': 400,
  'guardian.factors.pushNotification.setApnsProvider': 400,
  'guardian.factors.pushNotification.setFcmProvider': 400,
  'guardian.factors.pushNotification.setFcmv1Provider': 400,
  'guardian.factors.pushNotification.setSnsProvider': 400,
  'guardian.factors.pushNotification.updateApnsProvider': 400,
  'guardian.factors.pushNotification.updateFcmProvider': 400,
  'guardian.factors.pushNotification.updateFcmv1Provider': 400,
  'guardian.factors.pushNotification.updateSnsProvider': 400,
  // No account of the provider's is behind them.
  'branding.phone.providers.test': 400,
  'branding.phone.templates.test': 400,
  // Its path is that of one object with the id `search`.
  'resourceServers.search': 404,
}

it('answers every method of auth0 7.x that has an operation here', async () => {
  type Calls = { sends: Record<string, string>; ended: Record<string, 'ok' | number>; broken: string[] }
  const { sends, ended, broken } = await run<Calls>('management-methods.mjs')
  expect(broken).toEqual([])
  const route = createOperationRouter()
  const served = Object.entries(sends).flatMap(([name, request]) => {
    const [method = '', path = ''] = request.split(' ')
    const found = route(method, path)
    return found && found !== 'method' ? [{ name, operation: found.operation.name }] : []
  })
  expect(served.length).toBeGreaterThan(300)
  const isAbsent = ({ operation }: { operation: string }): boolean => operation.startsWith('absent.')
  const present = served.filter((each) => !isAbsent(each))
  expect(Object.fromEntries(present.map(({ name }) => [name, ended[name]]))).toEqual(
    Object.fromEntries(present.map(({ name }) => [name, REFUSED[name] ?? 'ok'])),
  )
  const wrong = served.filter(isAbsent).filter(({ name }) => !['ok', 403, 404].includes(ended[name] ?? ''))
  expect(wrong).toEqual([])
})
