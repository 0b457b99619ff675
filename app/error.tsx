'use client'
import { DoorPage } from './_shared/door-page'

/** The error page of the Next adapter; the error itself is in the server's log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <DoorPage title="Something went wrong on our side" door="shut">
      <p className="card-lead">It is not your fault. Wait a moment, then try again.</p>
      <button type="button" className="button button-primary" onClick={reset}>
        Try again
      </button>
      {error.digest && (
        <p className="card-foot">
          Reference <code>{error.digest}</code>
        </p>
      )}
    </DoorPage>
  )
}
