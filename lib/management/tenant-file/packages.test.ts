// The packages of actions in a tenant file: built before it is planned, kept while what is needed stays the same.
import { beforeEach, describe, expect, it } from 'vitest'
import type { BuiltBundle, Bundler } from '../../identity/tenant-code/packages/bundle'
import type { Dependency } from '../../identity/tenant-code/packages/need'
import { seededRandom } from '../../kernel/random'
import { createVault, digest } from '../../kernel/secret'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import { onlyThese } from './copied-stores'
import type { Configuration, FileStores, JsonObject, Plan } from './model'
import { buildPackages } from './packages'
import { planTenant } from './plan'
import type { ActionRow } from './sections/actions'
import { actions } from './sections/actions'

const vault = createVault('a secret of thirty-two characters')
const LODASH = { name: 'lodash', version: '4.17.21' }
const CODE = "const _ = require('lodash'); exports.onExecutePostLogin = async () => {}"

/** As a variable that is not set (variables.ts). */
const MARKED = '\uE0F0ICON\uE0F1'

let built: (readonly Dependency[])[] = []
const made = (version: string) => {
  const code = `(require) => { return { get lodash() { return '${version}' } } }`
  return { digest: digest(code).toString('base64url'), code, map: null, packages: [] }
}
const bundler: Bundler = {
  async build(dependencies) {
    built.push(dependencies)
    const [{ version = '' } = {}] = dependencies
    if (version === '99') return { failure: 'The registry has no lodash@99' }
    return { bundle: made(version === '5' ? MARKED : version) }
  },
}
const deps = { bundler, vault, random: seededRandom('packages') }
beforeEach(() => {
  built = []
})

const entry = (more: JsonObject = {}): JsonObject => ({
  ...{ name: 'A', code: CODE, dependencies: [LODASH], supported_triggers: [{ id: 'post-login' }] },
  ...more,
})

async function planOf(entries: JsonObject[], there: ActionRow[] = []): Promise<Plan> {
  const stored: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, actions: there }
  const document = { actions: entries }
  const made = await buildPackages(document, async () => stored, deps)
  return await planTenant({
    ...{ file: 'tenant.yaml', document, tenantId: 'main', baseUrl: 'https://id.test', stored, users: [], vault },
    ...{ random: seededRandom('packages'), templateFault: () => null, unusedTexts: () => [], built: made },
  })
}

/** The actions that a plan writes, as they are once it is applied, each with the bundle that is stored for it. */
async function rowsOf(plan: Plan) {
  const kept: BuiltBundle[] = []
  const stores = onlyThese<FileStores>({ keepBundle: async (bundle) => void kept.push(bundle) })
  for (const write of plan.changes.flatMap(({ writes }) => writes))
    if ('run' in write && write.table === 'actionBundles') await write.run(stores, new Date(0))
  return [{ row: rowOf(plan), bundle: kept[0] ?? null }]
}

function rowOf({ changes, after }: Plan): ActionRow {
  const isWritten = changes.some(({ writes }) => writes.some(({ table }) => table === 'actions'))
  return (isWritten && after.actions[0]) || expect.fail('no action is written')
}

describe('an action with packages', () => {
  it('is written with its bundle, and again nothing changes or is built', async () => {
    const first = await planOf([entry()])
    expect(first.notApplied).toEqual([])
    expect(await rowsOf(first)).toMatchObject([
      { row: { live: { dependencies: [LODASH], bundle: made('4.17.21').digest } }, bundle: made('4.17.21') },
    ])
    const again = await planOf([entry()], [rowOf(first)])
    expect([again.changes, again.notApplied, built.length]).toEqual([[], [], 1])
  })

  it('is exported with its dependencies and without the bundle, and the export changes nothing', async () => {
    const stored = rowOf(await planOf([entry()]))
    const exported = actions.export({ ...NOTHING, actions: [stored] }, [], vault) as JsonObject[]
    expect(exported).toMatchObject([{ dependencies: [LODASH] }])
    expect(JSON.stringify(exported)).not.toMatch(/bundle|built/)
    const again = await planOf(exported, [stored])
    expect([again.changes, again.notApplied, built.length]).toEqual([[], [], 1])
  })

  it('is built again for another version, and written with other code and the same bundle', async () => {
    const stored = rowOf(await planOf([entry()]))
    const changed = await planOf([entry({ dependencies: [{ name: 'lodash', version: '3' }] })], [stored])
    expect(await rowsOf(changed)).toMatchObject([{ row: { live: { bundle: made('3').digest } } }])
    const other = await planOf([entry({ code: `${CODE} // more` })], [stored])
    expect(await rowsOf(other)).toMatchObject([{ row: { live: { bundle: made('4.17.21').digest } }, bundle: null }])
    expect(built).toHaveLength(2)
  })

  it('may have any text in its bundle', async () => {
    const marked = await planOf([entry({ dependencies: [{ name: 'lodash', version: '5' }] })])
    expect(await rowsOf(marked)).toMatchObject([{ bundle: made(MARKED) }])
  })

  it('loses its bundle with its dependencies', async () => {
    const stored = rowOf(await planOf([entry()]))
    const plain = await planOf([entry({ dependencies: [], code: CODE.replace(/^.*?; /, '') })], [stored])
    expect(rowOf(plain).live).not.toHaveProperty('bundle')
    expect(rowOf(plain).live).not.toHaveProperty('built_for')
  })

  it('that cannot be built is named, there to fail where it decides access, and left out elsewhere', async () => {
    const failing = { dependencies: [{ name: 'lodash', version: '99' }] }
    const planned = await planOf([entry(failing)])
    const reason = 'actions["A"]: its packages could not be built: The registry has no lodash@99'
    expect(planned.notApplied).toEqual([`${reason}; it fails and denies`])
    expect(rowOf(planned).live).not.toHaveProperty('bundle')
    const code = CODE.replace('PostLogin', 'PostUserRegistration')
    const after = await planOf([entry({ ...failing, code, supported_triggers: [{ id: 'post-user-registration' }] })])
    expect([after.notApplied, after.changes]).toEqual([[reason], []])
  })

  it('takes no earlier bundle for what it needs now', async () => {
    const stored = rowOf(await planOf([entry()]))
    const failed = await planOf([entry({ dependencies: [{ name: 'lodash', version: '99' }] })], [stored])
    expect(rowOf(failed).live).not.toHaveProperty('bundle')
  })

  it('takes a bundle that was made elsewhere, and builds nothing', async () => {
    const file = JSON.stringify(made('4.17.21'))
    const read = { variables: { lodash: 'replaced' }, readSibling: async () => file }
    const { actions: entries } = await withCodeFiles({ actions: [entry({ bundle: './a.bundle.json' })] }, read)
    const planned = await planOf(entries as JsonObject[])
    expect(await rowsOf(planned)).toMatchObject([{ bundle: made('4.17.21') }])
    expect(built).toEqual([])
  })

  it.each([
    ['is missing', './a.bundle.json', 'cannot be read beside the tenant file'],
    ['is no bundle', '{"code": 1}', 'bundle'],
    ['was changed', JSON.stringify({ ...made('1'), code: '(require) => { return {} }' }), 'digest'],
  ])('is named where the bundle %s', async (_what, bundle, reason) => {
    const planned = await planOf([entry({ bundle })])
    expect(planned.notApplied).toEqual([expect.stringContaining(reason)])
    expect(built).toEqual([])
  })
})

it('builds what other code needs of the stored dependencies', async () => {
  const stored = rowOf(await planOf([entry()]))
  const { dependencies: _, ...rest } = entry({ code: `require('lodash/fp'); ${CODE}` })
  const changed = await planOf([rest], [stored])
  expect([changed.notApplied, built.length]).toEqual([[], 2])
})

it('reads the stored configuration for a file with actions only', async () => {
  const built = await buildPackages({}, () => expect.fail('read'), deps)
  expect(built('any')).toHaveProperty('failure')
})
