// Runs one action once: passes its event into the sandbox and applies its calls to the effects. Never throws because of the
// action: a run that did not end well, or made an invalid call, has failed, with a reason for the log.

import type { TriggerName } from '../../../data/tenants/triggers'
import type { Entries } from '../../../kernel/entries'
import { type Json, type JsonObject, objectIn } from '../../../kernel/json'
import type { Random } from '../../../kernel/random'
import type { Ran, SandboxJob } from '../sandbox/job'
import type { Effects } from '../trigger'
import type { ActionPort } from './action'
import { type ActionFactors, METHODS, type MetadataOwner } from './methods'
import { placeOf } from './place'
import { parseSanitized } from './sanitize'

export type ActionResult = {
  /** The effects including this run's; unchanged if it failed. */
  effects: Effects
  failure: { outcome: string; reason: string } | null
  warnings: string[]
  ran: Ran
}

/** The time limit of one action in the interpreter, waiting excluded. */
export const ACTION_MS = 500

export function bundleOf(
  name: string,
  digest: string | undefined,
  actions: Pick<ActionPort, 'bundle' | 'sourceMap'>,
): SandboxJob['bundle'] {
  if (digest === undefined) return null
  return {
    digest,
    async code() {
      const code = await actions.bundle(digest)
      if (code === null) throw new Error(`the packages of ${name} are not there`)
      return code
    },
    map: () => actions.sourceMap(digest),
  }
}

/** Four words that are not all zero. */
export const seedOf = (random: Random): number[] =>
  [...new Uint32Array(Uint8Array.from(random.bytes(16)).buffer)].map((word) => word || 1)

/** Bytes of metadata per run; the claims of a token must fit into a header. */
const MAX_METADATA = 32_768

export async function runAction(
  job: SandboxJob,
  trigger: TriggerName,
  before: Effects,
  factors: ActionFactors,
  run: (job: SandboxJob) => Promise<Ran>,
): Promise<ActionResult> {
  const ran = await run(job)
  const failed = (outcome: string, reason: string): ActionResult => ({
    effects: before,
    ran,
    failure: { outcome, reason },
    warnings: [],
  })
  if (ran.outcome !== 'ok') return failed(ran.outcome, reasonOf(ran, job))
  try {
    return { ...meaningOf(ran.calls, job, trigger, before, factors), ran, failure: null }
  } catch (error) {
    return failed('rubbish', firstLine(error))
  }
}

function meaningOf(
  calls: Ran['calls'],
  { handler, now, event }: SandboxJob,
  trigger: TriggerName,
  before: Effects,
  factors: ActionFactors,
): Pick<ActionResult, 'effects' | 'warnings'> {
  const effects = { ...before }
  const warnings: string[] = []
  const context = {
    ...{ factors, handler, now: new Date(now).toISOString() },
    warn: (text: string) => void warnings.push(text),
    userId: () => partOf(event, 'user').user_id,
    targetScopes: () => partOf(event, 'transaction').target_scopes as string[],
    metadataOf: (part: MetadataOwner) => objectIn(partOf(event, part).metadata) as Entries,
  }
  for (const [name, text] of calls) {
    const args = parseSanitized(text)
    const method = METHODS[trigger][name]
    if (!method || !Array.isArray(args)) throw new Error(`api.${name} is not there`)
    applied(name, () => method(effects, args, context))
  }
  if (effects.redirect && effects.primaryUser !== before.primaryUser)
    throw new Error('the browser is redirected before or after the login goes on as another user, and not in one run')
  const { userMetadata, appMetadata, transaction = {} } = effects
  if (JSON.stringify([userMetadata, appMetadata, transaction]).length > MAX_METADATA)
    throw new Error('sets more metadata than there may be')
  return { effects, warnings }
}

const partOf = (event: string, part: string): JsonObject => objectIn((JSON.parse(event) as JsonObject)[part])

function applied(name: string, apply: () => void): void {
  try {
    apply()
  } catch (error) {
    throw new Error(`api.${name}: ${firstLine(error)}`)
  }
}

/** Zod's message is a list; the first line is enough. */
const firstLine = (error: unknown): string => {
  const issues = error instanceof Error && 'issues' in error && Array.isArray(error.issues) ? error.issues : []
  const message = issues.length > 0 ? String((issues[0] as { message: Json }).message) : String(error)
  return message.split('\n')[0]?.slice(0, 300) ?? ''
}

const SENTENCES: Readonly<Record<string, string>> = {
  memory: 'it used more memory than it may use',
  output: 'it asked for more than it may',
  unsettled:
    'it waits for a promise that nothing will settle; an error in a promise that it does not await is not reported',
}

export function reasonOf({ outcome, error }: Ran, { milliseconds, elapsed, file }: SandboxJob): string {
  if (outcome === 'timeout') return `it ran for more than ${milliseconds} ms`
  if (outcome === 'late') return `it waited longer than the ${elapsed} ms that the actions of its trigger had left`
  const thrown = error ? `${error.name}: ${error.message}` : ''
  const place = placeOf(error?.stack ?? '', file)
  return SENTENCES[outcome] ?? `${thrown}${place ? ` (${place})` : ''}`
}
