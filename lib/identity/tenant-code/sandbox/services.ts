// What a run may wait for: operations of the host that take time, by name. Arguments are untrusted JSON and bytes.
import { setImmediate } from 'node:timers/promises'
import type { Json, JsonObject } from '../../../kernel/json'
import type { RunEvent, Settled } from './job'
import { openRequests, type RecordedRequest, type Requests } from './requests'

export type RunContext = {
  tenantId: string
  /** The file of the action. */
  action: string
  /** A request of an action to its own tenant caused the run. */
  nested: boolean
  /** Of the request to this server that caused the run. */
  requestId?: string | undefined
  /** Aborts when the run ends, or gives the operation up. */
  signal: AbortSignal
  /** Of this run, by number: bodies that are being read, sockets. Closed when the run ends. */
  resources: Map<number, { close(): void }>
  /** Of this run. */
  requests: Requests
}

export type Answered = { value?: Json; bytes?: Uint8Array }

export type Service = (args: JsonObject, bytes: Uint8Array | null, scope: RunContext) => Promise<Answered>

export type Services = Readonly<Record<string, Service>>

export type Waiting = {
  /** How much is not settled yet. */
  pending(): number
  begin(started: readonly RunEvent[]): void
  /** The value, or null when the time is over first; a value that is there already counts. */
  inTime<T>(value: Promise<T>): Promise<T | null>
  /** What is settled, nothing if the run waits for nothing; null when the time is over first. */
  next(): Promise<Settled[] | null>
  /** The requests that the run has made. */
  requests(): RecordedRequest[]
  /** Gives up what is not settled, and closes what the run has open. */
  close(): void
}

/** A run may wait for so much at a time. */
const MAX_PENDING = 200

/** The operations of one run, which has `elapsed` milliseconds by the clock. */
export function openWaiting(
  services: Services,
  run: Pick<RunContext, 'tenantId' | 'action' | 'nested' | 'requestId'>,
  elapsed: number,
): Waiting {
  const controllers = new Map<number, AbortController>()
  const resources: RunContext['resources'] = new Map()
  const requests = openRequests()
  let settled: Settled[] = []
  let over = false
  let wake = (): void => {}

  const settle = (one: Settled): void => {
    if (!controllers.delete(one.id)) return
    settled.push(one)
    wake()
  }
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      over = true
      wake()
      resolve(null)
    }, elapsed)
  })

  function beginOne({ id, name, args, bytes }: Exclude<RunEvent, { cancel: true }>): void {
    const controller = new AbortController()
    controllers.set(id, controller)
    const service = Object.hasOwn(services, name) ? services[name] : undefined
    const refusal =
      controllers.size > MAX_PENDING ? 'an action waits for too much at a time' : `there is no ${name} here`
    const done =
      service && controllers.size <= MAX_PENDING
        ? service(args as JsonObject, bytes, { ...run, signal: controller.signal, resources, requests })
        : Promise.reject(new TypeError(refusal))
    done.then(
      (answered) => settle({ id, ...answered }),
      (error: unknown) => settle({ id, error: shown(error) }),
    )
  }

  return {
    inTime: (value) => Promise.race([value, over ? setImmediate(null) : end]),
    pending: () => controllers.size + settled.length,
    begin(started) {
      for (const each of started) {
        if (!('cancel' in each)) beginOne(each)
        else {
          controllers.get(each.id)?.abort()
          controllers.delete(each.id)
        }
      }
    },
    async next() {
      while (settled.length === 0 && controllers.size > 0 && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (over) return null
      const all = settled
      settled = []
      return all
    },
    requests: requests.list,
    close() {
      clearTimeout(timer)
      for (const controller of controllers.values()) controller.abort()
      controllers.clear()
      for (const resource of resources.values()) resource.close()
      resources.clear()
    },
  }
}

function shown(error: unknown): NonNullable<Settled['error']> {
  if (!(error instanceof Error)) return { name: 'Error', message: 'unknown' }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, ...code }
}
