// Log streams: where the audit log is sent (lib/management/log-streams/).
// - The settings of a sink are sealed as a whole. Its secrets are write-only: they are shown as a mask, and a mask or an absent
//   secret keeps the stored one as long as the destination stays.
import * as z from 'zod'
import { CATEGORIES, type Category } from '../../data/audit/events'
import type { JsonObject } from '../../kernel/json'
import { objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { MASK, type Vault } from '../../kernel/secret'
import { SINKS, STREAM_TYPES, type StreamType } from '../log-streams/sinks'
import { SINK_PURPOSE } from '../log-streams/stream'
import { unknownMembers } from '../operations/effects'
import { inexistent, invalidBody, problemOf } from '../operations/errors'
import { keepOthers } from '../operations/members'
import { operationsWith } from '../operations/operation'
import { defineResource, type ResourceStore } from '../operations/resource'
import { maskSecrets, withStored } from '../operations/write-only'

export type StreamStatus = 'active' | 'paused' | 'suspended'

export type LogStreamRow = {
  id: string
  name: string
  type: StreamType
  status: StreamStatus
  filters: Category[]
  sealedSink: Uint8Array
  kept: JsonObject
  /** Of a new stream: the time from which records are sent, if it is not now. */
  startFrom?: Date
}

export type StreamHealth = {
  status: StreamStatus
  lastError: string | null
  failingSince: Date | null
  failures: number
  deliveredAt: Date | null
  /** Records that the sink refused as too large. */
  dropped: number
  /** Records behind the position, whether a filter selects them or not. */
  pending: number
}

export type LogStreamStore = ResourceStore<LogStreamRow> & { health(id: string): Promise<StreamHealth | null> }

export type LogStreamDeps = {
  clock: { now(): Date }
  random: Random
  vault: Vault
  logStreams: LogStreamStore
  /** Call after a change is stored. */
  wakeStreams(): void
}

/** The vendor's types that need a contract with a cloud provider. */
const ELSEWHERE = ['eventbridge', 'eventgrid'] as const

const name = z.string().min(1).max(255).meta({ title: 'Name' })
const filters = z
  .array(z.object({ type: z.literal('category'), name: z.enum(CATEGORIES) }))
  .max(CATEGORIES.length)
  .meta({ title: 'Categories' })
const status = z.enum(['active', 'paused', 'suspended']).meta({
  standard: 'active',
  title: 'Status',
  options: { active: 'Active', paused: 'Paused', suspended: 'Suspended' },
})
const sink = z.record(z.string(), z.json())
const type = z.enum([...STREAM_TYPES, ...ELSEWHERE]).meta({
  title: 'Kind',
  options: {
    http: 'HTTP',
    datadog: 'Datadog',
    splunk: 'Splunk',
    sumo: 'Sumo Logic',
    segment: 'Segment',
    mixpanel: 'Mixpanel',
  },
})

export const logStreamMembers = z.object({ name, type, status, filters, sink })

export const isStreamElsewhere = (type: unknown): type is (typeof ELSEWHERE)[number] =>
  ELSEWHERE.some((each) => each === type)

/** What would restrict something and does not exist here is refused. */
const refused = {
  isPriority: z.literal(false, 'must be false: all streams have one priority here').optional(),
  pii_config: z
    .object({ log_fields: z.array(z.string()).max(0, 'must be empty: records are sent as they are') })
    .nullish(),
}

const shown = withOthers(logStreamMembers.extend({ id: z.string(), type: z.enum(STREAM_TYPES) })).meta({
  id: 'LogStream',
})

const health = z.object({
  status,
  pending: z.number(),
  failures: z.number(),
  dropped: z.number(),
  last_error: z.string().nullable(),
  failing_since: z.iso.datetime().nullable(),
  delivered_at: z.iso.datetime().nullable(),
})
/** With what a body says once. */
const named = shown.extend({ ...refused, startFrom: z.unknown() })

/** The vendor permits fewer. A list without paging shows all of them. */
export const MAX_STREAMS = 20

const newStream = openObject({
  name,
  type,
  sink,
  filters: filters.optional(),
  status: z.enum(['active', 'paused']).optional(),
  startFrom: z.iso.datetime({ offset: true }).optional(),
  ...refused,
})
const streamChange = openObject({
  name: name.optional(),
  type: type.optional(),
  sink: sink.optional(),
  filters: filters.optional(),
  status: status.optional(),
  ...refused,
})

type Sealing = Pick<LogStreamDeps, 'random' | 'vault'>

export function newLogStream(body: z.output<typeof newStream>, deps: Sealing): LogStreamRow {
  const { name, type, sink, filters = [], status = 'active', startFrom, ...members } = body
  if (isStreamElsewhere(type))
    throw invalidBody(
      `Streams of type ${type} do not exist here. Use http or one of ${STREAM_TYPES.slice(1).join(', ')}`,
    )
  return {
    id: `lst_${deps.random.hex(16)}`,
    name,
    type,
    status,
    filters: categoriesIn(filters),
    sealedSink: seal(sinkOf(type, sink, {}), deps),
    kept: keepOthers(named, members),
    ...(startFrom === undefined ? {} : { startFrom: new Date(startFrom) }),
  }
}

export function changedLogStream(row: LogStreamRow, body: z.output<typeof streamChange>, deps: Sealing): LogStreamRow {
  const { name, type, sink, filters, status, ...members } = body
  if (type !== undefined && type !== row.type) throw invalidBody('The type of a stream cannot be changed')
  if (status === 'suspended' && row.status !== 'suspended') throw invalidBody('Only the server suspends a stream')
  return {
    ...row,
    name: name ?? row.name,
    status: status ?? row.status,
    filters: filters === undefined ? row.filters : categoriesIn(filters),
    sealedSink: sink ? seal(sinkOf(row.type, sink, openSink(row.sealedSink, deps.vault)), deps) : row.sealedSink,
    kept: keepOthers(named, members, row.kept),
  }
}

export const logStreams = defineResource({
  noun: 'log_stream',
  plural: 'log_streams',
  console: true,
  path: '/log-streams',
  target: 'tenant',
  shown,
  create: newStream,
  update: streamChange,
  checkpoint: true,
  examples: {
    create: { name: 'Archive', type: 'http', sink: { httpEndpoint: 'https://logs.example.com/latchkey' } },
    update: { status: 'paused' },
  },
  taken: { message: 'A log stream with the same name already exists.', errorCode: 'log_stream_conflict' },
  store: ({ logStreams }: LogStreamDeps) => logStreams,
  id: (row: LogStreamRow) => row.id,
  present: (row, { deps }) => present(row, deps),
  notApplied: (stream) => unknownMembers(shown, stream),
  make: (body, { deps }) => newLogStream(body, deps),
  change: (row, body, { deps }) => changedLogStream(row, body, deps),
  changed: (_row, { deps }) => deps.wakeStreams(),
  operations: {
    health: operationsWith<LogStreamDeps>()({
      name: 'log_streams.health',
      method: 'GET',
      path: '/log-streams/:id/health',
      summary: 'Read how the delivery of a log stream goes (ours)',
      scopes: ['read:log_streams'],
      status: 200,
      answer: health,
      async handle({ params, deps }) {
        const health = await deps.logStreams.health(params.id ?? '')
        if (!health) throw inexistent('log_stream')
        const { status, lastError, failingSince, failures, deliveredAt, dropped, pending } = health
        return {
          body: {
            status,
            pending,
            failures,
            dropped,
            last_error: lastError,
            failing_since: failingSince?.toISOString() ?? null,
            delivered_at: deliveredAt?.toISOString() ?? null,
          },
        }
      },
    }),
  },
})

const categoriesIn = (given: z.output<typeof filters>): Category[] => [...new Set(given.map(({ name }) => name))]

function present(
  { id, name, type, status, filters, sealedSink, kept }: LogStreamRow,
  { vault }: LogStreamDeps,
): JsonObject {
  const shown = filters.map((category) => ({ type: 'category', name: category }))
  return { ...kept, id, name, type, status, filters: shown, sink: masked(type, openSink(sealedSink, vault)) }
}

const seal = (sink: JsonObject, { vault, random }: Sealing): Buffer =>
  vault.seal(SINK_PURPOSE, JSON.stringify(sink), random)

/** Empty if another secret sealed it. */
export const openSink = (sealed: Uint8Array, vault: Vault): JsonObject => {
  const plain = vault.open(SINK_PURPOSE, sealed)
  return plain ? objectIn(JSON.parse(plain.toString('utf8'))) : {}
}

function masked(type: StreamType, sink: JsonObject): JsonObject {
  const shown = maskSecrets(sink, SINKS[type].secrets)
  const { httpCustomHeaders: headers } = shown
  return Array.isArray(headers)
    ? { ...shown, httpCustomHeaders: headers.map((each) => ({ ...objectIn(each), value: MASK })) }
    : shown
}

/**
 * The settings of a sink replace the stored ones; secrets that are masked or absent stay, where they go to the same place. A new
 * stream has nothing stored.
 */
function sinkOf(type: StreamType, given: JsonObject, stored: JsonObject): JsonObject {
  const { settings: schema, secrets, destination } = SINKS[type]
  const { settings, kept } = withStored(given, stored, secrets)
  const headers = headersKept(given, stored)
  const sink = headers ? { ...settings, httpCustomHeaders: headers.all } : settings
  const checked = z.object({ sink: schema }).safeParse({ sink }, { reportInput: true })
  if (!checked.success) throw invalidBody(problemOf(checked.error))
  const secret = kept ?? headers?.kept
  if (secret !== undefined && destination(checked.data.sink) !== destination(stored))
    throw invalidBody(`The destination changes: send ${secret} again`)
  return checked.data.sink
}

/** The headers of a body with stored values in place of masks, and the name of one that was kept. */
function headersKept({ httpCustomHeaders: given }: JsonObject, { httpCustomHeaders: stored }: JsonObject) {
  if (!Array.isArray(given)) return undefined
  const before = (Array.isArray(stored) ? stored : []).map(objectIn)
  const isMasked = (each: JsonObject): boolean => each.value === MASK
  const all = given.map((item) => {
    const each = objectIn(item)
    if (!isMasked(each)) return item
    const value = before.find(({ header }) => header === each.header)?.value
    if (value === undefined) throw invalidBody('A header has a mask as its value, and there is no stored value')
    return { ...each, value }
  })
  const kept = given.map(objectIn).find(isMasked)?.header
  return { all, kept: typeof kept === 'string' ? kept : undefined }
}
