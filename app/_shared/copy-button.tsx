'use client'
import { useState } from 'react'

/** Copies `value` and confirms that visually and to a screen reader. */
export function CopyButton({ value, of }: { value: string; of: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1600)
    })
  }
  return (
    <button type="button" className="tools-copy" onClick={copy} aria-label={`Copy ${of}`}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </button>
  )
}
