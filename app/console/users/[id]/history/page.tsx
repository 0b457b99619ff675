import type { Metadata } from 'next'
import { logs } from '../../../../../lib/management/resources/logs'
import { userLogs } from '../../../../../lib/management/resources/user-logs'
import { namesIn } from '../../../../../lib/server/next/console/log-names'
import { CHANGE_CODES } from '../../../../../lib/server/next/console/log-sentences'
import type { Console } from '../../../../../lib/server/next/console/page'
import { say } from '../../../../../lib/text/console'
import { PageLink, userPath } from '../../../_parts/links'
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
      {await changesTo(id, console)}
      <Panel title={say('users.raw')} lead={say('users.raw.lead')}>
        <details>
          <summary className="co-summary">{say('users.raw')}</summary>
          <pre className="co-raw">{JSON.stringify(user, null, 2)}</pre>
        </details>
      </Panel>
    </>
  )
})

const NEWEST = '10'

/** Records of changes name who made them; this person is what they are about. */
async function changesTo(id: string, console: Console) {
  if (!console.may(logs.list)) return null
  const about = `details.target:"${id.replace(/["\\]/g, '\\$&')}"`
  const q = `type:(${CHANGE_CODES.join(' OR ')}) AND ${about}`
  const { rows } = await console.list(logs.list, { query: { q, per_page: NEWEST } })
  const names = await namesIn(rows, console)
  return (
    <Panel title={say('users.changes')} lead={say('users.changes.lead')}>
      <List
        path={`${userPath(id)}/history`}
        rows={rows}
        title={say('users.changes.newest')}
        total={undefined}
        more={false}
        page={0}
        empty={say('users.changes.none')}
        id={({ log_id }) => log_id}
        columns={logColumns(names, console)}
      />
      {rows.length === Number(NEWEST) && (
        <PageLink href={`/console/logs?${new URLSearchParams({ q: about })}`} title={say('users.changes.all')} />
      )}
    </Panel>
  )
}
