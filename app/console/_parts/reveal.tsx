'use client'
import { say } from '../../../lib/text/console'
import { Copy } from './copy'

/** A secret, this once. The document is left with it, also for the same page. */
export function Reveal({ value, next }: { value: string; next: string | null }) {
  return (
    <div className="co-reveal" role="status">
      <p>{say('form.secret')}</p>
      <p className="co-copyable">
        <code className="co-secret">{value}</code>
        <Copy value={value} />
      </p>
      {next !== null && (
        <a className="co-button" href={next}>
          {say('form.continue')}
        </a>
      )}
    </div>
  )
}
