import { loginShares } from '../../../../lib/management/resources/login-shares'
import { fieldsOf } from '../../../../lib/server/next/console/form'
import type { Console } from '../../../../lib/server/next/console/page'
import { say } from '../../../../lib/text/console'
import { OperationForm } from '../../_parts/operation-form'
import { Panel } from '../../_parts/panel'
import { ShareRows, shareFields } from '../../_parts/shares'

/** The links to a copy of this login: those that open it now, and a form for one more. */
export async function SharePanel({ id, console }: { id: string; console: Console }) {
  const mayMake = console.may(loginShares.create)
  const { rows } = await console.list(loginShares.list, { query: { login_id: id } })
  if (!mayMake && rows.length === 0) return null
  return (
    <Panel title={say('logins.share')} lead={say('logins.share.lead')}>
      {rows.length > 0 && (await ShareRows({ shares: rows, console }))}
      {mayMake && (
        <OperationForm
          operation={loginShares.create}
          body={{ login_id: id }}
          fields={shareFields(fieldsOf(loginShares.create, ['days'], { days: 7 }))}
          submitLabel={say('logins.share.make')}
          next={`/console/logins/${id}`}
        />
      )}
    </Panel>
  )
}
