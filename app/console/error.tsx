'use client'
import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { say } from '../../lib/text/console'

type Props = { error: Error & { digest?: string }; reset: () => void }

/** A part of a page that failed while it was drawn, within the frame; the error itself is in the server's log. */
export default function ConsoleError({ error: { digest }, reset }: Props) {
  const router = useRouter()
  const retry = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return (
    <div className="co-plain" role="alert">
      <h1 className="co-title">{say('state.failed.title')}</h1>
      <p className="co-lead">{say('state.failed.text')}</p>
      {digest && <p className="co-hint">{say('state.failed.reference', { digest })}</p>}
      <button type="button" className="co-button" onClick={retry}>
        {say('state.retry')}
      </button>
    </div>
  )
}
