'use client'
import { useState, useSyncExternalStore } from 'react'

const never = () => () => {}
/** False while the server renders, without JavaScript, and on a page that is not secure. */
const useClipboard = (): boolean =>
  useSyncExternalStore(
    never,
    () => navigator.clipboard !== undefined,
    () => false,
  )

/** Copies `value` and confirms that visually and to a screen reader. Shown only where the browser can copy. */
export function CopyButton({ value, of }: { value: string; of: string }) {
  const [copied, setCopied] = useState(false)
  const canCopy = useClipboard()
  const copy = () => {
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1600)
    })
  }
  const label = copied ? 'Copied' : 'Copy'
  return (
    <button type="button" className="tools-copy" hidden={!canCopy} onClick={copy} aria-label={`${label} ${of}`}>
      <span aria-live="polite">{label}</span>
    </button>
  )
}
