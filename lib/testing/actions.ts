// An action engine over a real sandbox, for tests of actions; the runs that it records are kept in a list.
import { createOutgoing } from '../adapters/channels/action-network'
import type { OutboundPolicy } from '../adapters/channels/outbound-guard'
import type { TriggerBindings, TriggerName } from '../data/tenants/triggers'
import { ACTION_FACTORS } from '../identity/mfa/factors/index'
import { type Action, actionSettings, sealActionSecret } from '../identity/tenant-code/actions/action'
import { createEngine } from '../identity/tenant-code/actions/engine'
import type { RunRecord } from '../identity/tenant-code/actions/runs'
import type { PostLoginEvent } from '../identity/tenant-code/event'
import type { Bundler } from '../identity/tenant-code/packages/bundle'
import { createSandbox, type Sandbox } from '../identity/tenant-code/sandbox/sandbox'
import type { Services } from '../identity/tenant-code/sandbox/services'
import { type ActionNetwork, createServices } from '../identity/tenant-code/services/index'
import type { TriggerEngine } from '../identity/tenant-code/trigger'
import { type Clock, fixedClock } from '../kernel/clock'
import { seededRandom } from '../kernel/random'
import { createVault } from '../kernel/secret'
import { sandboxFiles } from '../server/runtime/actions'
import type { InnerHost } from '../settings/action-hosts'
import { TEST_SECRET } from './database'

export const noBundler: Bundler = { build: async () => ({ failure: 'This test builds no packages' }) }

export type TestAction = {
  code: string
  trigger?: TriggerName
  name?: string
  on_failure?: 'deny' | 'pass'
  deployed?: boolean
  secrets?: Record<string, string>
}

export type TestEngine = TriggerEngine & { records: RunRecord[]; triggers: TriggerBindings }

type Makers = {
  engine(...actions: TestAction[]): TestEngine
  /** One post-login action; `body` is the handler's body. */
  login(body: string, more?: Partial<TestAction>): TestEngine
}

type Machine = { sandbox: Sandbox; clock: Clock }

export type ActionBench = Makers & {
  /** Uses the same threads, with the ordinary time limit of actions. */
  timeLimited: Makers
  /** Each run has so many milliseconds by the clock. */
  clipped(elapsed: number): Makers
  engineOn(machine: Machine, ...actions: TestAction[]): TestEngine
  close(): void
}

const LONGER_THAN_A_TEST = 600_000

/** No outcome depends on the speed of the machine: time ends no run. */
export const withoutTimeLimit = (sandbox: Sandbox, elapsed = LONGER_THAN_A_TEST): Sandbox => ({
  ...sandbox,
  run: (tenantId, job) => sandbox.run(tenantId, { ...job, milliseconds: LONGER_THAN_A_TEST, elapsed }),
})

/** Actions reach the servers of the test and no others, unless it says so. */
export const TEST_REACH: OutboundPolicy = { allowLoopback: true, allowPrivate: false }

/** Without inner hosts, and without an address of the tenant's own. */
export const testOutgoing = (policy: OutboundPolicy = TEST_REACH, inner: InnerHost[] = []): ActionNetwork =>
  createOutgoing({ policy, reach: { inner, ownUrl: async () => null, customUrls: async () => [] }, mark: () => '' })

export const testServices = (policy?: OutboundPolicy): Services => createServices(testOutgoing(policy))

export function actionBench(policy?: OutboundPolicy): ActionBench {
  const services = testServices(policy)
  const sandbox = createSandbox({ ...sandboxFiles(process.cwd()), services, threads: 2, queueLimit: 10 })
  const vault = createVault(TEST_SECRET)
  const random = seededRandom('actions')

  const rowOf = ({ name = 'Tested', trigger = 'post-login', secrets = {}, ...settings }: TestAction): Action => {
    const sealed = Object.entries(secrets).map(([key, plain]) => [key, sealActionSecret(plain, vault, random)])
    return { ...actionSettings.parse({ ...settings, trigger, sealed: Object.fromEntries(sealed) }), name }
  }

  const engineOn = ({ sandbox, clock }: Machine, ...given: TestAction[]): TestEngine => {
    const actions = given.map(rowOf)
    const records: RunRecord[] = []
    const triggers: TriggerBindings = {}
    for (const { name, trigger } of actions) triggers[trigger] = [...(triggers[trigger] ?? []), { action_name: name }]
    const find = async (name: string): Promise<Action | null> => actions.find((each) => each.name === name) ?? null
    const runs = { note: (record: RunRecord) => void records.push(record) }
    const deps = {
      tenantId: 'default',
      triggers,
      factors: ACTION_FACTORS,
      actions: {
        find,
        bundle: async () => null,
        sourceMap: async () => null,
        deployedFor: async (trigger: TriggerName) =>
          actions.filter((each) => each.trigger === trigger && each.deployed !== false).map(({ name = '' }) => name),
      },
      sandbox,
      nested: false,
      scriptBuilds: { find: async () => null },
      placeOf: null,
      runs,
      vault,
      clock,
      random,
    }
    return Object.assign(createEngine(deps), { records, triggers })
  }
  const makers = (sandbox: Sandbox): Makers => ({
    engine: (...actions) => engineOn({ sandbox, clock: fixedClock() }, ...actions),
    login: (body, more = {}) =>
      makers(sandbox).engine({ ...more, code: `exports.onExecutePostLogin = async (event, api) => {\n${body}\n}` }),
  })
  const clipped = (elapsed: number): Makers => makers(withoutTimeLimit(sandbox, elapsed))
  return {
    ...makers(withoutTimeLimit(sandbox)),
    timeLimited: makers(sandbox),
    clipped,
    engineOn,
    close: () => sandbox.close(),
  }
}

export const loginEvent = (more: Partial<PostLoginEvent> = {}): PostLoginEvent => ({
  tenant: { id: 'default' },
  authentication: { methods: [{ name: 'pwd', timestamp: '2027-01-15T08:00:00.000Z' }] },
  authorization: { roles: ['Clerk'] },
  client: { client_id: 'web', name: 'Web', metadata: {} },
  connection: { id: 'con_1', name: 'Users', strategy: 'auth0', metadata: {} },
  request: { ip: '192.0.2.1', method: 'POST', hostname: 'id.test', query: {}, body: {}, geoip: {} },
  stats: { logins_count: 1 },
  user: { user_id: 'auth0|1', email: 'ada@example.com', user_metadata: {}, app_metadata: { plan: 'gold' } },
  ...more,
})
