import { readInvitation } from '../../../lib/next/console/join'
import { say } from '../../../lib/texts/console'
import { accept } from '../_parts/actions'
import { Plain } from '../_parts/states'
import { AccountForm } from './account-form'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function Join({ searchParams }: Props) {
  const { ticket } = await searchParams
  const joining = await readInvitation(typeof ticket === 'string' ? ticket : '')
  if (joining.state === 'void')
    return (
      <Plain title={say('join.void.title')}>
        <p className="co-lead">{say('join.void.text')}</p>
      </Plain>
    )
  if (joining.state === 'sign-in')
    return (
      <Plain title={say('join.title')}>
        <p className="co-lead">{say('join.sign_in.text')}</p>
        {joining.mayMakeAccount && (
          <>
            <p>{say('join.make.text')}</p>
            <AccountForm ticket={typeof ticket === 'string' ? ticket : ''} />
            <p className="co-hint">{say('join.or')}</p>
          </>
        )}
        <a className={joining.mayMakeAccount ? 'co-button' : 'button button-primary'} href={joining.to}>
          {say('sign_in.again')}
        </a>
      </Plain>
    )
  const { user, invitation } = joining
  return (
    <Plain title={say('join.title')}>
      <p className="co-lead">{say('join.text', { user, role: say(`role.${invitation.role}`) })}</p>
      <form action={accept}>
        <input type="hidden" name="ticket" value={ticket} />
        <button type="submit" className="button button-primary">
          {say('join.accept')}
        </button>
      </form>
    </Plain>
  )
}
