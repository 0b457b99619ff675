'use client'
import Link from 'next/link'
import { say } from '../../../lib/text/console'
import { Copy } from './copy'

/** A secret, this once. */
export function Reveal({ value, next }: { value: string; next: string | null }) {
  return (
    <div className="co-reveal" role="status">
      <p>{say('form.secret')}</p>
      <p className="co-copyable">
        <code className="co-secret">{value}</code>
        <Copy value={value} />
      </p>
      {next !== null && (
        <Link className="co-button" href={next} prefetch={false}>
          {say('form.continue')}
        </Link>
      )}
    </div>
  )
}
