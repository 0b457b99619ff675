// Actions Modules in a tenant file, as the vendor's tool exports them.
import { expect, it } from 'vitest'
import { openActionSecret } from '../../identity/tenant-code/actions/action'
import type { UsedModule } from '../../identity/tenant-code/actions/used-modules'
import type { Bundler } from '../../identity/tenant-code/packages/bundle'
import { fixedClock } from '../../kernel/clock'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import type { Configuration, DocumentRow, JsonObject, Plan } from './model'
import { buildPackages } from './packages'
import { planTenant } from './plan'
import { describePlan } from './print'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'
import type { ActionRow } from './sections/actions'

const vault = createVault('a secret of thirty-two characters')
const random = seededRandom('modules')
const GREET = 'exports.greet = () => actions.secrets.SIGN'
const needed: string[][] = []
const bundler: Bundler = {
  async build(dependencies) {
    needed.push(dependencies.map(({ name, version }) => `${name}@${version}`))
    return { failure: 'there is no registry' }
  },
}

async function plan(text: string, more: Partial<Configuration> = {}): Promise<Plan> {
  const document = await withCodeFiles(readTenantFile('tenant.yaml', text, { SIGN: 'the house' }), {
    variables: {},
    readSibling: async (path) => (path === './action-modules/greetings/code.js' ? GREET : null),
  })
  const stored: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...more }
  return await planTenant({
    ...{
      file: 'tenant.yaml',
      document,
      tenantId: 'main',
      baseUrl: 'https://id.test',
      users: [],
      vault,
      random,
      stored,
    },
    ...{ templateFault: () => null, unusedTexts: () => [], now: fixedClock().now() },
    built: await buildPackages(document, async () => stored, { bundler, vault, random }),
  })
}

/** Of the rows that the plan changes, as they are once it is applied. */
function written({ changes, after }: Plan): { documents: DocumentRow[]; actions: ActionRow[] } {
  const tables = changes.flatMap(({ writes }) => writes).map(({ table }) => table)
  return {
    documents: tables.includes('documents') ? after.documents : [],
    actions: tables.includes('actions') ? after.actions : [],
  }
}

const modulesOf = (plan: Plan) => written(plan).actions[0]?.live.modules as UsedModule[] | undefined

const FILE = `actionModules:
  - name: greetings
    code: ./action-modules/greetings/code.js
    dependencies: []
    secrets: [{ name: SIGN, value: '##SIGN##' }]
    actions_using_module_total: 1
    all_changes_published: true
    latest_version_number: 3
actions:
  - name: Greeter
    code: "const { greet } = require('actions:greetings'); exports.onExecutePostLogin = async () => greet()"
    supported_triggers: [{ id: post-login, version: v3 }]
    modules: [{ module_name: greetings, module_version_number: 3 }]
`

it('are published with the number of the file, used by its actions, and again nothing changes', async () => {
  const first = await plan(FILE)
  expect(first.notApplied).toEqual([])
  expect(describePlan(first).join('\n')).not.toContain('the house')
  const there = written(first)
  expect(there.documents).toMatchObject([
    { kind: 'action-module', body: { name: 'greetings', code: GREET, versions: [{ number: 3, code: GREET }] } },
  ])
  const [used] = modulesOf(first) ?? []
  expect(used).toMatchObject({ module_name: 'greetings', module_version_number: 3, code: GREET })
  expect(openActionSecret(used?.sealed.SIGN, vault)).toBe('the house')
  const again = await plan(FILE, there)
  expect([again.changes, again.notApplied]).toEqual([[], []])
})

it('are exported without values, and the export changes nothing', async () => {
  const there = written(await plan(FILE))
  const whole = { ...NOTHING, ...there }
  const exported = Object.fromEntries(
    ['actionModules', 'actions'].map((name) => [
      name,
      SECTIONS.find((section) => section.name === name)?.export(whole, [], vault) ?? null,
    ]),
  ) as JsonObject
  expect(exported).toMatchObject({
    actionModules: [
      {
        ...{ name: 'greetings', code: GREET, secrets: [{ name: 'SIGN' }] },
        ...{ all_changes_published: true, latest_version_number: 3 },
      },
    ],
    actions: [{ name: 'Greeter', modules: [{ module_name: 'greetings', module_version_number: 3 }] }],
  })
  expect(JSON.stringify(exported)).not.toContain('sealed')
  expect((await plan(JSON.stringify(exported), there)).changes).toEqual([])
})

it('have no secret by a name that every object has', async () => {
  const named = FILE.replace("{ name: SIGN, value: '##SIGN##' }", '{ name: constructor }')
  const planned = await plan(named)
  expect(planned.notApplied).toEqual([expect.stringContaining('constructor has no value')])
  expect(written(planned).documents).toMatchObject([{ body: { sealed: {} } }])
  const valued = FILE.replace('name: SIGN', 'name: constructor')
  const [used] = modulesOf(await plan(valued)) ?? []
  expect(openActionSecret(used?.sealed.constructor as unknown as string, vault)).toBe('the house')
  await expect(plan(FILE.replace('name: SIGN', 'name: __proto__'))).rejects.toThrow('cannot be stored')
})

it('get a further version when they change, which an action uses when it names it', async () => {
  const there = written(await plan(FILE))
  const changed = FILE.replace('./action-modules/greetings/code.js', 'exports.greet = () => 2')
  const second = await plan(changed, there)
  expect(written(second).documents[0]?.body.versions).toMatchObject([{ number: 4 }, { number: 3 }])
  expect(written(second).actions).toEqual([])
  const named = await plan(changed.replace('module_version_number: 3', 'module_version_number: 4'), there)
  expect(modulesOf(named)).toMatchObject([{ module_version_number: 4, code: 'exports.greet = () => 2' }])
  // A number of another tenant's.
  const absent = await plan(changed.replace('module_version_number: 3', 'module_version_number: 17'), there)
  expect(modulesOf(absent)).toMatchObject([{ module_version_number: 4 }])
})

it('stay drafts where the file says so', async () => {
  const drafted = await plan(FILE.replace('all_changes_published: true', 'all_changes_published: false'))
  expect(written(drafted).documents[0]?.body.versions).toEqual([])
  expect(drafted.notApplied).toEqual([
    expect.stringContaining('actions["Greeter"]: requires actions:greetings (it is no module of this action)'),
  ])
})

it.each([
  ['code: ./missing.js', 'actionModules["greetings"]: ./missing.js cannot be read beside the tenant file'],
  [
    `code: "require('fs')"`,
    'actionModules["greetings"]: it requires fs (actions have no file system); it is not published',
  ],
  ['code: "exports.greet = ("', 'actionModules["greetings"]: it is no JavaScript'],
])('an action module with %s is reported', async (code, reported) => {
  const { notApplied } = await plan(FILE.replace('code: ./action-modules/greetings/code.js', code))
  expect(notApplied[0]).toContain(reported)
  expect(notApplied.at(-1)).toContain('actions["Greeter"]: requires actions:greetings')
})

it('bring their packages into the build of the action', async () => {
  needed.length = 0
  const { notApplied } = await plan(
    FILE.replace('dependencies: []', 'dependencies: [{ name: lodash, version: 4.17.21 }]').replace(
      './action-modules/greetings/code.js',
      "exports.greet = () => require('lodash')",
    ),
  )
  expect(needed).toEqual([['lodash@4.17.21']])
  expect(notApplied).toEqual([expect.stringContaining('its packages could not be built: there is no registry')])
})
