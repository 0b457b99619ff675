'use client'
import './globals.css'
import ErrorPage from './error'

/** For a failure of the root layout, in whose place this stands. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <ErrorPage {...props} />
      </body>
    </html>
  )
}
