// The actions engine of one tenant: runs the actions bound to a trigger in order, each alone in a fresh sandbox.
// - An action that denies, redirects or requests a challenge ends the run. A suspended run continues with the next action, or
//   after a redirect with the same one's `onContinuePostLogin`.
// - A failed action denies or passes as its setting says; both are logged (threat-model.md AC3).
// - A bound action that cannot be read counts as failed: a missing row must not grant access.

import type { TriggerBindings, TriggerName } from '../../../data/tenants/triggers'
import type { Clock } from '../../../kernel/clock'
import { changed } from '../../../kernel/entries'
import { DomainError } from '../../../kernel/errors'
import type { Json, JsonObject } from '../../../kernel/json'
import type { Random } from '../../../kernel/random'
import type { Vault } from '../../../kernel/secret'
import type {
  CredentialsExchangeEvent,
  EventRequest,
  EventSecurityContext,
  PostLoginEvent,
  TriggerEvents,
} from '../event'
import { eventRecorded } from '../events'
import type { PlaceOf } from '../geoip'
import type { Ran, SandboxJob, SharedCode } from '../sandbox/job'
import type { RecordedRequest } from '../sandbox/requests'
import type { Sandbox } from '../sandbox/sandbox'
import type { LegacyAction, LegacyActions } from '../scripts/legacy-action'
import { packagesFor, type ScriptBuildPort } from '../scripts/script-build'
import { type Denied, type Effects, noEffects, type ObservedAction, type TriggerEngine } from '../trigger'
import { type Action, type ActionPort, decidesAccess, failurePolicy, secretsOf } from './action'
import { type ActionFactors, CONTINUES, HANDLERS, methodNames } from './methods'
import { ACTION_MS, type ActionResult, bundleOf, runAction, seedOf } from './run-action'
import { inHundredths, linesOf, type RunLog, withoutSecrets } from './runs'
import { secretTextsIn } from './secret-texts'
import type { UsedModule } from './used-modules'

export type EngineDeps = {
  tenantId: string
  /** A request of an action to its own tenant causes the runs. */
  nested: boolean
  /** Of that request, where the operator wants it in requests of actions. */
  requestId?: string | undefined
  triggers: TriggerBindings
  /** The vendor's rules and hooks, each of which runs before the actions of its trigger (lib/identity/tenant-code/scripts/). */
  legacy?: LegacyActions
  /** Of their packages. */
  scriptBuilds: Pick<ScriptBuildPort, 'find'>
  factors: ActionFactors
  actions: ActionPort
  sandbox: Sandbox
  runs: RunLog
  placeOf: PlaceOf
  /** Of the request that causes the runs, as a trusted proxy states it. */
  fingerprint?: EventSecurityContext | undefined
  vault: Vault
  clock: Clock
  random: Random
}

type Step = {
  name: string
  handler: string
  optional: boolean
  /** An action that is not deployed fails, and is not passed over. */
  needed?: true
  /** In place of the action of that name. */
  legacy?: LegacyAction
  /** It delivers a message: a failure denies, whatever is set. */
  delivers?: true
}

/** The time limit of all actions at a trigger by the clock, waiting included: the vendor's. */
const TRIGGER_MS = 20_000

const FAILED: Denied = {
  code: 'access_denied',
  reason: 'An action of this tenant could not be run',
  userMessage: null,
  failed: true,
}

export function createEngine(deps: EngineDeps): TriggerEngine {
  const { triggers } = deps
  return {
    isBound: (trigger) => (triggers[trigger]?.length ?? 0) > 0 || legacyAt(trigger, deps) !== null,
    bound: (trigger) => (stepsOf(trigger, deps, undefined) ?? []).map(({ name }) => name),
    async run(trigger, event, past, observe) {
      const steps = stepsOf(trigger, deps, past)
      if (steps === null) return { ...noEffects(), denied: FAILED }
      return runSteps(steps, trigger, event, resumed(past), deps, observe)
    },
    async deliver(trigger, event) {
      const legacy = legacyAt(trigger, deps)
      const own = (triggers[trigger] ?? []).map(({ action_name: name }) => name)
      const bound = legacy ? [legacy.action.name, ...own] : own
      const [name, another] = bound.length > 0 ? bound : await deps.actions.deployedFor(trigger)
      if (name === undefined || another !== undefined) return null
      const step: Step = { ...stepOf(name, trigger), needed: true, delivers: true, ...(legacy ? { legacy } : {}) }
      return runSteps([step], trigger, event, noEffects(), deps)
    },
    runOne(name, trigger, event) {
      return runSteps([{ ...stepOf(name, trigger), needed: true }], trigger, event, noEffects(), deps)
    },
  }
}

const stepOf = (name: string, trigger: TriggerName): Step => ({ name, handler: HANDLERS[trigger], optional: false })

/** Null if the action of the suspension is no longer bound: its decision cannot be known. */
function stepsOf(trigger: TriggerName, deps: EngineDeps, past: Effects | undefined): Step[] | null {
  const legacy = legacyAt(trigger, deps)
  const steps: Step[] = [
    ...(legacy ? [{ ...stepOf(legacy.action.name, trigger), legacy }] : []),
    ...(deps.triggers[trigger] ?? []).map(({ action_name: name }) => stepOf(name, trigger)),
  ]
  if (!past?.suspended) return steps
  const { action, awaits } = past.suspended
  if (awaits === 'user') return steps
  const index = steps.findIndex(({ name }) => name === action)
  const step = steps[index]
  if (!step) return null
  const rest = steps.slice(index + 1)
  return awaits === 'redirect' ? [{ ...step, handler: CONTINUES[trigger] ?? '', optional: true }, ...rest] : rest
}

const legacyAt = (trigger: TriggerName, { legacy = {} }: Pick<EngineDeps, 'legacy'>) => legacy[trigger] ?? null

function resumed(past: Effects | undefined): Effects {
  if (!past) return noEffects()
  const multifactor = past.suspended?.awaits === 'factor' ? (past.suspended.enabled ?? null) : past.multifactor
  return { ...past, multifactor, redirect: null, suspended: null }
}

async function runSteps<T extends TriggerName>(
  steps: Step[],
  trigger: T,
  event: TriggerEvents[T],
  past: Effects,
  deps: EngineDeps,
  observe?: (ran: ObservedAction) => void,
): Promise<Effects> {
  const known = withSurroundings(event, deps)
  const deadline = deps.clock.now().getTime() + TRIGGER_MS
  let effects = past
  for (const step of steps) {
    effects = await runStep(step, trigger, known, effects, deadline, deps, observe)
    if (effects.denied || effects.suspended) return effects
  }
  return effects
}

/** The event with what is known of the request's address and connection. */
function withSurroundings<E extends TriggerEvents[TriggerName]>(
  event: E,
  { placeOf, fingerprint }: Pick<EngineDeps, 'placeOf' | 'fingerprint'>,
): E {
  const { request } = event as { request?: EventRequest }
  return {
    ...event,
    ...(request && placeOf ? { request: { ...request, geoip: placeOf(request.ip) } } : {}),
    ...(fingerprint ? { security_context: fingerprint } : {}),
  }
}

async function runStep<T extends TriggerName>(
  step: Step,
  trigger: T,
  event: TriggerEvents[T],
  before: Effects,
  deadline: number,
  deps: EngineDeps,
  observe: ((ran: ObservedAction) => void) | undefined,
): Promise<Effects> {
  const action = step.legacy?.action ?? (await deps.actions.find(step.name))
  if (action && !action.deployed && !step.needed) return before
  const elapsed = deadline - deps.clock.now().getTime()
  const ended = await attempt(action, { ...step, elapsed }, trigger, event, before, deps)
  const noted = note(ended, step, action, trigger, event, deps)
  const after = afterRun(ended, step, action, trigger, before, event)
  observe?.({
    ...{ trigger, name: step.name, event, before, after },
    ...{ outcome: noted.outcome, failure: noted.reason, milliseconds: noted.milliseconds },
  })
  return after
}

function afterRun<T extends TriggerName>(
  ended: ActionResult,
  step: Step,
  action: Action | null,
  trigger: T,
  before: Effects,
  event: TriggerEvents[T],
): Effects {
  if (!ended.failure) return suspendedAt(step, before, ended.effects, event)
  const policy = step.delivers ? 'deny' : failurePolicy({ on_failure: action?.on_failure, trigger })
  return policy === 'deny' ? { ...before, denied: FAILED } : before
}

async function attempt<T extends TriggerName>(
  action: Action | null,
  step: Step & { elapsed: number },
  trigger: T,
  event: TriggerEvents[T],
  before: Effects,
  deps: EngineDeps,
): Promise<ActionResult> {
  const fail = (outcome: string, reason: string): ActionResult => ({
    effects: before,
    failure: { outcome, reason },
    ran: IDLE,
    warnings: [],
  })
  if (!action?.deployed) return fail('missing', action ? 'it is not deployed' : 'there is no action of this name')
  if (step.elapsed <= 0) return fail('late', `the actions before it took more than ${TRIGGER_MS} ms`)
  const packages = await packagesFor(step.legacy?.need ?? null, deps.scriptBuilds)
  if ('problem' in packages) return fail('missing', packages.problem)
  try {
    const job = jobOf({ ...action, ...packages }, step, trigger, eventAfter(trigger, event, before), deps)
    return await runAction(job, trigger, before, deps.factors, (job) => deps.sandbox.run(deps.tenantId, job))
  } catch (error) {
    // The queue is full. An action that decides access must not be skipped, so the request fails with 503 and the client can
    // retry; a notification is dropped.
    if (error instanceof DomainError && decidesAccess(trigger)) throw error
    return fail(error instanceof DomainError ? 'busy' : 'broken', error instanceof Error ? error.message : 'unknown')
  }
}

/** The event with what earlier actions of this login set. */
function eventAfter<T extends TriggerName>(trigger: T, event: TriggerEvents[T], past: Effects): TriggerEvents[T] {
  if (trigger === 'credentials-exchange' && past.targetScopes) {
    const { transaction } = event as CredentialsExchangeEvent
    return { ...event, transaction: { ...transaction, target_scopes: past.targetScopes } }
  }
  if (trigger !== 'post-login') return event
  const { authentication, transaction, session, refresh_token } = event as PostLoginEvent
  const methods = [...(authentication?.methods ?? []), ...(past.recorded ?? []).map(eventRecorded)]
  const metadata = past.transaction ?? {}
  const described = past.session?.metadata
  const ofToken = past.refreshToken?.metadata
  return {
    ...event,
    authentication: { ...authentication, methods },
    ...(transaction && { transaction: { ...transaction, metadata } }),
    ...(session && described && { session: { ...session, metadata: changed(session.metadata, described) } }),
    ...(refresh_token &&
      ofToken && { refresh_token: { ...refresh_token, metadata: changed(refresh_token.metadata, ofToken) } }),
  }
}

function jobOf<T extends TriggerName>(
  action: Action,
  { handler, optional, elapsed }: Step & { elapsed: number },
  trigger: T,
  event: TriggerEvents[T],
  deps: Pick<EngineDeps, 'tenantId' | 'nested' | 'requestId' | 'legacy' | 'actions' | 'vault' | 'clock' | 'random'>,
): SandboxJob {
  const { tenantId, nested, requestId, actions, vault, clock, random } = deps
  const own = { secrets: secretsOf(action, vault), configuration: {} }
  return {
    code: action.code,
    modules: action.modules.map((each) => sharedCode(each, vault)),
    bundle: bundleOf(action.name, action.bundle, actions),
    file: fileOf(action.name),
    handler,
    optional,
    methods: methodNames(trigger),
    event: JSON.stringify({ ...event, ...own }),
    cache: `${tenantId} ${trigger}`,
    rules: legacyAt(trigger, deps)?.ids ?? [],
    now: clock.now().getTime(),
    seed: seedOf(random),
    milliseconds: ACTION_MS,
    elapsed,
    nested,
    requestId,
  }
}

const fileOf = (name: string): string => `${name.replace(/\W+/g, '-')}.js`

const sharedCode = ({ module_name: name, code, sealed }: UsedModule, vault: Vault): SharedCode => ({
  name,
  code,
  file: `modules/${fileOf(name)}`,
  secrets: secretsOf({ name, sealed }, vault),
})

const IDLE: Ran = {
  outcome: 'broken',
  error: null,
  calls: [],
  lines: [],
  droppedLines: 0,
  milliseconds: 0,
  requests: [],
}

/** Suspends the run if this action requested a redirect, a factor or another user, which the later actions must wait for. */
function suspendedAt(
  { name: action }: Step,
  before: Effects,
  effects: Effects,
  event: TriggerEvents[TriggerName],
): Effects {
  if (effects.denied) return effects
  const { primaryUser } = effects
  if (primaryUser !== before.primaryUser && primaryUser !== idsIn(event).userId)
    return { ...effects, suspended: { action, awaits: 'user' } }
  if (effects.redirect) return { ...effects, suspended: { action, awaits: 'redirect' } }
  const { multifactor } = effects
  const requestsFactor =
    multifactor !== before.multifactor && (multifactor?.kind === 'challenge' || multifactor?.kind === 'enroll')
  const enabled = before.multifactor?.kind === 'enable' ? { enabled: before.multifactor } : {}
  return requestsFactor ? { ...effects, suspended: { action, awaits: 'factor', ...enabled } } : effects
}

function note<T extends TriggerName>(
  ended: ActionResult,
  { name }: Step,
  action: Action | null,
  trigger: T,
  event: TriggerEvents[T],
  { tenantId, runs, vault, clock }: EngineDeps,
) {
  const { lines, requests } = ended.ran
  const says = action && (lines.length + requests.length + ended.warnings.length > 0 || ended.failure)
  const secrets = says ? [...secretTextsIn(event), ...safeSecrets(action, vault)] : []
  const outcome = outcomeOf(ended, secrets)
  runs.note({ tenantId, at: clock.now(), trigger, action: name, ...idsIn(event), ...outcome })
  return outcome
}

/** What is shown of a run, without the action's secrets. */
function outcomeOf({ failure, effects, ran, warnings }: ActionResult, secrets: readonly unknown[]) {
  const ours = [...warnings, ...(ran.droppedLines > 0 ? [`${ran.droppedLines} further lines were dropped`] : [])]
  return {
    outcome: failure?.outcome ?? (effects.denied || effects.undelivered ? 'denied' : 'ok'),
    reason: failure ? withoutSecrets(failure.reason, secrets) : null,
    milliseconds: inHundredths(ran),
    lines: [...linesOf(ran, secrets), ...ours.map((text) => ({ level: 'warn', text: withoutSecrets(text, secrets) }))],
  }
}

export type TriedAction = ReturnType<typeof outcomeOf> & {
  effects: JsonObject
  /** In order, also those of a run that failed. */
  calls: { method: string; arguments: Json }[]
  requests: RecordedRequest[]
  /** Of an error that the action did not catch. */
  stack: string | null
}

/** Runs an action once on an event of the author's. Nothing is applied or recorded. */
export async function tryAction(
  action: Action,
  event: JsonObject,
  handler: string,
  deps: Pick<EngineDeps, 'tenantId' | 'actions' | 'factors' | 'sandbox' | 'vault' | 'clock' | 'random'>,
): Promise<TriedAction> {
  const { tenantId, factors, sandbox, vault } = deps
  const { name, trigger } = action
  const step = { name, handler, optional: false, elapsed: TRIGGER_MS }
  const job = { ...jobOf(action, step, trigger, event as never, { ...deps, nested: false }), cache: `${tenantId} test` }
  const ended = await runAction(job, trigger, noEffects(), factors, (job) => sandbox.run(tenantId, job))
  const secrets = safeSecrets(action, vault)
  const none: Record<string, unknown> = noEffects()
  const set = Object.entries(ended.effects).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(none[key]),
  )
  const shown = (text: string): Json => maskedJson(JSON.parse(text), secrets)
  return {
    ...outcomeOf(ended, secrets),
    effects: shown(JSON.stringify(Object.fromEntries(set))) as JsonObject,
    calls: ended.ran.calls.map(([method, text]) => ({ method: `api.${method}`, arguments: shown(text) })),
    requests: ended.ran.requests.map((each) => ({ ...each, host: withoutSecrets(each.host, secrets) })),
    stack: ended.ran.error?.stack ? withoutSecrets(ended.ran.error.stack, secrets) : null,
  }
}

function maskedJson(value: Json, secrets: readonly unknown[]): Json {
  if (typeof value === 'string') return withoutSecrets(value, secrets)
  if (Array.isArray(value)) return value.map((each) => maskedJson(each, secrets))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, each]) => [withoutSecrets(key, secrets), maskedJson(each, secrets)])
  return Object.fromEntries(members) as JsonObject
}

function safeSecrets(action: Action, vault: Vault): unknown[] {
  try {
    const { modules } = action
    const owners = [action, ...modules.map(({ module_name: name, sealed }) => ({ name, sealed }))]
    return owners.flatMap((owner) => Object.values(secretsOf(owner, vault)))
  } catch {
    return []
  }
}

function idsIn(event: TriggerEvents[TriggerName]): { userId: string | null; clientId: string | null } {
  const { user, client } = event as { user?: JsonObject; client?: JsonObject }
  const id = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return { userId: id(user?.user_id), clientId: id(client?.client_id) }
}
