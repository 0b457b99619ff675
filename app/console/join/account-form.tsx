'use client'
import { useActionState, useId } from 'react'
import { say } from '../../../lib/texts/console'
import { makeFirst } from '../_parts/actions'

/** For a server in which no user can sign in yet. */
export function AccountForm({ ticket }: { ticket: string }) {
  const [{ problem }, act, busy] = useActionState(makeFirst, { problem: null })
  const id = useId()
  return (
    <form action={act} className="co-form co-account">
      <input type="hidden" name="ticket" value={ticket} />
      {problem !== null && (
        <div className="notice notice-error" role="alert">
          {problem}
        </div>
      )}
      <div className="co-field">
        <label className="co-label" htmlFor={`${id}-email`}>
          {say('join.email')}
        </label>
        <input id={`${id}-email`} className="co-input" type="email" name="email" autoComplete="email" required />
      </div>
      <div className="co-field">
        <label className="co-label" htmlFor={`${id}-password`}>
          {say('join.password')}
        </label>
        <input
          id={`${id}-password`}
          className="co-input"
          type="password"
          name="password"
          autoComplete="new-password"
          required
        />
      </div>
      <button type="submit" className="co-button co-button-primary" disabled={busy}>
        {say('join.make')}
      </button>
    </form>
  )
}
