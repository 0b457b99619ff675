import type { Metadata } from 'next'
import { logs } from '../../../../lib/management/resources/logs'
import { mayOpen, namesIn } from '../../../../lib/server/next/console/log-names'
import { adviceOf, applicationOf, type ShownLogEntry } from '../../../../lib/server/next/console/log-sentences'
import type { Console } from '../../../../lib/server/next/console/page'
import { browserNameOf } from '../../../../lib/server/next/console/person'
import { remedyOf } from '../../../../lib/server/next/console/remedies'
import { say } from '../../../../lib/text/console'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { PageLink, PlainLink, UserLink } from '../../_parts/links'
import { Marked } from '../../_parts/marked'
import { Moment } from '../../_parts/moment'
import { NotApplied } from '../../_parts/not-applied'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { connectionIdOf, RemedyLink } from '../../logins/cause'
import { Difference } from '../difference'
import '../logs.css'
import { Sentence } from '../sentence'

export const metadata: Metadata = { title: say('logs.entry') }

export default consolePage(async ({ console, params: { id = '' } }) => {
  const entry = await console.read(logs.read, { params: { id } })
  const names = await namesIn([entry], console)
  const { difference, not_applied: notApplied, change = '', reason, login_id: loginId } = entry.details ?? {}
  const advice = adviceOf(entry)
  const browser = await browserNameOf(entry.user_agent ?? null)
  const connectionId = await connectionIdOf(entry.connection ?? null, console)
  const remedy = remedyOf(reason ?? null, {
    client: entry.client_id ?? null,
    connection: connectionId,
    user: entry.user_id ?? null,
  })
  return (
    <>
      <Head
        title={<Sentence entry={entry} names={names} console={console} />}
        lead={<Moment at={entry.date} />}
        back={{ href: '/console/logs', title: say('logs.title') }}
        action={loginId && <PlainLink href={`/console/logins/${loginId}`} title={say('logins.steps')} />}
      />
      {advice && (
        <Panel title={say('logs.advice')} lead={entry.description}>
          <p>
            <Marked text={advice} />
          </p>
          <div className="co-row-actions">
            {remedy && <RemedyLink remedy={remedy} />}
            {reason && (
              <a className="link" href={`/troubleshooting#${reason}`}>
                {say('logs.advice.more')}
              </a>
            )}
          </div>
        </Panel>
      )}
      {difference && Object.keys(difference).length > 0 && (
        <Panel title={say('logs.change')} lead={say('logs.change.lead')}>
          <Difference change={change} difference={difference} />
        </Panel>
      )}
      <NotApplied paths={notApplied} />
      <Panel title={say('logs.facts')}>
        <Facts facts={factsOf(entry, { connectionId, browser }, console)} />
        <details>
          <summary className="co-summary">{say('logs.raw')}</summary>
          <pre className="co-raw">{JSON.stringify(entry, null, 2)}</pre>
        </details>
      </Panel>
    </>
  )
})

type Found = { connectionId: string | null; browser: string | undefined }

function factsOf(entry: ShownLogEntry, { connectionId, browser }: Found, console: Console) {
  const { type, user_id, user_name, client_id, connection, ip, details } = entry
  const { text, href } = applicationOf(entry)
  const application = href && mayOpen(console, href) ? <PageLink href={href} title={text} /> : client_id && text
  const user = user_id && <UserLink id={user_id} name={user_name} />
  const byConnection = <PageLink href={`/console/connections/${connectionId}`} title={connection ?? ''} />
  const all = [
    [say('logs.type'), type],
    [say('logs.reason'), details?.reason],
    [say('logs.parameter'), details?.parameter],
    [say('logs.dropped'), details?.dropped_scopes],
    [say('column.user'), user],
    [say('column.application'), application],
    [say('column.connection'), connectionId === null ? connection : byConnection],
    [say('column.ip'), ip],
    [say('column.target'), details?.target],
    [say('column.browser'), browser],
  ] as const
  return all.filter(([, value]) => Boolean(value))
}
