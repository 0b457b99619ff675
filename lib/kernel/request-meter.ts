// Counts one request against the limit of its endpoint: counted by lib/data/rate-limit/meter.ts, called by lib/http/endpoint.ts.

/** `who` is a proven user or client, or null; for `reported networks` it is an address. Throws `too_many_requests`. */
export type CountRequest = (who: string | null) => void | Promise<void>

export type RequestMeter = {
  /** Whether the request is counted before the endpoint runs. */
  readonly early: boolean
  readonly counted: boolean
  /** The rate limit headers; empty before the request was counted. */
  readonly headers: [name: string, value: string][]
  /** It returns a promise only where the count is kept outside this process. */
  count: CountRequest
}
