'use client'
import { useEffect, useState } from 'react'
import { say } from '../../../lib/text/console'
import { useScripts } from './use-scripts'

const SHOWN_MS = 1600

export function Copy({ value }: { value: string }) {
  const hasScripts = useScripts()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true))
  return (
    <button type="button" className="co-button co-button-small" onClick={copy} disabled={!hasScripts}>
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
