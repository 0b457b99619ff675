// Custom databases in a tenant file: scripts as texts or files, and sealed values.
import { expect, it } from 'vitest'
import { openValues, type SealedByName } from '../../data/connections/upstream/secrets'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { writtenRows } from '../../testing/written-rows'
import { unusedTexts } from '../../text/custom'
import type { ConnectionResourceRow } from '../resources/connections'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import type { Configuration, Plan } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')
const random = seededRandom('databases')

async function plan(text: string, stored: Partial<Configuration> = {}): Promise<Plan> {
  const siblings: Record<string, string> = {
    './databases/Legacy/login.js': 'async function login(email, password) { return fetch("##HOST##") }',
    './databases/Legacy/get_user.js': 'function getByEmail(email, callback) { callback(null) }',
  }
  const variables = { HOST: 'https://legacy.example' }
  const document = await withCodeFiles(readTenantFile('tenant.yaml', text, variables), {
    variables,
    readSibling: async (path) => siblings[path] ?? null,
  })
  return await planTenant({
    ...{ file: 'tenant.yaml', document, tenantId: 'main', baseUrl: 'https://id.test', users: [], vault, random },
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...stored },
    templateFault: faultOf,
    unusedTexts,
  })
}

const rowsOf = (planned: Plan): ConnectionResourceRow[] => writtenRows(planned, 'connections')

const FILE = `databases:
  - name: Legacy
    strategy: auth0
    options:
      enabledDatabaseCustomization: true
      import_mode: true
      customScripts: { login: ./databases/Legacy/login.js, get_user: ./databases/Legacy/get_user.js }
      configuration: { USER: hush-user }
      bareConfiguration: { PASSWORD: hush-password }
`

it('are applied, exported without values, and again without a change', async () => {
  const planned = await plan(FILE)
  expect(planned.notApplied).toEqual([])
  expect(JSON.stringify(planned)).not.toContain('hush')
  const [row] = rowsOf(planned)
  expect(row?.settings.options).toEqual({
    ...{ enabledDatabaseCustomization: true, import_mode: true },
    customScripts: {
      login: 'async function login(email, password) { return fetch("https://legacy.example") }',
      get_user: 'function getByEmail(email, callback) { callback(null) }',
    },
    configuration: { USER: '********', PASSWORD: '********' },
  })
  const { sealed } = (row?.settings ?? {}) as { sealed: SealedByName }
  expect(openValues('configuration', sealed, vault)).toEqual({ USER: 'hush-user', PASSWORD: 'hush-password' })
  const stored = { connections: rowsOf(planned) }
  expect((await plan(FILE, stored)).changes).toEqual([])
  const exported = SECTIONS.find(({ name }) => name === 'databases')?.export({ ...NOTHING, ...stored }, [], vault)
  expect(exported).toMatchObject([{ name: 'Legacy', options: row?.settings.options }])
  const again = await plan(JSON.stringify({ databases: exported }), stored)
  expect([again.changes, again.notApplied]).toEqual([[], []])
  const elsewhere = await plan(JSON.stringify({ databases: exported }))
  expect(elsewhere.notApplied).toEqual(
    ['PASSWORD', 'USER'].map((name) => `databases["Legacy"].options.configuration.${name}: needs its value`),
  )
})

it('change one value and keep the others', async () => {
  const stored = { connections: rowsOf(await plan(FILE)) }
  const planned = await plan('databases: [{ name: Legacy, options: { configuration: { USER: hush-new } } }]', stored)
  expect(planned.changes).toMatchObject([{ details: ['configuration: set'] }])
  const { sealed } = (rowsOf(planned)[0]?.settings ?? {}) as { sealed: SealedByName }
  expect(openValues('configuration', sealed, vault)).toEqual({ USER: 'hush-new', PASSWORD: 'hush-password' })
})

it('are reported where they cannot run or have no effect', async () => {
  const options = {
    ...{ enabledDatabaseCustomization: true, import_mode: true },
    customScripts: {
      login: './databases/Legacy/absent.js',
      get_user: 'function (',
      verify: 'function (email, callback) { require("fs") }',
      unknown: 'function () {}',
    },
    configuration: { KEY: '2.0$0a1b2c$3d4e' },
  }
  const planned = await plan(JSON.stringify({ databases: [{ name: 'Legacy', options }] }))
  const path = 'databases["Legacy"].options'
  expect(planned.notApplied).toEqual([
    `${path}.customScripts.login: ./databases/Legacy/absent.js cannot be read beside the tenant file`,
    `${path}.configuration.KEY: is encrypted for another server`,
    `${path}.customScripts.unknown`,
    expect.stringContaining(`${path}.customScripts.get_user: is no JavaScript`),
    expect.stringContaining(`${path}.customScripts.verify: requires fs`),
    `${path}.customScripts.verify`,
  ])
  expect(rowsOf(planned)[0]?.settings.options).toMatchObject({ customScripts: { get_user: 'function (' } })
  expect(rowsOf(planned)[0]?.settings.options).not.toHaveProperty('customScripts.login')
})

it('are reported without the switch that turns them on', async () => {
  const options = { import_mode: true, customScripts: { login: 'function () {}' }, configuration: { KEY: 'hush' } }
  const planned = await plan(JSON.stringify({ databases: [{ name: 'Off', options }] }))
  expect(planned.notApplied).toEqual(
    ['customScripts', 'configuration', 'import_mode'].map((name) => `databases["Off"].options.${name}`),
  )
})
