'use client'
import { useEffect } from 'react'
import { say } from '../../../lib/text/console'
import { keepsAll } from './drafts'

/** Asks before the page is left, for as long as something is not saved. */
export function useWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!keepsAll()) event.preventDefault()
    }
    // A link within the console is followed without an unload.
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      if (!link || !isPlain || link.target === '_blank' || link.dataset.keeps !== undefined || isSamePage(link)) return
      if (window.confirm(say('form.leave'))) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, true)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, true)
    }
  }, [isUnsaved])
}

const isSamePage = ({ href }: HTMLAnchorElement): boolean =>
  href.includes('#') && href.split('#')[0] === window.location.href.split('#')[0]
