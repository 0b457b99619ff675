// The vendor's rules in a tenant file.
import { expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { writtenRows } from '../../testing/written-rows'
import { unusedTexts } from '../../text/custom'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import { type Configuration, type DocumentRow, type Plan, TenantFileError } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')
const random = seededRandom('rules')

async function plan(text: string, stored: Partial<Configuration> = {}): Promise<Plan> {
  const siblings: Record<string, string> = { './rules/plan.js': 'function (user, context, callback) { callback() }' }
  const document = await withCodeFiles(readTenantFile('tenant.yaml', text, {}), {
    variables: {},
    readSibling: async (path) => siblings[path] ?? null,
  })
  return await planTenant({
    ...{ file: 'tenant.yaml', document, tenantId: 'main', baseUrl: 'https://id.test', users: [], vault, random },
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...stored },
    templateFault: faultOf,
    unusedTexts,
  })
}

const documents = (planned: Plan): DocumentRow[] => writtenRows(planned, 'documents')

const FILE = `rules:
  - { name: Plan, script: ./rules/plan.js, stage: login_success, enabled: true, order: 5 }
  - { name: Off, script: 'function (u, c, cb) { require("request"); cb() }', enabled: false }
rulesConfigs: [{ key: API_URL, value: https://api.example }]
`

it('are applied, exported without values, and again without a change', async () => {
  const planned = await plan(FILE)
  expect(planned.notApplied).toEqual([])
  const stored = { documents: documents(planned) }
  expect(stored.documents.map(({ kind, id }) => [kind, id.replace(/_\w{16}$/, '')])).toEqual([
    ['rules-config', 'API_URL'],
    ['rule', 'rul'],
    ['rule', 'rul'],
  ])
  expect((await plan(FILE, stored)).changes).toEqual([])
  const whole = { ...NOTHING, ...stored }
  const exported = ['rules', 'rulesConfigs'].map((name) =>
    SECTIONS.find((section) => section.name === name)?.export(whole, [], vault),
  )
  expect(exported).toMatchObject([
    [
      { name: 'Plan', script: expect.stringContaining('callback()'), enabled: true, order: 5, stage: 'login_success' },
      { name: 'Off', enabled: false, order: 6 },
    ],
    [{ key: 'API_URL' }],
  ])
  expect(JSON.stringify([exported, planned.changes])).not.toContain('api.example')
  expect((await plan('rulesConfigs: [{ key: API_URL, value: other }]', stored)).changes).toHaveLength(1)
  expect((await plan('rulesConfigs: [{ key: API_URL }]', stored)).changes).toEqual([])
})

it.each([
  ['rules: [{ name: A }]', 'rules["A"]: needs script'],
  [
    'rules: [{ name: A, script: ./rules/none.js }]',
    'rules["A"]: ./rules/none.js cannot be read beside the tenant file',
  ],
  ["rules: [{ name: A, script: 'function () {}', stage: pre_authorize }]", 'rules["A"].stage: "pre_authorize"'],
  ['rulesConfigs: [{ key: A }]', 'rulesConfigs["A"]: needs value'],
])('%s is reported and left out', async (text, report) => {
  expect(await plan(text)).toMatchObject({ notApplied: [report], changes: [] })
})

it('that need what is not here are reported and stay, so that they deny', async () => {
  const planned = await plan(`rules: [{ name: A, script: 'function (u, c, cb) { require("fs"); cb() }' }]`)
  expect(planned.notApplied).toEqual([expect.stringMatching(/^rules\["A"\]: requires fs \(.*; it fails and denies$/)])
  expect(documents(planned)).toHaveLength(1)
})

it('that are no JavaScript refuse the file', async () => {
  await expect(plan(`rules: [{ name: A, script: 'function (' }]`)).rejects.toThrow(TenantFileError)
})
