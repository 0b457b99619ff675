// The input and output of the sandbox: plain data; calls are unvalidated texts.
import type { Json } from '../../../kernel/json'
import type { RecordedRequest } from './requests'

export type SandboxJob = {
  /** The operator's source code. */
  code: string
  /** Code that it shares with other actions. */
  modules?: readonly SharedCode[]
  /** Its packages, and those of this code. */
  bundle?: LoadableBundle | null
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
  /** The ids of the vendor's rules that ran in this login. */
  rules?: readonly string[]
  now: number
  /** Four words that Math.random continues from. */
  seed: readonly number[]
  /** Limit of the time in the interpreter, waiting excluded. */
  milliseconds: number
  /** Limit of the time by the clock. */
  elapsed: number
  /** A request of an action to its own tenant caused the run. */
  nested?: boolean
  /** Of the request to this server that caused the run, where the operator wants it in requests of actions. */
  requestId?: string | undefined
}

/** What `require('actions:NAME')` gives. */
export type SharedCode = { name: string; code: string; file: string; secrets: Readonly<Record<string, Json>> }

/** An expression that takes `require` and returns an object with a getter for each package. */
export type LoadableBundle = {
  /** Names the code. */
  digest: string
  /** Called where no image has it. */
  code(): Promise<string>
  /** Its source map as JSON, for errors. */
  map?(): Promise<string | null>
}

/** A limit that was exceeded is the outcome, even where the action caught its exception or did not await it. */
export type RunOutcome =
  | 'ok'
  /** An uncaught exception, a syntax error, or a missing handler. */
  | 'threw'
  /** Too long in the interpreter. */
  | 'timeout'
  /** Too long by the clock. */
  | 'late'
  | 'memory'
  /** Too many calls, or too large ones. */
  | 'output'
  /** Within its limits, it waits for a promise, and no job is left that could settle it. */
  | 'unsettled'
  /** The interpreter itself failed. */
  | 'broken'

export type Ran = {
  outcome: RunOutcome
  error: { name: string; message: string; stack: string } | null
  /** Method and JSON of the arguments, in order. */
  calls: [string, string][]
  /** Level and text of its output. */
  lines: [string, string][]
  droppedLines: number
  /** In the interpreter. */
  milliseconds: number
  /** To other servers. */
  requests: RecordedRequest[]
}

/** A content of the interpreter's memory (machine.mjs), shared by all threads and never changed. */
export type Image = {
  /** Differs from image to image in this process. */
  id: string
  end: number
  bytes: SharedArrayBuffer
  /** Of `bytes`, in order, if it does not begin there (pieces.mjs). */
  pieces?: number[]
  pointers: string
  /** What its packages began and printed while they were loaded: part of each run. */
  started?: RunEvent[]
  lines?: [string, string][]
  /** Bytes for the packages that each run evaluates, which a run has more of. */
  room?: number
}

/** As a thread has made it: its bytes are moved out of the thread. */
export type MadeImage = Omit<Image, 'bytes' | 'pieces'> & { bytes: ArrayBuffer }

/** What a run differs from its image in. */
type State = { end: number; index: Uint32Array; bytes: Uint8Array }

/** Something that a run waits for is done, or refused. */
export type Settled = {
  id: number
  value?: Json
  bytes?: Uint8Array
  error?: { name: string; message: string; code?: string }
}

/** What a run began, or what it no longer waits for. */
export type RunEvent = { id: number; name: string; args: Json; bytes: Uint8Array | null } | { id: number; cancel: true }

/** A part of a run without waiting: from the beginning (no state), or from what was settled. */
export type Slice = Omit<SandboxJob, 'elapsed' | 'bundle' | 'nested' | 'requestId'> & {
  /** Selects the machine. */
  tenant: string
  /** Null: the small image. */
  image: Image | null
  state: State | null
  heard: unknown
  printed: number
  settled: Settled[]
  /** How much the run still waits for. */
  pending: number
}

export type Sliced = Omit<Ran, 'outcome' | 'requests'> & {
  /** `needs`: the run has to begin again in the large image. */
  outcome: RunOutcome | 'waits' | 'needs'
  waiting?: { state: State; image: Image; heard: unknown; printed: number; started: RunEvent[] }
}

/** Translates a stack of the packages into places in their sources. */
export type StackToTrace = { tenant: string; stack: string; map: string }

export type Traced = { outcome: 'traced' | 'broken'; stack?: string }

/** Makes the large image (no base), or that of packages upon it. */
export type Making = { tenant: string; base: Image | null; source: string; milliseconds: number }

export type BuiltImage = {
  outcome: 'made' | 'broken'
  image?: MadeImage
  /** Whether time was over before all packages were evaluated: another attempt may have more of it. */
  incomplete?: boolean
}
