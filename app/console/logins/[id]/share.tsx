import type { AnswerOf } from '../../../../lib/management/console-call'
import { loginShares } from '../../../../lib/management/resources/login-shares'
import { users } from '../../../../lib/management/resources/users'
import { fieldsOf } from '../../../../lib/server/next/console/form'
import type { Console } from '../../../../lib/server/next/console/page'
import { say } from '../../../../lib/text/console'
import { UserLink } from '../../_parts/links'
import { Moment } from '../../_parts/moment'
import { OperationForm } from '../../_parts/operation-form'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'

type Share = AnswerOf<typeof loginShares.list>[number]

const DAYS = [1, 7, 30] as const

/** The links to a copy of this login: those that open it now, and a form for one more. */
export async function SharePanel({ id, console }: { id: string; console: Console }) {
  const mayMake = console.may(loginShares.create)
  const { rows } = await console.list(loginShares.list, { query: { login_id: id } })
  if (!mayMake && rows.length === 0) return null
  const names = await makersOf(rows, console)
  const fields = fieldsOf(loginShares.create, ['days'], { days: 7 }).map((field) => ({
    ...field,
    options: DAYS.map((days) => ({ value: String(days), label: say(`logins.share.days.${days}`) })),
  }))
  return (
    <Panel title={say('logins.share')} lead={say('logins.share.lead')}>
      {rows.length > 0 && (
        <Rows
          rows={rows}
          id={(share) => share.id}
          cell={(share) => <Shared share={share} maker={names.get(share.created_by.user_id ?? '')} />}
          action={(share) =>
            console.may(loginShares.delete) && (
              <OperationForm
                operation={loginShares.delete}
                params={{ id: share.id }}
                submitLabel={say('logins.share.withdraw')}
                done="deleted"
                danger
              />
            )
          }
        />
      )}
      {mayMake && (
        <OperationForm
          operation={loginShares.create}
          body={{ login_id: id }}
          fields={fields}
          submitLabel={say('logins.share.make')}
          next={`/console/logins/${id}`}
        />
      )}
    </Panel>
  )
}

function Shared({ share, maker }: { share: Share; maker: string | undefined }) {
  const { created_by, expires_at, openings, last_opened_at } = share
  return (
    <>
      {created_by.user_id === undefined ? (
        <bdi>{created_by.client_id}</bdi>
      ) : (
        <UserLink id={created_by.user_id} name={maker} />
      )}{' '}
      · {say('logins.share.until')} <Moment at={expires_at} /> ·{' '}
      {last_opened_at === null ? (
        say('logins.share.unopened')
      ) : (
        <>
          {say('logins.share.opened', { count: String(openings) })} <Moment at={last_opened_at} />
        </>
      )}
    </>
  )
}

/** The names of the people who made links, as far as the role may read them. */
async function makersOf(shares: readonly Share[], console: Console): Promise<Map<string, string>> {
  const ids = [...new Set(shares.flatMap(({ created_by }) => created_by.user_id ?? []))]
  if (ids.length === 0 || !console.may(users.list)) return new Map()
  const q = ids.map((id) => `user_id:"${id}"`).join(' OR ')
  const { rows } = await console.list(users.list, { query: { q, fields: 'user_id,name,email' } })
  return new Map(rows.map((row) => [row.user_id ?? '', row.name ?? row.email ?? row.user_id ?? '']))
}
