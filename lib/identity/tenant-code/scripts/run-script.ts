// Runs a script of a connection once, alone in a fresh sandbox, and judges its answer. Its run is in the log of runs, without the values of
// its `configuration` and without what its caller calls secret, such as a password (threat-model.md AC16).
import * as z from 'zod'
import type { Clock } from '../../../kernel/clock'
import type { Json } from '../../../kernel/json'
import type { Random } from '../../../kernel/random'
import type { ActionPort } from '../actions/action'
import { placeOf } from '../actions/place'
import { ACTION_MS, bundleOf, reasonOf, seedOf } from '../actions/run-action'
import { inHundredths, linesOf, OF_CONNECTION, type RunLog, withoutSecrets } from '../actions/runs'
import { parseSanitized } from '../actions/sanitize'
import type { Ran, SandboxJob } from '../sandbox/job'
import type { Sandbox } from '../sandbox/sandbox'
import { HANDLER, METHODS, scriptCode } from './connection-script'

export type ScriptCall = {
  /** In the log of runs: `Legacy/login`. */
  name: string
  script: string
  args: readonly Json[]
  configuration: Readonly<Record<string, string>>
  /** The digest of its packages. */
  bundle?: string | undefined
  /** Texts that are never recorded or shown. */
  secrets: readonly string[]
}

/** The vendor's errors by which a script says no. */
const REFUSALS = ['WrongUsernameOrPasswordError', 'ValidationError', 'UnauthorizedError'] as const

export type ScriptAnswer =
  | { outcome: 'answered'; value: Json }
  | { outcome: 'refused'; error: (typeof REFUSALS)[number]; code: string | null; message: string }
  /** It threw, hung or answered twice; the reason is in the log of runs. */
  | { outcome: 'failed' }

export type ScriptRunner = {
  /** Throws only where the sandbox is too busy. */
  run(call: ScriptCall): Promise<ScriptAnswer>
}

export type ScriptDeps = {
  tenantId: string
  /** A request of an action to its own tenant causes the runs. */
  nested: boolean
  /** Of that request, where the operator wants it in requests of scripts. */
  requestId?: string | undefined
  sandbox: Sandbox
  bundles: Pick<ActionPort, 'bundle' | 'sourceMap'>
  runs: RunLog
  clock: Clock
  random: Random
}

/** The vendor's limit by the clock. */
const SCRIPT_MS = 20_000
/** Of a message that a person or an application is shown. */
const MAX_MESSAGE = 300

export function createScriptRunner(deps: ScriptDeps): ScriptRunner {
  return {
    async run(call) {
      const secrets = secretsOf(call)
      const job = jobOf(call, deps)
      const ran = await deps.sandbox.run(deps.tenantId, job)
      const { answer, reason } = read(ran, job)
      note(call, ran, { answer, reason, secrets }, deps)
      return answer.outcome === 'refused' ? { ...answer, message: withoutSecrets(answer.message, secrets) } : answer
    },
  }
}

const jobOf = ({ name, script, args, configuration, bundle }: ScriptCall, deps: ScriptDeps): SandboxJob => ({
  code: scriptCode(script),
  bundle: bundleOf(name, bundle, deps.bundles),
  file: `${name.replace(/\W+/g, '-')}.js`,
  handler: HANDLER,
  optional: false,
  methods: METHODS,
  event: JSON.stringify({ args, configuration }),
  cache: `${deps.tenantId} connection`,
  now: deps.clock.now().getTime(),
  seed: seedOf(deps.random),
  milliseconds: ACTION_MS,
  elapsed: SCRIPT_MS,
  nested: deps.nested,
  requestId: deps.requestId,
})

/** Also as they are written in JSON, in an address and in a header of basic authentication. */
const secretsOf = ({ secrets, configuration }: ScriptCall): string[] => {
  const all = [...secrets, ...Object.values(configuration)].filter((text) => text !== '')
  const written = all.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('hex'),
  ])
  return [...new Set(written)].sort((one, other) => other.length - one.length)
}

const optionalText = z.string().nullable()
const failure = z.tuple([optionalText, optionalText, optionalText, optionalText])
const success = z.tuple([z.json()])

function read(ran: Ran, job: SandboxJob): { answer: ScriptAnswer; reason: string | null } {
  const failed = (reason: string) => ({ answer: { outcome: 'failed' as const }, reason })
  if (ran.outcome !== 'ok') return failed(reasonOf(ran, job))
  const [call, another] = ran.calls
  if (!call || another) return failed('it gave no answer, or more than one')
  try {
    const args = parseSanitized(call[1])
    if (call[0] === 'script.pass')
      return { answer: { outcome: 'answered', value: success.parse(args)[0] }, reason: null }
    const [name, text, code, stack] = failure.parse(args)
    const message = (text ?? '').slice(0, MAX_MESSAGE)
    const error = REFUSALS.find((each) => each === name)
    return error
      ? { answer: { outcome: 'refused', error, code, message }, reason: `${error}: ${message}` }
      : failed(`${name ?? 'Error'}: ${message}${placeIn(stack, job)}`)
  } catch {
    return failed('its answer cannot be read')
  }
}

/** Of the author's source. */
function placeIn(stack: string | null, { file }: SandboxJob): string {
  const place = placeOf(stack ?? '', file)
  return place ? ` (${place})` : ''
}

type Ended = { answer: ScriptAnswer; reason: string | null; secrets: readonly string[] }

function note(
  { name }: ScriptCall,
  ran: Ran,
  { answer, reason, secrets }: Ended,
  { tenantId, runs, clock }: ScriptDeps,
): void {
  const outcome = { answered: 'ok', refused: 'denied', failed: ran.outcome === 'ok' ? 'threw' : ran.outcome } as const
  runs.note({
    ...{ tenantId, at: clock.now(), trigger: OF_CONNECTION, action: name, userId: null, clientId: null },
    outcome: outcome[answer.outcome],
    reason: reason === null ? null : withoutSecrets(reason, secrets),
    milliseconds: inHundredths(ran),
    lines: linesOf(ran, secrets),
  })
}
