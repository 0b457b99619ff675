import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPasswordHasher } from '../../../data/users/password'
import { fixedClock } from '../../../kernel/clock'
import { systemRandom } from '../../../kernel/random'
import { createVault } from '../../../kernel/secret'
import { applyTenantFile, type TenantFileDeps } from '../../../management/tenant-file/apply'
import { exportTenantFile } from '../../../management/tenant-file/export'
import { noBundler } from '../../../testing/actions'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import type { Database } from '../database'
import { permissionStore } from '../sql/permissions'
import { createDatabase } from './client'
import { signingKeyStore } from './keys'
import { tenantFileStore } from './tenant-file'

const vault = createVault('a secret of thirty-two characters')

const API = 'https://api.test'
const FILE = `
resourceServers:
  - identifier: ${API}
    enforce_policies: true
    token_dialect: access_token_authz
    scopes: [{ value: read }, { value: write }]
  - { identifier: https://other.test, scopes: [{ value: other }] }
databases: [{ name: Users }]
roles:
  - name: Reader
    description: Reads
    permissions:
      - { permission_name: read, resource_server_identifier: ${API} }
      - { permission_name: other, resource_server_identifier: https://other.test }
  - name: Writer
    permissions:
      - { permission_name: write, resource_server_identifier: ${API} }
      - { permission_name: write, resource_server_identifier: ${API} }
      - { permission_name: read, resource_server_identifier: ${API} }
users:
  - { user_id: kim, email: kim@mail.test, roles: [Writer, Reader] }
  - { user_id: lee, email: lee@mail.test, roles: [Reader] }
`

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await testDatabase()
  db = createDatabase(database.pool)
})
afterAll(async () => {
  await (await db.prisma()).$disconnect()
  await database.drop()
})

const deps = (tenantId: string): TenantFileDeps => ({
  store: tenantFileStore(db),
  signingKeys: signingKeyStore(db, tenantId),
  tenantId,
  baseUrl: 'https://id.test',
  vault,
  random: systemRandom,
  clock: fixedClock(),
  hasher: createPasswordHasher({ concurrency: 1, queueLimit: 100 }),
  print: () => {},
  loadTemplateFault: async () => (await import('../../../pages/messages/liquid')).faultOf,
  loadUnusedTexts: async () => (await import('../../../text/custom')).unusedTexts,
  bundler: noBundler,
  announce: () => {},
})
const apply = (tenantId: string, text: string) =>
  applyTenantFile({ path: 'tenant.yaml', text, variables: {} }, deps(tenantId))
const permissions = (tenantId: string, user: string, audience = API) =>
  permissionStore(db, tenantId).find(`auth0|${user}`, audience, null)

it('roles of a tenant file allow what they list, to their holders, at that API', async () => {
  expect((await apply('one', FILE)).notApplied).toEqual([])
  expect(await permissions('one', 'kim')).toEqual(['read', 'write'])
  expect(await permissions('one', 'lee')).toEqual(['read'])
  expect(await permissions('one', 'lee', 'https://other.test')).toEqual(['other'])
  expect(await permissions('one', 'nobody')).toEqual([])
  expect(await permissions('two', 'kim')).toEqual([])
})

it('a second run and an export change nothing, here or elsewhere', async () => {
  expect((await apply('one', FILE)).changes).toEqual([])
  const exported = await exportTenantFile(tenantFileStore(db), 'one', vault)
  expect((await apply('one', exported)).changes).toEqual([])
  await apply('copy', exported)
  expect(await permissions('copy', 'kim')).toEqual(['read', 'write'])
})

it('lists in the file are whole: what is left out is taken away, what is not mentioned stays', async () => {
  await apply('one', 'roles: [{ name: Writer, permissions: [] }, { name: Reader, description: Still reads }]')
  expect(await permissions('one', 'kim')).toEqual(['read'])
  await apply('one', 'users: [{ email: lee@mail.test, roles: [] }, { email: kim@mail.test, nickname: k }]')
  expect(await permissions('one', 'lee')).toEqual([])
  expect(await permissions('one', 'kim')).toEqual(['read'])
})

it('reports a permission that no API has, and refuses an undefined role', async () => {
  const odd = `roles: [{ name: Odd, permissions: [{ permission_name: fly, resource_server_identifier: ${API} }] }]`
  expect((await apply('one', odd)).notApplied).toEqual([`roles["Odd"].permissions: fly is no scope of ${API}`])
  await expect(apply('one', 'users: [{ email: kim@mail.test, roles: [Missing] }]')).rejects.toThrow(
    'tenant.yaml: users["kim@mail.test"].roles: there is no role Missing',
  )
})
