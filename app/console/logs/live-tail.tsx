'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { say } from '../../../lib/text/console'
import { useScripts } from '../_parts/use-scripts'

const EVERY_MS = 4000

type Props = {
  /** The ids of the rows of the page, the newest first. */
  newest: readonly string[]
  isFirst: boolean
}

/** Loads the first page again while it is on and the window is looked at, and says how many records are new. */
export function LiveTail({ newest, isFirst }: Props) {
  const router = useRouter()
  const hasScripts = useScripts()
  const [on, setOn] = useState(false)
  const [added, setAdded] = useState(0)
  const known = useRef(new Set(newest))
  useEffect(() => {
    const fresh = newest.filter((id) => !known.current.has(id)).length
    known.current = new Set(newest)
    if (fresh > 0) setAdded(fresh)
  }, [newest])
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [on, router])
  if (!isFirst) return null
  return (
    <div className="co-live">
      <span role="status" className="co-hint">
        {on && say(added === 0 ? 'logs.live.waits' : 'logs.live.added', { count: String(added) })}
      </span>
      <button
        type="button"
        className="co-button"
        aria-pressed={on}
        disabled={!hasScripts}
        onClick={() => {
          setAdded(0)
          setOn(!on)
        }}
      >
        {say(on ? 'logs.live.pause' : 'logs.live')}
      </button>
    </div>
  )
}
