'use client'
import { usePathname, useRouter } from 'next/navigation'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { say } from '../../../lib/text/console'
import './finder.css'
import { forgetRecent, keepRecent } from './recent'
import { areKeysOn, keyMeant } from './shortcuts'

export type FinderPlace = { path: string; title: string; key: string | undefined }
export type FinderCommand = { title: string; href: string }

type Props = { owner: string; places: readonly FinderPlace[]; commands: readonly FinderCommand[] }

// Loaded when they are opened first.
const Palette = lazy(() => import('./palette'))
const KeysDialog = lazy(() => import('./keys-dialog'))

/** The button of the search for everything, and the keys of the console. Without scripts the button leads to a page that searches. */
export function Finder({ owner, places, commands }: Props) {
  const router = useRouter()
  const path = usePathname()
  const [opened, open] = useState<'palette' | 'keys' | null>(null)
  const chord = useRef(NEVER)
  useEffect(() => keepRecent(owner, path), [owner, path])
  useEffect(() => {
    const forget = ({ target }: SubmitEvent): void => {
      if (target instanceof HTMLFormElement && target.action.endsWith('/console/auth/sign-out')) forgetRecent()
    }
    document.addEventListener('submit', forget)
    return () => document.removeEventListener('submit', forget)
  }, [])
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (!areKeysOn()) return
      const isAfterG = event.timeStamp - chord.current < CHORD
      const meant = keyMeant(event, isAfterG, places)
      chord.current = meant?.kind === 'begin' ? event.timeStamp : NEVER
      if (meant === null || meant.kind === 'begin') return
      event.preventDefault()
      if (meant.kind === 'go') router.push(meant.path)
      else if (meant.kind === 'help') open('keys')
      else meant.act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [places, router])
  return (
    <>
      <a
        className="co-finder"
        href="/console/find"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          open('palette')
        }}
      >
        {say('find.open')}
        <kbd className="co-kbd">Ctrl K</kbd>
      </a>
      <Suspense>
        {opened === 'palette' && (
          <Palette
            owner={owner}
            places={places}
            commands={commands}
            close={() => open(null)}
            showKeys={() => open('keys')}
          />
        )}
        {opened === 'keys' && <KeysDialog places={places} close={() => open(null)} />}
      </Suspense>
    </>
  )
}

/** Milliseconds between the two keys of a place. */
const CHORD = 1500

/** Before any time: that of an event counts from the start of the document. */
const NEVER = Number.NEGATIVE_INFINITY
