// What a person entered and has not saved, kept in the browser while the page is left and comes back: for a sign-in, or because another form
// of the page was saved. It is in the storage of the tab, without secrets, and is read once.
import { useEffect } from 'react'
import { presentTime } from './present-time'

export type Draft = {
  /** What the controls had, and what they showed at first, as JSON. */
  sent: string
  was: string | null
  /** Whether a secret was entered, which is not kept. */
  hadSecret: boolean
}

/** Milliseconds. */
const LIFETIME = 30 * 60_000

const nameOf = (form: string): string => `latchkey.draft:${window.location.pathname}:${form}`

/** Storage may be full or closed: then nothing is kept. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

export const keepDraft = (form: string, draft: Draft): void => {
  attempt(() => sessionStorage.setItem(nameOf(form), JSON.stringify({ ...draft, until: presentTime() + LIFETIME })))
}

/** The draft of a form, which is then gone. */
export function takeDraft(form: string): Draft | null {
  return attempt(() => {
    const name = nameOf(form)
    const text = sessionStorage.getItem(name)
    if (text === null) return null
    sessionStorage.removeItem(name)
    const { until, ...draft } = JSON.parse(text) as Draft & { until: number }
    return until > presentTime() ? draft : null
  })
}

/** What keeps the draft of each form of the page. */
const keepers = new Set<() => void>()
let leaves = false

/** Whether the page is left with everything kept: no warning is needed. */
export const keepsAll = (): boolean => leaves

/** Another form takes the page away. */
export function keepOthers(own: () => void): void {
  for (const keep of keepers) if (keep !== own) keep()
  leaves = true
}

/** The page is left for a sign-in, and comes back. */
export function keepAll(): void {
  for (const keep of keepers) keep()
  leaves = true
}

export function useKeeping(keep: () => void): void {
  useEffect(() => {
    leaves = false
    keepers.add(keep)
    return () => {
      keepers.delete(keep)
    }
  }, [keep])
}
