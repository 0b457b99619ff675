// The input and output of the sandbox: plain data; calls are unvalidated texts.
export type Job = {
  /** The operator's source code. */
  code: string
  /** The file name in stack traces. */
  file: string
  /** The exported function to call, and whether it may be missing. */
  handler: string
  optional: boolean
  /** The methods of `api`, as `space.method`. */
  methods: string[]
  /** JSON. */
  event: string
  /** The name of its `api.cache`. */
  cache: string
  now: number
  milliseconds: number
}

/** `tenant` selects the interpreter. */
export type TenantJob = Job & { tenant: string }

/** A limit that was exceeded is the outcome, even where the action caught its exception or did not await it. */
export type Outcome =
  | 'ok'
  /** An uncaught exception, a syntax error, or a missing handler. */
  | 'threw'
  | 'timeout'
  | 'memory'
  /** Too many calls, or too large ones. */
  | 'output'
  /** Within its limits, it waits for a promise, and no job is left that could settle it. */
  | 'unsettled'
  /** The interpreter itself failed. */
  | 'broken'

export type Ran = {
  outcome: Outcome
  error: { name: string; message: string; stack: string } | null
  /** Method and JSON of the arguments, in order. */
  calls: [string, string][]
  /** Level and text of its output. */
  lines: [string, string][]
  droppedLines: number
  milliseconds: number
}
