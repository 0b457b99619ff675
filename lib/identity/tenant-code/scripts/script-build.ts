// The packages of scripts, rules and hooks as they were built. They are built when these are saved; a run builds nothing.
import { addSeconds, type Clock } from '../../../kernel/clock'
import { DomainError } from '../../../kernel/errors'
import { covers, keyOf, type Need } from '../actions/need'
import { needOfScripts } from './packages'

/** Both members are null while they are built. */
export type ScriptBuild = { bundle: string | null; failure: string | null }

export type ScriptBuildPort = {
  /** What was made for it, or for a need that has all of it. */
  find(need: Need): Promise<ScriptBuild | null>
  /** Has it built, unless it is; what failed before is tried again. */
  order(need: Need, at: Date): Promise<void>
}

/** The bundle of a need among those of its tenant: its own, or one that has all of it. */
export const bundleAmong = (built: readonly { need: Need; bundle: string | null }[], need: Need): string | null =>
  (built.find((each) => keyOf(each.need) === keyOf(need)) ?? built.find((each) => covers(each.need, need)))?.bundle ??
  null

export type PackagesFound = { bundle?: string } | { problem: string }

/** The bundle to run with, or why there is none. */
export async function packagesFor(need: Need | null, builds: Pick<ScriptBuildPort, 'find'>): Promise<PackagesFound> {
  if (need === null) return {}
  const built = await builds.find(need)
  if (built?.bundle) return { bundle: built.bundle }
  return { problem: `its packages are not there: ${built?.failure ?? 'they are being built'}` }
}

type Scripts = Readonly<Record<string, string | undefined>>

/** Of scripts as they are cached: they may be long. */
const needs = new WeakMap<Scripts, Need | null>()

/** The same of the scripts of a connection. */
export function packagesOf(scripts: Scripts, builds: Pick<ScriptBuildPort, 'find'>): Promise<PackagesFound> {
  let need = needs.get(scripts)
  if (need === undefined) {
    need = needOfScripts(Object.values(scripts).filter((each) => each !== undefined))
    needs.set(scripts, need)
  }
  return packagesFor(need, builds)
}

/** Of a process: lets a request wait for a build, or throws. The caller calls the returned function when it waits no longer. */
export type AdmitWait = (tenantId: string) => () => void

/** A waiting request has a place among the requests of all tenants (lib/http/admission.ts). */
const MAX_WAITING = 2
const RETRY_SECONDS = 5

/** Counts the requests of each tenant that wait. */
export function createBuildWaits(): AdmitWait {
  const waiting = new Map<string, number>()
  return (tenantId) => {
    const count = waiting.get(tenantId) ?? 0
    if (count >= MAX_WAITING)
      throw new DomainError(
        'too_many_requests',
        `${MAX_WAITING} requests wait until packages are built. Try again when one of them has ended.`,
        { retryAfter: RETRY_SECONDS },
      )
    waiting.set(tenantId, count + 1)
    return () => {
      const left = (waiting.get(tenantId) ?? 0) - 1
      if (left > 0) waiting.set(tenantId, left)
      else waiting.delete(tenantId)
    }
  }
}

/** Of a tenant file, which builds the packages itself. */
export type BrokenScripts = {
  /** Keeps a script that cannot run, and so fails, and reports why and which member it is. Without it, such a script is refused. */
  keepBroken?(why: string, path: string): void
}

/** Throws the refusal of code that cannot run, unless it is kept: then it is reported. */
export function refuseBroken({ keepBroken }: BrokenScripts, why: string, path: string, refusal: DomainError): void {
  if (!keepBroken) throw refusal
  keepBroken(why, path)
}

export type PreparingDeps = {
  tenantId: string
  scriptBuilds: ScriptBuildPort
  /** Null where nothing is built while a request waits. */
  admitWait: AdmitWait | null
  wakeJobs(): void
  clock: Clock
  pause(milliseconds: number): Promise<void>
}

/** The packages of the same scripts before a change and after it; null where they need none, or do not run. */
export type NeedChange = { before: Need | null; after: Need | null }

const PAUSE_MS = 200
/** Of one request. An idempotency key counts on less than a minute (lib/management/operations/idempotency.ts). */
const MAX_WAIT_SECONDS = 45

/** When a request that begins now waits no longer. */
export const endOfWait = (clock: Clock): Date => addSeconds(clock.now(), MAX_WAIT_SECONDS)

/**
 * Has packages built before what needs them is saved. Null once they are there, or what is wrong with them. Where those before the change are not
 * there, nothing runs that it could harm: they are ordered only, so that what cannot be built can be changed and removed.
 */
export async function preparePackages(
  changes: readonly NeedChange[],
  until: Date,
  deps: PreparingDeps,
): Promise<string | null> {
  for (const { before, after } of changes) {
    if (after === null || (before !== null && keyOf(before) === keyOf(after))) continue
    if ((await deps.scriptBuilds.find(after))?.bundle) continue
    const why =
      before === null || (await deps.scriptBuilds.find(before))?.bundle
        ? await whyUnprepared(after, until, deps)
        : await order(after, deps)
    if (why !== null) return why
  }
  return null
}

async function order(need: Need, { scriptBuilds, clock, wakeJobs }: PreparingDeps): Promise<null> {
  await scriptBuilds.order(need, clock.now())
  wakeJobs()
  return null
}

async function whyUnprepared(need: Need, until: Date, deps: PreparingDeps): Promise<string | null> {
  const { tenantId, scriptBuilds, admitWait, clock, pause } = deps
  if (admitWait === null)
    return 'are not built by this server: run `npm run tenant -- apply FILE` on a machine that reaches its database and the registry'
  const leave = admitWait(tenantId)
  try {
    await order(need, deps)
    while (clock.now() < until) {
      const built = await scriptBuilds.find(need)
      if (built?.bundle) return null
      if (built?.failure) return `could not be built: ${built.failure}`
      await pause(PAUSE_MS)
    }
    return 'are still being built: try again in a minute'
  } finally {
    leave()
  }
}
