// A breaker per action and host: a service that failed five times in a row is not requested for half a minute by this action. Its runs fail at once then,
// and do not wait for what does not answer. After that one request tries it. The state is of one process, and bounded.
import type { SendRequest } from './exchange'

const FAILURES_TO_OPEN = 5
const OPEN_MS = 30_000
const MAX_HOSTS = 10_000

/** This server's own refusals say nothing of the service. */
const REFUSALS = [
  ...['EFORBIDDENADDRESS', 'EPLAINHTTP', 'EUNKNOWNSCHEME', 'EUNJUDGED', 'ERECURSION', 'ETOOLARGE'],
  ...['EMAILPORT', 'EOWNADDRESS'],
]

type State = { failures: number; openUntil: number }

export type Breaker = <T>(service: Service, attempt: () => Promise<T>) => Promise<T>

/** `host` with its port. */
type Service = { tenantId: string; action: string; host: string }

export const withBreaker =
  (exchange: SendRequest, breaker: Breaker): SendRequest =>
  (url, request) =>
    breaker({ ...request, host: url.host }, () => exchange(url, request))

/** @param now in milliseconds, of a clock that does not jump */
export function createBreaker(now: () => number): Breaker {
  /** The least recently failed first. */
  const states = new Map<string, State>()

  function failed(key: string, { failures }: State): void {
    states.delete(key)
    const count = failures + 1
    states.set(key, { failures: count, openUntil: count >= FAILURES_TO_OPEN ? now() + OPEN_MS : 0 })
    const [oldest = ''] = states.keys()
    if (states.size > MAX_HOSTS) states.delete(oldest)
  }

  return async ({ tenantId, action, host }, attempt) => {
    const key = JSON.stringify([tenantId, action, host])
    const state = states.get(key) ?? { failures: 0, openUntil: 0 }
    if (state.openUntil > now()) throw Object.assign(new Error('EBREAKER'), { code: 'EBREAKER' })
    // The others wait for what the one that tries it finds.
    if (state.openUntil > 0) states.set(key, { ...state, openUntil: now() + OPEN_MS })
    try {
      const answer = await attempt()
      states.delete(key)
      return answer
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (REFUSALS.includes(code)) states.set(key, state)
      else failed(key, state)
      throw error
    }
  }
}
