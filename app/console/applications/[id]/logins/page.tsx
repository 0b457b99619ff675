import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import type { Reference } from '../../../../../lib/management/console-call'
import { clientTokens } from '../../../../../lib/management/resources/client-tokens'
import { userLogins } from '../../../../../lib/management/resources/user-logins'
import { type Device, devicesOf, namesOfPeople } from '../../../../../lib/server/next/console/person'
import { type ConsoleKey, say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { Facts } from '../../../_parts/facts'
import { PageLink, UserLink } from '../../../_parts/links'
import { Count, Moment } from '../../../_parts/moment'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { Empty } from '../../../_parts/states'
import { type ApplicationPage, applicationPage } from '../../application'

export const metadata: Metadata = { title: say('applications.tab.logins') }

const LISTED = '25'

/** A session or a refresh token. */
type Login = { id: string; userId: string; device: Device; madeAt: string; usedAt: string | undefined }

/** `next`: behind the last one of this page. */
type Part = { logins: readonly Login[]; next: string | undefined }

export default applicationPage('logins', async (page) => (
  <>
    {await sessions(page)}
    {await tokens(page)}
  </>
))

async function sessions({ id, console, query }: ApplicationPage) {
  if (!console.may(clientTokens.sessionsList)) return null
  const found = await console.read(clientTokens.sessionsList, {
    params: { id },
    query: { take: LISTED, from: query.sessions },
  })
  const logins = found.sessions.map((session) => ({
    ...{ id: session.id, userId: session.user_id, device: session.device },
    ...{ madeAt: session.created_at, usedAt: session.last_interacted_at },
  }))
  return (
    <Panel id="sessions" title={say('applications.sessions')} lead={say('applications.sessions.lead')}>
      {
        await list(
          { logins, next: found.next },
          { id, console, query, name: 'sessions', end: userLogins.sessionsDelete },
        )
      }
    </Panel>
  )
}

async function tokens({ id, application, console, query }: ApplicationPage) {
  const found = await console.read(clientTokens.refreshTokensList, {
    params: { id },
    query: { take: LISTED, from: query.tokens },
  })
  const { counts } = found
  const logins = found.refresh_tokens.map((token) => ({
    ...{ id: token.id, userId: token.user_id, device: token.device ?? {} },
    ...{ madeAt: token.created_at, usedAt: token.last_exchanged_at },
  }))
  return (
    <Panel id="tokens" title={say('applications.holders')} lead={say('applications.holders.lead')}>
      <Facts
        facts={[
          [say('applications.holders.people'), <Count key="people" of={counts.users} />],
          [say('applications.holders.tokens'), <Count key="tokens" of={counts.tokens} />],
          [say('applications.holders.sessions'), <Count key="sessions" of={counts.sessions} />],
        ]}
      />
      {
        await list(
          { logins, next: found.next },
          { id, console, query, name: 'tokens', end: userLogins.refreshTokensDelete },
        )
      }
      {counts.users > 0 && console.may(clientTokens.refreshTokensDelete) && (
        <OperationForm
          operation={clientTokens.refreshTokensDelete}
          params={{ id }}
          submitLabel={
            counts.users === 1
              ? say('applications.holders.end.one')
              : say('applications.holders.end', { count: counts.users.toLocaleString('en') })
          }
          confirm={application.name}
          done="done"
          danger
        />
      )}
    </Panel>
  )
}

type Of = Pick<ApplicationPage, 'id' | 'console' | 'query'> & { name: 'sessions' | 'tokens'; end: Reference }

/** Those of people above who looks at it stay. */
async function list({ logins, next }: Part, { id, console, query, name, end }: Of): Promise<ReactNode> {
  if (logins.length === 0) return <Empty title={say(NONE[name])} />
  const people = logins.map(({ userId }) => userId)
  const [names, devices, above] = await Promise.all([
    namesOfPeople(people, console),
    devicesOf(logins.map(({ device }) => device)),
    console.above('users', people),
  ])
  const at = (from: string | undefined): string =>
    `/console/applications/${encodeURIComponent(id)}/logins${from === undefined ? '' : `?${new URLSearchParams({ [name]: from })}`}#${name}`
  return (
    <>
      <Rows
        rows={logins.map((login, place) => ({ ...login, where: devices[place] ?? '' }))}
        id={(login) => login.id}
        cell={(login) => (
          <>
            <UserLink id={login.userId} name={names.get(login.userId)} />{' '}
            {above.has(login.userId) && <Badge>{say('applications.logins.above')}</Badge>}
            <p className="co-hint">
              <bdi>{login.where}</bdi>
            </p>
            <p className="co-hint">
              {say('applications.logins.made')} <Moment at={login.madeAt} />
              {login.usedAt !== undefined && (
                <>
                  {' · '}
                  {say('applications.logins.used')} <Moment at={login.usedAt} />
                </>
              )}
            </p>
          </>
        )}
        action={(login) =>
          console.may(end) &&
          !above.has(login.userId) && (
            <OperationForm
              operation={end}
              params={{ id: login.id }}
              submitLabel={say('users.session.end')}
              done="done"
            />
          )
        }
      />
      {(next !== undefined || query[name] !== undefined) && (
        <nav className="co-pages" aria-label={say(PAGES[name])}>
          {query[name] !== undefined && <PageLink href={at(undefined)} title={say('list.first')} />}
          {next !== undefined && <PageLink href={at(next)} title={say('list.next')} />}
        </nav>
      )}
    </>
  )
}

const NONE = { sessions: 'applications.sessions.none', tokens: 'applications.holders.none' } as const satisfies Record<
  Of['name'],
  ConsoleKey
>
const PAGES = {
  sessions: 'applications.sessions.pages',
  tokens: 'applications.holders.pages',
} as const satisfies Record<Of['name'], ConsoleKey>
