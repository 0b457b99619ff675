// What goes into the sandbox and what comes out: plain data, the calls as texts that nobody has looked at yet.
export type Job = {
  /** The source, as an operator wrote it. */
  code: string
  /** What stack traces call it. */
  file: string
  /** The exported function to call, and whether it is well without one. */
  handler: string
  optional: boolean
  /** Of `api`, as `space.method`. */
  methods: string[]
  /** JSON. */
  event: string
  /** Whose `api.cache` it sees. */
  cache: string
  now: number
  milliseconds: number
}

/** With whose interpreter it runs in. */
export type TenantJob = Job & { tenant: string }

export type Outcome =
  | 'ok'
  /** An exception that nobody caught, a syntax error, a missing handler. */
  | 'threw'
  | 'timeout'
  | 'memory'
  /** More calls or larger ones than there may be. */
  | 'output'
  /** It waits for what never comes. */
  | 'unsettled'
  /** The interpreter itself gave up. */
  | 'broken'

export type Ran = {
  outcome: Outcome
  error: { name: string; message: string; stack: string } | null
  /** Method and JSON of its arguments, in order. */
  calls: [string, string][]
  /** Level and text of what it printed. */
  lines: [string, string][]
  droppedLines: number
  milliseconds: number
}
