'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Loads the page again every so many seconds while the window is looked at. */
export function KeepFresh({ seconds }: { seconds: number }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh()
    }, seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds, router])
  return null
}
