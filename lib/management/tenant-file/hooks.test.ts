// The vendor's hooks in a tenant file.
import { expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import { type Configuration, type DocumentRow, type JsonObject, type Plan, TenantFileError } from './model'
import { planTenant } from './plan'
import { describePlan } from './print'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')
const random = seededRandom('hooks')

async function plan(text: string, stored: Partial<Configuration> = {}): Promise<Plan> {
  const document = await withCodeFiles(readTenantFile('tenant.yaml', text, {}), {
    variables: {},
    readSibling: async (path) =>
      path === './hooks/check.js' ? 'module.exports = function (user, context, cb) { cb(null, { user }) }' : null,
  })
  return await planTenant({
    ...{ file: 'tenant.yaml', document, tenantId: 'main', baseUrl: 'https://id.test', users: [], vault, random },
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...stored },
    ...{ templateFault: () => null, unusedTexts: () => [] },
  })
}

const documents = ({ after }: Plan): DocumentRow[] => after.documents

const FILE = `hooks:
  - name: Check newcomers
    script: ./hooks/check.js
    triggerId: pre-user-registration
    enabled: true
    dependencies: {}
    secrets: { KEY: a hidden value }
`

it('are applied, exported without values, and again without a change', async () => {
  const planned = await plan(FILE)
  expect(planned.notApplied).toEqual([])
  expect(describePlan(planned).join('\n')).not.toContain('a hidden value')
  const stored = { documents: documents(planned) }
  expect(stored.documents).toMatchObject([
    { kind: 'hook', body: { triggerId: 'pre-user-registration', enabled: true } },
  ])
  expect((await plan(FILE, stored)).changes).toEqual([])
  const exported = SECTIONS.find(({ name }) => name === 'hooks')?.export({ ...NOTHING, ...stored }, [], vault)
  expect(exported).toMatchObject([{ name: 'Check newcomers', secrets: { KEY: '_VALUE_NOT_SHOWN_' } }])
  expect(JSON.stringify([exported, stored])).not.toContain('a hidden value')
  const document: JsonObject = { hooks: exported ?? [] }
  expect((await plan(JSON.stringify(document), stored)).changes).toEqual([])
  // The vendor's directory format writes the name so.
  expect((await plan(FILE.replace('Check newcomers', 'check-newcomers'), stored)).changes).toEqual([])
})

it('have no secret by a name that every object has', async () => {
  const hidden = await plan(FILE.replace('KEY: a hidden value', 'constructor: _VALUE_NOT_SHOWN_'))
  expect(hidden.notApplied).toEqual([expect.stringContaining('constructor has no value')])
  expect(documents(hidden)).toMatchObject([{ body: { sealed: {} } }])
  const given = documents(await plan(FILE.replace('KEY', 'constructor')))
  expect((await plan(FILE.replace('KEY', 'constructor'), { documents: given })).changes).toEqual([])
})

it('that need what does not exist here are reported and fail', async () => {
  const { notApplied, changes } = await plan(FILE.replace('dependencies: {}', 'dependencies: { argon2: 0.40.0 }'))
  expect(notApplied).toEqual([expect.stringMatching(/^hooks\["Check newcomers"\]: .*argon2 .*; it fails$/)])
  expect(changes).toHaveLength(1)
})

it.each([
  ['script: ./hooks/check.js', 'script: ./hooks/none.js', 'cannot be read beside the tenant file'],
  ['    triggerId: pre-user-registration\n', '', 'needs script and triggerId'],
  ['a hidden value', '_VALUE_NOT_SHOWN_', 'KEY has no value'],
])('with %s → %s are reported', async (given, changed, reported) => {
  expect((await plan(FILE.replace(given, changed))).notApplied).toEqual([expect.stringContaining(reported)])
})

it('refuse a file with two enabled ones at a trigger, or with what is no JavaScript', async () => {
  const two = `${FILE}${FILE.replace('hooks:\n', '').replace('Check newcomers', 'Other')}`
  await expect(plan(two)).rejects.toThrow(TenantFileError)
  await expect(plan(FILE.replace('./hooks/check.js', 'module.exports = ('))).rejects.toThrow('is no JavaScript')
})
