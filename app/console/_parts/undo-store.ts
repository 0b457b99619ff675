// What takes back the last change, in the storage of the tab for thirty seconds: the page says that it was saved, and offers it.

import { presentTime } from './present-time'

const NAME = 'latchkey.undo'

/** Milliseconds. */
const LIFETIME = 30_000

type StoredUndo = { calls: string; path: string; until: number }

/** `to`: the page that offers it. */
export function keepUndo(calls: string, to: string): void {
  const path = new URL(to, window.location.href).pathname
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ calls, path, until: presentTime() + LIFETIME } satisfies StoredUndo))
  } catch {
    // Without storage there is no way back.
  }
}

/** The calls that take back what led to this page, as JSON, and until when they are offered. */
export function readUndo(): { calls: string; until: number } | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as StoredUndo | null
    if (stored === null || stored.until <= presentTime() || stored.path !== window.location.pathname) return null
    return stored
  } catch {
    return null
  }
}

export function forgetUndo(): void {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    // There is none.
  }
}
