'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Seconds. */
const YEAR = 365 * 86_400

/** Tells the server the zone and the language of this browser; the page is drawn anew where it was drawn with others. */
export function PlaceKeeper({ cookie, sent }: { cookie: string; sent: string }) {
  const router = useRouter()
  useEffect(() => {
    const { timeZone, locale } = new Intl.DateTimeFormat(navigator.language).resolvedOptions()
    const place = `${timeZone},${locale}`
    if (place === sent) return
    const secure = window.location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no other way to write a cookie before version 140.
    document.cookie = `${cookie}=${place}; Path=/console; Max-Age=${YEAR}; SameSite=Lax${secure}`
    // A browser that keeps no cookie would ask for ever.
    if (document.cookie.includes(place)) router.refresh()
  }, [cookie, sent, router])
  return null
}
