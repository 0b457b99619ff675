// `logStreams`: where the audit log is sent, identified by name. A type that does not exist here, and a new stream without a value
// that its sink requires, is reported and left out. So is one whose records the vendor masks: here they are sent as they are.
import { objectIn, ownMember } from '../../../kernel/json'
import { MASK, type Vault } from '../../../kernel/secret'
import { SINKS } from '../../log-streams/sinks'
import {
  isStreamElsewhere,
  type LogStreamDeps,
  type LogStreamRow,
  logStreamMembers,
  MAX_STREAMS,
  openSink,
  logStreams as resource,
} from '../../resources/log-streams'
import type { PlanContext } from '../context'
import { copiedRows } from '../copied-stores'
import { oneOf } from '../elsewhere'
import type { JsonObject } from '../model'
import { put } from '../working-copy'
import { pick } from './email-provider'
import { absentIn, type ObjectKind, objectsSection } from './objects'

declare module '../model' {
  interface Copied {
    logStreams: { rows: LogStreamRow[]; stores: Pick<LogStreamDeps, 'logStreams'> }
  }
}

const fields = logStreamMembers.partial().required({ name: true })

const kind: ObjectKind<LogStreamRow> = {
  section: 'logStreams',
  copy: copiedRows('logStreams', { store: 'logStreams', nameOf: ({ name }) => name }),
  fields,
  // Certificates are always verified.
  elsewhere: { 'sink.splunkSecure': oneOf(false) },
  unprotected: ({ pii_config }) => (Object.keys(objectIn(pii_config)).length > 0 ? 'pii_config' : undefined),
  parts: ({ type }, before) => ({ sink: ownMember(SINKS, String(type ?? before?.type))?.settings }),
  all: ({ logStreams }) => logStreams,
  isNamed:
    (entry) =>
    ({ name }) =>
      name === entry.name,
  async operate({ status, ...entry }, before, path, context) {
    const unsettable = status === 'suspended' && before?.status !== 'suspended'
    if (unsettable) context.notApplied.push(`${path}.status: only the server suspends a stream`)
    const body = status === undefined || unsettable ? entry : { ...entry, status }
    if (before || isMakable(body, path, context))
      await put(resource, body, before && { id: before.id, shown: {} }, context)
  },
  name: ({ name }) => name,
  shown: ({ name, type, status, filters, sealedSink }, _stored, vault) => ({
    name,
    type,
    status,
    filters: filters.map((category) => ({ type: 'category', name: category })),
    sink: shownSink(type, openSink(sealedSink, vault)),
  }),
  secrets: secretsOf,
}

/** Reports why a new stream is left out. */
function isMakable(entry: JsonObject, path: string, { stored, notApplied, problems }: PlanContext): boolean {
  const { type } = entry
  if (isStreamElsewhere(type)) {
    notApplied.push(`${path}: there are no streams of type ${type} here`)
    return false
  }
  const sink = ownMember(SINKS, String(type))
  const absent = sink ? absentIn(sink.settings, objectIn(entry.sink)) : ['type']
  if (absent.length > 0) notApplied.push(`${path}: needs ${absent.join(', ')}`)
  const isFull = stored.logStreams.length >= MAX_STREAMS
  if (isFull) problems.push({ path, reason: `a tenant has at most ${MAX_STREAMS} log streams` })
  return absent.length === 0 && !isFull
}

/** A header keeps its name; its value is a mask, which stands for the stored one. */
function shownSink(type: LogStreamRow['type'], sink: JsonObject): JsonObject {
  const shown = pick(sink, (name) => !SINKS[type].secrets.includes(name))
  const { httpCustomHeaders: headers } = shown
  return Array.isArray(headers)
    ? { ...shown, httpCustomHeaders: headers.map((each) => ({ ...objectIn(each), value: MASK })) }
    : shown
}

function secretsOf({ type, sealedSink }: LogStreamRow, vault: Vault): JsonObject {
  const sink = openSink(sealedSink, vault)
  return pick(sink, (name) => SINKS[type].secrets.includes(name) || name === 'httpCustomHeaders')
}

export const logStreams = objectsSection(kind, 'name')
