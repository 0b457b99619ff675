import type { Metadata } from 'next'
import type { AnswerOf } from '../../../../lib/management/console-call'
import { logins } from '../../../../lib/management/resources/logins'
import { logs } from '../../../../lib/management/resources/logs'
import { users } from '../../../../lib/management/resources/users'
import { readOwnTest } from '../../../../lib/server/next/console/login-test'
import type { Console } from '../../../../lib/server/next/console/page'
import { browserNameOf } from '../../../../lib/server/next/console/person'
import { isConsoleKey, say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { CopyableId } from '../../_parts/copy'
import { Facts } from '../../_parts/facts'
import { Head } from '../../_parts/head'
import { PageLink, UserLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import '../../logs/logs.css'
import { Cause, connectionIdOf } from '../cause'
import '../logins.css'
import { Step } from '../step'
import { SharePanel } from './share'

export const metadata: Metadata = { title: say('logins.one') }

type ShownLogin = AnswerOf<typeof logins.read>

export default consolePage(async ({ console, params: { id = '' } }) => {
  const mayRead = console.may(logins.read)
  const login = mayRead ? await console.read(logins.read, { params: { id } }) : await readOwnTest(id, console)
  const browser = await browserNameOf(login.requests.at(-1)?.user_agent ?? null)
  return (
    <>
      <Head
        title={titleOf(login)}
        lead={<Badge danger={login.outcome === 'failed'}>{say(`logins.show.${login.outcome}`)}</Badge>}
        {...(mayRead && { back: { href: '/console/logins', title: say('logins.title') } })}
      />
      {login.outcome === 'failed' && (await Failure({ login, console }))}
      <Panel title={say('logins.facts')}>
        <Facts facts={factsOf(login, browser, console)} />
      </Panel>
      <section aria-labelledby="steps">
        <h2 id="steps" className="co-panel-title">
          {say('logins.timeline')}
        </h2>
        {login.requests.map(({ at, endpoint, ip, request_id, steps }) => (
          <div key={`${at} ${request_id}`}>
            <p className="co-request-head">
              <Moment at={at} /> · {say('logins.at', { endpoint: wordsOf(endpoint), ip })}
            </p>
            <ol className="co-steps">
              {steps.map((step, place) => (
                <Step key={`${request_id} ${String(place)}`} step={step} />
              ))}
            </ol>
          </div>
        ))}
      </section>
      {mayRead && (await SharePanel({ id, console }))}
    </>
  )
})

/** The step behind the reason: the first that failed by it. */
const failedStep = ({ requests, reason }: ShownLogin) =>
  requests.flatMap(({ steps }) => steps).find((step) => step.outcome === 'failed' && step.reason === reason)

async function Failure({ login, console }: { login: ShownLogin; console: Console }) {
  const { client_id: client, user_id: user, connection, reason } = login
  const subjects = { client, user, connection: await connectionIdOf(connection, console) }
  return (
    <Panel title={say('logins.wrong')} danger>
      <Cause reason={reason} step={failedStep(login)} subjects={subjects} />
    </Panel>
  )
}

function titleOf({ user_id: id, user_name: name, client_id: client, client_name: clientName }: ShownLogin): string {
  const user = name ?? id
  const application = clientName ?? client
  if (user && application) return say('logins.one.of_at', { user, application })
  if (user) return say('logins.one.of', { user })
  return application ? say('logins.one.at', { application }) : say('logins.one')
}

/** An endpoint that is no part of a login has its name. */
function wordsOf(endpoint: string): string {
  const key = `logins.endpoint.${endpoint}`
  return isConsoleKey(key) ? say(key) : endpoint
}

function factsOf(login: ShownLogin, browser: string | undefined, console: Console) {
  const { id, started_at, ended_at, user_id, user_name, client_id, client_name, connection } = login
  const records = `/console/logs?${new URLSearchParams({ q: `details.login_id:${id}` })}`
  const all = [
    [say('column.id'), <CopyableId key="id" value={id} />],
    [
      say('column.user'),
      user_id && console.may(users.read) ? (
        <UserLink key="user" id={user_id} name={user_name ?? undefined} />
      ) : (
        user_name
      ),
    ],
    [
      say('column.application'),
      client_id && <PageLink href={`/console/applications/${client_id}`} title={client_name ?? client_id} />,
    ],
    [say('column.connection'), connection],
    [say('logins.began'), <Moment key="began" at={started_at} />],
    [say('logins.ended'), <Moment key="ended" at={ended_at} />],
    [say('column.browser'), browser],
    [say('logins.records'), console.may(logs.list) && <PageLink href={records} title={say('logins.records')} />],
  ] as const
  return all.filter(([, value]) => Boolean(value))
}
