'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { type ConsoleKey, say } from '../../../lib/text/console'
import { hear, takeArrival } from './done-store'
import { Undo } from './undo'

const DONE: Readonly<Record<string, ConsoleKey>> = {
  saved: 'form.saved',
  partly: 'form.partly',
  created: 'form.created',
  deleted: 'form.deleted',
  done: 'form.done',
  undone: 'form.undone',
}

/** What was done, and its way back: by the form that led to this page, or by one of the page itself. */
export function Done({ what }: { what: string | undefined }) {
  const [said, setSaid] = useState({ what: what ?? null, times: 0 })
  const notice = useRef<HTMLDivElement>(null)
  const router = useRouter()
  useEffect(() => hear((now) => setSaid(({ times }) => ({ what: now, times: times + 1 }))), [])
  // The frame and the pages fetched ahead are from before.
  useEffect(() => {
    if (takeArrival()) router.refresh()
  }, [router])
  // The button that had the focus may be gone with its row, or be disabled.
  useEffect(() => {
    if (said.times === 0) return
    const frame = requestAnimationFrame(() => {
      const held = document.activeElement
      if (held === null || held === document.body || held.matches(':disabled'))
        notice.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [said])
  const key = said.what !== null && Object.hasOwn(DONE, said.what) ? DONE[said.what] : undefined
  return (
    <div className={said.times > 0 ? 'co-done co-done-here' : 'co-done'} role="status">
      {key && (
        <div ref={notice} className="notice" tabIndex={-1}>
          <p>{say(key)}</p>
          {said.what !== 'undone' && <Undo key={said.times} />}
        </div>
      )}
    </div>
  )
}
