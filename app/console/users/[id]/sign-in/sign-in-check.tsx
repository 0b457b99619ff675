import type { AnswerOf } from '../../../../../lib/management/console-call'
import { jobs } from '../../../../../lib/management/jobs/resource'
import { tickets } from '../../../../../lib/management/resources/tickets'
import { userBlocks } from '../../../../../lib/management/resources/user-blocks'
import { userSignInCheck } from '../../../../../lib/management/resources/user-sign-in-check'
import { userSignInPreview } from '../../../../../lib/management/resources/user-sign-in-preview'
import { users } from '../../../../../lib/management/resources/users'
import { type ConsoleKey, say } from '../../../../../lib/text/console'
import { Badge } from '../../../_parts/badge'
import { PageLink, userPath } from '../../../_parts/links'
import { Moment } from '../../../_parts/moment'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import type { Person } from '../person'
import './sign-in-check.css'

type Props = { person: Person; names: ReadonlyMap<string, string> }

/** Why the person cannot sign in: each check in words, with what to do about one that failed. */
export async function SignInCheck({ person, names }: Props) {
  const { console, id, query } = person
  const clientId = query.client_id || undefined
  const { can_sign_in: can, checks } = await console.read(userSignInCheck.signInCheck, {
    params: { id },
    query: { client_id: clientId },
  })
  return (
    <Panel key="check" id="check" title={say('users.check')} lead={say(can ? 'users.check.can' : 'users.check.cannot')}>
      {names.size > 0 && (
        <form className="co-search">
          <label className="co-hidden" htmlFor="client_id">
            {say('users.check.application')}
          </label>
          <select id="client_id" name="client_id" className="co-input" defaultValue={clientId ?? ''}>
            <option value="">{say('users.check.any')}</option>
            {[...names].map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit" className="co-button">
            {say('users.check.ask')}
          </button>
        </form>
      )}
      <ol className="co-verdicts">
        {inOrder(checks).map((each) => (
          <li key={each.check} className="co-verdict">
            <div>
              <Badge danger={each.state === 'failed'}>{say(`users.check.state.${each.state}`)}</Badge>{' '}
              {say(textOf(each), {
                connections: (each.connections ?? []).join(', '),
                ips: (each.ips ?? []).join(', '),
                count: String(each.count ?? ''),
              })}{' '}
              {each.at && <Moment at={each.at} />}
              {each.state !== 'ok' && each.hint && <p className="co-hint">{each.hint}</p>}
            </div>
            {each.state !== 'ok' && <Remedy check={each.check} {...person} />}
          </li>
        ))}
      </ol>
      {console.may(userSignInPreview.preview) && (
        <p>
          <PageLink
            href={`${userPath(id)}/preview${clientId === undefined ? '' : `?${new URLSearchParams({ client_id: clientId })}`}`}
            title={say('preview.from_check')}
          />
        </p>
      )}
    </Panel>
  )
}

type Check = AnswerOf<typeof userSignInCheck.signInCheck>['checks'][number]

function textOf({ check, state, has_password: hasPassword }: Check): ConsoleKey {
  if (state === 'ok') return `users.check.${check}.ok`
  return hasPassword === false ? 'users.check.password.absent' : `users.check.${check}`
}

/** What keeps the person out comes first, then what may. */
const inOrder = <Of extends { state: keyof typeof ORDER }>(checks: readonly Of[]): Of[] =>
  checks.toSorted((a, b) => ORDER[a.state] - ORDER[b.state])

const ORDER = { failed: 0, notice: 1, ok: 2 }

function Remedy({ check, console, id }: Person & { check: string }) {
  if (check === 'block' && console.may(users.update, 'blocked'))
    return (
      <OperationForm
        operation={users.update}
        params={{ id }}
        body={{ blocked: false }}
        submitLabel={say('users.unblock')}
      />
    )
  if (check === 'attempts' && console.may(userBlocks.liftOfUser))
    return (
      <OperationForm operation={userBlocks.liftOfUser} params={{ id }} submitLabel={say('users.lift')} done="done" />
    )
  if (check === 'address' && console.may(jobs.verificationEmail))
    return (
      <OperationForm
        operation={jobs.verificationEmail}
        body={{ user_id: id }}
        submitLabel={say('users.verify')}
        done="done"
      />
    )
  if (check === 'password' && console.may(tickets.passwordChange))
    return (
      <OperationForm
        operation={tickets.passwordChange}
        body={{ user_id: id }}
        submitLabel={say('users.reset_password')}
      />
    )
  return null
}
