import { describe, expect, it } from 'vitest'
import { openActionSecret } from '../../identity/tenant-code/actions/action'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { withCodeFiles } from './code-files'
import { NOTHING } from './configuration'
import type { Configuration, Json, JsonObject, Plan } from './model'
import { planTenant } from './plan'
import { describePlan } from './print'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'
import type { ActionRow } from './sections/actions'

const vault = createVault('a secret of thirty-two characters')
const STORED: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }

const planDocument = async (document: JsonObject, stored: Partial<Configuration> = {}): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document,
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: { ...STORED, ...stored },
    users: [],
    vault,
    random: seededRandom('actions'),
    templateFault: () => null,
    unusedTexts: () => [],
  })

const plan = async (text: string, stored?: Partial<Configuration>): Promise<Plan> =>
  planDocument(readTenantFile('tenant.yaml', text, { KEY: 'sealed value' }), stored)

/** The stored configuration once the plan is applied. */
const stored = ({ after: { tenant, actions } }: Plan): Pick<Configuration, 'tenant' | 'actions'> => ({
  tenant,
  actions,
})

const CODE = 'exports.onExecutePostLogin = async (event, api) => { api.access.deny("no") }'
const EXPORT = `actions:
  - name: Deny
    code: ${JSON.stringify(CODE)}
    dependencies: []
    deployed: true
    runtime: node22
    secrets: [{ name: KEY, value: '##KEY##' }]
    status: built
    supported_triggers: [{ id: post-login, version: v3 }]
triggers:
  post-login: [{ action_name: Deny, display_name: Deny everybody }]
  custom-phone-provider: []
`

const one = async (code: string, more: JsonObject = {}, there?: Partial<Configuration>): Promise<Plan> =>
  planDocument({ actions: [{ name: 'A', code, supported_triggers: [{ id: 'post-login' }], ...more }] }, there)

describe('actions and triggers', () => {
  it('are made, with their secrets sealed, and again nothing changes', async () => {
    const first = await plan(EXPORT)
    expect(first.notApplied).toEqual([])
    const [action] = stored(first).actions as [ActionRow]
    expect(action.live).toMatchObject({ code: CODE, trigger: 'post-login', version: 'v3', deployed: true })
    expect(JSON.stringify(action)).not.toContain('sealed value')
    expect(openActionSecret((action.live.sealed as Record<string, string>).KEY, vault)).toBe('sealed value')
    expect(stored(first).tenant?.settings.triggers).toEqual({
      'post-login': [{ action_name: 'Deny', display_name: 'Deny everybody' }],
    })
    expect((await plan(EXPORT, stored(first))).changes).toEqual([])
    expect(describePlan(first).join('\n')).not.toContain('sealed value')
  })

  it('are exported without secrets, and the export changes nothing', async () => {
    const there = stored(await plan(EXPORT))
    const document = Object.fromEntries(
      SECTIONS.flatMap((section) => {
        const value = section.export({ ...STORED, ...there }, [], vault)
        return value === undefined ? [] : [[section.name, value]]
      }),
    )
    expect(document.actions).toMatchObject([{ name: 'Deny', code: CODE, secrets: [{ name: 'KEY' }] }])
    expect(JSON.stringify(document)).not.toContain('sealed')
    const again = await planDocument(document as JsonObject, there)
    expect([again.changes, again.notApplied]).toEqual([[], []])
  })

  it('report a change of code and secrets without their content', async () => {
    const there = stored(await plan(EXPORT))
    const changed = await plan(
      EXPORT.replace('"no', '"never').replace('no\\"', 'never\\"').replace('##KEY##', 'another value'),
      there,
    )
    const lines = describePlan(changed).join('\n')
    expect(lines).toMatch(/code: "\d+ characters, [0-9a-f]{8}" → "\d+ characters, [0-9a-f]{8}"/)
    expect(lines).toMatch(/secrets\.KEY: /)
    expect(lines).not.toContain('another value')
  })

  it.each([
    [CODE, { dependencies: [{ name: 'axios', version: '1' }] }, 'its packages could not be built: nothing was built'],
    [`const x = require('node:fs'); ${CODE}`, {}, 'requires node:fs (actions have no file system)'],
    [
      `${CODE.slice(0, -1)}; api.samlResponse.setRelayState('a') }`,
      {},
      'asks for api.samlResponse.setRelayState, which there is not at post-login',
    ],
    [
      `${CODE.slice(0, -1)}; api.prompt.render('ap_1') }`,
      {},
      'asks for api.prompt.render, which there is not at post-login',
    ],
    ['exports.other = 1', {}, 'exports no onExecutePostLogin'],
    [
      CODE.replace('PostLogin', 'CredentialsExchange').replace('access.deny', 'idToken.setCustomClaim'),
      { supported_triggers: [{ id: 'credentials-exchange' }] },
      'asks for api.idToken.setCustomClaim, which there is not at credentials-exchange',
    ],
  ])('that decide access and cannot run are named, and there to fail: %#', async (code, more, reason) => {
    const planned = await one(code, more)
    expect(planned.notApplied).toEqual([`actions["A"]: ${reason}; it fails and denies`])
    expect(stored(planned).actions).toMatchObject([{ name: 'A', live: { code } }])
    const passing = await one(code, { ...more, on_failure: 'pass' })
    expect(passing.notApplied).toEqual([`actions["A"]: ${reason}; it fails and lets pass`])
    expect((await one(code, more, stored(passing))).notApplied).toEqual(passing.notApplied)
  })

  it.each([
    [CODE, { supported_triggers: [{ id: 'event-stream' }] }, 'there is no trigger event-stream here'],
    [
      CODE.replace('PostLogin', 'PostUserRegistration'),
      { supported_triggers: [{ id: 'post-user-registration' }] },
      'asks for api.access.deny, which there is not at post-user-registration',
    ],
  ])('that decide nothing and cannot run are named and left out: %#', async (code, more, reason) => {
    const planned = await one(code, more)
    expect(planned.changes).toEqual([])
    expect(planned.notApplied).toEqual([`actions["A"]: ${reason}`])
  })

  it('that decide access stay bound, whatever is wrong with them', async () => {
    const planned = await plan('triggers: { post-login: [{ action_name: Gone }] }')
    expect(planned.notApplied).toEqual([
      'triggers.post-login["Gone"]: there is no such action here, so it fails and denies',
    ])
    expect(stored(planned).tenant?.settings.triggers).toEqual({ 'post-login': [{ action_name: 'Gone' }] })
  })

  it('are not mistaken by comments and texts', async () => {
    const code = `// require('fs'); api.prompt.render()\n/* api.rules.wasExecuted */ const u = 'https://api.example.com/' + "api.cache"\n${CODE}`
    expect((await one(code)).notApplied).toEqual([])
  })

  it.each([
    ['exports.onExecutePostLogin = async (', 'actions["A"].code: is no JavaScript: '],
    ['}); process.exit(); (function () {', 'actions["A"].code: is no JavaScript: '],
    ['x'.repeat(100_001), 'actions["A"].code: '],
  ])('that are wrong refuse the file: %#', async (code, problem) => {
    await expect(one(code)).rejects.toThrow(problem)
  })

  it('name a binding that cannot be, and unbind by an empty list', async () => {
    const there = stored(await plan(EXPORT))
    const text =
      'triggers: { post-login: [], credentials-exchange: [{ action_name: Deny }], post-user-registration: [{ action_name: Gone }], event-stream: [{ action_name: Deny }] }'
    const planned = await plan(text, there)
    expect(planned.notApplied).toEqual([
      'triggers.credentials-exchange["Deny"]: the action is made for post-login',
      'triggers.post-user-registration["Gone"]: there is no such action here, so nothing runs in its place',
      'triggers.event-stream',
    ])
    expect(stored(planned).tenant?.settings.triggers).toMatchObject({ 'post-login': [] })
  })

  it('keep their trigger, and are bound once, as in the API', async () => {
    const there = stored(await plan(EXPORT))
    await expect(plan(EXPORT.replace('id: post-login', 'id: credentials-exchange'), there)).rejects.toThrow(
      'actions["Deny"]: the trigger of an action cannot be changed on property supported_triggers',
    )
    const twice = 'triggers: { post-login: [{ action_name: Deny }, { action_name: Deny }] }'
    await expect(plan(twice, there)).rejects.toThrow('triggers: deny is bound twice')
  })

  it('that are not deployed are drafts, and one that runs stays deployed', async () => {
    const drafted = await one(CODE, { deployed: false })
    expect(drafted.after.actions).toMatchObject([{ live: { code: '', deployed: false }, draft: { code: CODE } }])
    const exported = SECTIONS.find(({ name }) => name === 'actions')?.export(drafted.after, [], vault)
    expect(exported).toMatchObject([{ code: CODE, deployed: false }])
    expect((await planDocument({ actions: exported ?? [] }, stored(drafted))).changes).toEqual([])
    const deployed = await one(CODE, {}, stored(drafted))
    expect(deployed.after.actions).toMatchObject([{ live: { code: CODE, deployed: true }, draft: null }])
    const stopped = await one(`${CODE} // more`, { deployed: false }, stored(deployed))
    expect([stopped.changes, stopped.notApplied]).toEqual([
      [],
      ['actions["A"].deployed: it runs already, and stays as it is'],
    ])
  })

  it('replace what runs, whatever draft the API has', async () => {
    const [row] = stored(await one(CODE)).actions as [ActionRow]
    const [{ draft }] = stored(await one('exports.draft = 1', { deployed: false })).actions as [ActionRow]
    const there = { actions: [{ ...row, draft }] }
    expect((await one(CODE, {}, there)).changes).toEqual([])
    const changed = await one(CODE, { on_failure: 'pass' }, there)
    expect(changed.after.actions).toMatchObject([{ live: { code: CODE, on_failure: 'pass' }, draft: null }])
  })

  it('take their code from a file beside, and nothing from elsewhere', async () => {
    const file = { variables: { WHO: 'Ada' } }
    const document = {
      actions: [
        { name: 'A', code: './actions/a.js' },
        { name: 'B', code: CODE },
      ],
    }
    const readSibling = async (path: string) => (path === './actions/a.js' ? 'exports.x = "##WHO##"' : null)
    expect(await withCodeFiles(document, { ...file, readSibling })).toEqual({
      actions: [
        { name: 'A', code: 'exports.x = "Ada"' },
        { name: 'B', code: CODE },
      ],
    })
    const unread = await withCodeFiles(document, file)
    expect((await planDocument({ actions: [(unread.actions as Json[])[0]] } as JsonObject)).notApplied).toEqual([
      'actions["A"]: ./actions/a.js cannot be read beside the tenant file',
    ])
  })
})

it('a file has at most a hundred actions', async () => {
  const actions = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `A${n}`, code: CODE, supported_triggers: [{ id: 'post-login' }] }))
  expect((await planDocument({ actions: actions(100) })).changes).toHaveLength(100)
  await expect(planDocument({ actions: actions(101) })).rejects.toThrow('has more than 100 actions')
})
