import type { Metadata } from 'next'
import { logs } from '../../../../lib/management/resources/logs'
import { say } from '../../../../lib/text/console'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { UserLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { NotApplied } from '../../_parts/not-applied'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import type { ShownLogEntry } from '../columns'

export const metadata: Metadata = { title: say('logs.entry') }

export default consolePage(async ({ console, params: { id = '' } }) => {
  const entry = await console.read(logs.read, { params: { id } })
  const { difference, not_applied: notApplied } = entry.details ?? {}
  return (
    <>
      <Head
        title={entry.details?.change ?? entry.description ?? entry.type}
        lead={<Moment at={entry.date} />}
        back={{ href: '/console/logs', title: say('logs.title') }}
      />
      <Panel title={say('logs.facts')}>
        <Facts facts={factsOf(entry)} />
      </Panel>
      {difference && Object.keys(difference).length > 0 && (
        <Panel title={say('logs.change')} lead={say('logs.change.lead')}>
          <dl className="co-changes">
            {Object.entries(difference).map(([name, change]) => (
              <div key={name} className="co-change">
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  <span className="co-hint">{say('logs.before')}</span>
                  <code>{textOf([change].flat()[0])}</code>
                </dd>
                <dd>
                  <span className="co-hint">{say('logs.after')}</span>
                  <code>{textOf([change].flat()[1])}</code>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      <NotApplied paths={notApplied} />
      <Panel title={say('logs.raw')}>
        <pre className="co-raw">{JSON.stringify(entry, null, 2)}</pre>
      </Panel>
    </>
  )
})

const textOf = (value: unknown): string =>
  value === null || value === undefined ? say('value.none') : JSON.stringify(value)

function factsOf({
  type,
  user_id,
  user_name,
  client_id,
  client_name,
  connection,
  ip,
  user_agent,
  details,
}: ShownLogEntry) {
  const user = user_id && <UserLink id={user_id} name={user_name} />
  const all = [
    [say('logs.type'), type],
    [say('logs.reason'), details?.reason && <a href={`/troubleshooting#${details.reason}`}>{details.reason}</a>],
    [say('logs.hint'), details?.hint],
    [say('logs.parameter'), details?.parameter],
    [say('logs.dropped'), details?.dropped_scopes],
    [say('column.user'), user],
    [say('column.application'), client_name ?? client_id],
    [say('column.connection'), connection],
    [say('column.ip'), ip],
    [say('column.target'), details?.target],
    [say('column.browser'), user_agent],
  ] as const
  return all.filter(([, value]) => Boolean(value))
}
