import type { JoinProblem } from '../../../lib/server/next/console/join'
import { say } from '../../../lib/text/console'

type Props = { ticket: string; email: string | undefined; problem: JoinProblem | null }

/** For a server in which no user can sign in yet. */
export function AccountForm({ ticket, email, problem }: Props) {
  return (
    <form method="post" action="/console/join/first-account" className="co-form co-account">
      <input type="hidden" name="ticket" value={ticket} />
      {problem && (
        <div className="notice notice-error co-lines" role="alert">
          {problem.message}
        </div>
      )}
      <div className="co-field">
        <label className="co-label" htmlFor="first-email">
          {say('join.email')}
        </label>
        <input
          id="first-email"
          className="co-input"
          type="email"
          name="email"
          autoComplete="email"
          defaultValue={problem?.email ?? email}
          required
        />
      </div>
      <div className="co-field">
        <label className="co-label" htmlFor="first-password">
          {say('join.password')}
        </label>
        <input
          id="first-password"
          className="co-input"
          type="password"
          name="password"
          autoComplete="new-password"
          aria-describedby="first-password-hint"
          required
        />
        <p id="first-password-hint" className="co-hint">
          {say('join.password.help')}
        </p>
      </div>
      <button type="submit" className="co-button co-button-primary">
        {say('join.make')}
      </button>
    </form>
  )
}
