// The requests of one run to other servers, its connections (CONNECT) and look-ups of names (LOOKUP), for its record: where to, with which outcome, and
// how long. Neither paths nor bodies.

export type RecordedRequest = {
  method: string
  host: string
  /** `done`: connected, or looked up. Null: there was no answer. */
  status: number | 'done' | null
  /** Why there was none, as a code; null as well if the run ended first. */
  failure: string | null
  milliseconds: number
}

type Beginning = {
  answered(status: number): void
  connected(): void
  /** Also of a connection that failed later. */
  failed(code: string | null): void
}

export type Requests = {
  readonly length: number
  begin(method: string, host: string): Beginning
  /** What was requested until now. */
  list(): RecordedRequest[]
}

export function openRequests(): Requests {
  const all: (RecordedRequest & { started: number; over: boolean })[] = []
  return {
    get length() {
      return all.length
    },
    begin(method, host) {
      const one = {
        method,
        host,
        status: null,
        failure: null,
        milliseconds: 0,
        started: performance.now(),
        over: false,
      }
      all.push(one)
      const end = (outcome: Partial<RecordedRequest>): void => {
        Object.assign(one, outcome, { milliseconds: Math.round(performance.now() - one.started), over: true })
      }
      return {
        answered: (status) => end({ status }),
        connected: () => end({ status: 'done' }),
        failed: (failure) => end({ status: null, failure }),
      }
    },
    list: () =>
      all.map(({ started, over, ...one }) =>
        over ? one : { ...one, milliseconds: Math.round(performance.now() - started) },
      ),
  }
}
