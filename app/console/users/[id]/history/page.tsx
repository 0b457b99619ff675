import type { Metadata } from 'next'
import { userLogs } from '../../../../../lib/management/resources/user-logs'
import { namesIn } from '../../../../../lib/server/next/console/log-names'
import { say } from '../../../../../lib/text/console'
import { userPath } from '../../../_parts/links'
import { List, PER_PAGE, pageIn, pageQuery } from '../../../_parts/list'
import { Panel } from '../../../_parts/panel'
import { logColumns } from '../../../logs/columns'
import '../../../logs/logs.css'
import { personPage } from '../person'

export const metadata: Metadata = { title: say('users.tab.history') }

/** The log has pages for its newest thousand records. */
const LAST_PAGE = 1000 / PER_PAGE - 1

export default personPage('/history', async ({ console, id, user, query }) => {
  const page = Math.min(pageIn(query), LAST_PAGE)
  const { rows, total } = await console.list(userLogs.logsList, { params: { id }, query: pageQuery(page) })
  const names = await namesIn(rows, console)
  return (
    <>
      <List
        path={`${userPath(id)}/history`}
        rows={rows}
        total={total}
        page={page}
        empty={say('logs.empty')}
        id={({ log_id }) => log_id}
        columns={logColumns(names, console)}
      />
      <Panel title={say('users.raw')} lead={say('users.raw.lead')}>
        <details>
          <summary className="co-summary">{say('users.raw')}</summary>
          <pre className="co-raw">{JSON.stringify(user, null, 2)}</pre>
        </details>
      </Panel>
    </>
  )
})
