import Link from 'next/link'
import { isBad, kindOf, type ObjectNames, type ShownLogEntry } from '../../../lib/server/next/console/log-sentences'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import type { Column } from '../_parts/list'
import { Moment } from '../_parts/moment'
import { Sentence } from './sentence'

export const logColumns = (names: ObjectNames, console: Console): readonly Column<ShownLogEntry>[] => [
  {
    title: say('column.time'),
    cell: ({ date, log_id }) => (
      <Link className="co-row-link" href={`/console/logs/${log_id}`} prefetch={false}>
        <Moment at={date} listed />
      </Link>
    ),
  },
  { title: say('column.event'), cell: (entry) => <Sentence entry={entry} names={names} console={console} /> },
  {
    title: say('column.kind'),
    cell: (entry) => (
      <>
        <Badge danger={isBad(entry)}>{say(`logs.kind.${kindOf(entry)}`)}</Badge> <code>{entry.type}</code>
      </>
    ),
  },
  { title: say('column.ip'), cell: ({ ip }) => ip },
]
