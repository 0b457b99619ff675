'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { say } from '../../../lib/text/console'

type Props = { label: string; close(): void; children: ReactNode }

/** A dialog of the browser's own: it holds the focus, ends with Escape, and gives the focus back. */
export function Dialog({ label, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The browser would begin with the box around it.
    shown?.querySelector('input')?.focus()
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it; Escape does by itself.
    <dialog
      ref={dialog}
      className="co-dialog"
      aria-label={label}
      onClose={close}
      onClick={({ target }) => {
        if (target === dialog.current) close()
      }}
    >
      <div className="co-dialog-body">
        {children}
        <button type="button" className="co-button co-button-small co-dialog-close" onClick={close}>
          {say('find.close')}
        </button>
      </div>
    </dialog>
  )
}
