// Runs actions in a few threads with a bounded queue (threat-model.md AC2, AC7). A run is a row of slices: each is a job of a thread, and
// between two of them the run waits here, as bytes, for what it has started. So a run that waits holds no thread, and a thread that fails
// takes only the slice that it runs with it.
// - A slice ends with a result, by its own deadline inside, or its thread is terminated: because it missed the deadline, or because its
//   interpreter failed.
// - A run begins in the small image of the interpreter. What needs the platform's interfaces begins again in the large one; so does
//   its code from then on. A run with packages begins in theirs.
import { createThreadPool } from '../../../kernel/thread-pool'
import { createHeld, type Held } from './held'
import { type Beginning, createImages, type Images } from './images'
import type {
  BuiltImage,
  Image,
  LoadableBundle,
  Making,
  Ran,
  SandboxJob,
  Slice,
  Sliced,
  StackToTrace,
  Traced,
} from './job'
import { openWaiting, type Services, type Waiting } from './services'
import { PACKAGES_FILE } from './source-map.mjs'

export type Sandbox = {
  /** Rejects only with 503: the queue is full, or the runs that wait hold too much. */
  run(tenantId: string, job: SandboxJob): Promise<Ran>
  /** Resolves when no run is under way. */
  settled(): Promise<void>
  close(): void
}

type SandboxOptions = {
  /** The file of the threads. */
  worker: string
  /** The file of the platform's interfaces (lib/server/node/platform.mjs). */
  platform: string
  threads: number
  queueLimit: number
  /** Bytes of all runs that wait. */
  heldLimit?: number
  /** Bytes of the images of packages, milliseconds for making one, and after how many one that could not be made is made again. */
  imageLimit?: number
  preparing?: number
  retryAfter?: number
  /** What runs may wait for. */
  services: Services
}

const BUSY = 'The server is busy running rules, try again shortly'

/** Time for the thread to notice its own deadline, also on a busy machine. */
const GRACE_MS = 1000
/** The interpreter's own limit ends deep recursion long before the thread's stack does. */
const RESOURCES = { stackSizeMb: 16, maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

/** The platform takes a few hundred milliseconds, a large package two seconds. */
const PREPARING_MS = 10_000

/** Characters of a source map, and how many translated stacks are kept: an action that fails does so often at one place. */
const MAX_MAP = 16 * 1024 * 1024
const MAX_STACKS = 200

/** A run that waits holds some 200 KiB. */
const MAX_HELD = 512 * 1024 * 1024

type RunSlice = (slice: Slice) => Promise<Sliced | null>

export function createSandbox({
  worker,
  platform,
  threads,
  queueLimit,
  heldLimit = MAX_HELD,
  imageLimit,
  preparing = PREPARING_MS,
  retryAfter,
  services,
}: SandboxOptions): Sandbox {
  const pool = createThreadPool<Slice | Making | StackToTrace, Sliced | BuiltImage | Traced>({
    file: worker,
    name: 'action',
    resources: RESOURCES,
    isFatal: ({ outcome }) => outcome === 'broken',
    threads,
    queueLimit,
    whenFull: BUSY,
  })
  const images = createImages({ platform, limit: imageLimit, retryAfter, make })
  const held = createHeld(heldLimit)
  const underWay = new Set<Promise<Ran>>()

  async function make(making: Omit<Making, 'milliseconds'>): Promise<BuiltImage | null> {
    const job = { ...making, milliseconds: preparing }
    const ended = await pool.run(job, { owner: making.tenant, milliseconds: preparing + GRACE_MS })
    return ended.kind === 'answered' ? (ended.answer as BuiltImage) : null
  }

  const stacks = new Map<string, string>()
  /** The stack with the places of packages in their sources, as far as they are known. */
  async function trace(tenant: string, stack: string, bundle: LoadableBundle): Promise<string> {
    const key = `${tenant} ${bundle.digest} ${stack}`
    const known = stacks.get(key)
    if (known !== undefined) return known
    const map = await bundle.map?.().catch(() => null)
    if (!map || map.length > MAX_MAP) return stack
    const ended = await pool.run({ tenant, stack, map }, { owner: tenant, milliseconds: GRACE_MS })
    const { stack: traced = stack } = ended.kind === 'answered' ? (ended.answer as Traced) : {}
    stacks.set(key, traced)
    const [oldest = ''] = stacks.keys()
    if (stacks.size > MAX_STACKS) stacks.delete(oldest)
    return traced
  }

  async function run(tenant: string, job: SandboxJob): Promise<Ran> {
    const waiting = openWaiting(
      services,
      { tenantId: tenant, action: job.file, nested: job.nested ?? false, requestId: job.requestId },
      job.elapsed,
    )
    const runSlice: RunSlice = async (slice) => {
      const milliseconds = slice.milliseconds + GRACE_MS
      const ended = await pool.run(slice, { owner: tenant, milliseconds })
      if (ended.kind === 'answered') return ended.answer as Sliced
      return ended.kind === 'overrun' ? { ...NOTHING, outcome: 'timeout', milliseconds } : null
    }
    try {
      const ran = await runIn(tenant, job, { waiting, images, held, runSlice })
      const { error } = ran
      if (error && job.bundle && error.stack.includes(PACKAGES_FILE))
        error.stack = await trace(tenant, error.stack, job.bundle).catch(() => error.stack)
      return { ...ran, requests: waiting.requests() }
    } finally {
      waiting.close()
    }
  }

  return {
    run(tenant, job) {
      const ran = run(tenant, job)
      underWay.add(ran)
      const forget = (): void => void underWay.delete(ran)
      ran.then(forget, forget)
      return ran
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    close: pool.close,
  }
}

type Parts = { waiting: Waiting; images: Images; held: Held; runSlice: RunSlice }

/** Runs the action in the image that it begins in, and once more if it turns out to need the large one. */
async function runIn(tenant: string, job: SandboxJob, parts: Parts): Promise<Omit<Ran, 'requests'>> {
  for (;;) {
    const image = parts.images.of(tenant, job)
    const beginning = await parts.waiting.inTime(image)
    if (beginning === null) {
      image.then(release, () => {})
      return { ...NOTHING, outcome: 'late' }
    }
    if ('failure' in beginning) return failed(beginning.failure)
    const ran = await runSlices(tenant, job, beginning.image, parts).finally(beginning.release)
    if (ran !== 'needs') return ran
    parts.images.enlarge(job)
  }
}

const release = (beginning: Beginning): void => {
  if ('release' in beginning) beginning.release()
}

async function runSlices(
  tenant: string,
  { elapsed: _elapsed, bundle: _bundle, ...job }: SandboxJob,
  begins: Image | null,
  { waiting, held, runSlice }: Parts,
): Promise<Omit<Ran, 'requests'> | 'needs'> {
  const first = { ...job, tenant, state: null, heard: null, printed: 0, settled: [], pending: 0 }
  let slice: Slice = { ...first, image: begins }
  let used = 0
  for (;;) {
    const sliced = await runSlice({ ...slice, milliseconds: job.milliseconds - used })
    if (!sliced) return failed('its thread ended before it answered')
    const { outcome, waiting: state, ...ran } = sliced
    if (outcome === 'needs') return outcome
    used += ran.milliseconds
    if (outcome !== 'waits' || !state) return { ...ran, outcome: outcome as Ran['outcome'], milliseconds: used }
    const { started, image, ...rest } = state
    waiting.begin(started)
    const release = held.hold(tenant, rest.state.bytes.length)
    const settled = await waiting.next().finally(release)
    if (settled === null) return { ...NOTHING, ...shownOf(rest.heard), outcome: 'late', milliseconds: used }
    slice = { ...slice, ...rest, image, settled, pending: waiting.pending() }
  }
}

/** What a run printed before it was given up. */
function shownOf(heard: unknown): Pick<Ran, 'lines' | 'droppedLines'> {
  const { lines, droppedLines } = heard as Pick<Ran, 'lines' | 'droppedLines'>
  return { lines, droppedLines }
}

const NOTHING = { error: null, calls: [], lines: [], droppedLines: 0, milliseconds: 0 }

const failed = (message: string): Omit<Ran, 'requests'> => ({
  ...NOTHING,
  outcome: 'broken',
  error: { name: 'Broken', message, stack: '' },
})
