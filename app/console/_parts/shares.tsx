// Links for people without an account here: the rows of those that open something now, and the form for a link to a test.
import type { ReactNode } from 'react'
import type { AnswerOf } from '../../../lib/management/console-call'
import { loginShares } from '../../../lib/management/resources/login-shares'
import { users } from '../../../lib/management/resources/users'
import type { Field } from '../../../lib/server/next/console/field'
import { fieldsOf } from '../../../lib/server/next/console/form'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Badge } from './badge'
import { PageLink, UserLink } from './links'
import { Moment } from './moment'
import { OperationForm } from './operation-form'
import { Panel } from './panel'
import { Rows } from './rows'

export type Share = AnswerOf<typeof loginShares.list>[number]

/** What a link, or a test, is of. */
export type Tested = Readonly<Partial<Record<'client_id' | 'connection' | 'organization', string>>>

const DAYS = [1, 7, 30] as const

/** The fields of a form that makes a link. */
export function shareFields(fields: readonly Field[]): Field[] {
  const options = DAYS.map((days) => ({ value: String(days), label: say(`logins.share.days.${days}`) }))
  return fields.map((field) => (field.name === 'days' ? { ...field, options } : field))
}

type ListProps = { shares: readonly Share[]; console: Console; about?(share: Share): ReactNode }

/** `about`: what a row says first. */
export async function ShareRows({ shares, console, about }: ListProps) {
  const names = await makersOf(shares, console)
  return (
    <Rows
      rows={shares}
      id={({ id }) => id}
      cell={(share) => (
        <>
          {about?.(share)}
          <Shared share={share} maker={names.get(share.created_by.user_id ?? '')} />
        </>
      )}
      action={(share) => console.may(loginShares.delete) && <Withdraw id={share.id} />}
    />
  )
}

export const Withdraw = ({ id }: { id: string }) => (
  <OperationForm
    operation={loginShares.delete}
    params={{ id }}
    submitLabel={say('logins.share.withdraw')}
    done="deleted"
    danger
  />
)

function Shared({ share, maker }: { share: Share; maker: string | undefined }) {
  return (
    <>
      <Maker share={share} name={maker} /> · {say('logins.share.until')} <Moment at={share.expires_at} /> ·{' '}
      <Openings share={share} />
      {share.kind === 'test' && (
        <>
          {' '}
          · <Tries share={share} />
        </>
      )}
    </>
  )
}

export const Maker = ({ share: { created_by }, name }: { share: Share; name: string | undefined }) =>
  created_by.user_id === undefined ? (
    <bdi>{created_by.client_id}</bdi>
  ) : (
    <UserLink id={created_by.user_id} name={name} />
  )

const Openings = ({ share: { openings, last_opened_at } }: { share: Share }) =>
  last_opened_at === null ? (
    say('logins.share.unopened')
  ) : (
    <>
      {say('logins.share.opened', { count: String(openings) })} <Moment at={last_opened_at} />
    </>
  )

/** How many logins were started, with the way to them, and what the last came to. */
export function Tries({ share: { id, tries, max_tries, last_outcome, last_reason } }: { share: Share }) {
  const count = say('logins.links.tries', { count: String(tries), most: String(max_tries) })
  return (
    <>
      {tries === 0 ? count : <PageLink href={`/console/logins?login_share=${id}`} title={count} />}
      {last_outcome !== null && (
        <>
          {' '}
          <Badge danger={last_outcome === 'failed'}>{say(`logins.show.${last_outcome}`)}</Badge>
        </>
      )}
      {last_reason !== null && (
        <>
          {' '}
          <code>{last_reason}</code>
        </>
      )}
    </>
  )
}

/** The names of the people who made links, as far as the role may read them. */
export async function makersOf(shares: readonly Share[], console: Console): Promise<Map<string, string>> {
  const ids = [...new Set(shares.flatMap(({ created_by }) => created_by.user_id ?? []))]
  if (ids.length === 0 || !console.may(users.list)) return new Map()
  const q = ids.map((id) => `user_id:"${id}"`).join(' OR ')
  const { rows } = await console.list(users.list, { query: { q, fields: 'user_id,name,email' } })
  return new Map(rows.map((row) => [row.user_id ?? '', row.name ?? row.email ?? row.user_id ?? '']))
}

const DEFAULTS = { parameters: { prompt: 'login' }, days: 7, tries: 20 }

type TestLinksProps = { of: Tested; console: Console; parameters?: Readonly<Record<string, string>> }

/** The links by which other people test this, and a form for one more; nothing for a role that may do neither. */
export async function TestLinks({ of, console, parameters = DEFAULTS.parameters }: TestLinksProps) {
  if (!console.may(loginShares.list)) return null
  const mayMake = console.may(loginShares.createTest)
  const { rows } = await console.list(loginShares.list, { query: { kind: 'test', ...of } })
  if (!mayMake && rows.length === 0) return null
  const fields = fieldsOf(loginShares.createTest, ['days', 'tries', 'parameters'], { ...DEFAULTS, parameters })
  return (
    <Panel id="test-links" title={say('logins.links.test')} lead={say('logins.links.test.lead')}>
      {rows.length > 0 && (await ShareRows({ shares: rows, console }))}
      {mayMake && (
        <OperationForm
          operation={loginShares.createTest}
          body={of}
          fields={shareFields(fields)}
          submitLabel={say('logins.share.make')}
        />
      )}
    </Panel>
  )
}
