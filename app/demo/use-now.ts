'use client'
import { useEffect, useState } from 'react'

/** Unix time in seconds, updated every second; null until the page runs in a browser, so that both renderings are equal. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Math.floor((performance.timeOrigin + performance.now()) / 1000))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
