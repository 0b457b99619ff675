// The steps of logins of this process: kept in memory for the time of a request, and stored in batches outside every request, as the audit log is.
// - A login is stored from its first request while the tenant's budget of this hour lasts; beyond that its steps wait in memory, and are stored if
//   it fails. So a failure is whole where one process served the login, and begins at the failing request where several did.
// - Failures have a budget too, far larger, so that a flood of them does not flood the database.
// - A batch is of one tenant, so what is stored of it is never stored again because another tenant's failed.
// - The end of the process waits for the database as for any batch: some attempts, and a pause between them.
// - Nothing here throws, rejects or delays a request. What the queue cannot hold, or the database refuses, is dropped and counted in the server's log:
//   the audit log has the event (threat-model.md RE10).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock'
import { type LazyStep, type StoredStep, storedStep } from './step'

/** What one request adds to a login. */
export type LoginPart = {
  login: string
  at: Date
  endpoint: string
  requestId: string
  outcome: 'waiting' | 'succeeded' | 'failed'
  reason: string | null
  clientId: string | null
  clientName: string | null
  connection: string | null
  userId: string | null
  /** The address of the person, or what was typed in its form. */
  person: string | null
  ip: string
  userAgent: string | null
  steps: readonly LazyStep[]
  /** It is stored in any case, within the budget of failures. */
  tested?: true
}

export type StoredPart = Omit<LoginPart, 'steps' | 'tested'> & { steps: StoredStep[]; expiresAt: Date }

/** The setting of a tenant. */
export type InspectorPolicy = { successes_per_hour: number; days: number }

export type LoginPartStore = { append(tenantId: string, parts: readonly StoredPart[]): Promise<void> }

/** The log of a process that stores by itself. */
export type RunningLoginLog = LoginLog & { start(): void; close(): Promise<void> }

export type LoginLog = {
  /** Accepts the part and returns at once. */
  add(part: LoginPart, tenantId: string, policy: InspectorPolicy): void
  /** Resolves when the earlier parts are stored or lost; never rejects. */
  flush(): Promise<void>
}

type Deps = {
  store: LoginPartStore
  clock: Clock
  log: { warn(fields: Record<string, unknown>, sentence: string): void }
  /** Between attempts at the end of the process. */
  pause?: (milliseconds: number) => Promise<unknown>
}

const EVERY_MS = 500
const CAPACITY = 2000
const BATCH = 200
const ATTEMPTS = 5
/** Logins that are remembered, and requests of one that wait for a failure. */
const MAX_KNOWN = 1000
const MAX_WAITING = 12
const FAILURES_PER_HOUR = 3600
const DAY_MS = 86_400_000

type Known = { isStored: boolean; waiting: LoginPart[] }
type Queued = { tenantId: string; part: LoginPart; days: number }

export function createLoginLog({ store, clock, log, pause = sleep }: Deps): RunningLoginLog {
  const known = new Map<string, Known>()
  const takeSuccess = createBudget(clock)
  const takeFailure = createBudget(clock)
  let queue: Queued[] = []
  let dropped = 0
  let attempts = 0
  let isRunning = false
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined

  function enqueue(queued: Queued): void {
    if (queue.length >= CAPACITY) dropped += 1
    else queue.push(queued)
    schedule()
  }

  function schedule(): void {
    if (isRunning) timer ??= setTimeout(() => void flush(), EVERY_MS).unref()
  }

  async function flush(): Promise<void> {
    await pass
    pass ??= storeAll().finally(() => {
      pass = undefined
    })
    await pass
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (dropped > 0) log.warn({ dropped }, 'Steps of logins were not stored, because there were too many.')
    dropped = 0
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const { tenantId } = first
      const batch = queue.filter((queued) => queued.tenantId === tenantId).slice(0, BATCH)
      if (!(await storeBatch(tenantId, batch))) return
      takeOut(batch)
    }
  }

  function takeOut(batch: readonly Queued[]): void {
    const taken = new Set(batch)
    queue = queue.filter((queued) => !taken.has(queued))
  }

  async function storeBatch(tenantId: string, batch: readonly Queued[]): Promise<boolean> {
    try {
      await store.append(
        tenantId,
        batch.map(({ part, days }) => composed(part, days)),
      )
      attempts = 0
      return true
    } catch (error) {
      attempts += 1
      if (attempts === 1) log.warn({ err: error }, 'Steps of logins could not be stored; they stay in memory.')
      if (attempts >= ATTEMPTS) {
        attempts = 0
        dropped += batch.length
        takeOut(batch)
      }
      schedule()
      return false
    }
  }

  function knownOf(key: string, tenantId: string, { successes_per_hour }: InspectorPolicy): Known {
    const found = known.get(key)
    if (found) return found
    const fresh = { isStored: takeSuccess(tenantId, successes_per_hour), waiting: [] }
    known.set(key, fresh)
    const [oldest] = known.size > MAX_KNOWN ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return fresh
  }

  return {
    add(part, tenantId, policy) {
      const { days } = policy
      const login = knownOf(`${tenantId} ${part.login}`, tenantId, policy)
      const mustBe = part.outcome === 'failed' || part.tested === true
      if (!login.isStored && mustBe && takeFailure(tenantId, FAILURES_PER_HOUR)) {
        login.isStored = true
        for (const earlier of login.waiting) enqueue({ tenantId, part: earlier, days })
        login.waiting = []
      }
      if (login.isStored) enqueue({ tenantId, part, days })
      else if (part.outcome === 'succeeded') login.waiting = []
      else if (login.waiting.length < MAX_WAITING) login.waiting.push(part)
    },
    flush,
    start() {
      isRunning = true
    },
    async close() {
      isRunning = false
      await flush()
      for (let turn = 1; queue.length > 0 && turn < ATTEMPTS; turn += 1) {
        await pause(EVERY_MS)
        await flush()
      }
      if (queue.length + dropped > 0)
        log.warn({ dropped: queue.length + dropped }, 'Steps of logins were never stored.')
    },
  }
}

const composed = ({ steps, tested: _, ...part }: LoginPart, days: number): StoredPart => ({
  ...part,
  expiresAt: new Date(part.at.getTime() + days * DAY_MS),
  steps: steps.map((step) => storedStep(step, part.at.toISOString())),
})

/** So many in an hour of the clock, for each tenant. */
function createBudget(clock: Clock): (tenantId: string, most: number) => boolean {
  let hour = 0
  let used = new Map<string, number>()
  return (tenantId, most) => {
    const now = Math.floor(clock.now().getTime() / 3_600_000)
    if (now !== hour) [hour, used] = [now, new Map()]
    const count = used.get(tenantId) ?? 0
    if (count >= most) return false
    used.set(tenantId, count + 1)
    return true
  }
}
