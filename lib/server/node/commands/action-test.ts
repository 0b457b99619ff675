// `npm run actions -- test`: runs the file of an action once on an event, in the sandbox of the server and without a database, and shows
// what it does. Nothing is applied or recorded.
import { basename } from 'node:path'
import * as z from 'zod'
import { createOutgoing } from '../../../adapters/channels/action-network'
import { writeOfAction } from '../../../adapters/channels/action-reach'
import { TRIGGERS, type TriggerName } from '../../../data/tenants/triggers'
import { ACTION_FACTORS } from '../../../identity/mfa/factors/index'
import { actionSettings, sealActionSecret, toAction } from '../../../identity/tenant-code/actions/action'
import { isTrigger, syntaxProblem, whyNotRunnable } from '../../../identity/tenant-code/actions/check'
import { type TriedAction, tryAction } from '../../../identity/tenant-code/actions/engine'
import { CONTINUES, HANDLERS } from '../../../identity/tenant-code/actions/methods'
import { SAMPLES } from '../../../identity/tenant-code/actions/samples'
import { modulesIn } from '../../../identity/tenant-code/actions/source'
import type { UsedModule } from '../../../identity/tenant-code/actions/used-modules'
import { type BuiltBundle, type Dependency, readBundle } from '../../../identity/tenant-code/packages/bundle'
import { packageOf } from '../../../identity/tenant-code/packages/judge.mjs'
import { systemClock } from '../../../kernel/clock'
import type { JsonObject } from '../../../kernel/json'
import { systemRandom } from '../../../kernel/random'
import { createVault, type Vault } from '../../../kernel/secret'
import { parseEnv } from '../../../settings/env'
import { openSandbox } from '../../runtime/actions'
import { UsageError } from '../failure'
import { type CommandContext, readArguments, readText } from './command'

const OPTIONS = {
  event: { type: 'string' },
  trigger: { type: 'string' },
  secret: { type: 'string', multiple: true },
  continue: { type: 'boolean' },
  sample: { type: 'string' },
  bundle: { type: 'string' },
  module: { type: 'string', multiple: true },
} as const

const usage = (): UsageError =>
  new UsageError(
    [
      'Usage: `npm run actions -- test FILE`, with any of these:',
      '  --event FILE         the event, as JSON; otherwise the sample of the trigger',
      '  --trigger NAME       the trigger; otherwise the one whose handler the file exports',
      '  --secret NAME=VALUE  a secret of the action and its modules, as often as you like',
      '  --module NAME=FILE   a module that it requires as actions:NAME, as often as you like',
      '  --bundle FILE        its packages, as `npm run actions -- bundle` writes them',
      `  --continue           run ${Object.values(CONTINUES).join(' or ')}`,
      '`npm run actions -- test --sample TRIGGER` prints an event to begin with.',
    ].join('\n'),
  )

/** The exit code: 0 if the action let the operation pass, 2 if it denied it, 1 if it failed. */
export async function testAction(args: readonly string[], context: CommandContext): Promise<void> {
  const { values, positionals } = readArguments(args, OPTIONS, usage)
  if (values.sample !== undefined) return context.say(JSON.stringify(SAMPLES[triggerOf(values.sample)], null, 2))
  const [path] = positionals
  if (path === undefined || positionals.length > 1) throw usage()
  const code = await readText(path)
  const trigger = values.trigger === undefined ? exportedTrigger(code) : triggerOf(values.trigger)
  const bundle = values.bundle === undefined ? null : await bundleOf(values.bundle)
  // A bundle says what it has when it is used.
  const dependenciesOf = (code: string) =>
    bundle === null ? [] : modulesIn(code).map((module) => ({ name: packageOf(module) }))
  const modules = await Promise.all((values.module ?? []).map((given) => sharedModule(given, dependenciesOf)))
  const dependencies = dependenciesOf(code)
  const problem = syntaxProblem(code) ?? whyNotRunnable({ code, trigger, dependencies, modules })
  if (problem !== null) throw new UsageError(`${path} ${problem}`)
  const event = values.event === undefined ? SAMPLES[trigger] : await eventOf(values.event)
  const tried = await run(path, code, trigger, event as JsonObject, { ...values, bundle, modules }, context)
  for (const line of described(tried, trigger)) context.say(line)
  process.exitCode = { ok: 0, denied: 2 }[tried.outcome] ?? 1
}

type Wanted = {
  secret?: string[] | undefined
  continue?: boolean | undefined
  bundle: BuiltBundle | null
  modules: UsedModule[]
}

/** `NAME=FILE`. */
async function sharedModule(given: string, dependenciesOf: (code: string) => Dependency[]): Promise<UsedModule> {
  const at = given.indexOf('=')
  if (at < 1) throw usage()
  const module_name = given.slice(0, at)
  const code = await readText(given.slice(at + 1))
  const problem = syntaxProblem(code)
  if (problem !== null) throw new UsageError(`${given.slice(at + 1)} ${problem}`)
  const named = { module_id: module_name, module_name, module_version_id: module_name, module_version_number: 1 }
  return { ...named, code, dependencies: dependenciesOf(code), sealed: {} }
}

async function bundleOf(path: string): Promise<BuiltBundle> {
  const built = readBundle(await readText(path))
  if ('failure' in built) throw new UsageError(`${path}: ${built.failure}`)
  return built.bundle
}

async function run(
  path: string,
  code: string,
  trigger: TriggerName,
  event: JsonObject,
  { secret = [], continue: continues, bundle, modules: given }: Wanted,
  { root, source }: CommandContext,
): Promise<TriedAction> {
  const env = parseEnv(source)
  // The secrets live as long as the command.
  const vault = createVault(systemRandom.token(32))
  const named = bundle === null ? {} : { bundle: bundle.digest }
  const secrets = sealed(secret, vault)
  const modules = given.map((each) => ({ ...each, sealed: secrets }))
  const settings = actionSettings.parse({ code, trigger, modules, sealed: secrets, ...named })
  const action = toAction({ name: basename(path).replace(/\.[cm]?js$/, ''), settings })
  if (!action) throw new UsageError(`${path} cannot be read as an action.`)
  const policy = {
    allowLoopback: env.development,
    allowPrivate: env.allowPrivateTargets,
    proxy: env.outboundProxy,
  }
  const reach = { inner: env.actionHosts, ownUrl: async () => env.appUrl, customUrls: async () => [] }
  const mark = () => writeOfAction('test', systemClock.now(), vault)
  const sandbox = openSandbox(root, createOutgoing({ policy, reach, mark }))
  try {
    return await tryAction(action, event, (continues && CONTINUES[trigger]) || HANDLERS[trigger], {
      actions: {
        find: async () => null,
        deployedFor: async () => [],
        bundle: async () => bundle?.code ?? null,
        sourceMap: async () => bundle?.map ?? null,
      },
      ...{ tenantId: 'test', factors: ACTION_FACTORS, sandbox, vault, clock: systemClock, random: systemRandom },
    })
  } finally {
    sandbox.close()
  }
}

function sealed(secrets: readonly string[], vault: Vault): Record<string, string> {
  const pairs = secrets.map((each) => {
    const at = each.indexOf('=')
    if (at < 1) throw new UsageError(`--secret ${each} has no form NAME=VALUE.`)
    return [each.slice(0, at), sealActionSecret(each.slice(at + 1), vault, systemRandom)]
  })
  return Object.fromEntries(pairs) as Record<string, string>
}

function triggerOf(name: string): TriggerName {
  if (isTrigger(name)) return name
  throw new UsageError(`There is no trigger ${name}. There are: ${TRIGGERS.join(', ')}.`)
}

function exportedTrigger(code: string): TriggerName {
  const found = TRIGGERS.filter((trigger) => new RegExp(`\\b${HANDLERS[trigger]}\\b`).test(code))
  const [trigger] = found
  if (trigger !== undefined && found.length === 1) return trigger
  throw new UsageError(
    `Name the trigger with --trigger: the file ${found.length === 0 ? 'exports no handler of one' : `fits ${found.join(' and ')}`}.`,
  )
}

const anEvent = z.record(z.string(), z.json())

async function eventOf(path: string): Promise<JsonObject> {
  const text = await readText(path)
  try {
    return anEvent.parse(JSON.parse(text))
  } catch {
    throw new UsageError(`${path} is no event: it must be an object as JSON.`)
  }
}

/** Replaces control characters in an action's text, which a terminal would interpret. */
function described(tried: TriedAction, trigger: TriggerName): string[] {
  const { outcome, reason, milliseconds, calls, lines, effects, stack } = tried
  return [
    `${outcome}  ${trigger}  ${milliseconds} ms${reason === null ? '' : `  ${reason}`}`,
    ...(stack ?? '').split('\n').filter((line) => line !== '' && !/\(latchkey\/(guest|platform)\.js:/.test(line)),
    ...calls.map(({ method, arguments: given }) => `    ${method}(${argumentsOf(given)})`),
    ...lines.map(({ level, text }) => `    ${level}: ${text}`),
    ...Object.entries(effects).map(([name, value]) => `    => ${name}: ${JSON.stringify(value)}`),
  ].map((line) => line.replace(/\p{Cc}/gu, ' '))
}

const argumentsOf = (given: unknown): string =>
  Array.isArray(given) ? given.map((each) => JSON.stringify(each)).join(', ') : JSON.stringify(given)
