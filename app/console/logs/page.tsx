import type { Metadata } from 'next'
import { logs } from '../../../lib/management/resources/logs'
import { namesIn } from '../../../lib/server/next/console/log-names'
import { say } from '../../../lib/text/console'
import { Head } from '../_parts/head'
import { List, PER_PAGE, pageIn, pageQuery } from '../_parts/list'
import { consolePage } from '../_parts/page'
import { QuickFilters } from '../_parts/quick-filters'
import { logColumns } from './columns'
import { LiveTail } from './live-tail'
import './logs.css'
import { LOG_FILTERS, type LogFilters, logQuery, SHOWN, SINCE } from './query'
import { SavedViews } from './saved-views'

export const metadata: Metadata = { title: say('logs.title') }

const PATH = '/console/logs'

/** The log has pages for its newest thousand records. */
const LAST_PAGE = 1000 / PER_PAGE - 1

export default consolePage(async ({ console, query }) => {
  const page = Math.min(pageIn(query), LAST_PAGE)
  const filters: LogFilters = Object.fromEntries(LOG_FILTERS.map((name) => [name, query[name]]))
  const { rows, total } = await console.list(logs.list, {
    query: { ...pageQuery(page), q: logQuery(filters, console.now) },
  })
  const names = await namesIn(rows, console)
  const here = addressOf(filters)
  return (
    <>
      <Head
        title={say('logs.title')}
        lead={say('logs.lead')}
        action={<LiveTail newest={rows.map(({ log_id }) => log_id)} isFirst={page === 0} />}
      />
      <QuickFilters
        label={say('logs.views')}
        filters={(['all', ...(Object.keys(SHOWN) as (keyof typeof SHOWN)[])] as const).map((show) => ({
          href: addressOf({ ...filters, show: show === 'all' ? undefined : show }),
          title: say(`logs.show.${show}`),
          isChosen: (filters.show ?? 'all') === show,
        }))}
      />
      <List
        path={PATH}
        rows={rows}
        total={total}
        page={page}
        query={filters}
        search={{ name: 'q', label: say('logs.find'), hint: say('logs.find.hint') }}
        filters={<Filters {...filters} />}
        empty={say('logs.empty')}
        id={({ log_id }) => log_id}
        columns={logColumns(names, console)}
      />
      <SavedViews here={here} />
    </>
  )
})

const addressOf = (filters: LogFilters): string => {
  const kept = Object.entries(filters).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return kept.length === 0 ? PATH : `${PATH}?${new URLSearchParams(kept)}`
}

function Filters({ show, user, app, connection, since }: LogFilters) {
  return (
    <>
      {show && <input type="hidden" name="show" value={show} />}
      <Filter name="user" label={say('logs.user')} value={user} />
      <Filter name="app" label={say('logs.app')} value={app} />
      <Filter name="connection" label={say('logs.connection')} value={connection} />
      <label className="co-hidden" htmlFor="since">
        {say('logs.since')}
      </label>
      <select id="since" className="co-input" name="since" defaultValue={since ?? ''}>
        <option value="">{say('logs.since.any')}</option>
        {(Object.keys(SINCE) as (keyof typeof SINCE)[]).map((each) => (
          <option key={each} value={each}>
            {say(`logs.since.${each}`)}
          </option>
        ))}
      </select>
    </>
  )
}

function Filter({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <>
      <label className="co-hidden" htmlFor={name}>
        {label}
      </label>
      <input id={name} className="co-input" name={name} defaultValue={value} placeholder={label} />
    </>
  )
}
