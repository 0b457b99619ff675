import type { Metadata } from 'next'
import { Fragment } from 'react'
import type { AnswerOf } from '../../../lib/management/console-call'
import { logins } from '../../../lib/management/resources/logins'
import { say } from '../../../lib/text/console'
import { Badge } from '../_parts/badge'
import { type Column, List, pageIn, pageQuery } from '../_parts/list'
import { Moment } from '../_parts/moment'
import { consolePage } from '../_parts/page'
import { QuickFilters } from '../_parts/quick-filters'
import { TabbedHead } from '../_parts/tabs'
import '../logs/logs.css'
import './logins.css'
import { LOGINS } from './tabs'

export const metadata: Metadata = { title: say('logins.title') }

const PATH = '/console/logins'
const OUTCOMES = ['failed', 'succeeded', 'waiting'] as const
const TEXTS = [
  ['user', say('logins.user')],
  ['client_id', say('logins.client')],
  ['connection', say('logins.connection')],
] as const

type LoginEntry = AnswerOf<typeof logins.list>[number]

export default consolePage(async ({ console, query }) => {
  const page = pageIn(query)
  const outcome = OUTCOMES.find((each) => each === query.outcome)
  const { user, client_id, connection, login_share } = query
  const filters = { outcome, user, client_id, connection, login_share }
  const selected = Object.fromEntries(
    Object.entries(filters).filter((pair): pair is [string, string] => Boolean(pair[1])),
  )
  const { rows, total } = await console.list(logins.list, { query: { ...pageQuery(page), ...selected } })
  const { outcome: _, ...others } = selected
  return (
    <>
      <TabbedHead {...LOGINS} console={console} path={PATH} />
      <QuickFilters
        label={say('logins.views')}
        filters={(['all', ...OUTCOMES] as const).map((each) => ({
          href: `${PATH}?${new URLSearchParams(each === 'all' ? others : { ...others, outcome: each })}`,
          title: say(`logins.show.${each}`),
          isChosen: (outcome ?? 'all') === each,
        }))}
      />
      <List
        path={PATH}
        rows={rows}
        total={total}
        page={page}
        query={filters}
        filters={
          <>
            {outcome && <input type="hidden" name="outcome" value={outcome} />}
            {login_share && <input type="hidden" name="login_share" value={login_share} />}
            {TEXTS.map(([name, label]) => (
              <Fragment key={name}>
                <label className="co-hidden" htmlFor={name}>
                  {label}
                </label>
                <input id={name} className="co-input" name={name} defaultValue={query[name]} placeholder={label} />
              </Fragment>
            ))}
          </>
        }
        empty={say('logins.empty')}
        id={({ id }) => id}
        href={({ id }) => `${PATH}/${id}`}
        columns={COLUMNS}
      />
    </>
  )
})

const name = (text: string | null) => text && <bdi>{text}</bdi>

const COLUMNS: readonly Column<LoginEntry>[] = [
  { title: say('column.time'), cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    title: say('logins.outcome'),
    cell: ({ outcome, reason }) => (
      <>
        <Badge danger={outcome === 'failed'}>{say(`logins.show.${outcome}`)}</Badge>
        {reason && <code className="co-reason">{reason}</code>}
      </>
    ),
  },
  { title: say('column.user'), cell: ({ user_name, user_id }) => name(user_name ?? user_id) },
  { title: say('column.application'), cell: ({ client_name, client_id }) => name(client_name ?? client_id) },
  { title: say('column.connection'), cell: ({ connection }) => name(connection) },
]
