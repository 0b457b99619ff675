'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Milliseconds that the pointer or the focus stays on a link before its page is fetched: who passes over a list wants none of it. */
const INTENT = 50

/** With its data. Next exports no name for it. */
const WHOLE = { kind: 'full' } as unknown as Parameters<ReturnType<typeof useRouter>['prefetch']>[1]

/**
 * Fetches the page of a link that the pointer or the focus is on, so that it is there with the click. A touch fetches at once. A mouse that
 * presses before it rested does not: its click follows too soon, and the page would be made twice.
 */
export function Prefetch() {
  const router = useRouter()
  useEffect(() => {
    let timer = 0
    const leave = () => window.clearTimeout(timer)
    const fetchOf = (event: Event) => {
      const path = pageAt(event.target)
      if (path !== null) router.prefetch(path, WHOLE)
    }
    const consider = (event: Event) => {
      leave()
      timer = window.setTimeout(fetchOf, INTENT, event)
    }
    const press = (event: Event) => {
      leave()
      if (event instanceof PointerEvent && event.pointerType !== 'mouse') fetchOf(event)
    }
    const listeners = {
      pointerover: consider,
      focusin: consider,
      pointerdown: press,
      click: leave,
      pointerout: leave,
      focusout: leave,
    }
    for (const [name, listen] of Object.entries(listeners)) document.addEventListener(name, listen, { passive: true })
    return () => {
      leave()
      for (const [name, listen] of Object.entries(listeners)) document.removeEventListener(name, listen)
    }
  }, [router])
  return null
}

/** The address of a link to another page of the console. */
function pageAt(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return null
  const { origin, pathname, search } = link
  const isPage = origin === window.location.origin && /^\/console(?:\/(?!auth\/)|$)/.test(pathname)
  return isPage && pathname + search !== window.location.pathname + window.location.search ? pathname + search : null
}
