'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useEffect, useRef, useTransition } from 'react'
import { say } from '../../../lib/text/console'

/** Milliseconds without a further key. */
const PAUSE = 200

/** Puts what its controls say into the address as one types, and keeps the focus. Without scripts it is a form with a button. */
export function LiveForm({ path, children }: { path: string; children: ReactNode }) {
  const router = useRouter()
  const timer = useRef(0)
  const [isSearching, startSearch] = useTransition()
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const search = (form: HTMLFormElement): void => {
    window.clearTimeout(timer.current)
    const to = addressIn(path, form)
    if (to !== window.location.pathname + window.location.search)
      startSearch(() => router.replace(to, { scroll: false }))
  }
  const typed = ({ currentTarget, target }: FormEvent<HTMLFormElement>): void => {
    window.clearTimeout(timer.current)
    const isTyped = target instanceof HTMLInputElement
    timer.current = window.setTimeout(() => search(currentTarget), isTyped ? PAUSE : 0)
  }
  const submitted = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    search(event.currentTarget)
  }
  return (
    <form className="co-search" action={path} onInput={typed} onSubmit={submitted} aria-busy={isSearching}>
      {children}
      <span className="co-hidden" role="status">
        {isSearching ? say('list.searching') : ''}
      </span>
    </form>
  )
}

function addressIn(path: string, form: HTMLFormElement): string {
  const given = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
