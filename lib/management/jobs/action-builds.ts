// Bundles the packages of actions whose drafts were saved, one at a time in a process, apart from the requests. The lease of a build is its fencing
// token: a process that took longer, or whose draft was saved again, changes nothing.

import type { Need } from '../../identity/tenant-code/actions/need'
import type { Built, Bundler } from '../../identity/tenant-code/packages/bundle'
import { addSeconds, type Clock } from '../../kernel/clock'
import { createPassRunner, type PassRunner } from '../../kernel/pass-runner'
import { reportRetried } from '../../kernel/retried'
import type { Step } from './job'

export type DueBuild = {
  tenantId: string
  actionId: string
  /** Null where the draft needs no packages any more. */
  need: Need | null
  leaseUntil: Date
  attempt: number
}

export type ActionBuildStore = {
  /** Takes a build that is due, if there is one. */
  take(step: Step): Promise<DueBuild | null>
  /** Keeps what was made with the draft, and deploys it where that is wished. Without effect where the lease is another one now. */
  finish(build: DueBuild, built: Built, at: Date): Promise<void>
}

export type ActionBuildDeps = {
  /** In the order in which they are asked. */
  stores: readonly ActionBuildStore[]
  bundler: Bundler
  clock: Clock
  log: Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>
}

const POLL_SECONDS = 15
/** Longer than the bundler gives itself. */
const LEASE_SECONDS = 300
const MAX_ATTEMPTS = 3

/** A stop ends a build under way; another process takes it when its lease is over. */
export function createActionBuilds(deps: ActionBuildDeps): PassRunner {
  const stopping = new AbortController()
  const runner = createPassRunner({
    async pass(isOver) {
      await buildActions(deps, isOver, stopping.signal)
      return undefined
    },
    failed(error, inARow) {
      if (!stopping.signal.aborted)
        reportRetried(error, inARow, 'The packages of an action could not be built; trying again.', deps.log)
    },
    clock: deps.clock,
    pollSeconds: POLL_SECONDS,
  })
  return {
    ...runner,
    stop() {
      stopping.abort()
      return runner.stop()
    },
  }
}

/** Works on every build that is due. */
export async function buildActions(
  { stores, bundler, clock }: ActionBuildDeps,
  isOver: () => boolean = () => false,
  signal?: AbortSignal,
): Promise<void> {
  for (const store of stores) {
    while (!isOver()) {
      const at = clock.now()
      const build = await store.take({ at, leaseUntil: addSeconds(at, LEASE_SECONDS) })
      if (!build) break
      await store.finish(build, await builtOf(build, bundler, signal), clock.now())
    }
  }
}

async function builtOf({ need, attempt }: DueBuild, bundler: Bundler, signal?: AbortSignal): Promise<Built> {
  if (attempt > MAX_ATTEMPTS) return { failure: 'The build was given up after several attempts that did not end.' }
  return need === null
    ? { failure: 'There is nothing to build.' }
    : bundler.build(need.dependencies, need.entries, signal)
}
