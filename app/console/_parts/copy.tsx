'use client'
import { useEffect, useState } from 'react'
import { say } from '../../../lib/text/console'

const SHOWN_MS = 1600

export function Copy({ value }: { value: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true))
  return (
    <button type="button" className="co-button co-button-small" onClick={copy}>
      <span aria-live="polite">{say(copied ? 'form.copied' : 'form.copy')}</span>
    </button>
  )
}

/** An id, to be read and copied. */
export const CopyableId = ({ value }: { value: string }) => (
  <span className="co-copyable">
    <code>{value}</code>
    <Copy value={value} />
  </span>
)
