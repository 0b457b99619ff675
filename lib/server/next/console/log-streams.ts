// What the forms of log streams derive from: the settings of each kind of destination.
import type * as z from 'zod'
import { CATEGORIES } from '../../../data/audit/events'
import { SINKS, STREAM_TYPES, type StreamType } from '../../../management/log-streams/sinks'
import { logStreamMembers } from '../../../management/resources/log-streams'

export { CATEGORIES, STREAM_TYPES }

/** The body of a stream of this type. */
export const schemaOf = (type: StreamType): z.ZodObject =>
  logStreamMembers.partial({ type: true, status: true, filters: true }).extend({ sink: SINKS[type].settings })
