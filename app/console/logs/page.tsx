import type { Metadata } from 'next'
import { logs } from '../../../lib/management/resources/logs'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { List, PER_PAGE, pageIn, pageQuery } from '../_parts/list'
import { consolePage } from '../_parts/page'
import { logColumns } from './columns'
import { logQuery } from './query'

export const metadata: Metadata = { title: say('logs.title') }

/** The log has pages for its newest thousand records. */
const LAST_PAGE = 1000 / PER_PAGE - 1

export default consolePage(async ({ console, query }) => {
  const page = Math.min(pageIn(query), LAST_PAGE)
  const { rows, total } = await console.list(logs.list, {
    query: { ...pageQuery(page), q: logQuery(query.q, query.user) },
  })
  return (
    <>
      <Head title={say('logs.title')} lead={say('logs.lead')} />
      <List
        path="/console/logs"
        rows={rows}
        total={total}
        page={page}
        query={{ q: query.q, user: query.user }}
        search={{ name: 'q', label: say('logs.find'), hint: say('logs.find.hint') }}
        filters={
          <>
            <label className="co-hidden" htmlFor="user">
              {say('logs.user')}
            </label>
            <input
              id="user"
              className="co-input"
              name="user"
              defaultValue={query.user}
              placeholder={say('logs.user')}
            />
          </>
        }
        empty={say('logs.empty')}
        id={({ log_id }) => log_id}
        href={({ log_id }) => `/console/logs/${log_id}`}
        columns={logColumns}
      />
    </>
  )
})
