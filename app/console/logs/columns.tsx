import type { AnswerOf } from '../../../lib/management/console-call'
import type { logs } from '../../../lib/management/resources/logs'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import type { Column } from '../_parts/list'
import { Moment } from '../_parts/moment'

export type ShownLogEntry = AnswerOf<typeof logs.read>

/** Codes of refusals start with f; blocks and leaks are as bad. */
const isBad = (type: string): boolean => /^(f|limit_|pwd_leak|signup_pwd_leak|pla$|ferrt)/.test(type)

const MAX_SHOWN = 90

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

export const logColumns: readonly Column<ShownLogEntry>[] = [
  {
    title: say('column.event'),
    cell: ({ description, details, type }) => shortened(details?.change ?? description ?? type),
  },
  { title: say('column.kind'), cell: ({ type }) => <Badge danger={isBad(type)}>{type}</Badge> },
  { title: say('column.user'), cell: ({ user_name, user_id }) => <bdi>{user_name ?? user_id}</bdi> },
  { title: say('column.application'), cell: ({ client_name, client_id }) => <bdi>{client_name ?? client_id}</bdi> },
  { title: say('column.time'), cell: ({ date }) => <Moment at={date} /> },
]
