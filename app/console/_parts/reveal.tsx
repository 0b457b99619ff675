'use client'
import { useEffect } from 'react'
import type { FormState } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { Copy, CopyableId } from './copy'
import { Facts } from './facts'
import { noteSecret } from './leaving'

/** A secret, this once. The document is left with it, also for the same page. */
export function Reveal({ title, facts, revealed, content, next }: Extract<FormState, { status: 'done' }>) {
  useEffect(noteSecret, [])
  const named = JSON.parse(facts) as [string, string][]
  return (
    <div className="co-reveal" role="status">
      <p className="co-label">{title}</p>
      {named.length > 0 && (
        <Facts facts={named.map(([name, value]) => [name, <CopyableId key={name} value={value} />])} />
      )}
      <p className="co-copyable">
        <code className="co-secret">{revealed}</code>
        <Copy value={revealed} />
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
