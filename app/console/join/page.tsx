import { administrators } from '../../../lib/management/resources/administrators'
import { valueLabel } from '../../../lib/server/next/console/form'
import { readInvitation } from '../../../lib/server/next/console/join'
import { valuesIn } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { OtherAccount } from '../_parts/other-account'
import { Plain } from '../_parts/states'
import { AccountForm } from './account-form'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function Join({ searchParams }: Props) {
  const { ticket = '', problem = '' } = valuesIn(await searchParams)
  const joining = await readInvitation(ticket, problem)
  if (joining.state === 'void')
    return (
      <Plain title={say('join.void.title')}>
        <p className="co-lead">{say('join.void.text')}</p>
      </Plain>
    )
  if (joining.state === 'unconfirmed')
    return (
      <Plain title={say('join.unconfirmed.title')}>
        <p className="co-lead">{say('join.unconfirmed.text', { user: joining.user })}</p>
        <a className="button button-primary" href="/account/profile">
          {say('join.unconfirmed.account')}
        </a>
      </Plain>
    )
  if (joining.state === 'other')
    return (
      <Plain title={say('join.other.title')}>
        <p className="co-lead">{say('join.other.text', { user: joining.user })}</p>
        <OtherAccount />
      </Plain>
    )
  if (joining.state === 'sign-in')
    return (
      <Plain title={say(joining.account ? 'join.make.title' : 'join.title')}>
        <p className="co-lead">{say(joining.account ? 'join.make.text' : 'join.sign_in.text')}</p>
        {joining.account && (
          <>
            <AccountForm ticket={ticket} email={joining.account.email} problem={joining.problem} />
            <p className="co-hint">{say('join.or')}</p>
          </>
        )}
        <a className={joining.account ? 'co-button' : 'button button-primary'} href={joining.to}>
          {say('sign_in.again')}
        </a>
      </Plain>
    )
  const { user, invitation } = joining
  return (
    <Plain title={say('join.title')}>
      <p className="co-lead">
        {say('join.text', { user, role: valueLabel(administrators.update, 'role', invitation.role) })}
      </p>
      <form method="post" action="/console/join/accept">
        <input type="hidden" name="ticket" value={ticket} />
        <button type="submit" className="button button-primary">
          {say('join.accept')}
        </button>
      </form>
    </Plain>
  )
}
