'use client'
import { useEffect } from 'react'
import { say } from '../../../lib/text/console'
import { Copy } from './copy'
import { noteSecret } from './leaving'

/** A secret, this once. The document is left with it, also for the same page. */
export function Reveal({ value, content, next }: { value: string; content: string; next: string | null }) {
  useEffect(noteSecret, [])
  return (
    <div className="co-reveal" role="status">
      <p>{say('form.secret')}</p>
      <p className="co-copyable">
        <code className="co-secret">{value}</code>
        <Copy value={value} />
      </p>
      {content !== '' && (
        <details className="co-fold" open>
          <summary>{say('form.secret.content')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
          <pre className="co-raw" tabIndex={0}>
            {content}
          </pre>
        </details>
      )}
      {next !== null && (
        <a className="co-button" href={next}>
          {say('form.continue')}
        </a>
      )}
    </div>
  )
}
