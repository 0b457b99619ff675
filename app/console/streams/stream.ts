import type { AnswerOf } from '../../../lib/management/console-call'
import { logStreams } from '../../../lib/management/resources/log-streams'
import { valueLabel } from '../../../lib/server/next/console/form'
import { CATEGORIES } from '../../../lib/server/next/console/log-streams'
import { say } from '../../../lib/text/console'

export const PATH = '/console/streams'

export const selected = ({ filters }: AnswerOf<typeof logStreams.read>): string =>
  filters.length === 0 ? say('streams.events.all') : filters.map(({ name }) => name).join(', ')

export const CHOICES = {
  filters: CATEGORIES.map((name) => ({ value: JSON.stringify({ type: 'category', name }), label: name })),
  // Only the server suspends a stream.
  status: ['active', 'paused'].map((value) => ({ value, label: valueLabel(logStreams.update, 'status', value) })),
}
