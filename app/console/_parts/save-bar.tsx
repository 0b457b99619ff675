'use client'
import type { ReactNode } from 'react'
import { say } from '../../../lib/text/console'
import './save-bar.css'

type Props = {
  label: string
  busy: boolean
  /** The labels of what was changed; null where no script knows. */
  changed: readonly string[] | null
  discard(): void
  children: ReactNode
}

/** The end of a long form, always in sight: what was changed, and one button that saves all of it. */
export function SaveBar({ label, busy, changed, discard, children }: Props) {
  const isIdle = changed?.length === 0
  return (
    <div className={isIdle ? 'co-save co-save-idle' : 'co-save'}>
      {children}
      <div className="co-save-row">
        <p className="co-save-text" role="status">
          {changed === null ? null : changesText(changed)}
        </p>
        {changed !== null && changed.length > 0 && (
          <button type="button" className="co-button" onClick={discard} disabled={busy}>
            {say('form.discard')}
          </button>
        )}
        <button type="submit" className="co-button co-button-primary" disabled={busy || isIdle}>
          {busy ? say('form.working') : label}
        </button>
      </div>
    </div>
  )
}

function changesText(changed: readonly string[]): string {
  if (changed.length === 0) return say('form.changes.none')
  const members = changed.join(', ')
  return changed.length === 1
    ? say('form.changes.one', { members })
    : say('form.changes', { count: String(changed.length), members })
}
