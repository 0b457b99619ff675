import type { Metadata } from 'next'
import type { AnswerOf } from '../../../../lib/management/console-call'
import { connections } from '../../../../lib/management/resources/connections'
import { logins } from '../../../../lib/management/resources/logins'
import { logs } from '../../../../lib/management/resources/logs'
import type { Console } from '../../../../lib/server/next/console/page'
import { remedyOf } from '../../../../lib/server/next/console/remedies'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { CopyableId } from '../../_parts/copy'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { PageLink, UserLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import '../../logs/logs.css'
import '../logins.css'
import { Step } from '../step'

export const metadata: Metadata = { title: say('logins.one') }

type ShownLogin = AnswerOf<typeof logins.read>

export default consolePage(async ({ console, params: { id = '' } }) => {
  const login = await console.read(logins.read, { params: { id } })
  return (
    <>
      <Head
        title={say('logins.one')}
        lead={<Badge danger={login.outcome === 'failed'}>{say(`logins.show.${login.outcome}`)}</Badge>}
        back={{ href: '/console/logins', title: say('logins.title') }}
      />
      {login.outcome === 'failed' && <Failure login={login} connectionId={await connectionIdOf(login, console)} />}
      <Panel title={say('logins.facts')}>
        <Facts facts={factsOf(login, console)} />
      </Panel>
      <section aria-labelledby="steps">
        <h2 id="steps" className="co-panel-title">
          {say('logins.timeline')}
        </h2>
        {login.requests.map(({ at, endpoint, ip, request_id, steps }) => (
          <div key={`${at} ${request_id}`}>
            <p className="co-request-head">
              <Moment at={at} /> · {say('logins.at', { endpoint, ip })}
            </p>
            <ol className="co-steps">
              {steps.map((step, place) => (
                <Step key={`${request_id} ${String(place)}`} step={step} />
              ))}
            </ol>
          </div>
        ))}
      </section>
    </>
  )
})

async function connectionIdOf({ connection }: ShownLogin, console: Console): Promise<string | null> {
  if (connection === null || !console.may(connections.list)) return null
  const { rows } = await console.list(connections.list, { query: { name: connection } })
  return rows[0]?.id ?? null
}

/** The step behind the reason: the first that failed by it. */
const failedStep = ({ requests, reason }: ShownLogin) =>
  requests.flatMap(({ steps }) => steps).find((step) => step.outcome === 'failed' && step.reason === reason)

function Failure({ login, connectionId }: { login: ShownLogin; connectionId: string | null }) {
  const step = failedStep(login)
  const subjects = { client: login.client_id, connection: connectionId, user: login.user_id }
  const remedy = remedyOf(login.reason, subjects)
  const failed = step?.lines?.filter(({ verdict, says }) => verdict === 'failed' && says) ?? []
  return (
    <Panel title={say('logins.wrong')} danger>
      <Facts
        facts={[
          [say('logins.said'), step?.says ?? login.reason],
          ...failed.map(({ name, says }) => [name, says] as const),
          ...(step?.hint ? [[say('logins.mend'), step.hint] as const] : []),
          ...(remedy?.member ? [[say('logins.member'), <code key="member">{remedy.member}</code>] as const] : []),
          [say('logins.rule'), <code key="rule">{login.reason}</code>],
        ]}
      />
      <p className="co-log-views">
        {remedy && (
          // A document of its own, because a browser marks the target of no other address.
          <a className="co-button co-button-primary" href={remedy.href}>
            {say(`logins.mend.${remedy.kind}`)}
          </a>
        )}
        <a className="link" href={`/troubleshooting#${login.reason ?? ''}`}>
          {say('logins.more')}
        </a>
      </p>
    </Panel>
  )
}

function factsOf(login: ShownLogin, console: Console) {
  const { id, started_at, ended_at, user_id, user_name, client_id, client_name, connection } = login
  const records = `/console/logs?${new URLSearchParams({ q: `details.login_id:${id}` })}`
  const all = [
    [say('column.id'), <CopyableId key="id" value={id} />],
    [say('column.user'), user_id ? <UserLink key="user" id={user_id} name={user_name ?? undefined} /> : user_name],
    [
      say('column.application'),
      client_id && <PageLink href={`/console/applications/${client_id}`} title={client_name ?? client_id} />,
    ],
    [say('column.connection'), connection],
    [say('logins.began'), <Moment key="began" at={started_at} />],
    [say('logins.ended'), <Moment key="ended" at={ended_at} />],
    [say('column.browser'), login.requests.at(-1)?.user_agent],
    [say('logins.records'), console.may(logs.list) && <PageLink href={records} title={say('logins.records')} />],
  ] as const
  return all.filter(([, value]) => Boolean(value))
}
